"""The events of a match, and how many of them each seat has been sent."""

from collections.abc import Sequence
from typing import Final

from ordago.match.seat_progress import SeatProgress
from ordago.wire.decision_parts import EVERYBODY, EventParts

_FORGET_FROM: Final = 16
"""The fewest events for which a search for delivered ones pays."""


class News:
    """The events of a match, in order, until every seat has been sent them.

    All seats share one list, and each seat keeps its position in it: a public event is appended once and not once per
    seat.
    """

    def __init__(self, seats: Sequence[SeatProgress]) -> None:
        """Begin without events for these seats."""
        self.happened: Final[list[EventParts]] = []
        """The events that not every seat has been sent. New events are appended."""
        self._seats: Final = seats
        self._forget_at = _FORGET_FROM
        """The number of events at which delivered ones are next dropped."""

    def hand_over(self, progress: SeatProgress) -> tuple[int, list[bytes]]:
        """Return the number of the first event that a seat has not been sent, and all such events; mark them as sent.

        The events are serialized fields of a decision. They are numbered from 1 among those that the seat sees.
        """
        # The same as ``Event.seen_by``, on bytes instead of values: to call it would slow each decision down.
        seen: list[bytes] = []
        for parts in self.happened[progress.notified :]:
            if parts.audience == EVERYBODY or parts.audience >> progress.seat & 1:
                seen.append(parts.full)
            elif parts.redacted:
                seen.append(parts.redacted)
        first = progress.events_notified + 1
        progress.events_notified += len(seen)
        progress.notified = len(self.happened)
        if progress.notified >= self._forget_at:
            self._forget()
        return first, seen

    def _forget(self) -> None:
        """Drop the events that every seat has been sent."""
        known = min([progress.notified for progress in self._seats])
        del self.happened[:known]
        for progress in self._seats:
            progress.notified -= known
        self._forget_at = _FORGET_FROM + 2 * len(self.happened)
