"""A PostgreSQL that is stopped, whose machine answers for it: nobody waits for it without end, and nothing is lost."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from support.postgresql import Server

from ordago.store import PlayedMatch, StoreFailedError
from ordago.store.bounded import BoundedConnection
from ordago.store.event.store import Store

MakePlayed = Callable[..., PlayedMatch]


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedConnection, "answer_seconds", 0.5)


@contextmanager
def frozen(*processes: int) -> Iterator[None]:
    for process in processes:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGCONT)


def test_who_reads_and_who_writes_fails_in_time_and_goes_on_later(
    store: Store, postgresql: Server, played: MakePlayed
) -> None:
    with store.held():
        store.ping()
        begun = time.monotonic()
        with frozen(*postgresql.processes()):
            for work in (store.event, lambda: store.commit_results([played(0)])):
                with pytest.raises(StoreFailedError, match=r"has not answered for 0\.5 s|timeout expired"):
                    work()
        # A broken connection is made anew once, which waits for five seconds.
        assert time.monotonic() - begun < 30
        _commit_soon(store, played)
    assert [found.planned.row for found in store.state().results] == [0]


def _commit_soon(store: Store, played: MakePlayed) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            store.commit_results([played(0)])
        except StoreFailedError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        else:
            return


@pytest.mark.slow
def test_a_connection_that_alone_hangs_is_no_other_run_and_makes_way(store: Store, played: MakePlayed) -> None:
    """Its server is there, and the right to write is still its own."""
    with store.held():
        with store._database.writing() as connection:
            process = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        with frozen(process):
            for reason in (r"has not answered for 0\.5 s|still busy", "it is still busy with an earlier request"):
                with pytest.raises(StoreFailedError, match=reason):
                    store.commit_results([played(0)])
        _commit_soon(store, played)


def test_how_long_a_transaction_has_lasted_is_known_to_others(store: Store) -> None:
    assert store.waited_seconds == 0
    with store._database.reading():
        time.sleep(0.01)
        assert store.waited_seconds >= 0.01
    assert store.waited_seconds == 0
