"""Non-interference, for every game: what a seat is sent depends on nothing that it may not see.

A deal is played by chance up to some decision. Then what the deciding seat cannot see is replaced by another deal that
fits all that it knows, the same public actions are played in that one from its first shuffle on, and all that the seat
is sent must be the same in both, byte for byte and in the same order.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple, TypeAlias

from ordago.game import CHANCE, FINISHED, Event, LegalAction, State
from ordago.games.definition import AnyGame

AnyState: TypeAlias = State[Any, Any, Any]
# A game's own functions take states of its own class.
Redeal: TypeAlias = Callable[[Any], Sequence[Sequence[int]]]
"""Returns the outcomes of the deal's last shuffles that lead to what a state's players hold.

Shuffles before these have left nothing in a state but what everybody saw, so they are kept as they were.
"""
Redo: TypeAlias = Callable[[Any, Sequence[Hashable]], Sequence[Hashable]]
"""Returns the actions of the deal that lead to a state, from those that led to another that looks the same to a seat.

They differ where players act unseen: a card given secretly may be another.
"""
Choose: TypeAlias = Callable[[Any, Random], Hashable]
"""Returns a complete legal action of the actor."""


class Step(NamedTuple):
    """A shuffle or an action of a deal; the other is ``None``."""

    shuffled: Sequence[int] | None = None
    action: Hashable | None = None


Reenact: TypeAlias = Callable[[Any, Sequence[Step], int], Sequence[Step]]
"""Returns the steps that lead to a state, from those of another that looks the same to a seat, and the seat."""


def by_chance(state: AnyState, rng: Random) -> Hashable:
    """Choose any legal action, in a game whose actions have no open parts."""
    action: Hashable = rng.choice(state.legal_actions()).action
    return action


def _the_same(_state: AnyState, actions: Sequence[Hashable]) -> Sequence[Hashable]:
    """Redo the actions of a game in which everybody acts openly."""
    return actions


@dataclass(frozen=True, slots=True)
class Ways:
    """How a game is played by chance, dealt again and asked for what is illegal."""

    probes: Sequence[Hashable]
    """Actions to be tried at any decision."""
    options: Sequence[Mapping[str, object]]
    """What matches are played with, one after the other."""
    redeal: Redeal | None = None
    choices: Sequence[Choose] = ()
    redo: Redo | None = None
    reenact: Reenact | None = None

    def of_look_alikes(self) -> dict[str, Any]:
        """Return what ``look_alikes`` takes."""
        ways = {"redeal": self.redeal, "redo": self.redo, "reenact": self.reenact}
        return {name: way for name, way in ways.items() if way is not None}


class LookAlikes(NamedTuple):
    """Two ways to a decision that look the same to the seat that is asked there."""

    seat: int
    steps: Sequence[Step]
    """The steps of the deal up to the decision."""
    other_steps: Sequence[Step]
    """As many steps of another deal, which all that the seat knows fits."""


def look_alikes(
    game: AnyGame,
    start: AnyState,
    *,
    rng: Random,
    redeal: Redeal | None = None,
    choose: Choose = by_chance,
    redo: Redo = _the_same,
    reenact: Reenact | None = None,
) -> LookAlikes:
    """Play the deal that begins up to some decision, and return how it went and how else it may have gone.

    Args:
        game: the game.
        start: a state that waits for the first shuffle of a deal.
        rng: chooses the deal, the actions, the decision and the other deal.
        redeal: turns the dealing round.
        choose: how the players choose.
        redo: turns the actions into those of the other deal.
        reenact: stands for ``redeal`` and ``redo`` in a game that deals to a hand several times, where the cards of the
            seat have to come when they came.
    """
    steps = _any_beginning(play_deal(start.clone(), rng=rng, choose=choose), rng=rng)
    end = start.clone()
    for step in steps:
        take(end, step)
    seat = end.actor
    assert game.possible_states is not None, f"non-interference needs states that fit a view: give {game.name} them"
    other = next(game.possible_states(end.view(seat), rng=rng))
    if reenact is not None:
        return LookAlikes(seat, steps, reenact(other, steps, seat))
    assert redeal is not None, "a game without reenact has a redeal"
    actions = redo(other, [step.action for step in steps if step.shuffled is None])
    return LookAlikes(seat, steps, list(_in_other_deal(steps, shuffles=redeal(other), actions=actions)))


def check_noninterference(
    game: AnyGame, start: AnyState, *, rng: Random, probes: Iterable[Hashable], **ways: Any
) -> None:
    """Check that nothing hidden shows in a decision of the deal that begins, nor in anything sent before it.

    Args:
        game: the game.
        start: a state that waits for the first shuffle of a deal.
        rng: chooses the deal, the actions, the decision and the other deal.
        probes: actions to be checked at each decision, legal or not, so that refusals are compared as well.
        ways: how the game is played and dealt: what ``look_alikes`` takes beside these.
    """
    seat, steps, other_steps = look_alikes(game, start, rng=rng, **ways)
    probes = tuple(probes)
    told = list(_told(game, start.clone(), steps, seat=seat, probes=probes))
    told_in_other = list(_told(game, start.clone(), other_steps, seat=seat, probes=probes))
    assert told == told_in_other, f"seat {seat} can tell two deals apart that look the same to it"


def play_deal(state: AnyState, *, rng: Random, choose: Choose = by_chance) -> list[Step]:
    """Play a state to the end of the deal that it is about to begin, and return the steps."""
    deal = state.shuffle_due().deal
    steps = []
    while state.actor != FINISHED and not (state.actor == CHANCE and state.shuffle_due().deal != deal):
        step = _next_step(state, rng=rng, choose=choose)
        take(state, step)
        steps.append(step)
    return steps


def _next_step(state: AnyState, *, rng: Random, choose: Choose) -> Step:
    if state.actor != CHANCE:
        return Step(action=choose(state, rng))
    cards = list(state.shuffle_due().cards)
    rng.shuffle(cards)
    return Step(shuffled=cards)


def take(state: AnyState, step: Step) -> Sequence[Event[Any]]:
    """Take a step and return what it caused."""
    if step.shuffled is not None:
        return state.supply(step.shuffled)
    assert state.check(step.action) is None, (
        f"{step.action} is not legal here; if it was so in the first deal, possible_states draws hands that do not "
        "fit, or WAYS deal others"
    )
    return state.apply(step.action)


def _any_beginning(steps: Sequence[Step], *, rng: Random) -> Sequence[Step]:
    """Return the steps before any of the decisions."""
    decisions = [place for place, step in enumerate(steps) if step.shuffled is None]
    return steps[: rng.choice(decisions)]


def _in_other_deal(
    steps: Sequence[Step], *, shuffles: Sequence[Sequence[int]], actions: Iterable[Hashable]
) -> Iterator[Step]:
    shuffled = [step.shuffled for step in steps if step.shuffled is not None]
    remaining_shuffles = iter([*shuffled[: len(shuffled) - len(shuffles)], *shuffles])
    remaining_actions = iter(actions)
    for step in steps:
        if step.shuffled is None:
            yield Step(action=next(remaining_actions))
        else:
            yield Step(shuffled=next(remaining_shuffles))


def _told(
    game: AnyGame, state: AnyState, steps: Iterable[Step], *, seat: int, probes: Sequence[Hashable]
) -> Iterator[object]:
    """Play the steps and go through all that a seat is sent, its last decision included."""
    for step in steps:
        if state.actor == seat:
            yield _decision(game, state, probes=probes)
        seen = (event.seen_by(seat) for event in take(state, step))
        yield [_bytes(game.codec.event(event)) for event in seen if event is not None]
    assert state.actor == seat
    yield _decision(game, state, probes=probes)


def _decision(game: AnyGame, state: AnyState, *, probes: Sequence[Hashable]) -> object:
    return (
        game.codec.views()(state.view(state.actor)),
        [_legal(game, legal) for legal in state.legal_actions()],
        [_bytes(game.codec.action(extra)) for extra in state.extras()],
        _bytes(game.codec.action(state.default_action())),
        [state.check(probe) for probe in probes],
    )


def _legal(game: AnyGame, legal: LegalAction[Any]) -> object:
    return _bytes(game.codec.action(legal.action)), legal.amount, legal.picks


def _bytes(message: Any) -> bytes:
    return bytes(message.SerializeToString(deterministic=True))
