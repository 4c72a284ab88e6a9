"""What is published of a ladder's epochs is whole whenever it stops, and a ledger that was told is never replaced."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.standing_ladder import StandingLadder

from ordago_ladder.folder import LadderFolder
from ordago_ladder.standing.proof.verification import verify_ladder
from ordago_ladder.standing.publication import archive
from ordago_ladder.standing.publication.archive import ArchiveError, publish_epochs
from ordago_ladder.verification.findings import Verdict


@pytest.fixture(scope="module")
def ladder() -> StandingLadder:
    """An honest ladder of three epochs. It is not changed."""
    return StandingLadder().play()


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class PowerCutError(Exception):
    """The power was cut."""


class FailingLadder(StandingLadder):
    """A ladder whose source fails with a record."""

    left = 0

    def record(self, match_id: str) -> bytes:
        """Return a record, as long as there is power."""
        if self.left == 0:
            raise PowerCutError
        self.left -= 1
        return super().record(match_id)


def failing(ladder: StandingLadder, records: int) -> FailingLadder:
    copied = FailingLadder(**vars(ladder.copy()))
    copied.left = records
    return copied


@pytest.mark.slow
def test_records_and_ends_come_together(ladder: StandingLadder, tmp_path: Path) -> None:
    assert publish_epochs(ladder, tmp_path) == {1, 2}
    files = files_in(tmp_path)
    assert [name for name in files if name.endswith(".part")] == []
    for epoch, records in ((1, 3), (2, 2), (3, 0)):
        part = f"epochs/{epoch:06}/"
        assert sum(name.startswith(f"{part}records/") for name in files) == records
        assert (b'"kind":"end"' in files[f"{part}ledger.jsonl"]) == (epoch < 3)


def test_publishing_again_changes_nothing(ladder: StandingLadder, tmp_path: Path) -> None:
    complete = publish_epochs(ladder, tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert publish_epochs(ladder, tmp_path) == complete
    assert publish_epochs(failing(ladder, 0), tmp_path, complete=complete) == complete
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == times


@pytest.mark.parametrize("records", range(5))
def test_wherever_it_stops_it_goes_on(ladder: StandingLadder, tmp_path: Path, records: int) -> None:
    """And no record ever stands in the folder of a ledger without its end."""
    with pytest.raises(PowerCutError):
        publish_epochs(failing(ladder, records), tmp_path)
    for epoch in (tmp_path / "epochs").iterdir():
        ended = (epoch / "ledger.jsonl").is_file() and b'"kind":"end"' in (epoch / "ledger.jsonl").read_bytes()
        assert (epoch / "records").is_dir() <= ended
    publish_epochs(ladder, tmp_path)
    assert verify_ladder(tmp_path).findings == ()


def test_what_has_no_time_is_published_the_next_time_and_the_ledgers_are_up_to_date(
    ladder: StandingLadder, tmp_path: Path
) -> None:
    """One record is written each time, of the first epoch that is not complete."""
    whole = files_in(ladder.publish(tmp_path / "at once"))
    folder, complete, times = tmp_path / "in parts", frozenset[int](), 0
    while len(complete) < 2:
        complete, times = publish_epochs(ladder, folder, complete=complete, most_seconds=0), times + 1
        found = verify_ladder(folder)
        assert (found.verdict, found.findings) == (Verdict.UNFINISHED, ())
        for name, content in whole.items():
            if name.endswith("ledger.jsonl"):
                told = content if (folder / name).parent.joinpath("records").is_dir() else content.rpartition(b'{"')[0]
                assert (folder / name).read_bytes().startswith(told)
    assert times == 4, "the first epoch has three, the next is begun with the last of these, and has two"
    assert files_in(folder) == whole


def test_an_epoch_whose_records_were_given_up_is_published_at_once_though_there_is_no_time(
    ladder: StandingLadder, tmp_path: Path
) -> None:
    forgetful = ForgetfulLadder(**vars(ladder.copy()))
    assert publish_epochs(forgetful, tmp_path, most_seconds=0) == {1, 2}


@pytest.mark.parametrize("writes", range(1, 14))
def test_whichever_file_fails_it_goes_on(
    ladder: StandingLadder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """A disk that is full at any file leaves what can be verified, or what publishing again makes whole."""
    left = iter(range(writes))
    written = archive.write_published

    def write(path: Path, content: bytes) -> None:
        if next(left, None) is None:
            raise OSError("no space left on device")
        written(path, content)

    with monkeypatch.context() as patched:
        patched.setattr(archive, "write_published", write)
        if writes < 13:
            with pytest.raises(OSError, match="no space"):
                publish_epochs(ladder, tmp_path)
    publish_epochs(ladder, tmp_path)
    assert verify_ladder(tmp_path).findings == ()


def test_a_ledger_grows_as_it_is_published(ladder: StandingLadder, tmp_path: Path) -> None:
    """Each state of it begins with the one before, and is unfinished at worst."""
    for state in states_of(ladder):
        publish_epochs(state, tmp_path)
        found = verify_ladder(tmp_path)
        assert (found.verdict, found.findings) == (Verdict.UNFINISHED, ())
    assert files_in(tmp_path) == files_in(ladder.publish(tmp_path / "at once"))


def states_of(ladder: StandingLadder) -> Iterator[StandingLadder]:
    """Yield the ladder as it was while its epochs went on: so many lines of each."""
    for lengths in ((5,), (9,), (12,), (12, 1), (12, 4), (14, 5), (14, 8, 1), (14, 9, 4), (14, 9, 7)):
        state = ladder.copy()
        state.entries = {epoch: ladder.entries[epoch][:length] for epoch, length in enumerate(lengths, start=1)}
        yield state


def test_what_is_missing_or_put_in_is_mended(ladder: StandingLadder, tmp_path: Path) -> None:
    wanted = files_in(ladder.publish(tmp_path))
    first = tmp_path / "epochs/000001"
    min((first / "records").iterdir()).unlink()
    for name in ("records/stranger", "records/half.record.part", "ledger.jsonl.part"):
        (first / name).write_bytes(b"")
    (first / "settings.json").write_bytes(b"{}")
    (first / "records.part").mkdir()
    (tmp_path / "epochs/000003/records").mkdir()
    (tmp_path / "epochs/000003/records/early.record").write_bytes(b"cards")
    publish_epochs(ladder, tmp_path)
    assert files_in(tmp_path) == wanted
    assert verify_ladder(tmp_path).findings == ()


class ForgetfulLadder(StandingLadder):
    """A ladder that has given up all records to make room."""

    def record(self, match_id: str) -> None:  # type: ignore[override]  # it has none any more
        """Return nothing."""


def test_records_that_are_given_up_stay_where_they_were_published(ladder: StandingLadder, tmp_path: Path) -> None:
    wanted = files_in(ladder.publish(tmp_path / "before"))
    forgetful = ForgetfulLadder(**vars(ladder.copy()))
    assert publish_epochs(forgetful, tmp_path / "before") == {1, 2}
    assert files_in(tmp_path / "before") == wanted
    assert publish_epochs(forgetful, tmp_path / "after") == {1, 2}
    published = files_in(tmp_path / "after")
    assert published == {name: content for name, content in wanted.items() if "/records/" not in name}
    assert not any(tmp_path.glob("after/epochs/*/records*"))


def test_records_whose_deletion_was_stopped_are_not_wrong_and_go_the_next_time(
    ladder: StandingLadder, tmp_path: Path
) -> None:
    publish_epochs(ladder, tmp_path)
    folder = LadderFolder(tmp_path).epoch(1)
    folder.records.rename(folder.dropped_records)
    assert verify_ladder(tmp_path).findings == ()
    assert not archive.drop_records(folder)
    assert sorted(path.name for path in folder.path.iterdir()) == ["ledger.jsonl", "settings.json"]


def test_a_link_in_place_of_records_is_removed_and_not_followed(ladder: StandingLadder, tmp_path: Path) -> None:
    publish_epochs(ladder, tmp_path / "archive")
    folder, other = LadderFolder(tmp_path / "archive").epoch(1), tmp_path / "other"
    folder.records.rename(other)
    folder.records.symlink_to(other)
    assert archive.drop_records(folder)
    assert list(other.iterdir())


def test_an_epoch_without_records_is_not_wrong_and_not_proved(ladder: StandingLadder, tmp_path: Path) -> None:
    forgetful = ForgetfulLadder(**vars(ladder.copy()))
    publish_epochs(forgetful, tmp_path)
    found = verify_ladder(tmp_path, epoch=1)
    assert (found.verdict, found.findings, found.records) == (Verdict.UNFINISHED, (), 0)
    sentences = [claim.sentence for claim in found.claims]
    assert (
        "What was played in epochs 1: their records are missing. Anyone who kept one can still prove it."
    ) in sentences
    assert not any("shuffle" in sentence or "Every record" in sentence for sentence in sentences)


def test_a_ladder_that_lost_what_was_told_is_not_published(ladder: StandingLadder, tmp_path: Path) -> None:
    """A store that was restored from a backup of yesterday, for instance."""
    wanted = files_in(ladder.publish(tmp_path))
    lost = ladder.copy()
    del lost.entries[2][-2:]
    with pytest.raises(ArchiveError, match=r"does not begin like .*000002/ledger.jsonl, .* restore the ladder"):
        lost.publish(tmp_path)
    assert files_in(tmp_path) == wanted


def test_a_ladder_that_goes_on_otherwise_is_not_published(ladder: StandingLadder, tmp_path: Path) -> None:
    """One that was restored from a backup of yesterday, and then was played on."""
    wanted = files_in(ladder.publish(tmp_path))
    lost = ladder.copy()
    del lost.entries[3][-2:]
    for _ in range(3):
        lost.finish(3, lost.seat(3, "mitaines", 1, 4))
    with pytest.raises(ArchiveError, match=r"does not begin like .*000003/ledger.jsonl, .* restore the ladder"):
        lost.publish(tmp_path)
    assert files_in(tmp_path) == wanted


def test_another_ladder_is_not_published_over_it(ladder: StandingLadder, tmp_path: Path) -> None:
    wanted = files_in(ladder.publish(tmp_path))
    other = StandingLadder(chain=type(ladder.chain)(b"o" * 32, length=10))
    other.begin(1)
    with pytest.raises(ArchiveError, match="is of another ladder"):
        other.publish(tmp_path)
    assert files_in(tmp_path) == wanted
