"""Events built on first access: playouts in a search never read them, and each is a large tuple."""

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeAlias, overload

from ordago.game import Event, EventT

ToMake: TypeAlias = tuple[Any, ...]
"""An event to be built later: the function that builds it, then its arguments, of any types."""


class MadeWhenRead(Sequence[Event[EventT]], Generic[EventT]):
    """Events of a step, some of which are built when any of them is read."""

    __slots__ = ("_parts",)

    def __init__(self, parts: list[Event[EventT] | ToMake]) -> None:
        """Take events and functions that build them, in order. They must not change any more."""
        self._parts: list[Event[EventT] | ToMake] | tuple[Event[EventT], ...] = parts

    def __len__(self) -> int:
        """Return the number of events."""
        return len(self._parts)

    def __iter__(self) -> Iterator[Event[EventT]]:
        """Iterate over the events. The iterator of ``Sequence`` would index them one by one, until an IndexError."""
        return iter(self._read())

    @overload
    def __getitem__(self, index: int) -> Event[EventT]: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Event[EventT], ...]: ...

    def __getitem__(self, index: int | slice) -> Event[EventT] | tuple[Event[EventT], ...]:
        """Return an event, or some."""
        return self._read()[index]

    def __eq__(self, other: object) -> bool:
        """Return True if others are the same events in the same order."""
        return self._read() == (other._read() if isinstance(other, MadeWhenRead) else other)

    def __hash__(self) -> int:
        """Return the hash of the events."""
        return hash(self._read())

    def _read(self) -> tuple[Event[EventT], ...]:
        parts = self._parts
        if isinstance(parts, list):
            # While it is a list, it has not been read.
            parts = self._parts = tuple([part if isinstance(part, Event) else part[0](*part[1:]) for part in parts])
        return parts
