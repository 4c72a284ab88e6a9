"""Who is told what was decided, before anybody else is."""

from typing import Final, Protocol


class ChoiceLog(Protocol):
    """Keeps what was decided, so that a match can go on where it was."""

    def entered(self, entry: bytes) -> None:
        """A choice or a forfeit was entered into the record: this is its entry, a serialized field of the record."""


class _NoChoiceLog:
    def entered(self, entry: bytes) -> None:
        """Keep nothing."""


NO_CHOICE_LOG: Final[ChoiceLog] = _NoChoiceLog()
"""A choice_log that keeps nothing."""
