"""A server of a ladder as a process of its own, ``ordago serve --ladder``, and what it uses."""

import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import tomlkit
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.backup import ACCOUNTS_FILE, LADDERS_FOLDER, ladder_file
from ordago.store.database import opened_database
from ordago.store.ladder.queries import LadderQueries
from ordago_bench.processor_time import children, processor_seconds
from ordago_bench.server import NothingMeasuredError
from ordago_ladder.folder import LadderFolder
from ordago_ladder.standing.settings import ladder_path, read_ladder

_NAME: Final = "capacity"
_LADDER: Final = """
[ladder]
name = "capacity"
epoch_hours = 24
epoch_matches = 100
decision_ms = 600_000
disconnect_bank_ms = 1_000
"""
"""A short epoch, so that some are revealed and published while it is measured. No bot is ever late."""
_STOP_SECONDS: Final = 60.0
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_SIZES: Final = {
    True: "SELECT pg_database_size(current_database())",
    False: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}
"""Queries for the size of a database in bytes: of a PostgreSQL server, and of a file."""


class Usage(NamedTuple):
    """The resources that a server used until some moment."""

    at: float
    """The moment, by ``time.monotonic``."""
    cpu_s: float
    memory_bytes: float
    descriptors: float
    decisions: float
    journal_bytes: float
    publisher_cpu_s: float
    publisher_bytes: float
    database_bytes: float
    results: int


class Published(NamedTuple):
    """The sizes of the epochs of a ladder that are published in full."""

    results: int
    ledger_bytes: int
    record_bytes: int


class LadderServer:
    """A running server, whose matches nobody decides by time."""

    def __init__(self, process: "subprocess.Popen[str]", *, data: Path, place: str | Path, metrics: str) -> None:
        """Take over a process that has just started.

        Raises:
            NothingMeasuredError: it cannot serve; its reason is on standard error.
        """
        self._process, self._data, self._place, self._metrics = process, data, place, metrics
        assert process.stdout is not None
        listening = process.stdout.readline()
        if not listening:
            raise NothingMeasuredError(f"the server did not start: exit code {process.wait()}; its reason is above")
        self.port = int(listening.partition(";")[0].rpartition(":")[2])

    def usage(self) -> Usage:
        """Return what it has used so far."""
        with urllib.request.urlopen(f"http://{self._metrics}/metrics") as answer:
            families = list(text_string_to_metric_families(answer.read().decode()))
        sums = {
            family.name: sum(sample.value for sample in family.samples if not sample.name.endswith("_created"))
            for family in families
        }
        helpers = children(self._process.pid)
        with closing(opened_database(self._place, create=False)) as database, database.reading() as connection:
            size = connection.scalar(text(_SIZES[database.is_shared]))
        with LadderQueries.open(self._place) as queries:
            results = sum(epoch.results for epoch in queries.epochs())
        return Usage(
            time.monotonic(),
            sums["process_cpu_seconds"],
            sums["process_resident_memory_bytes"],
            sums["process_open_fds"],
            sums["ordago_decisions_answered"],
            sums["ordago_journal_bytes"],
            sum(map(processor_seconds, helpers)),
            sum(map(_resident_bytes, helpers)),
            float(size or 0),
            results,
        )

    def published(self) -> Published:
        """Return the sizes of the epochs that are published in full."""
        archive = LadderFolder(self._data / LADDERS_FOLDER / _NAME / "archive")
        with LadderQueries.open(self._place) as queries:
            numbers = [epoch.epoch for epoch in queries.epochs() if epoch.revealed]
        folders = [folder for number in numbers if (folder := archive.epoch(number)).records.exists()]
        records = [path.stat().st_size for folder in folders for path in folder.records.iterdir()]
        return Published(len(records), sum(folder.ledger.stat().st_size for folder in folders), sum(records))


@contextmanager
def ladder_server(
    folder: Path, games: str, *, bots: int, place: str | None, tls: Sequence[Path]
) -> Iterator[LadderServer]:
    """Serve a ladder of some games for so many bots inside the context.

    Args:
        folder: an empty folder.
        games: the games, as in a ladder file.
        bots: the most bots.
        place: the URL of an empty PostgreSQL database; ``None`` for a file.
        tls: the certificate and its key; empty for no TLS.
    """
    file, data = folder / "capacity.toml", folder / "data"
    file.write_text(f"{_LADDER}\n{games}", encoding="utf-8")
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        metrics = f"127.0.0.1:{free.getsockname()[1]}"
    command = [sys.executable, "-m", "ordago", "serve", "--ladder", str(file), "--data", str(data), "--tokens"]
    command += ["--address", "127.0.0.1:0", "--metrics", metrics, "--bots", str(max(2048, 2 * bots))]
    command += ["--sessions-per-second", "0", "--grace", "0", "--log-level", "error"]
    command += [word for option, path in zip(("--tls-cert", "--tls-key"), tls, strict=False) for word in (option, path)]
    # The database goes by the environment, where no other user sees a password.
    environment = {name: value for name, value in os.environ.items() if name != "ORDAGO_STORE"}
    environment |= {"ORDAGO_STORE": place} if place else {}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ours
    try:
        yield LadderServer(process, data=data, place=place or data / ladder_file(_NAME), metrics=metrics)
    finally:
        process.terminate()
        _end(process)


def _end(process: "subprocess.Popen[str]") -> None:
    try:
        process.communicate(timeout=_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def games_of(where: str) -> str:
    """Return the games of a ladder file as they are in it. House bots are left out: they have their own processes.

    Raises:
        LadderFileError: the file is invalid, or cannot be read.
    """
    read_ladder(where)
    return tomlkit.dumps({"game": tomlkit.parse(ladder_path(where).read_bytes()).unwrap()["game"]})


def tokens_for(data: Path, bots: int) -> Sequence[str]:
    """Create an account with a token for each bot: on a ladder, bots of one account never meet."""
    data.mkdir(mode=0o700, exist_ok=True)
    with Accounts.open(data / ACCOUNTS_FILE, create=True) as accounts:
        return [
            accounts.create_token(account=name, scopes=[Scope.PLAY], now=time.time(), bot=name)[0]
            for name in (f"crowd-{secrets.token_hex(6)}" for _ in range(bots))
        ]


def _resident_bytes(process_id: int) -> int:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()[1]) * _PAGE_BYTES
