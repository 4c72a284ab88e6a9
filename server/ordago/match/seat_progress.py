"""The referee's state for one seat."""

from typing import Final

from ordago import v1
from ordago.match.seat_clock import SeatClock
from ordago.match.terms import MatchTerms


class SeatProgress:
    """The state that belongs to one seat alone: its clock, its faults and its position in the events."""

    def __init__(self, seat: int, terms: MatchTerms) -> None:
        """Begin a match at a seat, by its number."""
        self.seat: Final = seat
        self._forfeit_after = terms.faults.forfeit_after
        self.clock = SeatClock(terms.time_of(seat))
        self.decisions = 0
        """The number of decisions that it was asked."""
        self.notified = 0
        """Its position in the events of the match: all before it have been sent."""
        self.events_notified = 0
        """The number of events that it has been sent in all."""
        self.faults = 0
        """The number of decisions that were taken for it because of its faults."""
        self.last_fault: v1.Fault = v1.FAULT_UNSPECIFIED
        """The last of these faults."""
        self.closed: v1.RecordedChoice | None = None
        """Its last decision before the match was resumed after a restart."""
        self.forfeit: v1.Fault = v1.FAULT_UNSPECIFIED
        """The fault that the seat is forfeited for; unspecified while it is not."""

    def note(self, fault: v1.Fault) -> None:
        """Count a decision that was taken for the seat because of a fault; without a fault do nothing."""
        if fault:
            self.faults += 1
            self.last_fault = fault

    @property
    def faults_left(self) -> int:
        """The number of further faults until the seat is forfeited; 0 also where there is no limit."""
        return max(0, self._forfeit_after - self.faults)

    @property
    def has_used_up_its_faults(self) -> bool:
        """True if the seat has reached the number of faults that forfeits the match."""
        return 0 < self._forfeit_after <= self.faults
