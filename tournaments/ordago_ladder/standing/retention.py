"""Old records of a ladder make room while its server runs, by a process of its own that has time.

Before records go, their epoch is proved as it was published, every match of it played again. That takes minutes for a
large one, at the lowest priority, and no match waits for it. What a run leaves undone the next one does.
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
from ordago_ladder.standing.publication.published import MOST_LEDGER_BYTES
from ordago_ladder.verification.findings import NoEventError, Verdict


class Doubt(NamedTuple):
    """An epoch that was not verified, so that none of its records goes."""

    epoch: int
    sentence: str
    """Why, in a sentence."""


class Upkeep(NamedTuple):
    """What was done to make room."""

    verified: tuple[int, ...]
    """The epochs that were verified now."""
    doubts: tuple[Doubt, ...]
    pruned: Pruned


def make_room(
    store: LadderStore, queries: LadderQueries, archive: Path, *, keep_days: float | None, keep_bytes: int | None
) -> Upkeep:
    """Verify the epochs that are revealed and were not verified yet, and give up the records that are over the bounds.

    Args:
        store: the ladder, at which its server may be at work.
        queries: reads the same.
        archive: the folder in which the ladder is published.
        keep_days: for how long records are kept; see ``LadderStore.prune_records``.
        keep_bytes: how much room they may take.

    Raises:
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
    pruned = store.prune_records(keep_days=keep_days, keep_bytes=keep_bytes)
    return Upkeep(tuple(verified), tuple(doubts), pruned)


def _doubt(queries: LadderQueries, archive: Path, epoch: int) -> str | None:
    """Say what speaks against an epoch; ``None`` where it is published to its end as the store has it, and proved."""
    ledger = LadderFolder(archive).epoch(epoch).ledger
    if not ledger.exists():
        return "it is not published yet"
    try:
        published = read_file(ledger, most=MOST_LEDGER_BYTES)
        if published != ledger_text(queries.ledger(epoch)).encode():
            return "its published ledger is not that of the store"
        verification = verify_ladder(archive, epoch=epoch)
    except UnreadableError as error:
        return f"it cannot be read: {error}"
    except NoEventError as error:
        return str(error)
    if verification.findings:
        return f"{verification.findings[0].file}: {verification.findings[0].sentence}"
    return None if verification.verdict is Verdict.CLEAN else "its records are not all published"


_LOOK_SECONDS: Final = 3600.0
"""Ages grow, though no epoch is revealed."""
_PUBLISHED_SECONDS: Final = 5.0
"""So long after an epoch is revealed it is published, as a rule; what is not comes with the next look."""
_REST: Final = 4.0
"""So many times as long as it works the process rests."""
_LOWEST_PRIORITY: Final = 19
_LONGEST_REASON: Final = 300
_SILENT_SECONDS: Final = 60.0
"""After so long without a word the process hangs: one that works says so every second, at whatever priority."""


class Keep(NamedTuple):
    """What is kept of records, and where what they are proved by is published."""

    archive: Path
    days: float | None
    """For how long they are kept; ``None``: for ever."""
    room: int | None
    """How many bytes they may take; ``None``: any number."""


class Retention:
    """Makes room whenever an epoch was revealed, and every hour."""

    def __init__(self, place: str, keep: Keep, *, telemetry: Telemetry, warn: Callable[[str], None]) -> None:
        """Prepare to make room.

        Args:
            place: where the store is: a path, or a URL.
            keep: what is kept.
            telemetry: where it is told what was given up.
            warn: is told in a sentence what keeps records from being given up.
        """
        self._place = place
        self._keep = keep
        self._telemetry = telemetry
        self._warn = warn
        self._news = trio.Event()
        self._doubted: set[int] = set()
        """The epochs that could not be proved the last time: they may not have been published yet."""

    def more(self) -> None:
        """Say that an epoch was revealed."""
        self._news.set()

    async def run(self) -> None:
        """Make room until it is cancelled."""
        while True:
            began = trio.current_time()
            try:
                self._tell(await self._make_room())
            except (OSError, ValueError) as error:
                self._warn(f"old records are not given up: {error}")
            await trio.sleep(_REST * (trio.current_time() - began))
            with trio.move_on_after(_LOOK_SECONDS):
                await self._news.wait()
            self._news = trio.Event()
            await trio.sleep(_PUBLISHED_SECONDS)

    async def _make_room(self) -> dict[str, Any]:
        """Let a process make room, and return what it says.

        Raises:
            OSError: it could not be started.
            ValueError: it ended in mid-sentence; the message says how.
        """
        asked = {**self._keep._asdict(), "archive": str(self._keep.archive)}
        # It is ended at once: all that it does are whole transactions.
        async with process_at_store(__name__, self._place, stderr=subprocess.PIPE) as process:
            said = await self._heard(process, json.dumps(asked).encode())
        told: dict[str, Any] = json.loads(said)
        return told

    async def _heard(self, process: trio.Process, asked: bytes) -> bytes:
        """Return what a process said in the end."""
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with suppress(trio.BrokenResourceError):
            async with process.stdin:
                await process.stdin.send_all(asked)
        said, wrong = bytearray(), bytearray()
        async with process.stdout, process.stderr:
            while part := await heard(process.stdout, silent_seconds=_SILENT_SECONDS):
                said += part
            while part := await heard(process.stderr, silent_seconds=_SILENT_SECONDS):
                wrong += part
        if await process.wait():
            raise ValueError(f"their process ended with {process.returncode}: {last_line(wrong)[:_LONGEST_REASON]}")
        return bytes(said)

    def _tell(self, told: dict[str, Any]) -> None:
        if told["problem"]:
            self._warn(f"old records are not given up: {told['problem']}")
            return
        if told["pruned"]:
            self._telemetry.records_given_up(epochs=told["pruned"], record_bytes=told["bytes"])
        doubts = {int(epoch): sentence for epoch, sentence in told["doubts"]}
        for epoch in sorted(doubts.keys() & self._doubted):
            self._warn(f"epoch {epoch} is not proved, and its records stay: {doubts[epoch]}")
        self._doubted = set(doubts)


def main(asked: IO[str], answers: IO[str]) -> None:
    """Make room once, and say what was done."""
    os.nice(_LOWEST_PRIORITY)
    keep = json.load(asked)
    place = place_of_store()
    told: dict[str, Any] = {"problem": "", "doubts": [], "pruned": 0, "bytes": 0}
    try:
        # Blanks before what is said in the end.
        with beating(partial(print, file=answers, flush=True)), _opened(place) as (store, queries):
            done = make_room(store, queries, Path(keep["archive"]), keep_days=keep["days"], keep_bytes=keep["room"])
        pruned = done.pruned
        told |= {"doubts": done.doubts, "pruned": len(pruned.epochs), "bytes": pruned.record_bytes}
    except (StoreError, OSError) as error:
        told["problem"] = str(error)
    json.dump(told, answers)


@contextmanager
def _opened(place: str) -> Iterator[tuple[LadderStore, LadderQueries]]:
    with LadderStore.open(place) as store, LadderQueries.open(place) as queries:
        yield store, queries


if __name__ == "__main__":
    main(sys.stdin, sys.stdout)
