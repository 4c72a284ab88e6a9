"""Limits on the terms of a match, for event files and command lines alike."""

from collections.abc import Mapping
from typing import Final, NamedTuple

_A_DAY_MS: Final = 86_400_000
"""A day is enough to play by hand or to stop in a debugger; much more would overflow 32-bit fields of the contract."""
_MOST_STRIKES: Final = 100
"""A bot that was refused 100 times finds no answer; each further refusal only costs the others time."""
_MOST_FAULTS: Final = 10_000
"""Hardly any match asks a seat for more decisions. For no limit there is 0."""


class TermBounds(NamedTuple):
    """The limits of one term of a match, both ends included."""

    least: int
    most: int
    sentence: str
    """A description for the command line. The unit is in the name of the term or in this sentence."""


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
"""The limits of the terms of time (``TimeTerms``) and of faults (``FaultTerms``), by name."""
