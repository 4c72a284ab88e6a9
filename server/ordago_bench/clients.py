"""The speed of the SDKs: the same bot in each language, playing many matches at once on the same server."""

import os
import subprocess
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import IO, Final, NamedTuple

from ordago.games import find_game
from ordago_bench.processes.worker import Worker
from ordago_bench.server import NothingMeasuredError

_WARM_UP_SECONDS: Final = 3.0
"""Seconds of play before the measurement, since some languages compile hot code at run time."""
_START_SECONDS: Final = 30.0
"""The longest time until the first decision of a bot."""
_LOOK_SECONDS: Final = 0.05
"""Seconds between two checks for the first decision."""
_FINISH_SECONDS: Final = 5.0
"""Seconds after the end of its standard input until a bot is killed."""
_MESSAGE_BYTES: Final = 500
"""The size of the shown part of the output of a bot that ended."""
_CPU_FIELDS: Final = slice(11, 13)
"""The user and system time in ``/proc/PID/stat``, as indices after the name of the process."""
_MEMORY_FIELD: Final = 21
"""The resident memory in pages in the same file."""
_MIB: Final = 1 << 20
_CHECKOUT: Final = Path(__file__).parents[2]


class ClientRate(NamedTuple):
    """The speed of the bots of a language; medians of the rounds."""

    decisions_per_s: float
    """The decisions a second of all of them together."""
    cpu_us_per_decision: float
    """Their CPU time for a decision, without the server, in microseconds. Load on the machine hardly affects it."""
    memory_mib: float
    """The memory of one of them at the end, in MiB."""
    start_seconds: float
    """The time from their start to the first answered decision."""


def known_clients() -> dict[str, tuple[str, ...]]:
    """Return the commands of the built ``random`` bots of a checkout, by language."""
    found = {}
    for file in sorted((_CHECKOUT / "clients").glob("*/client.toml")):
        client = tomllib.loads(file.read_text(encoding="utf-8"))
        if (file.parent / client["built"]).exists():
            found[client["language"]] = tuple(client["random"])
    return found


def measure_clients(
    commands: Mapping[str, Sequence[str]],
    *,
    game: str,
    matches: int,
    seconds: float,
    rounds: int = 1,
    warm_up_seconds: float = _WARM_UP_SECONDS,
) -> dict[str, ClientRate]:
    """Return the speed of some bots, by name, measured in turns.

    A bot has as many processes as a match has seats; each of them plays one seat of every match.

    Args:
        commands: the command that starts each bot, from the root of a checkout.
        game: the name of the game.
        matches: the number of matches at once.
        seconds: the duration of a measurement.
        rounds: the number of measurements of each bot.
        warm_up_seconds: the time of play before each measurement.

    Raises:
        NothingMeasuredError: a bot ended, or made no decision.
    """
    measure = partial(_measure, game=game, matches=matches, seconds=seconds, warm_up_seconds=warm_up_seconds)
    found: dict[str, list[ClientRate]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(measure(name, command))
    return {name: ClientRate(*map(median, zip(*rates, strict=True))) for name, rates in found.items()}


def _measure(
    name: str, command: Sequence[str], *, game: str, matches: int, seconds: float, warm_up_seconds: float
) -> ClientRate:
    server = Worker("ordago_bench.processes.game_server", game)
    try:
        address = f"127.0.0.1:{server.ready['port']}"
        began = time.perf_counter()
        with _bots(command, address, matches=matches, number=find_game(game).rules.seat_counts[0]) as bots:
            start_seconds = _first_decision(server, bots, name) - began
            time.sleep(warm_up_seconds)
            decisions, cpu, start = server.mark().decisions, bots.cpu_seconds, time.perf_counter()
            time.sleep(seconds)
            decisions, cpu = server.mark().decisions - decisions, bots.cpu_seconds - cpu
            elapsed = time.perf_counter() - start
            if not decisions or bots.ended:
                raise NothingMeasuredError(f"{name} did not go on playing; {bots.last_words}")
            return ClientRate(decisions / elapsed, 1e6 * cpu / decisions, bots.memory_mib, start_seconds)
    finally:
        server.stop()


def _first_decision(server: Worker, bots: "_Bots", name: str) -> float:
    """Wait until the server has counted a decision, and return the time of that, in seconds."""
    give_up = time.perf_counter() + _START_SECONDS
    while not server.mark().decisions:
        if bots.ended or time.perf_counter() > give_up:
            raise NothingMeasuredError(f"{name} does not play; {bots.last_words}")
        time.sleep(_LOOK_SECONDS)
    return time.perf_counter()


class _Bots(NamedTuple):
    """The processes of a bot."""

    processes: Sequence["subprocess.Popen[bytes]"]
    log: IO[bytes]

    @property
    def ended(self) -> bool:
        return any(process.poll() is not None for process in self.processes)

    @property
    def last_words(self) -> str:
        self.log.seek(max(0, self.log.seek(0, os.SEEK_END) - _MESSAGE_BYTES))
        said = self.log.read().decode(errors="replace").strip()
        return f"the last that it said: {said}" if said else "it said nothing"

    @property
    def cpu_seconds(self) -> float:
        ticks = sum(int(field) for process in self.processes for field in _stat(process.pid)[_CPU_FIELDS])
        return ticks / os.sysconf("SC_CLK_TCK")

    @property
    def memory_mib(self) -> float:
        pages = median(int(_stat(process.pid)[_MEMORY_FIELD]) for process in self.processes)
        return pages * os.sysconf("SC_PAGE_SIZE") / _MIB


def _stat(pid: int) -> Sequence[str]:
    """Return the fields of ``/proc/PID/stat`` after the name of the process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        raise NothingMeasuredError("a bot ended, or this system does not tell about processes in /proc") from None


@contextmanager
def _bots(command: Sequence[str], address: str, *, matches: int, number: int) -> Iterator[_Bots]:
    # A launched bot ends when its standard input is closed.
    environment = {**os.environ, "ORDAGO_ADDRESS": address, "ORDAGO_LAUNCHED": "1"}
    words = [*command, "--matches", str(matches), "--decisions", str(matches)]
    with tempfile.TemporaryFile() as log:
        processes = [
            subprocess.Popen(words, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment, cwd=_CHECKOUT)  # noqa: S603 - a command of the user or of ours
            for _ in range(number)
        ]
        try:
            yield _Bots(processes, log)
        finally:
            for process in processes:
                _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        process.wait(_FINISH_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
