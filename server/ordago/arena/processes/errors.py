"""Errors of starting processes for which no bot is to blame."""

from pathlib import Path
from typing import Final

_OUT_OF_FILES: Final = (
    "too many files are open to start one more bot: raise the limit (ulimit -n), "
    "or play fewer matches at once (parallel)"
)


class NotStartableError(Exception):
    """A process cannot be started here. No bot erred."""


class OutOfFilesError(NotStartableError):
    """No more processes can be started, since too many files are open here. No bot erred."""

    def __init__(self, sentence: str = _OUT_OF_FILES) -> None:
        """Hold the sentence; it is an argument for the sake of unpickling."""
        super().__init__(sentence)


class SandboxFailedError(NotStartableError):
    """The sandbox of a bot or a build could not be made, in several tries. Neither the bot nor the build erred."""

    @classmethod
    def of(cls, what: str, reason: str, log: Path) -> "SandboxFailedError":
        """Return the error for a bot or build.

        Args:
            what: the bot or build that was to run.
            reason: the reason; empty if none is known.
            log: the file with the output.
        """
        why = reason or "its sandbox failed"
        return cls(f"{what} could not be started, through no fault of its own: {why} (its output is in {log})")
