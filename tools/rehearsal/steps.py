"""What a stranger does, step by step, with times and sizes."""

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final

_INTERRUPTED: Final = (0, 130)
"""The exit codes of a server that has stopped in order, and of an event that goes on later."""


class StepError(Exception):
    """A step ended in another way than it should."""


class Stranger:
    """Somebody with a folder, a home of their own, and none of the variables of this checkout."""

    def __init__(self, name: str, folder: Path, variables: Mapping[str, str], *, programs: Path) -> None:
        """Begin in a folder, with these variables of the environment, and a folder of programs before all others."""
        self.folder, self.programs = folder, programs
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ORDAGO", "PYTHON", "VIRTUAL"))}
        path = f"{programs}{os.pathsep}{os.environ['PATH']}"
        self._environment = {**kept, **variables, "PATH": path}
        print(f"\n{name}")  # noqa: T201 - a command

    def does(self, *words: str, folder: Path | None = None, fails_with: str = "") -> None:
        """Run a command that ends well, or fails with these words, and print how long it takes."""
        begun = time.monotonic()
        ended = subprocess.run(  # noqa: S603 - ours
            words,
            cwd=folder or self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        line = words[-1] if words[:2] == ("sh", "-c") else shlex.join(words)
        print(f"{time.monotonic() - begun:8.1f} s  {line}", flush=True)  # noqa: T201 - a command
        if bool(ended.returncode) != bool(fails_with) or fails_with not in ended.stdout:
            raise StepError(f"{line} ended with {ended.returncode}:\n{ended.stdout}")

    @contextmanager
    def runs(self, *words: str, until: str, times: int = 1) -> Iterator[str]:
        """Start a command, give the line that has this text for so many times, and interrupt the command at the end."""
        begun = time.monotonic()
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(words, cwd=self.folder, env=self._environment, text=True, **pipes) as process:  # noqa: S603 - ours
            assert process.stdout is not None
            try:
                lines = (line for line in process.stdout if until in line)
                line = next(islice(lines, times - 1, None), None)
                if line is None:
                    raise StepError(f"{shlex.join(words)} ended before {until!r} came")
                yield line
            finally:
                process.send_signal(signal.SIGINT)
                rest, _ = process.communicate()
        print(f"{time.monotonic() - begun:8.1f} s  {shlex.join(words)}, interrupted", flush=True)  # noqa: T201 - a command
        if process.returncode not in _INTERRUPTED:
            raise StepError(f"{shlex.join(words)} ended with {process.returncode}:\n{rest}")

    def measures(self, place: str) -> None:
        """Print the size of a folder or file."""
        path = self.folder / place
        size = sum(file.lstat().st_size for file in ([path] if path.is_file() else path.rglob("*")))
        print(f"{size / 1e6:8.1f} MB {place}", flush=True)  # noqa: T201 - a command
