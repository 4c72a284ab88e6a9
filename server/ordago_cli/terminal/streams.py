"""The standard streams of the command line, whose failure ends no work, and texts in any locale.

A command that has played for an hour is not ended by a full disk or by a reader who has seen enough: what cannot be
written is dropped, the work is finished, and the exit code tells at the end.
"""

import errno
import os
import sys
from io import BufferedWriter, FileIO, TextIOWrapper
from select import select
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_ENCODING: Final = "ORDAGO_OUTPUT_ENCODING"
"""How a process hands the encoding of its terminal on to the one that takes its place."""
_NO_READER: Final = frozenset({errno.EPIPE, errno.ECONNRESET})
_EXIT_OUTSIDE: Final = 3


class Output(FileIO):
    """A descriptor that takes everything. After an error the rest is dropped, so that no gap is in what was written."""

    def __init__(self, descriptor: int) -> None:
        """Write to a descriptor, which is not ours to close."""
        super().__init__(descriptor, "w", closefd=False)
        self.error: OSError | None = None
        """Why nothing is written any more."""
        self._is_terminal = self.isatty()

    @property
    def has_no_reader(self) -> bool:
        """Whether the error says no more than that nobody reads. A terminal that is closed gives EIO."""
        number = self.error and self.error.errno
        return number in _NO_READER or (number == errno.EIO and self._is_terminal)

    def write(self, data: "ReadableBuffer") -> int:
        """Write as much as is taken at once, or drop all of it."""
        while self.error is None:
            try:
                written = super().write(data)
            except OSError as error:
                self.error = error
            else:
                if written is not None:
                    return written
                # Somebody else made the descriptor one that does not wait.
                select([], [self], [])
        return memoryview(data).nbytes


def use_utf8() -> None:
    """Begin the process anew in Python's UTF-8 mode, where the locale has another encoding.

    Files are named after entrants, and everything Ordago writes is UTF-8; in ISO-8859-1, say, ``東京 bot`` could be
    the name of no file. Only what people read is written in the encoding of the locale.
    """
    if sys.getfilesystemencoding() == "utf-8" or sys.flags.utf8_mode:
        return
    shown = sys.stdout or sys.stderr
    # All processes that are started have to see the same names of files.
    environment = os.environ | {"PYTHONUTF8": "1", _ENCODING: shown.encoding if shown else ""}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], environment)  # noqa: S606 - ourselves


def take_over() -> Output:
    """Put streams in the place of the standard ones that no error and no letter ends, and return the output."""
    _open_closed()
    encoding = os.environ.pop(_ENCODING, "")
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    sys.stderr = text_to(Output(2), encoding or _encoding_of(sys.stderr), at_once=True)
    output = Output(1)
    sys.stdout = text_to(output, encoding or _encoding_of(sys.stdout), at_once=output.isatty())
    return output


def text_to(output: Output, encoding: str = "utf-8", *, at_once: bool = False) -> TextIO:
    """Return a stream of text to an output. Letters that the encoding does not have are written as escapes."""
    # The C locale says nothing of the terminal; Python and click take it for UTF-8 as well.
    named = "utf-8" if encoding in ("ascii", "ansi_x3.4-1968") else encoding
    return TextIOWrapper(BufferedWriter(output), named, errors="backslashreplace", line_buffering=at_once)


def output_is_lost() -> bool:
    """Say whether nothing reaches the reader any more, so that whoever only tells may end."""
    output = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(output, Output) and output.error is not None


def final_code(code: int | None, output: Output) -> int | None:
    """Return how the command ends that came to an exit code, when all that it said was written, or could not be."""
    sys.stdout.flush()
    if output.error is None or output.has_no_reader:
        return code
    told = f"ordago: the standard output cannot be written: {output.error.strerror}; all else is done"
    print(told, file=sys.stderr)  # noqa: T201 - click may not be there
    return code or _EXIT_OUTSIDE


def _encoding_of(stream: TextIO | None) -> str:
    return stream.encoding.lower() if stream else "utf-8"


def _open_closed() -> None:
    """Put something in the place of standard streams that are closed.

    Else the next file that is opened, a database for instance, would be the standard output. What is written there is
    refused, as it is where the descriptor is closed.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest number that is free is this one. Programs that are started get it as well.
            os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)  # noqa: FBT003 - it takes no name
