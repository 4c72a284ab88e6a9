"""An event of a match, in any game."""

from collections.abc import Hashable
from typing import Final, Generic, TypeVar, final

EventT_co = TypeVar("EventT_co", bound=Hashable, covariant=True)


@final
class Event(Generic[EventT_co]):
    """Something that happened in a match, and its visibility to each seat.

    Attributes:
        full: the event with everything that any seat may see of it.
        audience: the seats that see it in full, as a bit mask; ``None`` for everybody.
        redacted: the event as the other seats see it; ``None`` if they see nothing.
    """

    __slots__ = ("audience", "full", "redacted")

    def __init__(self, full: EventT_co, audience: int | None = None, redacted: EventT_co | None = None) -> None:
        """Take the values that are described above."""
        self.full: Final = full
        self.audience: Final = audience
        self.redacted: Final = redacted

    def __eq__(self, other: object) -> bool:
        """Return True if another event is the same and visible to the same seats."""
        return isinstance(other, Event) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Return the hash of its parts."""
        return hash(self._parts())

    def __repr__(self) -> str:
        """Return the constructor call that makes the event."""
        return f"Event{self._parts()}"

    def __reduce__(self) -> tuple[type["Event[EventT_co]"], tuple[EventT_co, int | None, EventT_co | None]]:
        """Return the arguments that make a copy: its attributes cannot be set."""
        return Event, self._parts()

    def _parts(self) -> tuple[EventT_co, int | None, EventT_co | None]:
        return self.full, self.audience, self.redacted

    def seen_by(self, seat: int) -> EventT_co | None:
        """Return the event as a seat sees it; ``None`` if it sees nothing."""
        if self.audience is None or self.audience >> seat & 1:
            return self.full
        return self.redacted

    @property
    def public(self) -> EventT_co | None:
        """The event as spectators without cards see it; ``None`` if they see nothing."""
        return self.full if self.audience is None else self.redacted
