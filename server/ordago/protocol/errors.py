"""Errors between the two ends of a connection, by which end is at fault."""

from ordago import v1


class ProtocolError(Exception):
    """A message where the contract allows none. Only its two subclasses are raised."""


class LocalProtocolError(ProtocolError):
    """This end tried to send a message that it may not send now: a bug here."""


class RemoteProtocolError(ProtocolError):
    """The other end sent a message that it may not send now, or malformed bytes."""

    def __init__(self, sentence: str, *, fault: v1.Fault = v1.FAULT_MALFORMED) -> None:
        """Take a sentence on what was received, and the fault."""
        super().__init__(sentence)
        self.fault = fault
