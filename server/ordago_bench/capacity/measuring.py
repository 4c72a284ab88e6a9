"""Measurement of the costs of a ladder's server: a crowd of bots connects, waits, plays, and is lost."""

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import trustme

from ordago_bench.capacity.ladder_server import LadderServer, Published, Usage, ladder_server, tokens_for
from ordago_bench.capacity.sizes import Costs
from ordago_bench.processes.worker import Worker
from ordago_bench.server import NothingMeasuredError

_PROCESSES: Final = 2
"""The number of processes that share the bots."""
_FIRST: Final = 20
"""Bots that play before the others come, so that what a server makes once is not counted as theirs."""
_FIRST_SECONDS: Final = 4.0
_SETTLING_SECONDS: Final = 3.0
"""Seconds that bots go on thinking, so that they still do at the end of that phase."""
_LOST_SECONDS: Final = 10.0
"""Until a server has noticed lost connections, and the matches of their bots are over."""
_LONGEST_SECONDS: Final = 120.0
"""The longest wait for as many results as there are matches, and for the publication of the first epoch."""
_LOOK_SECONDS: Final = 1.0


def measure_costs(games: str, *, bots: int, think_ms: int, seconds: float, place: str | None, tls: bool) -> Costs:
    """Measure a server with a ladder in a file or in PostgreSQL, with its journal, and with accounts.

    Args:
        games: the games of the ladder, as ``games_of`` returns them.
        bots: the number of bots.
        think_ms: the mean of their thinking times, in milliseconds.
        seconds: the duration of each of two measured phases: all bots think; all bots play.
        place: the URL of an empty PostgreSQL database; ``None`` for a file.
        tls: whether connections are encrypted.

    Raises:
        NothingMeasuredError: the server could not serve, or too little was played.
        OSError: the system has no ``/proc``, or a process ended.
    """
    with tempfile.TemporaryDirectory(prefix="ordago-capacity-") as name:
        folder = Path(name)
        authority, certificate = _certificates(folder) if tls else (None, ())
        tokens = tokens_for(folder / "data", bots + _FIRST)
        with ladder_server(folder, games, bots=bots, place=place, tls=certificate) as server:
            crowd = partial(_crowd, folder, server.port, think_ms=think_ms, authority=authority)
            with crowd(tokens[bots:], hold_seconds=0):
                time.sleep(_FIRST_SECONDS)
            time.sleep(_LOST_SECONDS)
            empty, hold_seconds = server.usage(), seconds + _SETTLING_SECONDS
            with crowd(tokens[:bots], hold_seconds=hold_seconds):
                came = server.usage()
                held = list(_phase(server, seconds))
                # All matches begin together: once as many are over, some begin and end at any time.
                _await(lambda: server.usage().results - came.results >= bots / 2)
                played = list(_phase(server, seconds))
                _await(lambda: bool(server.published().results))
                published = server.published()
            time.sleep(_LOST_SECONDS)
            lost = server.usage()
    return _costs(bots, think_ms, [empty, came, *held, *played, lost], published)


def _phase(server: LadderServer, seconds: float) -> Iterator[Usage]:
    """Yield what a server used at the begin and at the end of a phase."""
    yield server.usage()
    time.sleep(seconds)
    yield server.usage()


def _await(reached: Callable[[], bool]) -> None:
    """Wait until something is reached, or for too long: then too little is measured, which is said in the end."""
    deadline = time.monotonic() + _LONGEST_SECONDS
    while not reached() and time.monotonic() < deadline:
        time.sleep(_LOOK_SECONDS)


@contextmanager
def _crowd(
    folder: Path, port: int, tokens: Sequence[str], *, think_ms: int, authority: Path | None, hold_seconds: float
) -> Iterator[None]:
    """Let bots play inside the context, once all of them are connected and have thought for so long."""
    trusted = ("--authority", authority) if authority else ()
    with tempfile.TemporaryDirectory(dir=folder) as shares, ExitStack() as workers:
        started = list[Worker]()
        for number in range(_PROCESSES):
            share, file = tokens[number::_PROCESSES], Path(shares, str(number))
            file.touch(mode=0o600)
            file.write_text("\n".join(share), encoding="ascii")
            options = ("--tokens", file, "--hold", hold_seconds, *trusted)
            started.append(Worker("ordago_bench.processes.crowd_bots", port, len(share), think_ms, *options))
            workers.callback(started[-1].stop)
        try:
            for worker in started:
                worker.mark()
        except (BrokenPipeError, ValueError):
            raise NothingMeasuredError("bots lost their connections: is this machine busy with other work?") from None
        yield


def _costs(bots: int, think_ms: int, usages: Sequence[Usage], published: Published) -> Costs:
    empty, came, begin, end, playing, played, lost = usages
    decisions, results = played.decisions - playing.decisions, played.results - playing.results
    if not decisions or not results or not published.results:
        raise NothingMeasuredError("too few matches ended: give more --seconds, or a shorter --think-ms")
    thinking_us = 1e6 * (end.cpu_s - begin.cpu_s) / (end.at - begin.at) / bots
    seconds = played.at - playing.at
    decision_us = 1e6 * (played.cpu_s - playing.cpu_s) - thinking_us * bots * seconds
    return Costs(
        server_mib=empty.memory_bytes / 2**20,
        publisher_mib=played.publisher_bytes / 2**20,
        bot_kib=(played.memory_bytes - empty.memory_bytes) / bots / 1024,
        bot_descriptors=(end.descriptors - empty.descriptors) / bots,
        waiting_us_per_s=thinking_us,
        session_us=1e6 * (came.cpu_s - empty.cpu_s) / bots,
        session_kib=(lost.memory_bytes - empty.memory_bytes) / bots / 1024,
        decision_us=max(0.0, decision_us) / decisions,
        publisher_us=1e6 * (played.publisher_cpu_s - playing.publisher_cpu_s) / results,
        deciding=decisions / seconds * think_ms / 1000 / bots,
        match_decisions=decisions / results,
        journal_bytes=(played.journal_bytes - playing.journal_bytes) / decisions,
        database_bytes=(played.database_bytes - playing.database_bytes) / results,
        ledger_bytes=published.ledger_bytes / published.results,
        record_bytes=published.record_bytes / published.results,
    )


def _certificates(folder: Path) -> tuple[Path, Sequence[Path]]:
    """Write a certificate for this machine, and return the file of its authority, its file and that of its key."""
    authority = trustme.CA()
    issued = authority.issue_cert("127.0.0.1", "localhost")
    files = [folder / name for name in ("authority.pem", "server.pem", "server.key")]
    pems = authority.cert_pem.bytes(), issued.cert_chain_pems[0].bytes(), issued.private_key_pem.bytes()
    for file, pem in zip(files, pems, strict=True):
        file.touch(mode=0o600)
        file.write_bytes(pem)
    return files[0], files[1:]
