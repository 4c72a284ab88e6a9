"""What comes of each fault: the one table of it. docs/faults.md shows the same to everybody."""

from collections.abc import Mapping
from enum import Enum, unique
from typing import Final, NamedTuple

from ordago import v1


@unique
class DecisionEffect(Enum):
    """What happens to the decision that is open."""

    STAYS_OPEN = "stays open"
    """Until the last strike; then the default answer is taken."""
    DEFAULT = "default answer"
    UNTOUCHED = "untouched"


@unique
class SeatEffect(Enum):
    """What happens to the seat in the match."""

    KEPT = "kept"
    COUNTED = "counted"
    """It is forfeited when so many of its decisions were taken for it as the terms say."""
    FORFEITED = "forfeited"
    VOID = "match void"
    """The match is begun anew with other deals."""


class FaultRule(NamedTuple):
    """What comes of a fault."""

    sentence: str
    """What is told to the bot, where nothing more exact is known."""
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
"""What comes of each fault."""


def sentence_of(fault: v1.Fault) -> str:
    """Return what is told of a fault; nothing of one that is not known."""
    rule = FAULT_RULES.get(fault)
    return rule.sentence if rule else ""
