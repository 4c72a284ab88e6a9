"""A server of a ladder that has several, which is started again and again."""

import signal
from pathlib import Path
from typing import Final

from support.ladder_server import Server

_LONGEST_SECONDS: Final = 360


class Lane:
    """A server with a lane, which is started again at the same address."""

    def __init__(self, ladder: Path, name: str, *options: str, program: str = "") -> None:
        self._ladder, self._options, self._program = ladder, ("--lane", name, *options), program
        self.name = name
        self.data = ladder.with_name(name)
        self.address = "127.0.0.1:0"
        self._server: Server | None = None

    @property
    def archive(self) -> Path:
        return self.data / "ladders" / self._ladder.stem / "archive"

    @property
    def server(self) -> Server:
        """The server that was started last."""
        assert self._server is not None
        return self._server

    def start(self) -> "Lane":
        where = {"address": self.address, "program": self._program}
        self._server = Server(str(self._ladder), self.data, *self._options, **where)
        self.address = self._server.address
        return self

    def send_signal(self, number: signal.Signals) -> None:
        self.server.process.send_signal(number)

    def ended(self) -> int:
        """Wait for its end, and return its exit code."""
        self.server.process.communicate(timeout=_LONGEST_SECONDS)
        return self.server.process.returncode

    def end(self, number: signal.Signals) -> int:
        self.send_signal(number)
        return self.ended()

    def close(self) -> None:
        """Kill it, if it runs."""
        if self._server is not None and self._server.process.poll() is None:
            self.end(signal.SIGKILL)
