"""Events of all games, by audience; they are made only when read.

A playout in a search never reads them, and each is a large tuple.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeAlias, overload

from ordago.game import Event, EventT


def public(full: EventT) -> Event[EventT]:
    """Return an event that everybody sees."""
    return Event(full)


def hidden(full: EventT, audience: int, redacted: EventT) -> Event[EventT]:
    """Return an event that the seats in a bit mask see in full, with its redacted form for the others."""
    return Event(full, audience, redacted)


ToMake: TypeAlias = tuple[Any, ...]
"""An event that is still to be made: the function that makes it, then its arguments, of any types.

Nobody looks whether these fit before it is called. A tuple is made in a quarter of the time that a ``partial`` takes.
"""


class MadeWhenRead(Sequence[Event[EventT]], Generic[EventT]):
    """Events of a step. Some may not be made yet; reading any of them makes them all."""

    __slots__ = ("_parts",)

    def __init__(self, parts: list[Event[EventT] | ToMake]) -> None:
        """Begin with each event, or with how it is made. They must not change any more."""
        self._parts: list[Event[EventT] | ToMake] | tuple[Event[EventT], ...] = parts

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self._parts)

    def __iter__(self) -> Iterator[Event[EventT]]:
        """Go through the events: the one that every sequence has asks for each by its place, until there is none."""
        return iter(self._read())

    @overload
    def __getitem__(self, index: int) -> Event[EventT]: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Event[EventT], ...]: ...

    def __getitem__(self, index: int | slice) -> Event[EventT] | tuple[Event[EventT], ...]:
        """Return an event, or some."""
        return self._read()[index]

    def __eq__(self, other: object) -> bool:
        """Say whether others are the same events in the same order."""
        return self._read() == (other._read() if isinstance(other, MadeWhenRead) else other)

    def __hash__(self) -> int:
        """Return the hash of the events."""
        return hash(self._read())

    def _read(self) -> tuple[Event[EventT], ...]:
        parts = self._parts
        if isinstance(parts, list):
            # As long as it is a list nobody has read it.
            parts = self._parts = tuple([part if isinstance(part, Event) else part[0](*part[1:]) for part in parts])
        return parts
