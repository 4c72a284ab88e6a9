"""The result of a match: scores, faults, strikes and forfeits, all derived from its record."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from ordago import v1

_PREFIX: Final = "FAULT_"


class FaultCount(NamedTuple):
    """The number of times that a seat committed one fault."""

    fault: str
    """The short name of the fault, for instance ``too_late``."""
    decisions: int
    """The number of decisions that were taken for the seat because of it."""


class StrikeCount(NamedTuple):
    """The number of times that answers of a seat broke one rule."""

    rule: str
    """The short name of the rule on the rule page, for instance ``follow_suit``."""
    answers: int
    """The number of answers that were refused for it."""


class SeatForfeit(NamedTuple):
    """A seat that was forfeited."""

    seat: int
    """The seat, from 0."""
    fault: str
    """The short name of the fault that it was forfeited for, for instance ``crashed``."""


def faults_of(record: v1.MatchRecord) -> tuple[tuple[FaultCount, ...], ...]:
    """Return the faults of each seat for which the default action was taken, by name."""
    counters = [Counter[str]() for _ in record.seats]
    for entry in record.entries:
        if entry.choice.fault and entry.choice.seat < len(counters):
            counters[entry.choice.seat][fault_name(entry.choice.fault)] += 1
    return tuple(tuple(FaultCount(*counted) for counted in sorted(counter.items())) for counter in counters)


def strikes_of(record: v1.MatchRecord) -> tuple[tuple[StrikeCount, ...], ...]:
    """Return the strikes of each seat by the rules that were broken."""
    counters = [Counter[str]() for _ in record.seats]
    for entry in record.entries:
        if entry.choice.broken_rules and entry.choice.seat < len(counters):
            counters[entry.choice.seat].update(entry.choice.broken_rules)
    return tuple(tuple(StrikeCount(*counted) for counted in sorted(counter.items())) for counter in counters)


def forfeits_of(record: v1.MatchRecord) -> tuple[SeatForfeit, ...]:
    """Return the seats that were forfeited, ascending, each with its fault."""
    forfeits = (entry.forfeit for entry in record.entries if entry.HasField("forfeit"))
    first = {forfeit.seat: fault_name(forfeit.fault) for forfeit in reversed(list(forfeits))}
    return tuple(SeatForfeit(seat, first[seat]) for seat in range(len(record.seats)) if seat in first)


def fault_name(fault: int) -> str:
    """Return the short name of a fault, for instance ``too_late``."""
    known = v1.Fault.DESCRIPTOR.values_by_number.get(fault)
    return known.name.removeprefix(_PREFIX).lower() if known else f"fault_{fault}"


def fault_named(name: str) -> v1.Fault:
    """Return the fault that has a short name.

    Raises:
        ValueError: none has it.
    """
    return cast(v1.Fault, v1.Fault.Value(f"{_PREFIX}{name.upper()}"))


class Result(NamedTuple):
    """The result of a match."""

    scores: tuple[int, ...]
    """The score of each seat; higher is better."""
    placings: tuple[int, ...]
    """The placing of each seat's side, from 1."""
    faults: tuple[tuple[FaultCount, ...], ...]
    """The faults of each seat, ascending by their short names."""
    forfeits: tuple[SeatForfeit, ...]
    """The seats that forfeited the match, ascending."""
    strikes: tuple[tuple[StrikeCount, ...], ...]
    """The strikes of each seat by the rules that were broken, ascending by the rules' short names. They cost
    only time, but the last one that a decision allows is also a fault."""

    def forfeiters(self, entrants: Sequence[str]) -> dict[str, str]:
        """Return the entrants that forfeited, each with the fault of its first seat that did."""
        faults: dict[str, str] = {}
        for seat, fault in self.forfeits:
            faults.setdefault(entrants[seat], fault)
        return faults


def result_of(record: v1.MatchRecord) -> Result:
    """Return the result of a match that is over."""
    return Result(
        scores=tuple(record.outcome.scores),
        placings=tuple(record.outcome.placings),
        faults=faults_of(record),
        forfeits=forfeits_of(record),
        strikes=strikes_of(record),
    )
