"""The command line ``ordago``."""

import os
import sys
from typing import Final

from ordago_cli.terminal.streams import final_code, take_over, use_utf8

_EXIT_INTERRUPTED: Final = 130


def main() -> None:
    """Run the command line of the process, and exit with its code."""
    # Errors of grpc reach us as exceptions; its own log would only appear above our sentence.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    use_utf8()
    output = take_over()
    sys.exit(final_code(_run(), output))


def _run() -> int | None:
    """Run the command line, and return its exit code."""
    try:
        from ordago_cli.program import program

        program()
    except SystemExit as end:
        return end.code if end.code is None or isinstance(end.code, int) else 1
    except KeyboardInterrupt:
        # No command is running yet that would report it.
        print("ordago: stopped", file=sys.stderr)  # noqa: T201 - click is not there to do it
        return _EXIT_INTERRUPTED
    return None
