"""The note of a run beside its store: what it says of the progress, and what a hostile one does."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from ordago_ladder.folder import EventFolder
from ordago_ladder.run import run_note
from ordago_ladder.run.run_note import RunNote, noting, read_note, run_of, write_note
from ordago_ladder.watching import Unwatched

NOON = 1_700_000_000.0
NOTE = RunNote(1, NOON, 3, 5, 24, NOON + 4)


@pytest.fixture
def folder(tmp_path: Path) -> EventFolder:
    (tmp_path / "private").mkdir()
    return EventFolder(tmp_path)


def test_a_run_is_known_by_its_note_as_long_as_it_lives(folder: EventFolder) -> None:
    assert run_of(folder) is None
    write_note(folder, NOTE)
    assert run_of(folder) == NOTE
    assert run_of(folder, alive=lambda _: False) is None
    assert folder.run_note.stat().st_mode & 0o077 == 0


def test_a_note_that_cannot_be_written_troubles_nobody(tmp_path: Path) -> None:
    write_note(EventFolder(tmp_path), NOTE)
    assert read_note(EventFolder(tmp_path)) is None


def test_the_time_left_follows_from_the_speed_of_this_run() -> None:
    assert NOTE.seconds_left == 38
    assert NOTE._replace(before=5).seconds_left is None
    assert (NOTE.is_fresh(NOON + 20), NOTE.is_fresh(NOON + 60)) == (True, False)


async def test_it_is_written_while_the_run_goes_on_and_gone_afterwards(
    folder: EventFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_note, "_EVERY_SECONDS", 0.001)
    async with noting(folder, nullcontext(Unwatched())) as listener:
        listener.began(played=3, planned=9)
        listener.played(2)
        while (note := read_note(folder)) is None or note.played < 5:
            pass
        assert note[2:5] == (3, 5, 9)
    assert not folder.run_note.exists()


def changed(**values: object) -> str:
    return json.dumps({**NOTE._asdict(), **values})


@pytest.mark.parametrize(
    "written",
    [
        *("", "[]", "{}", "{", "9" * 5_000, '"' + "x" * 5_000 + '"', "[" * 900),
        *(changed(played=25), changed(played=-1), changed(planned=10**30), changed(began="x"), changed(before=6)),
        *(changed(written=float("nan")), changed(written=float("inf")), changed(played=None), changed(planned="<b>")),
    ],
)
def test_a_note_that_is_none_is_passed_over(folder: EventFolder, written: str) -> None:
    folder.run_note.write_text(written, encoding="utf-8")
    assert read_note(folder) is None


def test_no_link_is_followed_to_a_note(folder: EventFolder, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = EventFolder(tmp_path_factory.mktemp("other"))
    other.private.mkdir()
    write_note(other, NOTE)
    folder.run_note.symlink_to(other.run_note)
    assert read_note(folder) is None
    folder.run_note.unlink()
    folder.private.rmdir()
    folder.private.symlink_to(other.private)
    assert read_note(folder) is None
