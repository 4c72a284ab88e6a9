"""What a game folder offers beside its rules: a codec to the wire, and words for people."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias

from ordago.game import ActionT, EventT, EventT_contra, OptionsT, Rules, Sampler, State, ViewT
from ordago.scene import Staging
from ordago.wire.codec import Codec


class Words(Protocol[EventT_contra]):
    """How a game reads to a person."""

    def tell(self, events: Iterable[EventT_contra], *, players: Sequence[str]) -> Iterator[str]:
        """Tell a match, or a part of one, line by line from its events in full."""


@dataclass(frozen=True, slots=True)
class Game(Generic[ActionT, EventT, ViewT, OptionsT]):
    """A game: rules, codec and words; what draws the states that fit a view, and how it is shown, if it has these."""

    rules: Rules[ActionT, EventT, ViewT, OptionsT]
    codec: Codec[ActionT, EventT, ViewT, OptionsT]
    words: Words[EventT]
    possible_states: Sampler[ViewT, State[ActionT, EventT, ViewT]] | None = None
    staging: Staging[ActionT, EventT, OptionsT] | None = None
    """How it is shown by pictures; ``None`` where it is only told in words."""
    duplicates_tell_more: bool = True
    """Whether matches tell more of bots when all seatings of a table get the same deals; see docs/duplicates.md."""

    @property
    def name(self) -> str:
        """The short name, for instance ``mittlere``."""
        return self.rules.name


# What the engine holds: it passes the values of a game from its rules to its codec and back without looking inside.
AnyGame: TypeAlias = Game[Any, Any, Any, Any]
