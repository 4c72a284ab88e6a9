"""The clock of one seat: the time allowed for a decision, and the time charged for it.

Each decision has a time of its own. Time beyond it is taken from a bank, which lasts for the whole match and grows by
an increment with each decision. Network lag is not charged, up to a credit. The time of a disconnected bot comes from
a separate bank. All times are whole milliseconds.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

from ordago import v1
from ordago.wire.decision_parts import clock_field

MS_A_SECOND: Final = 1000
_HALF: Final = 0.5
_MOST_TERMS: Final = 1024
"""The number of terms whose initial time is cached."""
_MOST_IN_BANK_MS: Final = 2**31 - 1
"""Some 24 days: a bank with an increment stops growing there, so that it always fits into its 32-bit field.

One bit is spare, so that the sum of the time of a decision and the bank fits as well.
"""


@dataclass(frozen=True, slots=True)
class TimeTerms:
    """The time of each seat of a match, in milliseconds. Zero means that there is none."""

    decision_ms: int = 10_000
    """The time for each decision."""
    bank_ms: int = 0
    """A reserve for the whole match, used up after the time of a decision."""
    increment_ms: int = 0
    """The time added to the bank after each decision."""
    lag_credit_ms: int = 0
    """The network lag that is not charged, at most, for each decision."""
    lag_bank_ms: int = 0
    """The network lag that is not charged, at most, in the whole match."""
    disconnect_bank_ms: int = 0
    """The time that the table waits, in the whole match, for a seat that is disconnected."""

    @classmethod
    def of(cls, message: v1.ClockTerms) -> "TimeTerms":
        """Return the terms of a message."""
        return cls(
            decision_ms=message.decision_ms,
            bank_ms=message.bank_ms,
            increment_ms=message.increment_ms,
            lag_credit_ms=message.lag_credit_ms,
            lag_bank_ms=message.lag_bank_ms,
            disconnect_bank_ms=message.disconnect_bank_ms,
        )

    def message(self) -> v1.ClockTerms:
        """Return the terms as a message."""
        return v1.ClockTerms(
            decision_ms=self.decision_ms,
            bank_ms=self.bank_ms,
            increment_ms=self.increment_ms,
            lag_credit_ms=self.lag_credit_ms,
            lag_bank_ms=self.lag_bank_ms,
            disconnect_bank_ms=self.disconnect_bank_ms,
        )


@final
class TimeLeft:
    """The time that a seat has for a decision, in milliseconds.

    Attributes:
        decision_ms: the time for the decision itself.
        bank_ms: the time left in the bank of the whole match.
        lag_credit_ms: the network lag that is not charged, at most.
        disconnect_bank_ms: the time that the seat may still be disconnected.
    """

    __slots__ = ("_serialized", "bank_ms", "decision_ms", "disconnect_bank_ms", "lag_credit_ms")

    def __init__(self, decision_ms: int, bank_ms: int = 0, lag_credit_ms: int = 0, disconnect_bank_ms: int = 0) -> None:
        """Set the times, in milliseconds."""
        self.decision_ms: Final = decision_ms
        self.bank_ms: Final = bank_ms
        self.lag_credit_ms: Final = lag_credit_ms
        self.disconnect_bank_ms: Final = disconnect_bank_ms
        # Kept, since it stays the same from one decision to the next as long as no bank is used.
        self._serialized = b""

    @property
    def thinking_ms(self) -> int:
        """The most that can be charged."""
        return self.decision_ms + self.bank_ms

    @property
    def seconds(self) -> float:
        """The time from sending the question to receiving the answer, at most."""
        return (self.decision_ms + self.bank_ms + self.lag_credit_ms) / MS_A_SECOND

    def is_up(self, seconds: float) -> bool:
        """Return True if an answer after this time is too late, whatever its lag."""
        return milliseconds(seconds) > self.decision_ms + self.bank_ms + self.lag_credit_ms

    def within(self, seconds: float) -> float:
        """Return a time in seconds, limited to the most that can be charged."""
        return min(seconds, self.thinking_ms / MS_A_SECOND)

    @property
    def patience_seconds(self) -> float:
        """The time that the table waits for a bot that is disconnected."""
        return self.disconnect_bank_ms / MS_A_SECOND

    def after(self, *, spent_seconds: float, away_seconds: float) -> "TimeLeft":
        """Return the time left, given how long ago the bot got the question and how long it was away meanwhile."""
        spent_ms = milliseconds(spent_seconds)
        return TimeLeft(
            max(0, self.decision_ms - spent_ms),
            max(0, self.bank_ms - max(0, spent_ms - self.decision_ms)),
            self.lag_credit_ms,
            max(0, self.disconnect_bank_ms - milliseconds(away_seconds)),
        )

    def serialized(self) -> bytes:
        """Return the state of the clock as a serialized field of a decision."""
        if not self._serialized:
            self._serialized = clock_field(self.decision_ms, self.bank_ms, self.lag_credit_ms, self.disconnect_bank_ms)
        return self._serialized


@final
class Charge:
    """The cost of a decision, in milliseconds.

    Attributes:
        charged_ms: the time charged.
        lag_ms: the network lag that was not charged.
        in_time: True if the answer came in time.
    """

    __slots__ = ("charged_ms", "in_time", "lag_ms")

    def __init__(self, charged_ms: int, lag_ms: int = 0, *, in_time: bool = True) -> None:
        """Set the charge, in milliseconds."""
        self.charged_ms: Final = charged_ms
        self.lag_ms: Final = lag_ms
        self.in_time: Final = in_time


class SeatClock:
    """The clock of one seat during one match."""

    def __init__(self, terms: TimeTerms) -> None:
        """Begin with full banks."""
        self._terms = terms
        self._lag_bank_ms = terms.lag_bank_ms
        self.left = _at_first(terms)
        """The time for the next decision."""

    def charge(self, elapsed_ms: int, *, thought_ms: int | None = None, away_ms: int = 0) -> Charge:
        """Charge a decision and return its cost.

        Args:
            elapsed_ms: the time from sending the question to receiving the answer, or to the end of
                the wait for one.
            thought_ms: the thinking time that the bot reports; the rest counts as network lag. ``None``: no report, and
                no lag is assumed.
            away_ms: the time that the bot was disconnected meanwhile.
        """
        left_ms = self.left.decision_ms + self.left.bank_ms
        lag_ms = 0 if thought_ms is None else min(max(0, elapsed_ms - thought_ms), self.left.lag_credit_ms)
        spent_ms = elapsed_ms - lag_ms
        in_time = spent_ms <= left_ms
        charge = Charge(spent_ms if in_time else left_ms, lag_ms, in_time=in_time)
        self.settle(charge, away_ms=away_ms)
        return charge

    def settle(self, charge: Charge, *, away_ms: int = 0) -> None:
        """Deduct from the banks a charge that was computed before, here or by an earlier server process."""
        if charge.lag_ms:
            self._lag_bank_ms -= charge.lag_ms
        beyond_ms = charge.charged_ms - self._terms.decision_ms
        if beyond_ms > 0 or away_ms or charge.lag_ms or self._terms.increment_ms:
            bank_ms = self.left.bank_ms - max(0, beyond_ms) + self._terms.increment_ms
            self.left = _time_left(
                self._terms,
                bank_ms=min(max(0, bank_ms), _MOST_IN_BANK_MS),
                lag_bank_ms=self._lag_bank_ms,
                disconnect_bank_ms=max(0, self.left.disconnect_bank_ms - away_ms),
            )


@lru_cache(maxsize=_MOST_TERMS)
def _at_first(terms: TimeTerms) -> TimeLeft:
    """Return the time before the first decision: one object for all seats, to stay in the processor's cache."""
    return _time_left(
        terms, bank_ms=terms.bank_ms, lag_bank_ms=terms.lag_bank_ms, disconnect_bank_ms=terms.disconnect_bank_ms
    )


def _time_left(terms: TimeTerms, *, bank_ms: int, lag_bank_ms: int, disconnect_bank_ms: int) -> TimeLeft:
    """Return the time for a decision with these banks."""
    lag_credit_ms = max(0, min(terms.lag_credit_ms, lag_bank_ms))
    return TimeLeft(terms.decision_ms, bank_ms, lag_credit_ms, disconnect_bank_ms)


def milliseconds(seconds: float) -> int:
    """Return a time of at least 0 in whole milliseconds. Halves round up, which is faster than ``round``."""
    return int(seconds * MS_A_SECOND + _HALF)
