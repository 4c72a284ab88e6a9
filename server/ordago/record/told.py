"""What a record tells of a choice besides who did what."""

from typing import NamedTuple

from ordago import v1


class ChoiceTold(NamedTuple):
    """How a choice came about. Its fields are called as those of ``v1.RecordedChoice`` are."""

    charged_ms: int
    """The time that was charged."""
    strikes: int
    """How many answers were refused before."""
    fault: v1.Fault
    """Why the default answer was taken, if it was."""
    lag_ms: int
    """The travelling time that was not charged."""
    lost_ms: int
    """The time that the server lost meanwhile."""
    away_ms: int
    """The time that the seat was disconnected meanwhile."""
    broken_rules: tuple[str, ...]
    """The rules that the refused answers broke."""
    is_plain: bool
    """Whether the seat chose itself, at its first answer, and no time but what was charged is to be accounted for."""

    @classmethod
    def of(cls, choice: v1.RecordedChoice) -> "ChoiceTold":
        """Return what a choice of a record tells."""
        beyond = choice.strikes or choice.fault or choice.lag_ms or choice.away_ms or choice.broken_rules
        return cls(
            charged_ms=choice.charged_ms,
            strikes=choice.strikes,
            fault=choice.fault,
            lag_ms=choice.lag_ms,
            lost_ms=choice.lost_ms,
            away_ms=choice.away_ms,
            broken_rules=tuple(choice.broken_rules),
            is_plain=not beyond,
        )


def time_of_each_ms(clock: v1.ClockTerms) -> int:
    """Return what may be charged for each decision of a match, whatever was charged before, in milliseconds.

    No clock has to be kept for what takes no longer. -1 where each decision changes what is left, however short it was.
    """
    return -1 if clock.increment_ms else clock.decision_ms
