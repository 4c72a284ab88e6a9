"""The consequences of each fault, in one table. docs/faults.md shows the same table to everybody."""

from collections.abc import Mapping
from enum import Enum, unique
from typing import Final, NamedTuple

from ordago import v1


@unique
class DecisionEffect(Enum):
    """The effect of a fault on the open decision."""

    STAYS_OPEN = "stays open"
    """Until the last strike; then the default answer is taken."""
    DEFAULT = "default answer"
    UNTOUCHED = "untouched"


@unique
class SeatEffect(Enum):
    """The effect of a fault on the seat."""

    KEPT = "kept"
    COUNTED = "counted"
    """The seat is forfeited after as many decisions taken by default as the terms allow."""
    FORFEITED = "forfeited"
    VOID = "match void"
    """The match is played again with other deals."""


class FaultRule(NamedTuple):
    """The consequences of one fault."""

    sentence: str
    """The explanation sent to the bot where nothing more specific is known."""
    decision: DecisionEffect
    seat: SeatEffect


FAULT_RULES: Final[Mapping[v1.Fault, FaultRule]] = {
    v1.FAULT_FAILED_TO_START: FaultRule(
        "the bot never came to the table", DecisionEffect.DEFAULT, SeatEffect.FORFEITED
    ),
    v1.FAULT_ILLEGAL: FaultRule("too many answers were illegal", DecisionEffect.STAYS_OPEN, SeatEffect.COUNTED),
    v1.FAULT_MALFORMED: FaultRule("a message could not be understood", DecisionEffect.DEFAULT, SeatEffect.FORFEITED),
    v1.FAULT_TOO_LATE: FaultRule("no answer came in time", DecisionEffect.DEFAULT, SeatEffect.COUNTED),
    v1.FAULT_DISCONNECTED: FaultRule("the bot was not connected", DecisionEffect.DEFAULT, SeatEffect.COUNTED),
    v1.FAULT_CRASHED: FaultRule("the bot's process ended", DecisionEffect.DEFAULT, SeatEffect.FORFEITED),
    v1.FAULT_OVER_LIMIT: FaultRule(
        "the bot's process passed one of its limits", DecisionEffect.DEFAULT, SeatEffect.FORFEITED
    ),
    v1.FAULT_FLOODING: FaultRule("too much was sent", DecisionEffect.DEFAULT, SeatEffect.FORFEITED),
    v1.FAULT_STALE: FaultRule("there is no such decision", DecisionEffect.UNTOUCHED, SeatEffect.KEPT),
    v1.FAULT_SERVER: FaultRule("the server failed", DecisionEffect.UNTOUCHED, SeatEffect.VOID),
}
"""The consequences of each fault."""


def sentence_of(fault: v1.Fault) -> str:
    """Return the standard explanation of a fault; empty for an unknown fault."""
    rule = FAULT_RULES.get(fault)
    return rule.sentence if rule else ""
