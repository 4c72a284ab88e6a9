"""States played out by a policy, to the end of the deal or of the match."""

from collections.abc import Callable, Hashable, Sequence
from enum import IntEnum, unique
from random import Random
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from ordago.game import CHANCE, FINISHED, LegalAction, Parts, Pick, State
from ordago.games.definition import AnyGame
from ordago_bot.house.solid import policy_of

AnyState: TypeAlias = State[Any, Any, Any]


@unique
class Policy(IntEnum):
    """The way in which all players act."""

    RANDOM = 1
    """A random legal action, with random open parts."""
    DEFAULT = 2
    """The default action."""
    HOUSE = 3
    """The play of the house bot ``solid`` with one world, or the default action in a game that it does not play."""


@unique
class End(IntEnum):
    """The end of a playout."""

    DEAL = 1
    """The end of the deal; in a game that does not say how its score stands, that of the match."""
    MATCH = 2
    """The end of the match."""


class Manner(NamedTuple):
    """The way to play out."""

    policy: Policy = Policy.RANDOM
    end: End = End.DEAL
    times: int = 1
    """The number of playouts of each state."""


class Playouts:
    """Playouts of the states of one game."""

    def __init__(self, game: AnyGame, manner: Manner, *, rng: Random) -> None:
        """Play out in this manner, with all chance from one generator."""
        self._rng = rng
        self._times = manner.times
        self._standing = None if manner.end is End.MATCH else game.standing
        self._act = _policy(game, manner.policy, rng)

    def deal_of(self, state: AnyState) -> int | None:
        """Return the deal at whose end a playout of a state ends; ``None`` for the end of the match."""
        return None if self._standing is None else self._standing(state).deal

    def average(self, state: AnyState, *, deal: int | None) -> Sequence[float]:
        """Return the average score of each seat over some playouts of a state.

        Args:
            state: the state, where a shuffle may be due. It is used up: a copy less is a twentieth of a playout.
            deal: from ``deal_of``, before the last action: it may have ended the deal.
        """
        played = [self._scores(state.clone(), deal) for _ in range(self._times - 1)]
        played.append(self._scores(state, deal))
        return played[0] if len(played) == 1 else [fmean(of_seat) for of_seat in zip(*played, strict=True)]

    def _scores(self, state: AnyState, deal: int | None) -> Sequence[float]:
        """Play a state out, and return the score of each seat."""
        act = self._act
        while (actor := state.actor) != FINISHED:
            if actor != CHANCE:
                state.apply(act(state))
            elif deal is None or state.shuffle_due().deal == deal:
                shuffle(state, self._rng)
            else:
                break
        if self._standing is not None:
            return self._standing(state).scores
        assert state.outcome is not None, "a match that is over has an outcome"
        return state.outcome.scores


def shuffle(state: AnyState, rng: Random) -> None:
    """Make the shuffle that is due."""
    cards = list(state.shuffle_due().cards)
    rng.shuffle(cards)
    state.supply(cards)


def shuffle_where_due(state: AnyState, rng: Random) -> None:
    """Make all shuffles that are due, until a player is to act or the match is over."""
    while state.actor == CHANCE:
        shuffle(state, rng)


def _policy(game: AnyGame, policy: Policy, rng: Random) -> Callable[[AnyState], Hashable]:
    """Return the function that acts for every seat."""
    choose = policy_of(game.name) if policy is Policy.HOUSE else None
    if choose is not None:
        return lambda state: choose(state.view(state.actor), legal=state.legal_actions(), rng=rng, worlds=1)
    if policy is Policy.RANDOM:
        return lambda state: any_action(game, rng.choice(state.legal_actions()), rng)
    return lambda state: state.default_action()


def any_action(game: AnyGame, legal: LegalAction[Any], rng: Random) -> Any:  # noqa: ANN401 - the game's own type
    """Return a legal action with its open parts filled in at random."""
    action, open_amount, picks = legal
    if open_amount is None and not picks:
        return action
    # Libraries of other games draw one random number per action, so use as few as possible; ``choice`` is the fastest.
    amount = rng.choice(range(open_amount.min, open_amount.max + 1)) if open_amount is not None else None
    cards = tuple(sorted([card for pick in picks for card in _picked(pick, rng)])) if picks else ()
    return game.rules.fill(legal, Parts(amount, cards))


def _picked(pick: Pick, rng: Random) -> Sequence[int]:
    """Return random cards of a group, in a number that is uniform over the allowed ones."""
    most = min(pick.max, len(pick.cards))
    number = pick.min if pick.min == most else rng.choice(range(pick.min, most + 1))
    if number == len(pick.cards):
        return pick.cards
    return (rng.choice(pick.cards),) if number == 1 else rng.sample(pick.cards, number)
