"""What the terms of a match may be, wherever somebody gives them: in an event file or on a command line."""

from collections.abc import Mapping
from typing import Final, NamedTuple

_A_DAY_MS: Final = 86_400_000
"""A bank of a day lets a person play by hand, or a debugger stand still; far more could not be told to a bot."""
_MOST_STRIKES: Final = 100
"""A bot that was refused so often for one decision does not find an answer; each refusal costs the others time."""
_MOST_FAULTS: Final = 10_000
"""Hardly a match asks a seat more decisions; who wants no end to it says 0."""


class TermBounds(NamedTuple):
    """What one of the terms of a match may be, both ends included."""

    least: int
    most: int
    sentence: str
    """What it is, as a command line tells it. Its unit is in its name, or in the sentence."""


TERM_BOUNDS: Final[Mapping[str, TermBounds]] = {
    "decision_ms": TermBounds(1, _A_DAY_MS, "Time for a decision."),
    "bank_ms": TermBounds(0, _A_DAY_MS, "Time for a whole match, used up after that of a decision."),
    "increment_ms": TermBounds(0, _A_DAY_MS, "What each decision adds to the bank."),
    "lag_credit_ms": TermBounds(0, _A_DAY_MS, "Travelling time of a decision that is not charged, at most."),
    "lag_bank_ms": TermBounds(0, _A_DAY_MS, "Travelling time of a whole match that is not charged, at most."),
    "disconnect_bank_ms": TermBounds(0, _A_DAY_MS, "How long the table waits for a bot that is disconnected."),
    "strikes": TermBounds(1, _MOST_STRIKES, "Illegal answers to a decision until the default is taken."),
    "forfeit_after": TermBounds(0, _MOST_FAULTS, "Decisions taken for a bot until it forfeits; 0: never."),
}
"""The terms of time (``TimeTerms``) and of faults (``FaultTerms``) by name."""
