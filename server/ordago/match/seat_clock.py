"""The time of one seat: what a decision may take, and what is charged for it.

Each decision has a time of its own. What it takes beyond that is taken from a bank, which is for the whole match and
grows by an increment with each decision. Time on the way between server and bot is not charged as far as a credit for
lag goes. A bot that is disconnected uses up a bank of another kind. All times are whole milliseconds.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

from ordago import v1
from ordago.wire.decision_parts import clock_field

MS_A_SECOND: Final = 1000
_HALF: Final = 0.5
_MOST_TERMS: Final = 1024
"""Of how many terms it is kept what seats have at first."""
_MOST_IN_BANK_MS: Final = 2**31 - 1
"""Some 24 days: a bank that grows and grows stops there, so that it can always be told.

The fields for it hold 32 bits. With one bit to spare the time of a decision and the bank together can be told as well.
"""


@dataclass(frozen=True, slots=True)
class TimeTerms:
    """The time that each seat of a match has, in milliseconds. Zero: none of that kind."""

    decision_ms: int = 10_000
    """The time for each decision."""
    bank_ms: int = 0
    """A reserve for the whole match, used up after the time of a decision."""
    increment_ms: int = 0
    """What is added to the bank after each decision."""
    lag_credit_ms: int = 0
    """How much of the travelling time is not charged, at most and for each decision."""
    lag_bank_ms: int = 0
    """How much of the travelling time is not charged in the whole match."""
    disconnect_bank_ms: int = 0
    """How long a seat may keep the table waiting in the whole match while it is disconnected."""

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
        bank_ms: what is left of the reserve for the whole match.
        lag_credit_ms: how much of the travelling time is not charged at most.
        disconnect_bank_ms: how long the seat may still be disconnected.
    """

    __slots__ = ("_serialized", "bank_ms", "decision_ms", "disconnect_bank_ms", "lag_credit_ms")

    def __init__(self, decision_ms: int, bank_ms: int = 0, lag_credit_ms: int = 0, disconnect_bank_ms: int = 0) -> None:
        """Leave so much."""
        self.decision_ms: Final = decision_ms
        self.bank_ms: Final = bank_ms
        self.lag_credit_ms: Final = lag_credit_ms
        self.disconnect_bank_ms: Final = disconnect_bank_ms
        # It stays the same from one decision to the next, as long as no bank is used.
        self._serialized = b""

    @property
    def thinking_ms(self) -> int:
        """What may be charged at most."""
        return self.decision_ms + self.bank_ms

    @property
    def seconds(self) -> float:
        """How long an answer may take from the departure of the question to its arrival."""
        return (self.decision_ms + self.bank_ms + self.lag_credit_ms) / MS_A_SECOND

    def is_up(self, seconds: float) -> bool:
        """Say whether an answer that took so long is too late, whatever its lag."""
        return milliseconds(seconds) > self.decision_ms + self.bank_ms + self.lag_credit_ms

    def within(self, seconds: float) -> float:
        """Return a time in seconds, or what may be charged at most if it is longer than that."""
        return min(seconds, self.thinking_ms / MS_A_SECOND)

    @property
    def patience_seconds(self) -> float:
        """How long the table waits for a bot that is disconnected."""
        return self.disconnect_bank_ms / MS_A_SECOND

    def after(self, *, spent_seconds: float, away_seconds: float) -> "TimeLeft":
        """Return what is left when the bot has had the question for some time and was away for some time."""
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
    """What a decision cost, in milliseconds.

    Attributes:
        charged_ms: the time that was charged.
        lag_ms: the travelling time that was not charged.
        in_time: whether an answer that took so long is in time.
    """

    __slots__ = ("charged_ms", "in_time", "lag_ms")

    def __init__(self, charged_ms: int, lag_ms: int = 0, *, in_time: bool = True) -> None:
        """Charge so much."""
        self.charged_ms: Final = charged_ms
        self.lag_ms: Final = lag_ms
        self.in_time: Final = in_time


class SeatClock:
    """The clock of one seat over one match."""

    def __init__(self, terms: TimeTerms) -> None:
        """Begin with full banks."""
        self._terms = terms
        self._lag_bank_ms = terms.lag_bank_ms
        self.left = _at_first(terms)
        """The time for the next decision."""

    def charge(self, elapsed_ms: int, *, thought_ms: int | None = None, away_ms: int = 0) -> Charge:
        """Charge a decision and return what it cost.

        Args:
            elapsed_ms: the time from the departure of the question to the arrival of the answer, or to the end of the
                waiting for it.
            thought_ms: the time that the bot says it thought; the rest is taken for travelling time. ``None``: it does
                not say, and nothing is taken for that.
            away_ms: how long it was disconnected meanwhile.
        """
        left_ms = self.left.decision_ms + self.left.bank_ms
        lag_ms = 0 if thought_ms is None else min(max(0, elapsed_ms - thought_ms), self.left.lag_credit_ms)
        spent_ms = elapsed_ms - lag_ms
        in_time = spent_ms <= left_ms
        charge = Charge(spent_ms if in_time else left_ms, lag_ms, in_time=in_time)
        self.settle(charge, away_ms=away_ms)
        return charge

    def settle(self, charge: Charge, *, away_ms: int = 0) -> None:
        """Take a charge from the banks that was found before, here or by an earlier server."""
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
    """Return what seats have before their first decision: one for all of them, so that it is in the near caches."""
    return _time_left(
        terms, bank_ms=terms.bank_ms, lag_bank_ms=terms.lag_bank_ms, disconnect_bank_ms=terms.disconnect_bank_ms
    )


def _time_left(terms: TimeTerms, *, bank_ms: int, lag_bank_ms: int, disconnect_bank_ms: int) -> TimeLeft:
    """Return what a seat has for a decision with so much in its banks."""
    lag_credit_ms = max(0, min(terms.lag_credit_ms, lag_bank_ms))
    return TimeLeft(terms.decision_ms, bank_ms, lag_credit_ms, disconnect_bank_ms)


def milliseconds(seconds: float) -> int:
    """Return a time from 0 on in whole milliseconds, rounded: a half up, which is quicker than ``round``."""
    return int(seconds * MS_A_SECOND + _HALF)
