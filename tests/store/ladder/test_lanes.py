"""Several servers write one ladder in PostgreSQL: no line of its ledger is lost or doubled, nor lanes confused."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.ladders import BEGAN, Writer, ladder_row
from support.postgresql import Server

from ordago.store import StoreBusyError, StoreError
from ordago.store.ladder.check import LadderInspection
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore

END_ALL_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
GONE = "its server is gone"


@pytest.fixture
def kind() -> str:
    return "postgresql"


@pytest.fixture
def other(store: LadderStore, place: str) -> Iterator[LadderStore]:  # noqa: ARG001 - it makes the database
    with LadderStore.open(place) as other:
        yield other


def two_players(writer: Writer, *names: str):
    return [writer.player(name) for name in names or ("ana", "ben")]


def test_a_file_has_no_lanes(tmp_path: Path):
    with (
        LadderStore.open(tmp_path / "ladder.sqlite", create=True) as store,
        pytest.raises(StoreError, match="need a database of PostgreSQL"),
        store.held(lane="east"),
    ):
        pass


def test_each_lane_has_one_server_and_the_only_server_shares_with_nobody(store: LadderStore, other: LadderStore):
    with store.held(lane="east"):
        for taken in ({"lane": "east"}, {}):
            with pytest.raises(StoreBusyError), other.held(**taken):
                pass
        with other.held(lane="west"):
            other.ping()
    with store.held(), pytest.raises(StoreBusyError), other.held(lane="west"):
        pass


def test_lanes_that_write_at_once_make_one_whole_ledger(store: LadderStore, other: LadderStore, place: str):
    def play(writer: Writer, *names: str) -> None:
        players = two_players(writer, *names)
        for _ in range(20):
            writer.play(*players)

    with store.held(lane="east"), other.held(lane="west"):
        threads = [
            threading.Thread(target=play, args=(Writer(store), "ana", "ben")),
            threading.Thread(target=play, args=(Writer(other), "ana", "carl")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with LadderInspection.open(place) as inspection:
            [epoch] = inspection.check()
    assert (epoch.matches, epoch.results, epoch.voids) == (40, 40, 0)


def test_a_lane_sees_its_own_running_matches_and_those_of_others_by_lane(
    store: LadderStore, other: LadderStore, place: str
):
    with store.held(lane="east"), other.held(lane="west"):
        writers = Writer(store), Writer(other)
        mine, yours = (writer.begin(*two_players(writer)) for writer in writers)
        assert (store.running(), other.running()) == ([mine], [yours])
        assert [lane.name for lane in store.other_lanes()] == ["west"]
        assert [lane.name for lane in other.other_lanes()] == ["east"]
        writers[0].finish(mine)
        with LadderQueries.open(place) as queries:
            lanes = {match.seating.match_id: match.lane for match in queries.matches().matches}
        assert lanes == {mine.match_id: "", yours.match_id: "west"}


def test_a_lane_knows_the_sessions_of_the_others_that_are_there(store: LadderStore, other: LadderStore):
    one, two = ("ana", "ana 1"), ("ana", "ana 2")
    with store.held(lane="east"):
        with other.held(lane="west"):
            store.note_sessions({one: 1, two: 3}, anew=True)
            other.note_sessions({one: 5}, anew=True)
            assert (store.sessions_elsewhere(), other.sessions_elsewhere()) == (
                {"ana": {"ana 1": 5}},
                {"ana": {"ana 1": 1, "ana 2": 3}},
            )
            store.note_sessions({one: 0, two: 2})
            assert other.sessions_elsewhere() == {"ana": {"ana 2": 2}}
            store.note_sessions({})
            assert other.sessions_elsewhere() == {"ana": {"ana 2": 2}}
        assert store.sessions_elsewhere() == {}, "its server is gone"
        with other.held(lane="west"):
            other.note_sessions({two: 1}, anew=True)
            assert store.sessions_elsewhere() == {"ana": {"ana 2": 1}}, "those of the earlier server are forgotten"


def test_challenges_are_counted_over_all_lanes(store: LadderStore, other: LadderStore, place: str):
    with store.held(lane="east"), other.held(lane="west"), LadderQueries.open(place) as queries:
        writers = Writer(store), Writer(other)
        for after in (0, 10):
            for writer in writers:
                writer.now = BEGAN + after
                players = two_players(writer)
                writer.begin(*players)
                writer.begin(*players, challenger="ana")
        assert queries.challenges_begun("ana", since=BEGAN - 1) == 4
        assert queries.challenges_begun("ana", since=BEGAN + 9) == 2
        assert queries.challenges_begun("ben", since=BEGAN - 1) == 0


def test_what_a_lane_played_that_is_gone_is_given_up_and_nothing_of_one_that_is_there(
    store: LadderStore, other: LadderStore, place: str
):
    with store.held(lane="east"):
        with other.held(lane="west"):
            yours = Writer(other).begin(*two_players(Writer(other)))
            [lane] = store.other_lanes()
            assert not store.is_free(lane)
            assert store.give_up(lane, reason=GONE) == []
        assert store.is_free(lane)
        assert [void.match_id for void in store.give_up(lane, reason=GONE)] == [yours.match_id]
        assert store.other_lanes() == []
        with other.held(lane="west"):
            assert other.running() == []
        with LadderInspection.open(place) as inspection:
            [epoch] = inspection.check()
    assert (epoch.matches, epoch.voids) == (1, 1)


def test_matches_of_the_only_server_are_given_up_by_a_lane(store: LadderStore, other: LadderStore):
    with store.held():
        left = Writer(store).begin(*two_players(Writer(store)))
    with other.held(lane="east"):
        [lane] = other.other_lanes()
        assert (lane.name, other.is_free(lane)) == ("", True)
        assert [void.match_id for void in other.give_up(lane, reason=GONE)] == [left.match_id]


def test_the_only_server_has_the_matches_of_all_lanes(store: LadderStore, other: LadderStore):
    with store.held(lane="east"):
        left = Writer(store).begin(*two_players(Writer(store)))
    with other.held():
        assert other.running() == [left]


def test_a_lane_whose_connection_broke_goes_on_unless_it_was_given_up_meanwhile(
    store: LadderStore, other: LadderStore, postgresql: Server
):
    with store.held(lane="east"), other.held(lane="west"):
        Writer(store).begin(*two_players(Writer(store)))
        postgresql.execute(END_ALL_OTHERS)
        store.ping()
        [lane] = other.other_lanes()
        assert not other.is_free(lane)
        postgresql.execute(END_ALL_OTHERS)
        # To look whether it is there takes nothing from it.
        assert other.is_free(lane)
        store.ping()
        postgresql.execute(END_ALL_OTHERS)
        assert len(other.give_up(lane, reason=GONE)) == 1
        for _ in range(2):
            with pytest.raises(StoreBusyError, match="Another run has used"):
                store.ping()


def test_a_lane_whose_connection_broke_ends_when_an_only_server_came(
    store: LadderStore, other: LadderStore, postgresql: Server
):
    with store.held(lane="east"):
        postgresql.execute(END_ALL_OTHERS)
        with other.held(), pytest.raises(StoreBusyError, match="Another run uses"):
            store.ping()
        with pytest.raises(StoreBusyError, match="Another run has used"):
            store.ping()


def test_two_lanes_that_begin_the_same_epoch_begin_it_once(store: LadderStore, other: LadderStore):
    with store.held(lane="east"), other.held(lane="west"):
        store.create(ladder_row())
        other.create(ladder_row())
        store.begin_epoch(2, began=BEGAN)
        with pytest.raises(StoreError, match="the next one is 3"):
            other.begin_epoch(2, began=BEGAN)


def test_a_server_that_gets_another_lane_takes_its_matches_along(store: LadderStore, other: LadderStore):
    with store.held():
        mine = Writer(store).begin(*two_players(Writer(store)))
    with store.held(lane="east"):
        assert store.running() == []
        store.adopt([mine.match_id, "no such match"])
        assert store.running() == [mine]
        with other.held(lane="west"):
            assert [lane.name for lane in other.other_lanes()] == ["east"]
