"""What happened in a match, and how far each seat was told of it."""

from collections.abc import Sequence
from typing import Final

from ordago.match.seat_progress import SeatProgress
from ordago.wire.decision_parts import EVERYBODY, EventParts

_FORGET_FROM: Final = 16
"""With so many events it is worth while to look for some that everybody was told."""


class News:
    """What happened in a match, in order, until every seat was told.

    It stands here once, and each seat knows up to where it was told: an event that all see is put into one list as it
    happens, and not into one for each seat.
    """

    def __init__(self, seats: Sequence[SeatProgress]) -> None:
        """Begin with nothing to tell these seats."""
        self.happened: Final[list[EventParts]] = []
        """What happened and not every seat was told yet. Whatever happens next is appended."""
        self._seats: Final = seats
        self._forget_at = _FORGET_FROM
        """How many events may be there before it is looked for what everybody was told."""

    def hand_over(self, progress: SeatProgress) -> tuple[int, list[bytes]]:
        """Return the number of the first event that a seat was not told yet, and all of these; they count as told.

        What is returned are serialized fields of a decision. Events are numbered as the seat sees them, from 1.
        """
        # What ``Event.seen_by`` says, for bytes instead of values: by way of it each decision takes longer.
        seen: list[bytes] = []
        for parts in self.happened[progress.told :]:
            if parts.audience == EVERYBODY or parts.audience >> progress.seat & 1:
                seen.append(parts.full)
            elif parts.redacted:
                seen.append(parts.redacted)
        first = progress.events_told + 1
        progress.events_told += len(seen)
        progress.told = len(self.happened)
        if progress.told >= self._forget_at:
            self._forget()
        return first, seen

    def _forget(self) -> None:
        """Let go of what everybody was told."""
        known = min([progress.told for progress in self._seats])
        del self.happened[:known]
        for progress in self._seats:
            progress.told -= known
        self._forget_at = _FORGET_FROM + 2 * len(self.happened)
