"""The journal as a match sees it: each choice is stored before anybody is notified of it."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol


class ChoiceLog(Protocol):
    """Keeps the choices of one match, so that it can go on where it was.

    It may delay the write by a moment, to write it together with entries of other matches.
    """

    def enter(self, entries: Sequence[bytes]) -> None:
        """Keep choices and forfeits, in order: their entries in the record, as serialized fields of it."""

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Set the callback for entries that cannot be written later: it gets the reason, and the match is void."""


class _NoChoiceLog:
    def enter(self, entries: Sequence[bytes]) -> None:
        """Keep nothing."""

    def on_failure(self, fail: Callable[[Exception], None]) -> None:
        """Do nothing: this log cannot fail."""


NO_CHOICE_LOG: Final[ChoiceLog] = _NoChoiceLog()
"""A choice log that keeps nothing."""
