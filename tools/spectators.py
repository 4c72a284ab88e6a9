"""Measure the cost of many spectators at one table for the matches of a server.

``python tools/spectators.py`` serves the demo ladder, whose bots play at a steady pace, to 1 and 500 spectators in
turns. For each measurement it prints the CPU usage of the process of the matches and of the process of the site, the
steps of the table a second, the number of steps sent to all spectators, and of those that were left out.
"""

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Final, NamedTuple

import trio

_OF_AN_ADDRESS: Final = 10
"""The spectators per address. A site allows twelve."""
_TICKS_A_SECOND: Final = os.sysconf("SC_CLK_TCK")
_PATIENCE_SECONDS: Final = 60.0
"""Seconds to wait for the site, for a table of the game, and for its next step."""


class Window(NamedTuple):
    """The figures of one measurement."""

    spectators: int
    matches: float
    """The CPU usage of the process of the matches, in cores."""
    site: float
    """The CPU usage of the process of the site, in cores."""
    steps: float
    """The steps of the table a second, as the first spectator saw it."""
    sent: int
    """The number of steps sent to all spectators."""
    missed: int
    """The number of steps that spectators were not sent, although they were sent some before and after."""


@contextmanager
def serving(folder: Path) -> Iterator[tuple[int, str]]:
    """Serve the demo ladder with its site; give the id of the server process and the address of the site."""
    command = [sys.executable, "-m", "ordago", "serve", "--ladder", "demo", "--data", str(folder / "data")]
    listening = ["--address", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(  # noqa: S603 - our own
            [*command, *listening], stdout=subprocess.PIPE, stderr=log, text=True
        )
    assert server.stdout is not None
    try:
        yield (
            server.pid,
            next(found[1] for line in server.stdout if (found := re.search(r"site is at (\S+?)/?$", line))),
        )
    finally:
        server.terminate()
        server.wait()


def table_of(site: str, *, game: str) -> str:
    """Return the path of a table of a game, as soon as there is one."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        with urllib.request.urlopen(f"{site}/live", timeout=_PATIENCE_SECONDS) as answer:  # noqa: S310 - a http address
            rows = answer.read().decode().split("<tr>")
        for row in rows:
            if game in row and (found := re.search(r'href="(/matches/\w+)/watch"', row)):
                return found[1]
        time.sleep(0.5)
    raise SystemExit(f"nobody plays {game}")


def processor_seconds(process: int) -> float:
    """Return the CPU time of a process so far, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_A_SECOND


def site_of(server: int) -> int:
    """Return the id of the site process of a server."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[1]
            if parent == str(server) and b"ordago_web" in (folder / "cmdline").read_bytes():
                return int(folder.name)
        except OSError:
            continue
    raise SystemExit("there is no site")


async def look_on(number: int, port: int, path: str, seen: list[int], measuring: trio.CancelScope) -> None:
    """Watch a table as a spectator, and note the numbers of the steps that it is sent; its end ends the measurement."""
    address = f"127.0.{1 + number // _OF_AN_ADDRESS // 200}.{1 + number // _OF_AN_ADDRESS % 200}"
    stream = await trio.open_tcp_stream("127.0.0.1", port, local_address=address)
    request = f"GET {path}/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n"
    # For a match that has just ended there is an answer, but no stream: it must not leave the connection open.
    await stream.send_all(f"{request}Connection: close\r\n\r\n".encode())
    rest = b""
    async for part in stream:
        whole, _, rest = (rest + part).rpartition(b"\n\n")
        seen += map(int, re.findall(rb"id: (\d+)\nevent: step\n", whole))
    measuring.cancel()


async def await_steps(seen: list[list[int]]) -> None:
    """Wait until each spectator was sent a step."""
    with trio.move_on_after(_PATIENCE_SECONDS):
        while not all(seen):  # noqa: ASYNC110 - one look in place of an event for each of 500 spectators
            await trio.sleep(0.1)
        return
    raise SystemExit(f"{seen.count([])} of {len(seen)} spectators were sent nothing for {_PATIENCE_SECONDS:g} s")


async def measured(server: int, port: int, path: str, *, spectators: int, seconds: float) -> Window | None:
    """Measure with a number of spectators for some seconds; return ``None`` if the match ended meanwhile."""
    site, seen = site_of(server), [list[int]() for _ in range(spectators)]
    window = None
    async with trio.open_nursery() as nursery:
        for number in range(spectators):
            nursery.start_soon(look_on, number, port, path, seen[number], nursery.cancel_scope)
        await await_steps(seen)
        before, used = list(map(len, seen)), (processor_seconds(server), processor_seconds(site))
        await trio.sleep(seconds)
        after = (processor_seconds(server), processor_seconds(site))
        sent = [len(numbers) - then for numbers, then in zip(seen, before, strict=True)]
        shares = [(end - begin) / seconds for begin, end in zip(used, after, strict=True)]
        missed = sum(numbers[-1] - numbers[0] + 1 - len(numbers) for numbers in seen)
        window = Window(spectators, *shares, steps=sent[0] / seconds, sent=sum(sent), missed=missed)
        nursery.cancel_scope.cancel()
    return window


def measured_at_some_table(server: int, site: str, *, spectators: int, seconds: float) -> Window:
    """Measure at a table whose match lasts as long as that."""
    window, port = None, int(site.rpartition(":")[2])
    while window is None:
        path = table_of(site, game="Mitigati")
        window = trio.run(partial(measured, server, port, path, spectators=spectators, seconds=seconds))
    return window


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    windows: list[Window] = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (server, site):
        print("spectators  matches' processor  site's processor  steps/s    sent  missed")  # noqa: T201 - the output of the tool
        for _ in range(given.rounds):
            for spectators in (1, given.spectators):
                windows.append(measured_at_some_table(server, site, spectators=spectators, seconds=given.seconds))
                print("{:10}  {:18.3f}  {:16.3f}  {:7.2f}  {:6}  {:6}".format(*windows[-1]))  # noqa: T201
    alone, crowded = ([one for one in windows if one.spectators == number] for number in (1, given.spectators))
    for name in ("matches", "steps"):
        few, many = (mean(getattr(one, name) for one in windows) for windows in (alone, crowded))
        # On a busy machine a table may stand still for the whole of a short measurement.
        print(f"{name}, {given.spectators} to 1: {many / few if few else math.inf:.2f}")  # noqa: T201


if __name__ == "__main__":
    main()
