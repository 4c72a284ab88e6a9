"""What fails until somebody mends the database, and what is refused for ever."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ordago.store import PlayedMatch, StoreBrokenError, StoreError, StoreFailedError
from ordago.store.event.store import Store

MakePlayed = Callable[..., PlayedMatch]


def test_a_missing_table_fails_until_it_is_back(store: Store, played: MakePlayed) -> None:
    def rename(before: str, after: str) -> None:
        with store._database.writing() as connection:
            connection.exec_driver_sql(f"ALTER TABLE {before} RENAME TO {after}")

    rename("results", "results_old")
    with pytest.raises(StoreBrokenError, match="results"):
        store.commit_results([played(0)])
    rename("results_old", "results")
    store.commit_results([played(0)])
    assert [found.planned.row for found in store.state().results] == [0]


def test_a_change_without_what_has_to_be_there_is_refused_for_ever(store: Store, played: MakePlayed) -> None:
    with pytest.raises(StoreError, match="refused the change") as refused:
        store.commit_results([replace(played(0), record=None)])  # type: ignore[arg-type]  # no such thing is played
    assert not isinstance(refused.value, StoreFailedError)


def test_a_damaged_file_fails_until_it_is_restored(tmp_path: Path) -> None:
    file = tmp_path / "event.sqlite"
    file.write_bytes(b"This is no database. " * 100)
    with pytest.raises(StoreBrokenError, match="not a database"):
        Store.open(file)
