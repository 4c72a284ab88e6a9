"""Old records of a ladder make room, once each epoch is verified as it was published."""

import json
from pathlib import Path

import pytest
from click.testing import Result
from support.commands import assert_told, ordago
from support.kept_ladder import KeptLadder


class Kept(KeptLadder):
    """A ladder whose organiser types commands."""

    def prune(self, *options: object) -> Result:
        return ordago("prune", "demo", "--data", self.data, *options)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """A ladder of three epochs of a day, each of a match, of which two are revealed."""
    return Kept(tmp_path / "data")


@pytest.mark.slow
def test_what_is_verified_and_old_goes_and_what_is_published_stays(kept: Kept):
    assert_told(kept.prune("--keep-days", 9), 0, "2 epochs verified; records of 0 deleted: 0 bytes")
    told = json.loads(kept.prune("--keep-days", 1, "--json").stdout)
    assert (told["verified"], told["doubts"], told["pruned"]) == ([], [], [1])
    assert told["bytes"] > 500
    assert_told(kept.prune("--keep-bytes", 0), 0, "0 epochs verified; records of 1 deleted")
    assert kept.pruned() == [1, 2]
    assert len(list(kept.archive.glob("epochs/*/records/*.record"))) == 2
    assert_told(ordago("verify", kept.archive), 6, "unfinished")


@pytest.mark.slow
def test_published_records_go_where_that_is_asked_for_and_what_is_left_is_not_wrong(kept: Kept):
    told = json.loads(kept.prune("--keep-days", 1, "--keep-archive-days", 1, "--json").stdout)
    assert (told["pruned"], told["dropped"]) == ([1], [1])
    assert_told(kept.prune("--keep-archive-days", 1), 0, "records of 0 deleted: 0 bytes")
    assert_told(kept.prune("--keep-archive-bytes", 0), 0, "records of 0 deleted: 0 bytes")
    assert_told(ordago("verify", kept.archive), 6, "unfinished", "epochs 1: their records are missing")


@pytest.mark.slow
def test_an_archive_that_lost_its_records_before_the_store_keeps_those_of_the_store(kept: Kept):
    """Somebody who may write into the archive empties it, so that the last copy should go."""
    for folder in kept.archive.glob("epochs/*/records"):
        folder.rename(folder.with_name("dropped.part"))
    done = kept.prune("--keep-bytes", 0, "--keep-archive-days", 0)
    assert_told(done, 1, "epoch 1: its records are not all published", "0 deleted: 0 bytes")
    assert kept.pruned() == []


def test_an_epoch_that_is_not_proved_keeps_its_records(kept: Kept):
    """Forged, or not published to its end: in the archive there is less than in the store."""
    [record] = kept.archive.glob("epochs/000001/records/*.record")
    record.write_bytes(record.read_bytes() + b"\x1b]0;obey\x07")
    ledger = kept.archive / "epochs" / "000002" / "ledger.jsonl"
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    done = kept.prune("--keep-bytes", 0)
    assert_told(
        done, 1, f"epoch 1: epochs/000001/records/{record.name}", "2 epochs did not verify, so their records stay"
    )
    assert_told(done, 1, "epoch 2: its published ledger differs from the store", "0 deleted: 0 bytes")
    assert "\x1b" not in done.output
    assert kept.pruned() == []


def test_records_that_were_never_published_stay(kept: Kept):
    for record in kept.archive.glob("epochs/*/records/*.record"):
        record.unlink()
        record.parent.rmdir()
    (kept.archive / "epochs" / "000002" / "ledger.jsonl").unlink()
    done = kept.prune("--keep-bytes", 0)
    assert_told(done, 1, "epoch 1: its records are not all published", "epoch 2: it is not published yet")
    assert kept.pruned() == []


@pytest.mark.slow
def test_mistakes_are_told_in_a_sentence(kept: Kept, tmp_path: Path):
    assert_told(kept.prune(), 2, "add --keep-days, --keep-bytes, --keep-archive-days or --keep-archive-bytes")
    for options in (("--keep-days", -1), ("--keep-bytes", "many")):
        assert_told(kept.prune(*options), 2, str(options[0]))
    more = ("--keep-days", 1, "--data", tmp_path)
    assert_told(
        ordago("prune", "cup", *more), 3, f"ladder 'cup': There is no database at {tmp_path}/ladders/cup/ladder"
    )
    assert_told(ordago("prune", "../demo", *more), 2, "'../demo' is no short name of a ladder")
