"""``ordago serve --ladder`` as a process that is measured, with its journal, accounts and database."""

import os
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

from ordago.store.backup import LADDERS_FOLDER, ladder_file
from ordago.store.database import opened_database
from ordago_bench.crowd import resident_kib
from ordago_bench.processor_time import children, processor_seconds
from ordago_bench.server import NothingMeasuredError
from ordago_ladder.standing.settings import ladder_path, read_ladder

_NAME: Final = "capacity"
# With short epochs some are published while the server is measured. No bot is ever late.
_TERMS: Final = {"epoch_hours": 24, "epoch_matches": 100, "decision_ms": 600_000, "disconnect_bank_ms": 1_000}
_STOP_SECONDS: Final = 60.0
_SIZES: Final = {
    True: "SELECT pg_database_size(current_database())",
    False: "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
}
"""Queries for the size of a database in bytes: of a PostgreSQL server, and of a file."""


class Usage(NamedTuple):
    """The resources that a server has used until some moment, and what it has done with them."""

    at: float
    """The moment, by ``time.monotonic``."""
    cpu_s: float
    kib: float
    descriptors: float
    publisher_cpu_s: float
    publisher_kib: float
    decisions: float
    matches: float
    journal_bytes: float
    database_bytes: float


class LadderServer:
    """A running server of a ladder."""

    def __init__(self, process: "subprocess.Popen[str]", *, data: Path, place: str | Path, metrics: str) -> None:
        """Take over a process that has just started.

        Raises:
            NothingMeasuredError: it cannot serve; the reason is on standard error.
        """
        self._process, self._place, self._metrics = process, place, metrics
        self._epochs = data / LADDERS_FOLDER / _NAME / "archive" / "epochs"
        assert process.stdout is not None
        if not (listening := process.stdout.readline()):
            raise NothingMeasuredError(f"the server did not start: exit code {process.wait()}; its reason is above")
        self.port = int(listening.partition(";")[0].rpartition(":")[2])

    def usage(self) -> Usage:
        """Return what it has used so far."""
        with urllib.request.urlopen(f"http://{self._metrics}/metrics") as answer:
            families = text_string_to_metric_families(answer.read().decode())
            sums = {family.name: sum(sample.value for sample in family.samples) for family in families}
        with closing(opened_database(self._place, create=False)) as database, database.reading() as connection:
            size = connection.scalar(text(_SIZES[database.is_shared]))
        helpers, process_id = children(self._process.pid), self._process.pid
        return Usage(
            at=time.monotonic(),
            cpu_s=processor_seconds(process_id),
            kib=resident_kib(process_id),
            descriptors=sums["process_open_fds"],
            publisher_cpu_s=sum(map(processor_seconds, helpers)),
            publisher_kib=sum(map(resident_kib, helpers)),
            decisions=sums["ordago_decisions_answered"],
            matches=sums["ordago_matches_finished"],
            journal_bytes=sums["ordago_journal_bytes"],
            database_bytes=float(size or 0),
        )

    def published(self) -> tuple[int, int, int]:
        """Return the number of published records, their bytes, and those of the ledgers of their epochs."""
        folders = list(self._epochs.glob("*/records"))
        records = [path.stat().st_size for folder in folders for path in folder.iterdir()]
        ledgers = sum(folder.with_name("ledger.jsonl").stat().st_size for folder in folders)
        return len(records), sum(records), ledgers


def ladder_text(where: str) -> str:
    """Return a ladder to measure with the games of a ladder file, but without house bots, which are other processes.

    Raises:
        LadderFileError: the file is invalid, or cannot be read.
    """
    read_ladder(where)
    games = tomlkit.parse(ladder_path(where).read_bytes()).unwrap()["game"]
    return tomlkit.dumps({"ladder": {"name": _NAME, **_TERMS}, "game": games})


@contextmanager
def ladder_server(
    folder: Path, ladder: str, *, bots: int, place: str | None, options: Sequence[object]
) -> Iterator[LadderServer]:
    """Serve a ladder for so many bots inside the context.

    Args:
        folder: a folder, in which ``data`` is that of the server.
        ladder: the text of its file, by ``ladder_text``.
        bots: the most bots.
        place: the URL of an empty PostgreSQL database; ``None`` for a file.
        options: further options of ``ordago serve``.
    """
    file, data = folder / "capacity.toml", folder / "data"
    file.write_text(ladder, encoding="utf-8")
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        metrics = f"127.0.0.1:{free.getsockname()[1]}"
    command: list[object] = [sys.executable, "-m", "ordago", "serve", "--ladder", file, "--data", data, "--tokens"]
    command += ["--address", "127.0.0.1:0", "--metrics", metrics, "--bots", max(2_048, 2 * bots), *options]
    command += ["--sessions-per-second", "0", "--grace", "0", "--log-level", "error"]
    # The database goes by the environment, where no other user sees a password.
    environment = {name: value for name, value in os.environ.items() if name != "ORDAGO_STORE"}
    environment |= {"ORDAGO_STORE": place} if place else {}
    words = list(map(str, command))
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment)  # noqa: S603 - ours
    try:
        yield LadderServer(process, data=data, place=place or data / ladder_file(_NAME), metrics=metrics)
    finally:
        process.terminate()
        try:
            process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
