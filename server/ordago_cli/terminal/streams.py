"""Standard streams that survive errors, in any locale.

A full disk, or a reader that stops reading, must not end a command that has played for an hour. What cannot be written
is dropped, the command finishes its work, and its exit code reports the error.
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
"""The variable that passes the encoding of the terminal on to the process that replaces this one."""
_NO_READER: Final = frozenset({errno.EPIPE, errno.ECONNRESET})
_EXIT_OUTSIDE: Final = 3


class Output(FileIO):
    """A descriptor that accepts everything. After an error the rest is dropped, so that the output has no gap."""

    def __init__(self, descriptor: int) -> None:
        """Write to a descriptor, which is not closed with the object."""
        super().__init__(descriptor, "w", closefd=False)
        self.error: OSError | None = None
        """The error after which nothing is written any more."""
        self._is_terminal = self.isatty()

    @property
    def has_no_reader(self) -> bool:
        """True if the error only means that nobody reads. A closed terminal gives EIO."""
        number = self.error and self.error.errno
        return number in _NO_READER or (number == errno.EIO and self._is_terminal)

    def write(self, data: "ReadableBuffer") -> int:
        """Write as much as is accepted at once, or drop all of it."""
        while self.error is None:
            try:
                written = super().write(data)
            except OSError as error:
                self.error = error
            else:
                if written is not None:
                    return written
                # Another process has made the descriptor non-blocking.
                select([], [self], [])
        return memoryview(data).nbytes


def use_utf8() -> None:
    """Restart the process in Python's UTF-8 mode, if the locale has another encoding.

    Files are named after entrants, and all files of Ordago are UTF-8. In ISO-8859-1, for instance, no file could have
    the name ``東京 bot``. Only output for people has the encoding of the locale.
    """
    if sys.getfilesystemencoding() == "utf-8" or sys.flags.utf8_mode:
        return
    shown = sys.stdout or sys.stderr
    # All child processes have to see the same file names.
    environment = os.environ | {"PYTHONUTF8": "1", _ENCODING: shown.encoding if shown else ""}
    os.execve(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]], environment)  # noqa: S606 - ourselves


def take_over() -> Output:
    """Replace the standard streams by ones that no error and no character stops, and return the output."""
    _open_closed()
    encoding = os.environ.pop(_ENCODING, "")
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as long as the process
    sys.stderr = text_to(Output(2), encoding or _encoding_of(sys.stderr), at_once=True)
    output = Output(1)
    sys.stdout = text_to(output, encoding or _encoding_of(sys.stdout), at_once=output.isatty())
    return output


def text_to(output: Output, encoding: str = "utf-8", *, at_once: bool = False) -> TextIO:
    """Return a text stream to an output. Characters that the encoding lacks are written as escapes."""
    # The C locale does not reveal the encoding of the terminal. Python and click assume UTF-8 as well.
    named = "utf-8" if encoding in ("ascii", "ansi_x3.4-1968") else encoding
    return TextIOWrapper(BufferedWriter(output), named, errors="backslashreplace", line_buffering=at_once)


def output_is_lost() -> bool:
    """Return True if the reader has gone, so that commands that only print may end."""
    output = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return isinstance(output, Output) and output.error is not None


def final_code(code: int | None, output: Output) -> int | None:
    """Return the final exit code: a write error other than a missing reader replaces success."""
    sys.stdout.flush()
    if output.error is None or output.has_no_reader:
        return code
    problem = f"ordago: cannot write to the standard output: {output.error.strerror}; the command itself finished"
    print(problem, file=sys.stderr)  # noqa: T201 - click may not be there
    return code or _EXIT_OUTSIDE


def _encoding_of(stream: TextIO | None) -> str:
    return stream.encoding.lower() if stream else "utf-8"


def _open_closed() -> None:
    """Open the null device for each standard stream that is closed.

    Otherwise the next file to be opened, such as a database, would become the standard output. Writes are refused, as
    on a closed descriptor.
    """
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is this one. Child processes inherit it.
            os.set_inheritable(os.open(os.devnull, os.O_RDONLY), True)  # noqa: FBT003 - it takes no name
