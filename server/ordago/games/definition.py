"""The definition of a game beside its rules: a codec for the wire, and a presentation for people."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias

from ordago.game import ActionT, EventT, OptionsT, Outcome, Rules, Sampler, Standing, State, ViewT
from ordago.scene import Staging
from ordago.wire.codec import Codec

_TWO: Final = 2


@dataclass(frozen=True, slots=True)
class Game(Generic[ActionT, EventT, ViewT, OptionsT]):
    """A game: its rules, its codec, its presentation, and a sampler of states that fit a view, if it has one."""

    rules: Rules[ActionT, EventT, ViewT, OptionsT]
    codec: Codec[ActionT, EventT, ViewT, OptionsT]
    staging: Staging[ActionT, EventT, OptionsT]
    possible_states: Sampler[ViewT, State[ActionT, EventT, ViewT]] | None = None
    standing: Callable[[Any], Standing] | None = None
    """Return the score so far of one of its states; ``None`` for a game that does not say before the end of a match."""
    conceded: Callable[[Any, int], Outcome] | None = None
    """Return the outcome where a side, by number, concedes in one of its states; ``None`` for a game without that. Two
    sides play then: among more, one cannot settle the result of the others."""

    duplicates_tell_more: bool = True
    """True if equal deals for all seatings of a table make matches more informative; see docs/duplicates.md."""

    signed_scores: bool = True
    """False if no score of these rules is ever below zero: it is written without a sign then."""

    rule_page: str = ""
    """The rule page of a game of another package, in Markdown. Those of our own lie in docs/rules."""

    def can_be_conceded(self, seats: int) -> bool:
        """Return True if a match for so many players can be conceded."""
        return self.conceded is not None and len(set(self.rules.sides(seats))) == _TWO

    @property
    def name(self) -> str:
        """The short name, for instance ``mittlere``."""
        return self.rules.name


# What the engine holds: it passes the values of a game from its rules to its codec and back without looking inside.
AnyGame: TypeAlias = Game[Any, Any, Any, Any]
