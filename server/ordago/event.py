"""What happens in a match, for all games."""

from collections.abc import Hashable
from typing import Final, Generic, TypeVar, final

EventT_co = TypeVar("EventT_co", bound=Hashable, covariant=True)


@final
class Event(Generic[EventT_co]):
    """Something that happened, and who sees how much of it.

    Attributes:
        full: the event with all that anybody may see of it.
        audience: the seats that see it in full, as a bit mask; ``None`` for everybody.
        redacted: what the other seats see of it; ``None`` for nothing at all.
    """

    __slots__ = ("audience", "full", "redacted")

    def __init__(self, full: EventT_co, audience: int | None = None, redacted: EventT_co | None = None) -> None:
        """Take the parts, as they are called above."""
        self.full: Final = full
        self.audience: Final = audience
        self.redacted: Final = redacted

    def __eq__(self, other: object) -> bool:
        """Say whether another event is the same, and seen by the same."""
        return isinstance(other, Event) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Return the hash of its parts."""
        return hash(self._parts())

    def __repr__(self) -> str:
        """Return how it is made."""
        return f"Event{self._parts()}"

    def __reduce__(self) -> tuple[type["Event[EventT_co]"], tuple[EventT_co, int | None, EventT_co | None]]:
        """Return how a copy is made: its parts cannot be set."""
        return Event, self._parts()

    def _parts(self) -> tuple[EventT_co, int | None, EventT_co | None]:
        return self.full, self.audience, self.redacted

    def seen_by(self, seat: int) -> EventT_co | None:
        """Return what a seat sees of the event, or ``None`` for nothing."""
        if self.audience is None or self.audience >> seat & 1:
            return self.full
        return self.redacted

    @property
    def public(self) -> EventT_co | None:
        """What those see of the event who hold no cards, or ``None`` for nothing."""
        return self.full if self.audience is None else self.redacted
