"""What comes of each fault: the one table of it. docs/faults.md shows the same to everybody."""

from collections.abc import Mapping
from enum import Enum, unique
from typing import Final, NamedTuple

from ordago import v1


@unique
class Decision(Enum):
    """What happens to the decision that is open."""

    STAYS_OPEN = "stays open"
    """Until the last strike; then the default answer is taken."""
    DEFAULT = "default answer"
    UNTOUCHED = "untouched"


@unique
class Standing(Enum):
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
    decision: Decision
    standing: Standing


FAULT_RULES: Final[Mapping[v1.Fault, FaultRule]] = {
    v1.FAULT_FAILED_TO_START: FaultRule("the bot never came to the table", Decision.DEFAULT, Standing.FORFEITED),
    v1.FAULT_ILLEGAL: FaultRule("too many answers were illegal", Decision.STAYS_OPEN, Standing.COUNTED),
    v1.FAULT_MALFORMED: FaultRule("a message could not be understood", Decision.DEFAULT, Standing.FORFEITED),
    v1.FAULT_TOO_LATE: FaultRule("no answer came in time", Decision.DEFAULT, Standing.COUNTED),
    v1.FAULT_DISCONNECTED: FaultRule("the bot was not connected", Decision.DEFAULT, Standing.COUNTED),
    v1.FAULT_CRASHED: FaultRule("the bot's process ended", Decision.DEFAULT, Standing.FORFEITED),
    v1.FAULT_FLOODING: FaultRule("too much was sent", Decision.DEFAULT, Standing.FORFEITED),
    v1.FAULT_STALE: FaultRule("there is no such decision", Decision.UNTOUCHED, Standing.KEPT),
    v1.FAULT_SERVER: FaultRule("the server failed", Decision.UNTOUCHED, Standing.VOID),
}
"""What comes of each fault."""


def sentence_of(fault: v1.Fault) -> str:
    """Return what is told of a fault; nothing of one that is not known."""
    rule = FAULT_RULES.get(fault)
    return rule.sentence if rule else ""
