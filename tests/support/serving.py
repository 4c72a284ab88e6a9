"""``ordago serve`` as a process, and bots as processes that play there."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

SECONDS = 30


@contextmanager
def serving(*arguments: str) -> Iterator["Server"]:
    """Serve Mittlere on any port, and end it whatever happens."""
    server = Server(*arguments)
    try:
        yield server
    finally:
        server.process.kill()
        server.process.communicate()


class Server:
    """A server as a process, and the bots that play there."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "ordago", "serve", "--tables", "mittlere", "--address", "127.0.0.1:0"]
        self.process = subprocess.Popen(  # noqa: S603 - our own
            [*command, "--log-format", "json", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[2].rstrip(";")
        self.log: list[dict[str, Any]] = []

    def log_until(self, event: str) -> dict[str, Any]:
        """Read the log until something happened, and return its line."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(json.loads(line))
            if self.log[-1]["event"] == event:
                return self.log[-1]
        raise AssertionError(f"the log ended without {event!r}: {self.log}")

    def end(self) -> tuple[int, str]:
        """Wait for the end, and return the exit code and what was printed."""
        out, err = self.process.communicate(timeout=SECONDS)
        # The last word of a server that ends badly is for people.
        self.log += [json.loads(line) for line in err.splitlines() if not line.startswith("ordago: ")]
        return self.process.returncode, out

    @property
    def events(self) -> list[str]:
        """What happened, in order."""
        return [line["event"] for line in self.log]


@contextmanager
def bots(server: Server, policy: str, number: int = 3) -> Iterator[list["subprocess.Popen[str]"]]:
    """Let bots play at a server, one match at once each."""
    command = [sys.executable, "-c", SLEEPER] if policy == "sleeper" else [sys.executable, "-m", "ordago_bot", policy]
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(  # noqa: S603 - our own
                    [*command, "--address", server.address, "--matches", "1"], stdout=subprocess.PIPE, text=True
                )
            )
            for _ in range(number)
        ]
        try:
            yield started
        finally:
            for bot in started:
                bot.kill()


SLEEPER = """
import time
import ordago_bot

class Sleeper(ordago_bot.Bot):
    def choose(self, decision):
        time.sleep(60)

ordago_bot.run(Sleeper)
"""
