"""What became of a match, as far as it counts: all of it follows from its record."""

from collections.abc import Sequence
from typing import NamedTuple

from ordago import v1
from ordago.record.faults import FaultCount, SeatForfeit, StrikeCount, faults_of, forfeits_of, strikes_of


class Result(NamedTuple):
    """What became of a match."""

    scores: tuple[int, ...]
    """The score of each seat; higher is better."""
    placings: tuple[int, ...]
    """The placing of each seat's side, from 1."""
    faults: tuple[tuple[FaultCount, ...], ...]
    """The faults of each seat, ascending by their short names."""
    forfeits: tuple[SeatForfeit, ...]
    """The seats that forfeited the match, ascending."""
    strikes: tuple[tuple[StrikeCount, ...], ...]
    """The strikes of each seat by the rules that were broken, ascending by the rules' short names. They cost time
    alone; the last one that a decision bears is a fault, too."""

    def forfeiters(self, entrants: Sequence[str]) -> dict[str, str]:
        """Return who of the entrants at the seats forfeited, each with the fault of his first seat that did."""
        faults: dict[str, str] = {}
        for seat, fault in self.forfeits:
            faults.setdefault(entrants[seat], fault)
        return faults


def result_of(record: v1.MatchRecord) -> Result:
    """Return what became of a match that is over."""
    return Result(
        scores=tuple(record.outcome.scores),
        placings=tuple(record.outcome.placings),
        faults=faults_of(record),
        forfeits=forfeits_of(record),
        strikes=strikes_of(record),
    )
