"""What holds whoever comes and goes, in whatever order: nobody starves, and nobody sits where he may not."""

from collections import Counter, defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.waiting import FIVE, KINDS, PAIR, PARTNERS, TRIO, bot, house, tables

from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Pool, Table, Waiting
from ordago_ladder.standing.seating.past import MOST_AHEAD

BOTS = 12
some_kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=4, unique=True)
steps = st.lists(st.tuples(st.integers(0, BOTS - 1), st.sampled_from([0.0, 0.125, 0.5, 2.0])), min_size=1, max_size=60)


@st.composite
def some_bots(draw: st.DrawFn) -> list[Waiting]:
    """Draw bots of few accounts that play any kinds."""
    return [
        bot(
            f"bot {number}",
            f"author {draw(st.integers(0, 5))}",
            elo=draw(st.sampled_from([900.0, 1500.0, 1510.0, 2400.0])),
            half_width=draw(st.sampled_from([0.0, 30.0, 700.0])),
            kinds=draw(some_kinds),
        )
        for number in range(BOTS)
    ]


class Hall:
    """A pool whose house bots always have room, and what it did."""

    def __init__(self, seed: int) -> None:
        self.pool = Pool(KINDS, rng=Random(seed))
        self.now = 0.0
        self.since: dict[str, float] = {}
        self.begun: list[Table] = []
        for one in house():
            self.pool.add(one, now=0.0)

    def turn(self, one: Waiting) -> None:
        """Let somebody come, or go if he waits."""
        if one.key in self.pool:
            self.pool.remove(one.key)
            del self.since[one.name]
        else:
            self.pool.add(one, now=self.now)
            self.since[one.name] = self.now
        self.seat()

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and wake the pool whenever it asks for it."""
        until = self.now + seconds
        while self.pool.wake_at() <= until:
            self.now = max(self.now, self.pool.wake_at())
            self.seat()
        self.now = until

    def seat(self) -> None:
        for table in tables(self.pool, now=self.now):
            self.begun.append(table)
            for one in table.seats:
                self.since.pop(one.name, None)


def run(bots: list[Waiting], through: list[tuple[int, float]], seed: int) -> Hall:
    hall = Hall(seed)
    for number, seconds in through:
        hall.turn(bots[number])
        hall.pass_time(seconds)
        waits = [hall.now - since for since in hall.since.values()]
        assert all(wait < LONE_SECONDS for wait in waits), "somebody waits though house bots have room"
    return hall


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(some_bots(), steps, st.integers(0, 3))
def test_nobody_waits_for_longer_than_lone_seconds_and_all_tables_are_as_they_may_be(
    bots: list[Waiting], through: list[tuple[int, float]], seed: int
) -> None:
    hall = run(bots, through, seed)
    for table in hall.begun:
        accounts = [one.account for one in table.seats if one.account]
        assert len(table.seats) == table.kind.seats
        assert len({one.name for one in table.seats}) == table.kind.seats
        assert len(set(accounts)) == len(accounts) > 0, "two of one account, or house bots alone"
        assert all(table.kind.game in one.strengths for one in table.seats)
        assert len(accounts) == table.kind.seats or table.waited_seconds >= LONE_SECONDS
        assert table.first.account


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(some_bots(), steps, st.integers(0, 3))
def test_of_seventeen_tables_in_a_row_at_most_a_quarter_of_the_pairings_is_with_one_account(
    bots: list[Waiting], through: list[tuple[int, float]], seed: int
) -> None:
    met: defaultdict[tuple[str, Kind], list[set[str]]] = defaultdict(list)
    for table in run(bots, through, seed).begun:
        for one in table.seats:
            met[one.name, table.kind].append({other.account for other in table.seats if other.account} - {one.account})
    for (name, kind), accounts in met.items():
        most = {PAIR: 4, TRIO: 8, PARTNERS: 4, FIVE: 16}[kind]
        for start in range(len(accounts) if not name.startswith("house") else 0):
            often = Counter(account for some in accounts[start : start + 17] for account in some)
            assert max(often.values(), default=0) <= most


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(some_bots(), steps, st.integers(0, 3))
def test_no_game_of_a_bot_falls_behind(bots: list[Waiting], through: list[tuple[int, float]], seed: int) -> None:
    hall = run(bots, through, seed)
    for one in bots:
        played = [
            sum(table.kind == kind and one in table.seats for table in hall.begun)
            for kind in KINDS
            if kind.game in one.strengths
        ]
        assert max(played) - min(played) <= MOST_AHEAD


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 12), min_size=2, max_size=6), st.integers(0, 3))
def test_no_account_has_two_turns_while_another_waits(processes: list[int], seed: int) -> None:
    """Who looks for opponents is of the account that has not sat at a table for longest."""
    pool = Pool([PAIR], rng=Random(seed))
    for account, some in enumerate(processes):
        for number in range(some):
            pool.add(bot(f"bot {account} {number}", f"author {account}"), now=0.0)
    last: dict[str, int] = {}
    for turn, table in enumerate(tables(pool, now=LONE_SECONDS)):
        waiting = {one.account for one in table.seats} | _waiting(pool, processes)
        assert last.get(table.first.account, -1) == min(last.get(account, -1) for account in waiting)
        last.update((one.account, turn) for one in table.seats)


def _waiting(pool: Pool, processes: list[int]) -> set[str]:
    return {
        f"author {account}"
        for account, some in enumerate(processes)
        if any(f"bot {account} {number}" in pool for number in range(some))
    }
