"""What the referee keeps of one seat."""

from typing import Final

from ordago import v1
from ordago.match.seat_clock import SeatClock
from ordago.match.terms import MatchTerms


class SeatProgress:
    """The numbers that belong to one seat alone, its clock and its faults."""

    def __init__(self, seat: int, terms: MatchTerms) -> None:
        """Begin a match at a seat, by its number."""
        self.seat: Final = seat
        self._forfeit_after = terms.faults.forfeit_after
        self.clock = SeatClock(terms.time)
        self.decisions = 0
        """How many decisions it was asked."""
        self.told = 0
        """Up to where in the news of the match it was told."""
        self.events_told = 0
        """How many events it was told in all."""
        self.faults = 0
        """How many decisions were taken for it because of its faults."""
        self.last_fault: v1.Fault = v1.FAULT_UNSPECIFIED
        """The last of these faults."""
        self.closed: v1.RecordedChoice | None = None
        """What came of its last decision before the match went on after a restart."""
        self.forfeit: v1.Fault = v1.FAULT_UNSPECIFIED
        """Why the seat is forfeited; unspecified while it is not."""

    def note(self, fault: v1.Fault) -> None:
        """Count a decision that was taken for the seat because of a fault, if it was."""
        if fault:
            self.faults += 1
            self.last_fault = fault

    @property
    def faults_left(self) -> int:
        """How many more decisions may be taken for the seat because of its faults; 0 where there is no such number."""
        return max(0, self._forfeit_after - self.faults)

    @property
    def has_used_up_its_faults(self) -> bool:
        """Say whether it forfeits the match by the number of its faults."""
        return 0 < self._forfeit_after <= self.faults
