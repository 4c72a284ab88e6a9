"""Exit codes and one-sentence errors of the command line."""

from collections.abc import Awaitable, Callable
from typing import IO, Any, Final, TypeVar

import click

T = TypeVar("T")

EXIT_OK: Final = 0
"""Success."""
EXIT_WRONG: Final = 1
"""A check found something wrong."""
EXIT_USAGE: Final = 2
"""The command line or the event file is wrong."""
EXIT_OUTSIDE: Final = 3
"""An outside failure: a missing file, a busy port, a folder of another event, a full disk."""
EXIT_BOT: Final = 4
"""A bot could not be started."""
EXIT_SERVER: Final = 5
"""An error of the server itself, or of the rules of a game."""
EXIT_UNFINISHED: Final = 6
"""No error so far, but the work is unfinished."""
EXIT_INTERRUPTED: Final = 130
"""The user interrupted the command."""


class CommandError(click.ClickException):
    """A mistake that the user can fix, shown in one sentence without a traceback."""

    def __init__(self, sentence: str, *, exit_code: int) -> None:
        """Take a sentence that says what was wrong, where, and what to do."""
        super().__init__(sentence)
        self.exit_code = exit_code  # type: ignore[misc]  # click reads it from the object as well as from the class

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the sentence to standard error."""
        click.echo(f"ordago: {self.message}", file=file, err=file is None)


def run(main: Callable[[], Awaitable[T]], *, one_thread: bool = False) -> T:
    """Run a trio program, and unwrap its exception groups.

    Args:
        main: the program.
        one_thread: let grpc serve in trio's thread; see ``run_in_one_thread`` for the cases in which it pays.

    Raises:
        CommandError: the user interrupted it.
    """
    # Imported late, so that usage errors do not pay for it, and Ctrl-C is handled during the import.
    import trio

    from ordago.one_thread import run_in_one_thread

    try:
        return run_in_one_thread(main) if one_thread else trio.run(main)
    except BaseExceptionGroup as group:
        raise _most_telling(group) from group
    except KeyboardInterrupt:
        raise stopped() from None


def stopped() -> CommandError:
    """Return the error for an interrupt by the user."""
    return CommandError("stopped", exit_code=EXIT_INTERRUPTED)


def _most_telling(group: BaseExceptionGroup[BaseException]) -> BaseException:
    leaves = list(_leaves(group))
    if any(isinstance(leaf, KeyboardInterrupt) for leaf in leaves):
        return stopped()
    # An unexpected cause tells more than an expected one.
    return next((leaf for leaf in leaves if not isinstance(leaf, CommandError)), leaves[0])


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for child in error.exceptions for leaf in _leaves(child)]
    return [error]
