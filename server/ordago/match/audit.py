"""Audit the times, strikes, faults and forfeits of a record against the terms in it.

The rules of the game are checked by replaying the record; this module checks the referee's own rules.
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ordago import v1
from ordago.match.fault_rules import FAULT_RULES, SeatEffect
from ordago.match.seat_clock import Charge, SeatClock, TimeTerms
from ordago.match.terms import FaultTerms
from ordago.record import Problem, Turn, fault_name, time_of_each_ms
from ordago.record.opening import clocks_of
from ordago.wire.known_entries import EnteredChoice

_AWAY_SLACK_MS: Final = 10_000
"""Time beyond its bank that a seat may be away before an overloaded machine notices."""
_FROM_OUTSIDE: Final = frozenset(
    fault for fault, rule in FAULT_RULES.items() if rule.seat is SeatEffect.FORFEITED or fault == v1.FAULT_DISCONNECTED
)
"""The faults that can forfeit a seat that was asked nothing."""
_OF_DECISIONS: Final = frozenset(
    fault for fault, rule in FAULT_RULES.items() if rule.seat in (SeatEffect.FORFEITED, SeatEffect.COUNTED)
)
"""The faults for which a decision can be taken by default."""


class UnpromptedForfeit(NamedTuple):
    """A forfeit that no decision in the record explains: it rests on the word of the server."""

    entry: int
    seat: int
    fault: v1.Fault

    @property
    def comes_from_outside(self) -> bool:
        """True if a bot can cause it between its decisions. Otherwise a stand-in must have sat."""
        return self.fault in _FROM_OUTSIDE


class Audit(NamedTuple):
    """The result of auditing a record."""

    problems: tuple[Problem, ...]
    unprompted: tuple[UnpromptedForfeit, ...]


def audit(record: v1.MatchRecord, turns: Iterable[Turn] | None = None) -> Audit:
    """Audit the times, strikes, faults and forfeits of a record against the terms in it.

    Args:
        record: any record, even an invalid one. Where its choices break the rules of the game, the problems found here
            may be meaningless.
        turns: the entries of the record other than events, if they have been read already. Leading entries may be left
            out as long as they are shuffles, or plain choices within ``time_of_each_ms``.
    """
    auditor = _Auditor(record)
    problems = tuple(auditor.problems(_turns_of(record) if turns is None else turns))
    return Audit(problems, tuple(auditor.unprompted))


def _turns_of(record: v1.MatchRecord) -> Iterator[Turn]:
    for at, entry in enumerate(record.entries):
        kind = entry.WhichOneof("entry")
        if kind == "choice":
            yield at, entry.choice.seat, EnteredChoice.of(entry.choice)
        elif kind == "forfeit":
            yield at, entry.forfeit.seat, entry.forfeit
        elif kind != "event":
            yield at, 0, None


class _Seat:
    """The audited clock, faults and forfeit of one seat."""

    def __init__(self, time: TimeTerms) -> None:
        self.clock = SeatClock(time)
        self.faults = 0
        self.forfeit: int = v1.FAULT_UNSPECIFIED


class _Due(NamedTuple):
    """A forfeit that must follow, since a decision led to it."""

    seat: int
    fault: int


class _Auditor:
    """Replays the referee's bookkeeping over the entries of a record."""

    def __init__(self, record: v1.MatchRecord) -> None:
        self._terms = FaultTerms.of(record.faults)
        self._time_of_each_ms = time_of_each_ms(record)
        self._seats = [_Seat(TimeTerms.of(clock)) for clock in clocks_of(record)]
        self._due: _Due | None = None
        self._last: _Due | None = None
        """The last decision that was taken for a seat, as long as only events have followed it."""
        self.unprompted: list[UnpromptedForfeit] = []

    def problems(self, turns: Iterable[Turn]) -> Iterator[Problem]:
        """Yield the problems, in the order of the entries."""
        seats, time_of_each_ms = self._seats, self._time_of_each_ms
        for at, seat, entered in turns:
            # Nearly all are choices, and isinstance on a protobuf message takes longer than all the rest.
            if entered is not None and not isinstance(entered, EnteredChoice):
                yield from self._forfeit(at, entered)
                continue
            if self._due is not None:
                yield from self._overdue(at)
            self._last = None
            if entered is None or seat >= len(seats):
                continue
            # A plain choice within the time of each decision cannot break a rule of the clock.
            if not entered.is_plain or entered.charged_ms > time_of_each_ms or seats[seat].forfeit:
                yield from (Problem(at, sentence) for sentence in self._choice(seat, entered))
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

    def _choice(self, number: int, choice: EnteredChoice) -> Iterator[str]:
        seat = self._seats[number]
        if seat.forfeit:
            yield from _of_a_forfeited_seat(number, choice, seat.forfeit)
            return
        yield from self._strikes(choice)
        yield from self._time(number, choice, seat)
        seat.clock.settle(Charge(choice.charged_ms, choice.lag_ms), away_ms=choice.away_ms)
        if choice.fault:
            yield from self._fault(number, choice, seat)

    def _strikes(self, choice: EnteredChoice) -> Iterator[str]:
        most = self._terms.strikes
        if not most:
            return  # Where the record has no such terms, nothing can be said.
        if choice.strikes > most:
            yield f"{choice.strikes} answers were refused, and with {most} strikes the default answer is due."
        elif (choice.strikes == most) != (choice.fault == v1.FAULT_ILLEGAL):
            yield f"The fault 'illegal' comes of {most} strikes and of nothing else; here are {choice.strikes}."
        if choice.strikes != len(choice.broken_rules):
            yield f"A choice with {choice.strikes} strikes names {len(choice.broken_rules)} broken rules."

    def _time(self, number: int, choice: EnteredChoice, seat: _Seat) -> Iterator[str]:
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

    def _fault(self, number: int, choice: EnteredChoice, seat: _Seat) -> Iterator[str]:
        """Count a decision that was taken for a seat because of a fault."""
        if choice.fault not in _OF_DECISIONS:
            yield f"No decision is taken for the fault {fault_name(choice.fault)!r}."
            return
        seat.faults += 1
        self._last = _Due(number, choice.fault)
        used_up = 0 < self._terms.forfeit_after <= seat.faults
        if used_up or FAULT_RULES[choice.fault].seat is SeatEffect.FORFEITED:
            self._due = self._last


def _of_a_forfeited_seat(number: int, choice: EnteredChoice, forfeit: int) -> Iterator[str]:
    charged = (choice.charged_ms, choice.lag_ms, choice.away_ms, choice.lost_ms, choice.strikes)
    if choice.fault != forfeit or any(charged):
        yield f"Seat {number} was forfeited: its fault is that of the forfeit, and nothing is charged or refused."
