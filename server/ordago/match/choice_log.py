"""Who is told what was decided, before anybody else is."""

from collections.abc import Callable
from typing import Final, Protocol


class ChoiceLog(Protocol):
    """Keeps what was decided, so that a match can go on where it was."""

    def entered(self, entry: bytes) -> None:
        """A choice or a forfeit was entered into the record: this is its entry, a serialized field of the record."""


class GatheringLog(ChoiceLog, Protocol):
    """A choice log that may keep what it is told a moment later, in one go with what other matches enter."""

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Take whom to tell why, if something cannot be kept that was entered before. The match is void then."""


class _NoChoiceLog:
    def entered(self, entry: bytes) -> None:
        """Keep nothing."""

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Tell nobody: nothing fails."""


NO_CHOICE_LOG: Final[GatheringLog] = _NoChoiceLog()
"""A choice_log that keeps nothing."""
