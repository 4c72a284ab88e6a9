"""What a record says of times, strikes, faults and forfeits, held against the terms that stand in it.

What the rules of the game say of a record is found by replaying it; here is what the referee's own rules say.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ordago import v1
from ordago.match.fault_rules import FAULT_RULES, SeatEffect
from ordago.match.seat_clock import Charge, SeatClock, TimeTerms
from ordago.match.terms import FaultTerms
from ordago.record import Problem, Turn, fault_name, time_of_each_ms
from ordago.wire.known_entries import ChoiceTold

_AWAY_SLACK_MS: Final = 10_000
"""So much longer than its bank a seat may be away before it is noticed, on a machine that hardly gets on."""
_FROM_OUTSIDE: Final = frozenset(
    fault for fault, rule in FAULT_RULES.items() if rule.seat is SeatEffect.FORFEITED or fault == v1.FAULT_DISCONNECTED
)
"""The faults that can forfeit a seat that was asked nothing."""
_OF_DECISIONS: Final = frozenset(
    fault for fault, rule in FAULT_RULES.items() if rule.seat in (SeatEffect.FORFEITED, SeatEffect.COUNTED)
)
"""The faults for which a decision can be taken by default."""


class UnpromptedForfeit(NamedTuple):
    """A forfeit that no decision in the record accounts for: somebody's word stands for it."""

    entry: int
    seat: int
    fault: v1.Fault

    @property
    def comes_from_outside(self) -> bool:
        """Whether a bot can forfeit so by what it does between its decisions. Otherwise a stand-in must have sat."""
        return self.fault in _FROM_OUTSIDE


class Audit(NamedTuple):
    """What came of auditing a record."""

    problems: tuple[Problem, ...]
    unprompted: tuple[UnpromptedForfeit, ...]


def audit(record: v1.MatchRecord, turns: Iterable[Turn] | None = None) -> Audit:
    """Hold the times, strikes, faults and forfeits of a record against the terms in it.

    Args:
        record: any record, whatever it holds. Where its choices make no sense by the rules of the game, what is said
            here may make none either.
        turns: those of its entries that are no events, where they were read already. Those before the first that is no
            shuffle and no plain choice within ``time_of_each_ms`` may be left out.
    """
    auditor = _Auditor(record)
    problems = tuple(auditor.problems(_turns_of(record) if turns is None else turns))
    return Audit(problems, tuple(auditor.unprompted))


def _turns_of(record: v1.MatchRecord) -> Iterator[Turn]:
    for at, entry in enumerate(record.entries):
        kind = entry.WhichOneof("entry")
        if kind == "choice":
            yield at, entry.choice.seat, ChoiceTold.of(entry.choice)
        elif kind == "forfeit":
            yield at, entry.forfeit.seat, entry.forfeit
        elif kind != "event":
            yield at, 0, None


class _Seat:
    """What is kept of one seat."""

    def __init__(self, time: TimeTerms) -> None:
        self.clock = SeatClock(time)
        self.faults = 0
        self.forfeit: int = v1.FAULT_UNSPECIFIED


class _Due(NamedTuple):
    """A forfeit that has to come, since a decision led to it."""

    seat: int
    fault: int


class _Auditor:
    """Goes through the entries of a record as the referee did."""

    def __init__(self, record: v1.MatchRecord) -> None:
        self._terms = FaultTerms.of(record.faults)
        time = TimeTerms.of(record.clock)
        self._time_of_each_ms = time_of_each_ms(record.clock)
        self._seats = [_Seat(time) for _ in record.seats]
        self._due: _Due | None = None
        self._last: _Due | None = None
        """The last decision that was taken for a seat, while nothing but events has come after it."""
        self.unprompted: list[UnpromptedForfeit] = []

    def problems(self, turns: Iterable[Turn]) -> Iterator[Problem]:
        """Yield what is wrong, in order."""
        seats, time_of_each_ms = self._seats, self._time_of_each_ms
        for at, seat, told in turns:
            # Nearly all are choices, and to ask whether one is a message of protobuf takes longer than all the rest.
            if told is not None and not isinstance(told, ChoiceTold):
                yield from self._forfeit(at, told)
                continue
            if self._due is not None:
                yield from self._overdue(at)
            self._last = None
            if told is None or seat >= len(seats):
                continue
            # Nothing is to be looked at in a choice that took no more than each may, if that is all.
            if not told.is_plain or told.charged_ms > time_of_each_ms or seats[seat].forfeit:
                yield from (Problem(at, sentence) for sentence in self._choice(seat, told))
        yield from self._overdue(None)

    def _overdue(self, at: int | None) -> Iterator[Problem]:
        if self._due is not None:
            fault = fault_name(self._due.fault).replace("_", " ")
            yield Problem(at, f"Seat {self._due.seat} was to be forfeited before ({fault}), and is not.")
            self._due = None

    def _forfeit(self, at: int, forfeit: v1.Forfeit) -> Iterator[Problem]:
        if forfeit.seat >= len(self._seats):
            return
        if self._due is not None and self._due.seat == forfeit.seat:
            self._due = None
        elif self._last != _Due(forfeit.seat, v1.FAULT_DISCONNECTED):
            self.unprompted.append(UnpromptedForfeit(at, forfeit.seat, forfeit.fault))
        if forfeit.fault not in _OF_DECISIONS:
            yield Problem(at, f"Nobody forfeits for the fault {fault_name(forfeit.fault)!r}.")
        self._seats[forfeit.seat].forfeit = forfeit.fault

    def _choice(self, number: int, choice: ChoiceTold) -> Iterator[str]:
        seat = self._seats[number]
        if seat.forfeit:
            yield from _of_a_forfeited_seat(number, choice, seat.forfeit)
            return
        yield from self._strikes(choice)
        yield from self._time(number, choice, seat)
        seat.clock.settle(Charge(choice.charged_ms, choice.lag_ms), away_ms=choice.away_ms)
        if choice.fault:
            yield from self._fault(number, choice, seat)

    def _strikes(self, choice: ChoiceTold) -> Iterator[str]:
        most = self._terms.strikes
        if not most:
            return  # Where the record has no such terms, nothing can be said.
        if choice.strikes > most:
            yield f"{choice.strikes} answers were refused, and with {most} strikes the default answer is due."
        elif (choice.strikes == most) != (choice.fault == v1.FAULT_ILLEGAL):
            yield f"The fault 'illegal' comes of {most} strikes and of nothing else; here are {choice.strikes}."
        if choice.strikes != len(choice.broken_rules):
            yield f"A choice with {choice.strikes} strikes names {len(choice.broken_rules)} broken rules."

    def _time(self, number: int, choice: ChoiceTold, seat: _Seat) -> Iterator[str]:
        left = seat.clock.left
        if choice.charged_ms > left.thinking_ms:
            yield f"{choice.charged_ms} ms are charged, and the seat had {left.thinking_ms} ms."
        if choice.lag_ms > left.lag_credit_ms:
            yield f"{choice.lag_ms} ms of lag are forgiven, and the seat had a credit of {left.lag_credit_ms} ms."
        if choice.fault == v1.FAULT_TOO_LATE and choice.charged_ms < left.thinking_ms:
            yield f"The answer is called too late after {choice.charged_ms} ms of {left.thinking_ms} ms."
        if not choice.fault and choice.away_ms > left.disconnect_bank_ms + _AWAY_SLACK_MS:
            yield f"The seat was away for {choice.away_ms} ms, and had {left.disconnect_bank_ms} ms to be away."
        if choice.fault == v1.FAULT_DISCONNECTED and choice.away_ms < left.disconnect_bank_ms:
            self._due = _Due(number, choice.fault)

    def _fault(self, number: int, choice: ChoiceTold, seat: _Seat) -> Iterator[str]:
        """Count a decision that was taken for a seat."""
        if choice.fault not in _OF_DECISIONS:
            yield f"No decision is taken for the fault {fault_name(choice.fault)!r}."
            return
        seat.faults += 1
        self._last = _Due(number, choice.fault)
        used_up = 0 < self._terms.forfeit_after <= seat.faults
        if used_up or FAULT_RULES[choice.fault].seat is SeatEffect.FORFEITED:
            self._due = self._last


def _of_a_forfeited_seat(number: int, choice: ChoiceTold, forfeit: int) -> Iterator[str]:
    charged = (choice.charged_ms, choice.lag_ms, choice.away_ms, choice.lost_ms, choice.strikes)
    if choice.fault != forfeit or any(charged):
        yield f"Seat {number} was forfeited: its fault is that of the forfeit, and nothing is charged or refused."
