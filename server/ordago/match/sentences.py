"""What is said of faults, in one sentence each."""

from collections.abc import Mapping
from typing import Final

from ordago import v1

_SENTENCES: Final[Mapping[v1.Fault, str]] = {
    v1.FAULT_FAILED_TO_START: "the bot never came to the table",
    v1.FAULT_ILLEGAL: "too many answers to this decision were illegal",
    v1.FAULT_MALFORMED: "a message could not be understood",
    v1.FAULT_TOO_LATE: "no answer came in time",
    v1.FAULT_DISCONNECTED: "the bot was not connected",
    v1.FAULT_CRASHED: "the bot's process ended",
    v1.FAULT_FLOODING: "too much was sent",
    v1.FAULT_SERVER: "the server failed",
}


def sentence_of(fault: v1.Fault) -> str:
    """Return what is said of a fault; nothing where there was none."""
    return _SENTENCES.get(fault, "")
