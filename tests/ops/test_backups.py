"""The time of the last backup, as ``ordago backup`` leaves it and the metrics show it."""

from functools import partial
from pathlib import Path

import pytest
from ops.test_web import samples
from support.commands import assert_told, ordago

from ordago.ops.backups import last_backup, note_backup
from ordago.telemetry.counters import Counters


def test_the_last_backup_is_scraped(tmp_path: Path) -> None:
    counters = Counters()
    counters.backed_up = partial(last_backup, tmp_path)
    assert "ordago_backup_timestamp_seconds" not in samples(counters)
    for now in (1_700_000_000.7, 1_700_086_400.0):
        note_backup(tmp_path, now=now)
        assert samples(counters)["ordago_backup_timestamp_seconds"] == int(now)


@pytest.mark.parametrize("content", [b"", b"monday", b"nan", b"1e999", b"\xff\xfe"])
def test_a_file_that_says_no_time_is_no_backup(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "last-backup").write_bytes(content)
    assert last_backup(tmp_path) is None


def test_only_a_complete_backup_counts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert_told(ordago("token", "create", "--account", "ana", "--scope", "play", "--data", data), 0)
    assert ordago("backup", tmp_path / "none" / "monday.zip", "--data", data).exit_code == 3
    assert last_backup(data) is None
    assert_told(ordago("backup", tmp_path / "monday.zip", "--data", data), 0)
    assert last_backup(data) is not None


def test_a_backup_whose_time_cannot_be_written_is_good_all_the_same(tmp_path: Path) -> None:
    data, file = tmp_path / "data", tmp_path / "monday.zip"
    assert_told(ordago("token", "create", "--account", "ana", "--scope", "play", "--data", data), 0)
    (data / "last-backup").mkdir()
    told = ordago("backup", file, "--data", data)
    assert told.exit_code == 0
    assert f"warning: the time of this backup cannot be written into {data}" in told.stderr
    assert file.stat().st_size > 0
