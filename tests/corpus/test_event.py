"""The folder of an event that was run once: it must verify for ever, and be published again as it was, byte for byte.

It was made in ``bots/`` by ``ordago run event.toml --out ../event``: one of its bots breaks rules, and one crashes.
What is private and not needed to publish it was taken away: the logs, the journal and the locks. It is made anew, in
the same way, when what is published of an event changes, or what its store holds.
"""

import shutil
from pathlib import Path

import pytest

from ordago.record import read_record
from ordago.store.event.store import Store
from ordago.version import __version__
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.archive import publish_event
from ordago_ladder.verification.event import verify_folder

EVENT = EventFolder(Path(__file__).parent / "event")
PUBLISHED = sorted(
    path.relative_to(EVENT.path).as_posix()
    for path in EVENT.path.rglob("*")
    if path.is_file() and EVENT.private not in path.parents
)


@pytest.fixture
def folder(tmp_path: Path) -> EventFolder:
    shutil.copytree(EVENT.path, tmp_path / "event")
    return EventFolder(tmp_path / "event")


def test_it_verifies_for_ever(folder: EventFolder):
    verification = verify_folder(folder.path)
    assert (verification.records, verification.revealed, verification.findings) == (6, True, ())


def test_it_is_published_again_as_it_was(folder: EventFolder):
    for name in PUBLISHED:
        (folder.path / name).unlink()
    text = (EVENT.path.parent / "bots" / "event.toml").read_text(encoding="utf-8")
    with Store.open(folder.store) as store:
        publish_event(parse_event(text), text, store, folder)
    for name in PUBLISHED:
        wanted = (EVENT.path / name).read_bytes()
        if name == EVENT.ladder.name:
            wanted = wanted.replace(b'"ordago": "0.1.0"', f'"ordago": "{__version__}"'.encode())
        assert (folder.path / name).read_bytes() == wanted, name


def test_it_holds_strikes_faults_and_forfeits():
    records = [read_record(path.read_bytes()) for path in EVENT.records.iterdir()]
    for kind in ("strikes", "fault"):
        assert any(getattr(entry.choice, kind) for record in records for entry in record.entries)
    assert any(entry.HasField("forfeit") for record in records for entry in record.entries)
