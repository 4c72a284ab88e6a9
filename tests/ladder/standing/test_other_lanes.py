"""A server of a ladder notices the others: their results, the epochs that they begin, and that one is gone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import trio
from support.ladder_halls import ladder_hall, without_threads

from ordago.games import find_game
from ordago.store.errors import StoreFailedError
from ordago.store.ladder.lanes import Lane
from ordago.store.ladder.rows import SeatingRow
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.epochs_in_time import EpochsInTime
from ordago_ladder.standing.tables.other_lanes import GIVE_UP_SECONDS, OtherLanes
from ordago_ladder.standing.tables.repository import LadderRepository, Sitter

pytestmark = pytest.mark.virtual_time
EAST, WEST = Lane(1, "east"), Lane(2, "west")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    without_threads(monkeypatch)
    monkeypatch.setattr(common_settings, "find_game", find_game)


class Ladder:
    """A ladder in memory, with what its other lanes do."""

    def __init__(self) -> None:
        self.written = 0
        self.lost: list[Lane] = []
        self.learnt = 0
        self.given_up: list[tuple[float, Lane]] = []
        self.noted: list[tuple[dict[tuple[str, str], int], bool]] = []
        self.fails = 0
        self.elsewhere: dict[str, Counter[str]] = {}

    def epochs(self) -> Sequence[int]:
        return (self.written,)

    def learn_players(self) -> None:
        self.learnt += 1

    def lost_lanes(self) -> Sequence[Lane]:
        return tuple(self.lost)

    def give_up(self, lane: Lane, *, reason: str) -> Sequence[SeatingRow]:
        assert reason == "the server that played it did not come back"
        self.given_up.append((trio.current_time(), lane))
        self.lost.remove(lane)
        return [SeatingRow(1, number, f"match {number}", "mus", (), (), 0) for number in range(2)]

    def note_sessions(self, changed: Mapping[tuple[str, str], int], *, anew: bool) -> None:
        if self.fails:
            self.fails -= 1
            raise StoreFailedError("away")
        self.noted.append((dict(changed), anew))

    def sessions_elsewhere(self) -> Mapping[str, Counter[str]]:
        return self.elsewhere

    def waited_seconds(self) -> float:
        return 0.0


class Watching:
    """A server that watches the other lanes of a ladder."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.ladder, self.telemetry, self.news = Ladder(), Telemetry(), 0
        committer = Committer(self.ladder, telemetry=self.telemetry, news=lambda: None)
        self.sessions: Counter[tuple[str, str]] = Counter()
        self.lanes = OtherLanes(self.ladder, committer, telemetry=self.telemetry, news=self._note)
        self.lanes.sessions = self.sessions.copy
        nursery.start_soon(self.lanes.run)

    def _note(self) -> None:
        self.news += 1


async def test_what_other_servers_write_is_news_once() -> None:
    async with trio.open_nursery() as nursery:
        watching = Watching(nursery)
        await trio.sleep(60)
        assert (watching.news, watching.ladder.learnt) == (1, 1)
        watching.ladder.written += 1
        await trio.sleep(60)
        assert (watching.news, watching.ladder.learnt) == (2, 2)
        nursery.cancel_scope.cancel()


async def test_others_are_told_of_the_sessions_that_change_and_theirs_are_learnt() -> None:
    async with trio.open_nursery() as nursery:
        watching = Watching(nursery)
        await trio.sleep(60)
        assert watching.ladder.noted == [({}, True)], "what an earlier server had told is forgotten"
        watching.sessions.update({("ana", "a"): 2, ("ben", "b"): 1})
        watching.ladder.fails = 1
        await trio.sleep(60)
        watching.sessions[("ana", "a")] = 1
        del watching.sessions[("ben", "b")]
        await trio.sleep(60)
        assert watching.ladder.noted[1:] == [
            ({("ana", "a"): 2, ("ben", "b"): 1}, False),
            ({("ana", "a"): 1, ("ben", "b"): 0}, False),
        ]
        watching.ladder.elsewhere = {"ana": Counter({"a": 3})}
        await trio.sleep(60)
        assert watching.lanes.elsewhere("ana") == {"a": 3}
        assert not watching.lanes.elsewhere("ben")
        nursery.cancel_scope.cancel()


async def test_a_lane_is_given_up_once_it_had_no_server_for_long() -> None:
    async with trio.open_nursery() as nursery:
        watching = Watching(nursery)
        await trio.sleep(60)
        watching.ladder.lost = [EAST]
        lost_at = trio.current_time()
        await trio.sleep(GIVE_UP_SECONDS - 10)
        assert watching.ladder.given_up == []
        await trio.sleep(20)
        [(at, lane)] = watching.ladder.given_up
        assert lane == EAST
        assert watching.telemetry.counters.game("mus").matches_void == 2
        assert 0 <= at - lost_at - GIVE_UP_SECONDS <= 10
        nursery.cancel_scope.cancel()


async def test_a_lane_whose_server_comes_back_has_all_of_the_time_again() -> None:
    async with trio.open_nursery() as nursery:
        watching = Watching(nursery)
        for _ in range(5):
            watching.ladder.lost = [EAST, WEST]
            await trio.sleep(GIVE_UP_SECONDS - 10)
            watching.ladder.lost = []
            await trio.sleep(10)
        assert watching.ladder.given_up == []
        nursery.cancel_scope.cancel()


async def test_an_epoch_that_another_server_began_is_the_newest_and_lasts_its_whole_time(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        books = LadderRepository(hall.store, hall.queries, now=hall.now)
        changes: list[float] = []
        epochs = EpochsInTime(
            books,
            Committer(books, telemetry=hall.telemetry, news=lambda: None),
            epoch_seconds=3600,
            epoch_matches=1_000,
            changed=lambda: changes.append(trio.current_time()),
            counters=hall.telemetry.counters.ladder,
        )
        async with trio.open_nursery() as nursery:
            nursery.start_soon(epochs.run)
            await trio.sleep(3000)
            hall.store.begin_epoch(2, began=int(hall.now()))
            epochs.more()
            await trio.sleep(2)
            assert (epochs.newest, len(hall.queries.epochs())) == (2, 2)
            await trio.sleep(3500)
            assert len(hall.queries.epochs()) == 2
            await trio.sleep(200)
            assert (epochs.newest, len(hall.queries.epochs())) == (3, 3)
            nursery.cancel_scope.cancel()


async def test_an_epoch_that_two_servers_want_to_begin_begins_once(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        books = LadderRepository(hall.store, hall.queries, now=hall.now)
        for _ in range(2):
            books.begin_epoch(after=1)
        assert len(hall.queries.epochs()) == 2


async def test_a_player_that_another_server_entered_is_known_with_its_versions(tmp_path: Path) -> None:
    with ladder_hall(tmp_path) as hall:
        books = LadderRepository(hall.store, hall.queries, now=hall.now)
        sitters = [Sitter("ana", version, "ana", house=False) for version in ("1", "2")]
        players = [
            hall.store.enter_player(**sitter._asdict(), build="b", seen=int(hall.now())).player for sitter in sitters
        ]
        assert books.versions_of(sitters[1]) == []
        books.learn_players()
        assert books.versions_of(sitters[1]) == players[::-1]
        books.learn_players()
        assert books.versions_of(sitters[1]) == players[::-1]
