from collections.abc import Callable
from pathlib import Path

import pytest
from support.ledgers import beginning

from ordago.store import PlayedMatch, StoreError
from ordago.store.event.store import Store

MakePlayed = Callable[..., PlayedMatch]


@pytest.fixture
def kind() -> str:
    return "sqlite"


def test_every_connection_writes_ahead_to_the_disk_and_minds_foreign_keys(store: Store):
    for transaction in (store._database.reading, store._database.writing):
        with transaction() as connection:
            settings = [
                connection.exec_driver_sql(f"PRAGMA {name}").scalar()
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
            # 2 stands for FULL.
            assert settings == ["wal", 2, 1]


def test_a_store_is_opened_by_path_or_url(store: Store, place: Path):
    assert store.event().name == "trial"
    for where in (place, str(place), f"sqlite:///{place}"):
        with Store.open(where) as again:
            assert again.event().name == "trial"


def test_opening_creates_nothing_unless_asked_to(place: Path):
    with pytest.raises(StoreError, match=r"There is no database at .*event\.sqlite"):
        Store.open(place)
    assert not place.exists()


@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_database_is_refused(place: Path, create: bool):  # noqa: FBT001
    """Whether or not a database may be created."""
    place.write_bytes(b"This is a text. " * 1000)
    with pytest.raises(StoreError, match="file is not a database"):
        Store.open(place, create=create)
    assert place.read_bytes().startswith(b"This is a text.")


def test_a_damaged_database_is_reported_in_one_sentence(place: Path):
    with Store.open(place, create=True) as store:
        begin = beginning(secret=b"s" * 32, entrants=["ana"])
        store.begin_event(begin, settings="", identity="", secret=b"s" * 32)
    whole = place.read_bytes()
    # The first page, with the list of tables, is left; the tables themselves are overwritten.
    place.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreError, match=r"^The database cannot be used: .*malformed\.$"):
        Store.open(place)


def test_a_database_in_memory_touches_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    mode = tmp_path.stat().st_mode
    for place in ("sqlite://", "sqlite:///:memory:"):
        Store.open(place, create=True).close()
    assert (list(tmp_path.iterdir()), tmp_path.stat().st_mode) == ([], mode)


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_is_gone_is_neither_written_to_nor_made_anew(store: Store, place: Path, replaced: bool):  # noqa: FBT001
    """Whether or not another one stands in its place. What was put back is used as before."""
    kept = place.rename(place.with_name("kept"))
    if replaced:
        place.write_bytes(kept.read_bytes())
    for transaction in (store._database.reading, store._database.writing):
        with pytest.raises(StoreError, match="was deleted or replaced while it was used"), transaction():
            pass
    assert place.exists() == replaced
    kept.rename(place)
    assert store.event().name == "trial"
