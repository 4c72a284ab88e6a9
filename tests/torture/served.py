"""A real ``ordago serve``, as a process of its own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from torture.hall import resident_bytes

from ordago import v1
from ordago.record import read_record

_START_SECONDS = 20.0
_END_SECONDS = 20.0
_DRAIN_SECONDS = 60.0


class Served:
    """A server that runs."""

    def __init__(self, game: str, folder: Path, *arguments: object) -> None:
        """Start it; its log and the records of its matches go into a folder."""
        self.records = folder / "records"
        self._log = folder / "serve.log"
        address = ("--address", "127.0.0.1:0", "--records", str(self.records))
        # All bots of a test come from one address.
        all_at_once = ("--sessions-per-second", "0", "--pause", "0")
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(  # noqa: S603 - ours
                [
                    sys.executable,
                    "-m",
                    "ordago",
                    "serve",
                    "--tables",
                    game,
                    *address,
                    *all_at_once,
                    *map(str, arguments),
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        self.port = self._said_port()

    def _said_port(self) -> int:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            said = re.search(r"listening on 127\.0\.0\.1:(\d+)", self.log)
            if said:
                return int(said[1])
            time.sleep(0.02)
        raise AssertionError(f"the server did not start: {self.log}")

    @property
    def log(self) -> str:
        """All that it printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    @property
    def resident_mib(self) -> float:
        """Its memory."""
        return resident_bytes(self.process.pid) / 2**20

    def drain(self) -> int:
        """Let it end when the matches are over that run now, and return how it ended."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(_DRAIN_SECONDS)

    def stop(self) -> int:
        """Let it end at once, and return how it ended."""
        self.process.send_signal(signal.SIGTERM)
        # Two that come to a busy server at once are one.
        while "shutting down" not in self.log and self.process.poll() is None:
            time.sleep(0.02)
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(_END_SECONDS)

    def kept(self) -> Iterator[v1.MatchRecord]:
        """Yield the records of the matches that came to their end."""
        for path in sorted(self.records.iterdir()):
            yield read_record(path.read_bytes())


@contextmanager
def served(game: str, folder: Path, *arguments: object) -> Iterator[Served]:
    """Start a server, and kill it at the end of the context if it still runs."""
    server = Served(game, folder, *arguments)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
