"""Publishing an event from its store: all of it, nothing else, and one at a time."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.organiser import Organiser

from ordago.games import find_game
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder
from ordago_ladder.matches.terms import begin_entry
from ordago_ladder.publication import archive
from ordago_ladder.publication.archive import publish_event
from ordago_ladder.settings import common as common_settings
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

MEETING_SECONDS = 0.2


@pytest.fixture(autouse=True)
def real_games(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> None:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)


@pytest.fixture
def played() -> Organiser:
    """The organiser of an event that is over."""
    return Organiser().play()


@pytest.fixture
def folder(tmp_path: Path) -> EventFolder:
    """The folder of an event that is not begun yet."""
    folder = EventFolder(tmp_path / "out")
    folder.private.mkdir(parents=True)
    return folder


@pytest.fixture
def report(played: Organiser, folder: EventFolder) -> Iterator[Callable[[], None]]:
    """Publishes the event from its store, as often as it is called."""
    with Store.open(folder.store, create=True) as store:
        played.keep(store)
        yield lambda: publish_event(played.settings, played.text, store, folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all that is published in a folder, by its path there."""
    files = (path for path in folder.rglob("*") if path.is_file() and "private" not in path.parts)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.slow
def test_what_is_published_verifies_and_holds_no_environment(
    played: Organiser, folder: EventFolder, report: Callable[[], None], tmp_path: Path
) -> None:
    report()
    assert contents(folder.path) == contents(played.publish(tmp_path / "again")), "tests publish as the archive does"
    assert verify_folder(folder.path).verdict is Verdict.CLEAN
    everything = b"".join(contents(folder.path).values())
    assert b"a secret of ben's" not in everything
    assert b"A small event" in everything


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _link(path: Path) -> None:
    path.rename(path.parents[1] / "private" / path.name)
    path.symlink_to(path.parents[1] / "private" / path.name)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [_flip, _cut, Path.unlink, _link], ids=lambda damage: damage.__name__.strip("_"))
def test_a_report_replaces_what_is_damaged(
    folder: EventFolder, report: Callable[[], None], damage: Callable[[Path], None]
) -> None:
    report()
    before = contents(folder.path)
    damage(min(folder.records.iterdir()))
    _cut(folder.ledger)
    _flip(folder.page)
    assert verify_folder(folder.path).verdict is Verdict.NOT_CLEAN
    report()
    assert contents(folder.path) == before
    assert verify_folder(folder.path).verdict is Verdict.CLEAN


@pytest.mark.slow
def test_a_report_leaves_alone_what_is_as_it_should_be(folder: EventFolder, report: Callable[[], None]) -> None:
    report()
    before = {path: path.stat().st_ino for path in folder.path.rglob("*")}
    report()
    assert {path: path.stat().st_ino for path in folder.path.rglob("*")} == before


@pytest.mark.slow
def test_what_is_left_of_an_older_publication_is_removed(folder: EventFolder, report: Callable[[], None]) -> None:
    report()
    before = contents(folder.path)
    for name in (f"records/{'ab' * 16}.record", "records/x.record.part", "ladder.json.part"):
        (folder.path / name).write_bytes(b"from before")
    report()
    assert contents(folder.path) == before


@pytest.mark.slow
def test_a_file_is_replaced_and_never_changed(folder: EventFolder, report: Callable[[], None]) -> None:
    """Whoever opened the old page still reads the old page, whole."""
    folder.page.write_text("The old page.", encoding="utf-8")
    with folder.page.open(encoding="utf-8") as old:
        report()
        assert old.read() == "The old page."
    assert "A small event" in folder.page.read_text(encoding="utf-8")


def test_a_report_beside_a_run_waits_for_its_turn(folder: EventFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both would write the same new files, and each replace what the other has not finished."""
    organiser = Organiser()
    meeting, alone = threading.Barrier(2), list[bool]()

    def meet(*_: object) -> dict[str, bytes]:
        try:
            meeting.wait(MEETING_SECONDS)
        except threading.BrokenBarrierError:
            alone.append(True)
        return {}

    monkeypatch.setattr(archive, "published_files", meet)
    with Store.open(folder.store, create=True) as store:
        store.begin_event(
            begin_entry(organiser.settings, secret=organiser.secret),
            settings=organiser.text,
            identity="",
            secret=organiser.secret,
        )
        arguments = (organiser.settings, organiser.text, store, folder)
        threads = [threading.Thread(target=publish_event, args=arguments) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert alone == [True, True]


@pytest.mark.slow
def test_who_publishes_again_and_again_looks_at_no_record_twice(
    played: Organiser, folder: EventFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is published is the same all the same."""
    asked: list[str] = []
    with Store.open(folder.store, create=True) as store:
        played.keep(store)
        record = store.record
        monkeypatch.setattr(store, "record", lambda match_id: asked.append(match_id) or record(match_id))
        known = publish_event(played.settings, played.text, store, folder).times
        before = contents(folder.path)
        assert sorted(asked) == sorted(known) == sorted(played.records)
        assert publish_event(played.settings, played.text, store, folder, known=known).times == known
        assert len(asked) == len(known)
        some = dict(list(known.items())[1:])
        assert publish_event(played.settings, played.text, store, folder, known=some).times == known
    assert asked[len(known) :] == [next(iter(known))]
    assert contents(folder.path) == before
