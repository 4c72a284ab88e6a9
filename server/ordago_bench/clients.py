"""How fast the SDKs are: the same bot in each language, at the same server, playing many matches at once."""

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
"""How long all play before it is measured: some languages compile what is often run while they run it."""
_START_SECONDS: Final = 30.0
"""How long a bot may take until its first decision."""
_LOOK_SECONDS: Final = 0.05
_FINISH_SECONDS: Final = 5.0
_MESSAGE_BYTES: Final = 500
"""What is shown of the last words of a bot that ended."""
_CPU_FIELDS: Final = slice(11, 13)
"""Where the user and system time of a process stand in its ``stat``, counted from behind its name."""
_MEMORY_FIELD: Final = 21
_MIB: Final = 1 << 20
_CHECKOUT: Final = Path(__file__).parents[2]


class ClientRate(NamedTuple):
    """How fast the bots of a language play; medians of the rounds."""

    decisions_per_s: float
    """Of all of them together."""
    cpu_us_per_decision: float
    """Microseconds of a processor that they take, without the server. It says the same on a machine with other work."""
    memory_mib: float
    """The memory of one of them at the end, in MiB."""
    start_seconds: float
    """From their start to the first decision that was closed."""


def known_clients() -> dict[str, tuple[str, ...]]:
    """Return the commands of the bots ``random`` of a checkout, as far as they are built, by their language."""
    found = {}
    for file in sorted((_CHECKOUT / "clients").glob("*/client.toml")):
        told = tomllib.loads(file.read_text(encoding="utf-8"))
        if (file.parent / told["built"]).exists():
            found[told["language"]] = tuple(told["random"])
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
    """Return how fast each of some bots plays, by its name. They take turns.

    So many processes of a bot play as a match has seats, each of them a seat of every match.

    Args:
        commands: what starts each bot, from the root of a checkout.
        game: what they play.
        matches: how many matches they play at once.
        seconds: how long each is measured in every round.
        rounds: how often it is measured.
        warm_up_seconds: how long it plays before.

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
    """Wait until the server has closed a decision, and return when that was seen, in seconds."""
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
    """Return what the kernel says of a process, from behind its name on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        raise NothingMeasuredError("a bot ended, or this system does not tell about processes in /proc") from None


@contextmanager
def _bots(command: Sequence[str], address: str, *, matches: int, number: int) -> Iterator[_Bots]:
    # Options stand behind the command; a bot that is launched ends with its standard input.
    environment = {**os.environ, "ORDAGO_ADDRESS": address, "ORDAGO_LAUNCHED": "1"}
    words = [*command, "--matches", str(matches), "--decisions", str(matches)]
    with tempfile.TemporaryFile() as log:
        processes = [
            subprocess.Popen(words, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment, cwd=_CHECKOUT)  # noqa: S603 - of the user, or ours
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
