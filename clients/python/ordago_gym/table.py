"""A match that is played by action ids: the rules, the shuffles and the encoding together."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum, unique
from typing import Any, Final, TypeAlias

from ordago.chance import SecretDeals
from ordago.event import Event
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago_gym.encoding import Decision, Encoding, Memory, encoding_of

_SEED_TEXT: Final = "ordago-gym"
Watch: TypeAlias = Callable[[Sequence[Event[Any]]], None]


@unique
class Rewards(StrEnum):
    """The time at which seats are rewarded, and for what."""

    MATCH = "match"
    """At the end of the match, for the sides that a side is ahead of, less those that are ahead of it: -1 to 1."""
    DEAL = "deal"
    """At the end of each deal, with the points that the seat gained in it."""

    @classmethod
    def named(cls, name: str) -> "Rewards":
        """Return the kind of this name.

        Raises:
            ValueError: there is none.
        """
        if name not in list(cls):
            raise ValueError(f"rewards is one of: {', '.join(cls)}; not {name!r}")
        return cls(name)


class Gains:
    """The points that seats gain, deal by deal."""

    __slots__ = ("_scores", "_standing")

    def __init__(self, game: AnyGame, *, seats: int) -> None:
        """Begin a match."""
        assert game.standing is not None, "a game with an encoding says how its score stands"
        self._standing: Final = game.standing
        self._scores: Sequence[int] = (0,) * seats

    def take(self, state: Any) -> list[float]:  # noqa: ANN401 - of any game
        """Return what each seat gained since it was taken last, at the end of a deal."""
        before, self._scores = self._scores, self._standing(state).scores
        return [float(score - old) for score, old in zip(self._scores, before, strict=True)]


def match_rewards(placings: Sequence[int], sides: Sequence[int]) -> list[float]:
    """Return the reward of each seat for its placing, from -1 to 1, as ``Rewards.MATCH`` says."""
    placing_of = dict(zip(sides, placings, strict=True))
    return [
        sum((other > own) - (other < own) for other in placing_of.values()) / (len(placing_of) - 1) for own in placings
    ]


class Table:
    """One match after the other, played by action ids.

    Attributes:
        encoding: the encoding of the game.
        seats: the number of players.
        actor: the seat that is to act; ``FINISHED`` at the end of a match.
        decision: what the actor is told, and what it chose so far.
        rewards: the rewards of the seats since they were last taken away; ``None`` for none.
        options: the options of the game.
        kind: the kind of rewards.
        state: the state of the match.
        watch: takes the events of each step, if somebody is to see them.
    """

    __slots__ = (
        *("_deals", "_gains", "_game", "_memories", "_sides", "actor", "decision", "encoding", "kind", "options"),
        *("rewards", "seats", "state", "watch"),
    )

    def __init__(
        self,
        name: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        rewards: Rewards = Rewards.MATCH,
    ) -> None:
        """Take what ``encoding_of`` takes, and the kind of rewards."""
        self.encoding: Final[Encoding] = encoding_of(name, seats=seats, options=options)
        self.seats: Final = self.encoding.seats
        self.kind: Final = rewards
        self._game: Final = find_game(self.encoding.name)
        self.options: Final = self._game.rules.options(options or {})
        self._sides: Final = self._game.rules.sides(self.seats)
        self.rewards: list[float] | None = None
        self.watch: Watch | None = None
        self.actor = FINISHED
        self.decision = Decision(None)
        self._memories: Final[list[Memory]] = [self.encoding.memory() for _ in range(self.seats)]

    def begin(self, secret: bytes) -> None:
        """Begin a match whose shuffles all follow from a secret."""
        self._deals = SecretDeals(secret, _SEED_TEXT)
        self.state: Any = self._game.rules.new_match(seats=self.seats, options=self.options)
        self._gains = Gains(self._game, seats=self.seats)
        for memory in self._memories:
            memory.forget()
        self.rewards = None
        self._go_on()

    def choose(self, number: int) -> None:
        """Let the actor choose an action id, which has to be legal."""
        decision = self.decision
        ids = (*decision.parts, number)
        action = self.encoding.action(decision, ids)
        if action is None:
            self.decision = decision._replace(parts=ids)
        else:
            events = self.state.apply(action)
            if self.watch is not None:
                self.watch(events)
            self._go_on()

    def watching(self, seat: int) -> Decision:
        """Return what a seat sees that is not to act."""
        return self.encoding.decision(self.state.view(seat), memory=self._memories[seat])

    def _go_on(self) -> None:
        """Shuffle where that is due, and put the next question."""
        state = self.state
        while state.actor == CHANCE:
            due = state.shuffle_due()
            if not due.shuffle and due.deal and self.kind is Rewards.DEAL:
                self.rewards = self._gains.take(state)
            events = state.supply(self._deals.shuffled(due))
            if self.watch is not None:
                self.watch(events)
        self.actor = actor = state.actor
        if actor == FINISHED:
            self._reward_end()
        else:
            memory = self._memories[actor]
            self.decision = self.encoding.decision(state.view(actor), state.legal_actions(), state.extras(), memory)

    def _reward_end(self) -> None:
        if self.kind is Rewards.DEAL:
            self.rewards = self._gains.take(self.state)
        else:
            self.rewards = match_rewards(self.state.outcome.placings, self._sides)
