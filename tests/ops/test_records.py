"""Records are kept even where the disk fails for a while, and what is lost is told."""

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from support.clocks import run_in_virtual_time

from ordago import v1
from ordago.ops.records import RecordFolder
from ordago.ops.web import health
from ordago.record import FORMAT_VERSION, FinishedRecord, read_record
from ordago.telemetry.telemetry import Telemetry

pytestmark = pytest.mark.virtual_time
MESSAGE = v1.MatchRecord(format_version=FORMAT_VERSION, match_id="m" * 32)
RECORD = FinishedRecord(MESSAGE.match_id, MESSAGE.SerializeToString())


class Disk:
    """A folder that can be taken away and brought back."""

    def __init__(self, path: Path) -> None:
        self.path = path / "records"
        self.telemetry = Telemetry()
        self.counters = self.telemetry.counters
        self.folder = RecordFolder(self.path, telemetry=self.telemetry)

    def works(self) -> None:
        self.path.mkdir()

    @property
    def files(self) -> list[Path]:
        return sorted(self.path.iterdir()) if self.path.exists() else []


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    # The mock clock does not see that a thread works, and would jump meanwhile.
    monkeypatch.setattr(trio.to_thread, "run_sync", run_here)
    return Disk(tmp_path)


async def run_here(function: Callable[..., Any], *arguments: object, **_options: object) -> Any:
    await trio.lowlevel.checkpoint()
    return function(*arguments)


async def test_a_record_is_a_file_with_the_name_of_its_match(disk: Disk) -> None:
    disk.works()
    await disk.folder.keep(RECORD)
    [file] = disk.files
    assert file.name == f"{RECORD.match_id}.record"
    assert read_record(file.read_bytes()) == MESSAGE
    assert (disk.counters.records_kept, disk.counters.record_failures, disk.counters.records_waiting) == (1, 0, 0)


async def test_a_record_is_kept_as_soon_as_the_disk_works_again(disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    disk.counters.turned_at = time.monotonic()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(disk.folder.keep, RECORD)
        await trio.sleep(10)
        assert (disk.counters.records_kept, disk.counters.record_failures, disk.counters.records_waiting) == (0, 4, 1)
        assert health(disk.counters) == (
            "503 Service Unavailable",
            "records cannot be saved: No such file or directory",
        )
        disk.works()
    assert health(disk.counters) == ("200 OK", "ok")
    assert [file.name for file in disk.files] == [f"{RECORD.match_id}.record"]
    assert (disk.counters.records_kept, disk.counters.records_waiting, disk.counters.records_lost) == (1, 0, 0)
    told = [(record.levelno, record.message) for record in caplog.records]
    assert told == [(logging.ERROR, "records cannot be saved"), (logging.WARNING, "records are saved again")]
    assert caplog.records[0].__dict__["error"] == "No such file or directory"


async def test_the_pauses_grow_to_a_minute(disk: Disk) -> None:
    with trio.move_on_after(3600):
        await disk.folder.keep(RECORD)
    assert 60 <= disk.counters.record_failures <= 70


async def test_a_record_is_kept_though_the_server_ends(disk: Disk) -> None:
    disk.works()
    with trio.CancelScope() as scope:
        scope.cancel()
        await disk.folder.keep(RECORD)
    assert len(disk.files) == 1
    assert (disk.counters.records_kept, disk.counters.records_lost) == (1, 0)


async def test_a_record_that_is_lost_is_told_by_its_match(disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    with trio.move_on_after(5):
        await disk.folder.keep(RECORD)
    assert (disk.counters.records_lost, disk.counters.records_kept, disk.counters.records_waiting) == (1, 0, 0)
    last = caplog.records[-1]
    assert (last.levelno, last.message, last.__dict__["match"]) == (logging.CRITICAL, "record lost", RECORD.match_id)


async def test_a_record_that_the_journal_has_is_not_lost(disk: Disk, caplog: pytest.LogCaptureFixture) -> None:
    folder = RecordFolder(disk.path, telemetry=disk.telemetry, journaled=True)
    with trio.move_on_after(5):
        await folder.keep(RECORD)
    assert (disk.counters.records_lost, disk.counters.records_kept, disk.counters.records_waiting) == (0, 0, 0)
    last = caplog.records[-1]
    assert (last.message, last.__dict__["match"]) == ("record saved at the next start", RECORD.match_id)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_leaves_no_half_file(disk: Disk) -> None:
    disk.works()
    part = disk.path / f"{RECORD.match_id}.record.part"
    part.symlink_to("/dev/full")

    async def keep_for_a_while() -> None:
        with trio.move_on_after(0.5):
            await disk.folder.keep(RECORD)

    run_in_virtual_time(keep_for_a_while)
    # The first attempt meets the full disk and clears away what it left, the last one finds room.
    assert disk.counters.record_failures == 1
    assert [file.suffix for file in disk.files] == [".record"]
