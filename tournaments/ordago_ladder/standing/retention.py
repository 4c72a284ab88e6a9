"""Pruning of old records while a ladder's server runs, in a process of its own with low priority.

Before the records of an epoch go, the epoch is verified as it was published, with every match played again. That takes
minutes for a large one, and no match waits for it. The next run does what a run leaves undone.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

import trio

from ordago.reaping import reaped
from ordago.record.ledgers.chain import ledger_text
from ordago.store.errors import StoreError
from ordago.store.ladder.pruning import Pruned
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.folder import LadderFolder
from ordago_ladder.helpers import beating, heard, last_line, place_of_store, process_at_store
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication.archive import drop_records, record_bytes
from ordago_ladder.standing.publication.published import MOST_LEDGER_BYTES
from ordago_ladder.verification.findings import NoEventError, Verdict


class Limits(NamedTuple):
    """The limits on old records; ``None`` for none."""

    keep_days: float | None = None
    """The age of records in the store, in days; see ``LadderStore.prune_records``."""
    keep_bytes: int | None = None
    """The size of all records in the store."""
    keep_archive_days: float | None = None
    """The age of published records, in days. They stay until the store has deleted its own."""
    keep_archive_bytes: int | None = None
    """The size of all published records."""


class Doubt(NamedTuple):
    """An epoch that could not be verified, so that its records stay."""

    epoch: int
    sentence: str
    """The reason, in one sentence."""


class Upkeep(NamedTuple):
    """The outcome of one run of ``make_room``."""

    verified: tuple[int, ...]
    """The numbers of the epochs that this run verified."""
    doubts: tuple[Doubt, ...]
    pruned: Pruned
    dropped: tuple[int, ...]
    """The numbers of the epochs whose published records went, too."""


def make_room(store: LadderStore, queries: LadderQueries, archive: Path, limits: Limits) -> Upkeep:
    """Verify the revealed epochs that are not verified yet, and delete the records that exceed the limits.

    Args:
        store: the store of the ladder; its server may use it at the same time.
        queries: reads the same store.
        archive: the folder in which the ladder is published.
        limits: what may stay.

    Raises:
        OSError: published records cannot be deleted.
        StoreError: the store cannot be used.
    """
    verified, doubts = list[int](), list[Doubt]()
    for epoch in queries.epochs():
        if epoch.revealed and not epoch.verified:
            doubt = _doubt(queries, archive, epoch.epoch)
            if doubt is None:
                store.mark_verified(epoch.epoch)
                verified.append(epoch.epoch)
            else:
                doubts.append(Doubt(epoch.epoch, doubt))
    pruned = store.prune_records(keep_days=limits.keep_days, keep_bytes=limits.keep_bytes)
    return Upkeep(tuple(verified), tuple(doubts), pruned, tuple(_drop_published(queries, archive, limits)))


def _drop_published(queries: LadderQueries, archive: Path, limits: Limits) -> Iterator[int]:
    """Delete the published records that exceed the limits, the oldest first; yield their epochs."""
    days, most_bytes = limits.keep_archive_days, limits.keep_archive_bytes
    old = set() if days is None else set(queries.long_pruned(days=days))
    folders = {epoch.epoch: LadderFolder(archive).epoch(epoch.epoch) for epoch in queries.epochs()}
    sizes = {} if most_bytes is None else {epoch: record_bytes(folder) for epoch, folder in folders.items()}
    excess = sum(sizes.values()) - (most_bytes or 0)
    for epoch in queries.long_pruned(days=0):
        if (epoch in old or excess > 0) and drop_records(folders[epoch]):
            excess -= sizes.get(epoch, 0)
            yield epoch


def _doubt(queries: LadderQueries, archive: Path, epoch: int) -> str | None:
    """Return the doubt about an epoch; ``None`` if all of it is published as stored, and verified."""
    ledger = LadderFolder(archive).epoch(epoch).ledger
    if not ledger.exists():
        return "it is not published yet"
    try:
        published = read_file(ledger, most=MOST_LEDGER_BYTES)
        if published != ledger_text(queries.ledger(epoch)).encode():
            return "its published ledger differs from the store"
        verification = verify_ladder(archive, epoch=epoch)
    except UnreadableError as error:
        return f"it cannot be read: {error}"
    except NoEventError as error:
        return str(error)
    if verification.findings:
        return f"{verification.findings[0].file}: {verification.findings[0].sentence}"
    return None if verification.verdict is Verdict.CLEAN else "its records are not all published"


_LOOK_SECONDS: Final = 3600.0
"""The longest wait for the next run: records grow old even if no epoch is revealed."""
_PUBLISHED_SECONDS: Final = 5.0
"""The wait after an epoch is revealed: it is usually published by then; if not, the next run finds it."""
_REST: Final = 4.0
"""The rest after a run, as a multiple of the run's duration."""
_LOWEST_PRIORITY: Final = 19
"""The lowest priority of ``nice``, so that a verification never slows matches down."""
_LONGEST_REASON: Final = 300
"""The most characters of an error that are repeated: the last line of a process may have any length."""
_SILENT_SECONDS: Final = 60.0
"""The silence after which the process is taken for hung. A working one reports every second at any priority."""


class Retention:
    """The task that prunes records after each revealed epoch, and every hour."""

    def __init__(
        self, place: str, archive: Path, limits: Limits, *, telemetry: Telemetry, warn: Callable[[str], None]
    ) -> None:
        """Prepare to prune.

        Args:
            place: the store: a path, or the URL of a database.
            archive: the folder in which the ladder is published.
            limits: what may stay.
            telemetry: is notified of pruned records.
            warn: is called with one sentence if records cannot be pruned.
        """
        self._place = place
        self._archive = archive
        self._limits = limits
        self._telemetry = telemetry
        self._warn = warn
        self._news = trio.Event()
        self._doubted: set[int] = set()
        """The epochs that the last run could not verify. A first failure is no warning: publication may be late."""

    def more(self) -> None:
        """Note that an epoch was revealed."""
        self._news.set()

    async def run(self) -> None:
        """Prune again and again, until cancelled."""
        while True:
            began = trio.current_time()
            try:
                self._tell(await self._make_room())
            except (OSError, ValueError) as error:
                self._warn(f"old records are not deleted: {error}")
            await trio.sleep(_REST * (trio.current_time() - began))
            with trio.move_on_after(_LOOK_SECONDS):
                await self._news.wait()
            self._news = trio.Event()
            await trio.sleep(_PUBLISHED_SECONDS)

    async def _make_room(self) -> dict[str, Any]:
        """Prune in a process, and return its report.

        Raises:
            OSError: the process could not be started.
            ValueError: the process failed; the message has its exit code and its last line.
        """
        asked = {"archive": str(self._archive), "limits": self._limits}
        # It may be killed at any time: all that it writes are whole transactions.
        async with process_at_store(__name__, place=self._place, stderr=subprocess.PIPE) as process:
            said = await self._heard(process, json.dumps(asked).encode())
        report: dict[str, Any] = json.loads(said)
        return report

    async def _heard(self, process: trio.Process, asked: bytes) -> bytes:
        """Send a process its request, and return its output."""
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        # A process that ended early reads nothing more; its exit code below says so.
        with suppress(trio.BrokenResourceError):
            async with process.stdin:
                await process.stdin.send_all(asked)
        said, wrong = bytearray(), bytearray()
        async with process.stdout, process.stderr:
            while part := await heard(process.stdout, silent_seconds=_SILENT_SECONDS):
                said += part
            while part := await heard(process.stderr, silent_seconds=_SILENT_SECONDS):
                wrong += part
        if await reaped(process):
            raise ValueError(f"their process ended with {process.returncode}: {last_line(wrong)[:_LONGEST_REASON]}")
        return bytes(said)

    def _tell(self, report: dict[str, Any]) -> None:
        if report["problem"]:
            self._warn(f"old records are not deleted: {report['problem']}")
            return
        if report["pruned"] or report["dropped"]:
            self._telemetry.records_given_up(
                epochs=report["pruned"], record_bytes=report["bytes"], published=report["dropped"]
            )
        doubts = {int(epoch): sentence for epoch, sentence in report["doubts"]}
        for epoch in sorted(doubts.keys() & self._doubted):
            self._warn(f"epoch {epoch} did not verify, so its records stay: {doubts[epoch]}")
        self._doubted = set(doubts)


def main(asked: IO[str], answers: IO[str]) -> None:
    """Prune once: read the limits as JSON, and write the report as JSON."""
    os.nice(_LOWEST_PRIORITY)
    order = json.load(asked)
    place = place_of_store()
    report: dict[str, Any] = {"problem": "", "doubts": [], "pruned": 0, "bytes": 0, "dropped": 0}
    try:
        # Blank lines before the report show that the process works; a reader of JSON skips them.
        with beating(partial(print, file=answers, flush=True)), _opened(place) as (store, queries):
            done = make_room(store, queries, Path(order["archive"]), Limits(*order["limits"]))
        pruned = done.pruned
        report |= {"doubts": done.doubts, "pruned": len(pruned.epochs), "bytes": pruned.record_bytes}
        report["dropped"] = len(done.dropped)
    except (StoreError, OSError) as error:
        report["problem"] = str(error)
    json.dump(report, answers)


@contextmanager
def _opened(place: str) -> Iterator[tuple[LadderStore, LadderQueries]]:
    with LadderStore.open(place) as store, LadderQueries.open(place) as queries:
        yield store, queries


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
