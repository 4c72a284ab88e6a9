"""A transaction that does not come to its end leaves nothing behind, and one that does is there for good."""

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from support.postgresql import execute

from ordago.store import PlayedMatch, StoreError, StoreFailedError
from ordago.store.event.store import Store

MakePlayed = Callable[..., PlayedMatch]

_FULL_AT_MATCH_5 = {
    "sqlite": [
        (
            "CREATE TRIGGER full BEFORE INSERT ON results WHEN NEW.match_id = 'match-5' "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
    ],
    "postgresql": [
        (
            "CREATE FUNCTION fail() RETURNS trigger AS "
            "$$ BEGIN RAISE SQLSTATE '53100' USING MESSAGE = 'the disk is full'; END $$ LANGUAGE plpgsql"
        ),
        (
            'CREATE TRIGGER "full" BEFORE INSERT ON results FOR EACH ROW '
            "WHEN (NEW.match_id = 'match-5') EXECUTE FUNCTION fail()"
        ),
    ],
}

# Commits the result of match-0, then begins to commit that of match-1 and says how far it came.
_RUNNER = """
import sys, time
from sqlalchemy import insert
from ordago.record import Result
from ordago.store import PlayedMatch
from ordago.store.event import schema as tables
from ordago.store.event.store import Store

def played(row):
    return PlayedMatch(f"match-{row}", Result((0,), (1,), ((),), (), ((),)), b"record", bytes(32))

store = Store.open(sys.argv[1])
store.commit_results([played(0)])
with store._database.writing() as connection:
    connection.execute(insert(tables.results), tables.result_values(played(1)))
    print("in the middle", flush=True)
    sys.stdin.read()
"""


def test_an_error_in_the_middle_leaves_nothing(store: Store, kind: str, place: Path | str, played: MakePlayed):
    execute(place, *_FULL_AT_MATCH_5[kind])
    store.commit_results([played(0)])
    with pytest.raises(StoreFailedError if kind == "postgresql" else StoreError, match="the disk is full"):
        store.commit_results([played(row) for row in range(8)])
    assert [found.match.match_id for found in store.state().results] == ["match-0"]
    store.commit_results([played(row) for row in range(5)])
    assert len(store.state().results) == 5


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_disk_that_is_full_is_told_as_what_passes(store: Store, played: MakePlayed):
    with store._database.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreFailedError, match=r"^The database cannot be used: database or disk is full\.$"):
        store.commit_results([played(0, record=bytes(100_000))])
    with store._database.writing() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 10000")
    store.commit_results([played(0, record=bytes(100_000))])


def test_an_exception_of_the_caller_leaves_nothing(store: Store):
    def write_and_fail() -> None:
        with store._database.writing() as connection:
            connection.exec_driver_sql("UPDATE event SET finished = true")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_fail()
    assert not store.event().finished


@pytest.mark.slow
def test_a_kill_in_the_middle_leaves_what_was_committed_and_nothing_else(
    store: Store, place: Path | str, played: MakePlayed
):
    runner = subprocess.Popen(  # noqa: S603 - the program is the text above
        [sys.executable, "-c", _RUNNER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == "in the middle\n"
        runner.send_signal(signal.SIGKILL)
    assert runner.returncode == -signal.SIGKILL
    assert [found.match.match_id for found in store.state().results] == ["match-0"]
    store.commit_results([played(1)])
    assert [found.match.match_id for found in store.state().results] == ["match-0", "match-1"]


def test_threads_that_commit_at_once_wait_for_each_other(store: Store, played: MakePlayed):
    """Each thread commits all results, in its own order: each result is there once, and no thread fails."""
    failures = []

    def commit(first: int) -> None:
        try:
            for row in range(12):
                store.commit_results([played((first + row) % 12)])
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=commit, args=(3 * number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [found.planned.row for found in store.state().results] == list(range(12))
