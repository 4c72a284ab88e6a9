"""Small ladders, by chance: whoever can be seated is seated within a bounded time, and of all others it is told why."""

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.waiting import FIVE, KINDS, PAIR, PARTNERS, TRIO, bot, house

from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Pool, Table, Waiting

BOUND_SECONDS = 60 * LONE_SECONDS
LOOK_SECONDS = LONE_SECONDS / 4
MATCH_SECONDS = 20.0


class Hall:
    """A pool of a few who play, leave and come back, each one match at a time, and house bots that have room."""

    def __init__(
        self, kinds: Iterable[Kind], guests: Iterable[Waiting], house_bots: Iterable[Waiting], seed: int
    ) -> None:
        self.kinds = tuple(kinds)
        self.pool = Pool(self.kinds, rng=Random(seed))
        self.now = 0.0
        self.guests = {one.name: one for one in guests}
        self.since: dict[str, float] = {}
        """Since when each waits."""
        self.seatable_since: dict[str, float] = {}
        """Since when all that each needs is there without a break."""
        self.begun: list[Table] = []
        self.times: list[float] = []
        self.house = list(house_bots)
        self._away: set[str] = set()
        self._numbers = count()
        self._ends: list[tuple[float, int, Table]] = []
        for one in self.house:
            self.pool.add(one, now=0.0)
        for one in self.guests.values():
            self._come(one)
        self.seat()

    def _come(self, one: Waiting) -> None:
        self.pool.add(one, now=self.now)
        self.since[one.name] = self.now

    def turn(self, name: str) -> None:
        """Let a guest go who is here, or come who is not. Who plays ends its match first."""
        if name in self._away:
            self._away.remove(name)
            self._come(self.guests[name])
        elif name in self.since:
            self._away.add(name)
            self.pool.remove(name)
            del self.since[name]
        self.seat()

    def pass_time(self, seconds: float) -> None:
        until = self.now + seconds
        while (due := min(self.pool.wake_at(), self._ends[0][0] if self._ends else until)) <= until and due < until:
            self.now = max(self.now, due)
            while self._ends and self._ends[0][0] <= self.now:
                for one in heappop(self._ends)[2].seats:
                    if one.account:
                        self._come(one)
            self.seat()
        self.now = until

    def seat(self) -> None:
        while (table := self.pool.next_table(self.now)) is not None:
            self.begun.append(table)
            self.times.append(self.now)
            heappush(self._ends, (self.now + MATCH_SECONDS, next(self._numbers), table))
            for one in table.seats:
                self.since.pop(one.name, None)
                if not one.account:
                    self.pool.add(one, now=self.now)
        self._look()

    def _look(self) -> None:
        for name in self.guests:
            if name not in self.since or not self.can_be_seated(name):
                self.seatable_since.pop(name, None)
                continue
            begun = max(self.seatable_since.setdefault(name, self.now), self.since[name] + BOUND_SECONDS)
            assert self.now - begun <= LOOK_SECONDS + 1e-6, f"{name} waits since {self.since[name]}, at {self.now}"

    def can_be_seated(self, name: str) -> bool:
        """Say whether there is a table for a guest, by nothing but who is there."""
        one = self.guests[name]
        return any(
            1 + len(self._others(one, kind)) + len(self.house) >= kind.seats
            for kind in self.kinds
            if kind.game in one.strengths
        )

    def _others(self, one: Waiting, kind: Kind) -> set[str]:
        here = [self.guests[name] for name in self.since]
        return {other.account for other in here if kind.game in other.strengths} - {one.account}


def four_without_accounts(kinds: Iterable[Kind]) -> list[Waiting]:
    kinds = tuple(kinds)
    return [
        bot(name, f"bot {name}", elo=elo, kinds=kinds)
        for name, elo in zip("abcd", (1300, 1450, 1550, 1700), strict=True)
    ]


def longest_pause(hall: Hall) -> float:
    return max(after - before for before, after in zip(hall.times, [*hall.times[1:], hall.now], strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_two_games_one_house_bot_and_four_bots_play_on_for_ever(seed: int) -> None:
    kinds = (PARTNERS, TRIO)
    hall = Hall(kinds, four_without_accounts(kinds), house(number=1, kinds=kinds), seed)
    hall.pass_time(1000)
    assert longest_pause(hall) <= BOUND_SECONDS + MATCH_SECONDS + LOOK_SECONDS
    assert {table.kind for table in hall.begun[-8:]} == set(kinds), "no game starves"


def test_three_bots_of_which_one_game_takes_four_play_the_other_without_long_pauses() -> None:
    kinds = (PARTNERS, PAIR)
    hall = Hall(kinds, four_without_accounts(kinds)[:3], house(number=1, kinds=[PAIR]), seed=1)
    hall.pass_time(3600)
    assert longest_pause(hall) <= 4 * LONE_SECONDS + MATCH_SECONDS + LOOK_SECONDS


@pytest.mark.slow
def test_accomplices_who_are_alone_play_thirty_matches_an_hour_at_most() -> None:
    hall = Hall([PAIR], [bot("giver", "gus"), bot("taker", "tom")], [], seed=1)
    hall.pass_time(3600)
    assert 20 <= len(hall.begun) <= 4 + 3600 / BOUND_SECONDS


def test_accomplices_are_kept_apart_as_ever_while_others_are_there() -> None:
    guests = [bot(name, name) for name in ("giver", "taker", "anna", "bert", "carl", "dora", "emil")]
    hall = Hall([PAIR], guests, house(number=2), seed=2)
    hall.pass_time(3600)
    met = [{one.name for one in table.seats} for table in hall.begun if "taker" in {one.name for one in table.seats}]
    assert len(met) > 100
    for start in range(len(met) - 16):
        assert sum("giver" in seats for seats in met[start : start + 17]) <= 4


some_kinds = st.lists(st.sampled_from(KINDS), min_size=1, max_size=3, unique=True)


@st.composite
def small_halls(draw: st.DrawFn) -> Hall:
    kinds = draw(some_kinds)
    guests = [
        bot(
            f"bot {number}",
            f"author {draw(st.integers(0, 4))}",
            elo=draw(st.sampled_from([900.0, 1500.0, 1510.0, 2400.0])),
            half_width=draw(st.sampled_from([0.0, 30.0, 700.0])),
            kinds=draw(st.lists(st.sampled_from(kinds), min_size=1, unique=True)),
        )
        for number in range(draw(st.integers(1, 6)))
    ]
    return Hall(kinds, guests, house(number=draw(st.integers(0, 3)), kinds=kinds), draw(st.integers(0, 3)))


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(small_halls(), st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.1, 3.0, 130.0])), max_size=8))
def test_whoever_can_be_seated_is_seated_in_time_whoever_comes_and_goes(
    hall: Hall, steps: list[tuple[int, float]]
) -> None:
    for number, seconds in [*steps, (0, 0.1), (0, 200.0)]:
        if f"bot {number}" in hall.guests:
            hall.turn(f"bot {number}")
        hall.pass_time(seconds)
    for unseated in hall.pool.unseated(hall.now):
        assert unseated.why
        if unseated.waited_seconds > BOUND_SECONDS + LOOK_SECONDS and not hall.can_be_seated(unseated.waiting.name):
            assert "have met" not in unseated.why, "it is told what is missing"


def test_those_who_cannot_be_seated_are_told_of_with_what_is_missing() -> None:
    hall = Hall([FIVE, PAIR], [bot("a", "anna", kinds=[FIVE]), bot("b", "bert", kinds=[FIVE])], house(number=2), seed=1)
    assert not list(hall.pool.unseated(hall.now)), "nobody has waited yet"
    hall.pass_time(10.0)
    told = {one.waiting.name: one.why for one in hall.pool.unseated(hall.now)}
    assert told == dict.fromkeys("ab", "five takes 5: 1 other accounts and 2 house bots are available")


def test_those_who_have_met_too_often_are_told_when_they_meet_again() -> None:
    hall = Hall([PAIR], [bot("a", "anna"), bot("b", "bert")], [], seed=1)
    hall.pass_time(5 * (MATCH_SECONDS + LOOK_SECONDS) + 10)
    assert len(hall.begun) == 4
    assert {one.why for one in hall.pool.unseated(hall.now)} == {
        "duel: the waiting bots have met too often recently, and play each other after 120 s"
    }
