"""How the command line ends: exit codes, and one sentence for each mistake."""

from collections.abc import Awaitable, Callable
from typing import IO, Any, Final, TypeVar

import click

T = TypeVar("T")

EXIT_OK: Final = 0
"""All went well."""
EXIT_WRONG: Final = 1
"""What was checked is not as it should be."""
EXIT_USAGE: Final = 2
"""The command line or the event file is wrong."""
EXIT_OUTSIDE: Final = 3
"""Something outside failed: a file is missing, a port is busy, a folder belongs to another event, a disk is full."""
EXIT_BOT: Final = 4
"""A bot could not be started."""
EXIT_SERVER: Final = 5
"""The server itself failed, or the rules of a game."""
EXIT_UNFINISHED: Final = 6
"""All is well as far as it goes, and it is to go on."""
EXIT_INTERRUPTED: Final = 130
"""The user stopped it."""


class CommandError(click.ClickException):
    """A mistake that the user can mend: it is told in one sentence, without a traceback."""

    def __init__(self, sentence: str, *, exit_code: int) -> None:
        """Say what was wrong, where, and what to do."""
        super().__init__(sentence)
        self.exit_code = exit_code  # type: ignore[misc]  # click reads it from the object as well as from the class

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the sentence to the standard error."""
        click.echo(f"ordago: {self.message}", file=file, err=file is None)


def run(main: Callable[[], Awaitable[T]], *, one_thread: bool = False) -> T:
    """Run a trio program. Errors come out of it as they were raised, not as groups of errors.

    Args:
        main: the program.
        one_thread: whether grpc serves in the thread of trio; see ``run_in_one_thread`` for when it pays.

    Raises:
        CommandError: the user stopped it.
    """
    # Not before: what is said of mistakes is there without it, and while it is imported.
    import trio

    from ordago.one_thread import run_in_one_thread

    try:
        return run_in_one_thread(main) if one_thread else trio.run(main)
    except BaseExceptionGroup as group:
        raise _most_telling(group) from group
    except KeyboardInterrupt:
        raise stopped() from None


def stopped() -> CommandError:
    """Return what is said when the user stops a command."""
    return CommandError("stopped", exit_code=EXIT_INTERRUPTED)


def _most_telling(group: BaseExceptionGroup[BaseException]) -> BaseException:
    leaves = list(_leaves(group))
    if any(isinstance(leaf, KeyboardInterrupt) for leaf in leaves):
        return stopped()
    # A cause that nobody foresaw is more telling than one that was.
    return next((leaf for leaf in leaves if not isinstance(leaf, CommandError)), leaves[0])


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for child in error.exceptions for leaf in _leaves(child)]
    return [error]
