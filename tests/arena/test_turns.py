"""Which kind of casual table begins next."""

from collections import Counter
from random import Random

import pytest
import trio
from support.connections import FakeConnection
from support.frames import hello
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.server import open_server
from ordago.arena.tables.tables import MOST_PASSED_OVER, CasualTables, TableTerms, Turns
from ordago.games import find_game
from ordago.match import TimeTerms
from ordago.record import FinishedRecord

KINDS = [("mittlere", 3, {"deals": 3}), ("mus", 4, {"target": 10}), ("taihe", 5, {"deals": 1})]


def test_the_kind_that_began_longest_ago_comes_first() -> None:
    turns = Turns("abc")
    assert [kind for kind, _ in turns] == ["a", "b", "c"]
    turns.begun("a")
    turns.begun("c")
    assert [kind for kind, _ in turns] == ["b", "a", "c"]


def test_a_kind_that_was_passed_over_too_often_is_overdue() -> None:
    turns = Turns("ab")
    for _ in range(MOST_PASSED_OVER):
        assert not any(overdue for _, overdue in turns)
        turns.begun("a")
    assert list(turns) == [("b", True), ("a", False)]
    turns.begun("b")
    assert not any(overdue for _, overdue in turns)


def test_one_kind_alone_is_never_overdue() -> None:
    turns = Turns("a")
    for _ in range(3):
        turns.begun("a")
        assert list(turns) == [("a", False)]


class MixedHall:
    """Tables of several games, and bots that play one match at once and let each decision expire."""

    def __init__(self, *names: str) -> None:
        time = TimeTerms(decision_ms=1000)
        kinds = [TableTerms(find_game(name), seats, options, time) for name, seats, options in KINDS if name in names]
        self.played = Counter[str]()
        self.tables = CasualTables(kinds, keep=self._keep, rng=Random(1), pause_seconds=0)
        self.server = open_server(self.tables)

    async def _keep(self, record: FinishedRecord) -> None:
        await trio.lowlevel.checkpoint()
        self.played[record.message.game] += 1

    def enter(self, name: str, *games: str) -> FakeConnection:
        connection = FakeConnection(self.server)
        connection.say(hello(bot=v1.Software(name=name), max_matches=1, games=games))
        return connection

    async def play(self, matches: int) -> None:
        with trio.fail_after(10_000):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.tables.run)
                while self.played.total() < matches:  # noqa: ASYNC110 - it is the tables that count
                    await trio.sleep(0.1)
                self.tables.close()


@pytest.mark.slow
@pytest.mark.virtual_time
@pytest.mark.parametrize("bots", [5, 6, 7, 10])
async def test_no_game_starves(bots: int) -> None:
    """With six bots, who play three at a time, four are never free at once unless somebody waits for them."""
    hall = MixedHall("mittlere", "mus", "taihe")
    for number in range(bots):
        hall.enter(f"bot {number}")
    # Four times the longest that a kind may wait: what is not over yet does not count.
    matches = 4 * (1 + MOST_PASSED_OVER * 2)
    await hall.play(matches)
    assert min(hall.played[name] for name, _, _ in KINDS) >= 4, hall.played


@pytest.mark.slow
@pytest.mark.virtual_time
async def test_nobody_is_kept_free_for_a_table_that_will_not_be_full() -> None:
    hall = MixedHall("mittlere", "mus")
    for number in range(3):
        hall.enter(f"bot {number}")
    await hall.play(3 * MOST_PASSED_OVER)
    assert not hall.played["mus"]


@pytest.mark.slow
@pytest.mark.virtual_time
async def test_who_does_not_play_the_game_that_is_due_is_not_kept_free_for_it() -> None:
    hall = MixedHall("mittlere", "mus")
    for name in ("ana", "ben", "cleo"):
        hall.enter(name, "mittlere")
    for name in ("dora", "emil", "fritz", "gerd"):
        hall.enter(name, "mus")
    await wait_all_tasks_blocked()
    await hall.play(20)
    assert hall.played["mittlere"] > 5
    assert hall.played["mus"] > 5
