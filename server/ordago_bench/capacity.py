"""Measurement of what one server of a ladder bears: the costs of a bot, a session, a decision and a match."""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import trustme

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.backup import ACCOUNTS_FILE
from ordago_bench.ladder_server import LadderServer, Usage, ladder_server
from ordago_bench.processes.worker import Worker
from ordago_bench.server import NothingMeasuredError

_BOTS: Final = (100, 1_000, 10_000)
_THINK_MS: Final = (10, 1_000, 10_000)
_PROCESSES: Final = 2
"""The number of processes that share the bots."""
_FIRST: Final = 20
"""Bots that play before the others come, so that what a server makes once is not counted as theirs."""
_FIRST_SECONDS: Final = 4.0
_MORE_SECONDS: Final = 3.0
"""Seconds in which bots are seated, and in which they go on thinking after that phase is measured."""
_LOST_SECONDS: Final = 10.0
"""Until a server has noticed lost connections, and the matches of their bots are over."""
_LONGEST_SECONDS: Final = 120.0
"""The longest wait for as many results as there are matches, and for the publication of the first epoch."""
_LOOK_SECONDS: Final = 1.0

Costs: TypeAlias = Mapping[str, float]
COSTS: Final = {
    "server_mib": ("server without bots, once it has played", "MiB"),
    "server_us_per_s": ("server without bots", "µs of CPU a second"),
    "publisher_mib": ("process that rates and publishes; grows with the ladder", "MiB"),
    "bot_kib": ("connected bot with its share of a match", "KiB"),
    "bot_descriptors": ("connected bot", "open files"),
    "bot_us_per_s": ("connected bot that thinks", "µs of CPU a second"),
    "session_us": ("session, from the connection to the first match", "µs of CPU"),
    "session_kib": ("session whose connection is lost", "KiB"),
    "decision_us": ("decision, with its share of the begin and end of a match", "µs of CPU"),
    "journal_bytes": ("decision, in the journal until it is compacted", "bytes"),
    "publisher_us": ("match, in the process that rates and publishes", "µs of CPU"),
    "database_bytes": ("match, in the database, with its record", "bytes"),
    "ledger_bytes": ("match, in the published ledger", "bytes"),
    "record_bytes": ("match, its published record", "bytes"),
    "match_decisions": ("match", "decisions"),
    "deciding": ("bots that think at a time; the others wait for theirs", "of all"),
}
"""The costs by name, each with the object that costs so much and with its unit."""


class Size(NamedTuple):
    """The needs of a ladder of so many bots that think for so long and play one match at a time."""

    bots: int
    think_ms: int
    decisions_per_s: float
    cores: float
    """Processors that the server would keep busy. More than 1 is more than one process can do."""
    mib: float
    descriptors: float
    database_gb_a_day: float
    archive_gb_a_day: float


def size_of(costs: Costs, *, bots: int, think_ms: int) -> Size:
    """Return the needs of a ladder."""
    decisions = bots * costs["deciding"] * 1_000 / think_ms
    gb_a_day = decisions / costs["match_decisions"] * 86_400 / 1e9
    waiting_us = costs["server_us_per_s"] + bots * costs["bot_us_per_s"]
    cores = (waiting_us + decisions * costs["decision_us"]) / 1e6
    mib = costs["server_mib"] + costs["publisher_mib"] + bots * costs["bot_kib"] / 1024
    archive = gb_a_day * (costs["ledger_bytes"] + costs["record_bytes"])
    descriptors, database = bots * costs["bot_descriptors"], gb_a_day * costs["database_bytes"]
    return Size(bots, think_ms, decisions, cores, mib, descriptors, database, archive)


def all_sizes(costs: Costs) -> list[Size]:
    """Return the rows of the table: few bots and many, fast ones and slow ones."""
    return [size_of(costs, bots=bots, think_ms=think_ms) for bots in _BOTS for think_ms in _THINK_MS]


def measure_costs(ladder: str, *, bots: int, think_ms: int, seconds: float, place: str | None, tls: bool) -> Costs:
    """Measure a server while a crowd of bots comes, thinks, plays, and is lost.

    Args:
        ladder: the ladder, by ``ladder_text``.
        bots: the number of bots.
        think_ms: the mean of their thinking times while they play, in milliseconds.
        seconds: the duration of each of the three measured phases: without bots, while all think, while they play. The
            last takes longer where fewer matches end than are played at a time.
        place: the URL of an empty PostgreSQL database; ``None`` for a file.
        tls: whether connections are encrypted.

    Raises:
        NothingMeasuredError: the server could not serve, or too little was played.
        OSError: the system has no ``/proc``, or a process ended.
    """
    with tempfile.TemporaryDirectory(prefix="ordago-capacity-") as name:
        folder = Path(name)
        trust, options = _certificates(folder) if tls else ((), ())
        tokens = _tokens(folder / "data", bots + _FIRST)
        with ladder_server(folder, ladder, bots=bots, place=place, options=options) as server:
            crowd = partial(_crowd, folder, server.port, think_ms, trust)
            with crowd(tokens[bots:]):
                time.sleep(_FIRST_SECONDS)
            time.sleep(_LOST_SECONDS)
            idle, empty = _phase(server, seconds)
            with crowd(tokens[:bots], hold_seconds=seconds + 2 * _MORE_SECONDS):
                time.sleep(_MORE_SECONDS)
                came, thought = _phase(server, seconds)
                # All matches begin together: once as many are over, some begin and end at any time.
                _await_matches(server, came, bots / 2)
                playing, _ = _phase(server, seconds)
                # Decisions of matches that have not ended are counted too: with few matches, as too many for each.
                _await_matches(server, playing, bots / 2)
                played = server.usage()
                _await(lambda: bool(server.published()[0]))
            time.sleep(_LOST_SECONDS)
            usages = (idle, empty, came, thought, playing, played, server.usage())
            return _costs(bots, think_ms, *usages, published=server.published())


def _phase(server: LadderServer, seconds: float) -> tuple[Usage, Usage]:
    """Return what a server has used at the begin and at the end of a phase."""
    begin = server.usage()
    time.sleep(seconds)
    return begin, server.usage()


def _await_matches(server: LadderServer, since: Usage, matches: float) -> None:
    _await(lambda: server.usage().matches - since.matches >= matches)


def _await(reached: Callable[[], bool]) -> None:
    """Wait until something is reached, or for too long: then too little is measured, as is said in the end."""
    deadline = time.monotonic() + _LONGEST_SECONDS
    while not reached() and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)


@contextmanager
def _crowd(
    folder: Path,
    port: int,
    think_ms: int,
    trust: Sequence[object],
    tokens: Sequence[str],
    *,
    hold_seconds: float = 0.0,
) -> Iterator[None]:
    """Let bots play inside the context, once all of them are connected and have thought for so long."""
    with tempfile.TemporaryDirectory(dir=folder) as shares, ExitStack() as workers:
        started = list[Worker]()
        for number in range(_PROCESSES):
            share, file = tokens[number::_PROCESSES], Path(shares, str(number))
            file.write_text("\n".join(share), encoding="ascii")
            options = ("--tokens", file, "--hold", hold_seconds, *trust)
            started.append(Worker("ordago_bench.processes.crowd_bots", port, len(share), think_ms, *options))
            workers.callback(started[-1].stop)
        try:
            for worker in started:
                worker.mark()
        except (BrokenPipeError, ValueError):
            raise NothingMeasuredError("bots lost their connections: is this machine busy with other work?") from None
        yield


def _costs(
    bots: int,
    think_ms: int,
    idle: Usage,
    empty: Usage,
    came: Usage,
    thought: Usage,
    playing: Usage,
    played: Usage,
    lost: Usage,
    *,
    published: tuple[int, int, int],
) -> Costs:
    records, record_bytes, ledger_bytes = published
    decisions, matches = played.decisions - playing.decisions, played.matches - playing.matches
    if not decisions or not matches or not records:
        raise NothingMeasuredError("too few matches ended: give more --seconds, or a shorter --think-ms")
    idle_us, waiting_us, playing_us = (
        1e6 * (end.cpu_s - begin.cpu_s) / (end.at - begin.at)
        for begin, end in ((idle, empty), (came, thought), (playing, played))
    )
    seconds = played.at - playing.at
    return {
        "server_mib": empty.kib / 1024,
        "server_us_per_s": idle_us,
        "publisher_mib": played.publisher_kib / 1024,
        "bot_kib": (played.kib - empty.kib) / bots,
        "bot_descriptors": (thought.descriptors - empty.descriptors) / bots,
        "bot_us_per_s": max(0.0, waiting_us - idle_us) / bots,
        "session_us": (1e6 * (came.cpu_s - empty.cpu_s) - idle_us * (came.at - empty.at)) / bots,
        "session_kib": (lost.kib - empty.kib) / bots,
        "decision_us": max(0.0, playing_us - waiting_us) * seconds / decisions,
        "journal_bytes": (played.journal_bytes - playing.journal_bytes) / decisions,
        "publisher_us": 1e6 * (played.publisher_cpu_s - playing.publisher_cpu_s) / matches,
        "database_bytes": (played.database_bytes - playing.database_bytes) / matches,
        "ledger_bytes": ledger_bytes / records,
        "record_bytes": record_bytes / records,
        "match_decisions": decisions / matches,
        "deciding": decisions / seconds * think_ms / 1_000 / bots,
    }


def _tokens(data: Path, bots: int) -> list[str]:
    """Open an account for each bot, and return their tokens: on a ladder, bots of one account never meet."""
    data.mkdir(mode=0o700)
    with Accounts.open(data / ACCOUNTS_FILE, create=True) as accounts:
        names, play = [f"crowd-{number}" for number in range(bots)], [Scope.PLAY]
        return [accounts.create_token(account=name, scopes=play, now=time.time(), bot=name)[0] for name in names]


def _certificates(folder: Path) -> tuple[Sequence[object], Sequence[object]]:
    """Write a certificate for this machine, and return the options with which bots trust it, and a server has it."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(trusted := folder / "authority.pem")
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(both := folder / "server.pem")
    return ("--authority", trusted), ("--tls-cert", both, "--tls-key", both)
