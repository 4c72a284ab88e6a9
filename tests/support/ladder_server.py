"""``ordago serve --ladder`` as a process of its own, and bots that come to it."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

_LONGEST_SECONDS: Final = 120
SHORT: Final = """
[ladder]
name = "short"
epoch_hours = 0.002
lone_seconds = 0.2

[[game]]
name = "mittlere"
options = { deals = 3 }

[[house]]
name = "one"
house = "random"

[[house]]
name = "two"
house = "default"
"""


class Server:
    """A server of a ladder, and what it logs."""

    def __init__(self, ladder: str, folder: Path, *more: str, address: str = "127.0.0.1:0", program: str = "") -> None:
        """Start a server; with a program in Python, by that in place of ``python -m ordago``."""
        ordago = ["-c", program] if program else ["-m", "ordago"]
        command = [sys.executable, *ordago, "serve", "--ladder", ladder, "--data", str(folder), *more]
        self.log = folder.with_suffix(".log")
        with self.log.open("a") as log:
            self.process = subprocess.Popen(  # noqa: S603 - ours
                [*command, "--address", address, "--log-format", "json"], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().removeprefix("listening on ").partition(";")[0]
        assert self.address.startswith("127.0.0.1:"), self.log.read_text()

    def logged(self, event: str) -> list[dict[str, Any]]:
        # The server may be writing its last line just now.
        whole, _, _ = self.log.read_text().rpartition("\n")
        return [line for line in map(json.loads, whole.splitlines()) if line["event"] == event]

    def await_logged(self, event: str, *, times: int = 1) -> dict[str, Any]:
        deadline = time.monotonic() + _LONGEST_SECONDS
        while time.monotonic() < deadline:
            if len(found := self.logged(event)) >= times:
                return found[times - 1]
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def await_played(self, bot: str, *, times: int, besides: Set[str]) -> None:
        """Wait until a bot has ended so many matches, not counting some."""
        deadline = time.monotonic() + _LONGEST_SECONDS
        while time.monotonic() < deadline:
            played = self.matches_begun(bot) & {line["match"] for line in self.logged("match ended")}
            if len(played - besides) >= times:
                return
            time.sleep(0.1)
        raise AssertionError(self.log.read_text())

    def matches_begun(self, bot: str | None = None) -> set[str]:
        """Return all matches that were begun, or those of a bot, by their names."""
        return {line["match"] for line in self.logged("match begun") if bot is None or bot in line["bots"]}

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(_LONGEST_SECONDS)


@contextmanager
def a_bot(address: str, name: str, *more: str) -> Iterator[None]:
    command = [sys.executable, "-m", "ordago_bot", "random", "--name", name, "--address", address, *more]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:  # noqa: S603 - ours
        try:
            yield
        finally:
            process.kill()
