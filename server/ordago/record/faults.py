"""What went wrong with the players of a recorded match, counted."""

from collections import Counter
from typing import Final, NamedTuple

from ordago import v1

_PREFIX: Final = "FAULT_"


class FaultCount(NamedTuple):
    """How often a seat was at one fault."""

    fault: str
    """The short name of the fault, for instance ``too_late``."""
    decisions: int
    """The number of decisions that were taken for the seat because of it."""


def faults_of(record: v1.MatchRecord) -> tuple[tuple[FaultCount, ...], ...]:
    """Return the faults of each seat for which the default action was taken, by name."""
    counters = [Counter[str]() for _ in record.seats]
    for entry in record.entries:
        if entry.choice.fault and entry.choice.seat < len(counters):
            counters[entry.choice.seat][fault_name(entry.choice.fault)] += 1
    return tuple(tuple(FaultCount(*counted) for counted in sorted(counter.items())) for counter in counters)


def fault_name(fault: int) -> str:
    """Return the short name of a fault, for instance ``too_late``."""
    known = v1.Fault.DESCRIPTOR.values_by_number.get(fault)
    return known.name.removeprefix(_PREFIX).lower() if known else f"fault_{fault}"
