"""Who is seated when, and who is not."""

import math
from collections import Counter
from random import Random

import pytest
from support.waiting import FIVE, KINDS, PAIR, PARTNERS, TRIO, bot, house, played, pool_of, tables

from ordago_ladder.standing.seating import LONE_SECONDS, Kind, Pool, Seated, Table
from ordago_ladder.standing.seating.past import MOST_AHEAD


def names(table: Table) -> set[str]:
    return {one.name for one in table.seats}


def test_two_who_are_alike_play_at_the_first_look() -> None:
    pool = pool_of(bot("a", "anna"), bot("b", "bert"))
    assert pool.wake_at() == LONE_SECONDS / 4
    assert pool.next_table(LONE_SECONDS / 4 - 0.01) is None
    table = pool.next_table(LONE_SECONDS / 4)
    assert table is not None
    assert names(table) == {"a", "b"}
    assert table.kind == PAIR
    assert len(pool) == 0
    assert pool.wake_at() == math.inf


def test_those_who_are_far_apart_play_later_and_before_house_bots_do() -> None:
    pool = pool_of(bot("weak", "anna", elo=1200), bot("strong", "bert", elo=1800), *house())
    for look in (1, 2, 3):
        assert pool.next_table(pool.wake_at()) is None
        assert pool.wake_at() == (look + 1) * LONE_SECONDS / 4
    table = pool.next_table(pool.wake_at())
    assert table is not None
    assert names(table) == {"weak", "strong"}


def test_one_alone_plays_a_house_bot_when_lone_seconds_are_over() -> None:
    pool = pool_of(bot("a", "anna"), *house())
    assert [table for at in (0.5, 1.0, 1.5, 1.99) for table in tables(pool, now=at)] == []
    assert pool.wake_at() == LONE_SECONDS
    (table,) = tables(pool, now=LONE_SECONDS)
    assert "a" in names(table)
    assert len(pool) == 4, "the house bot is back, and the others never went"


def test_house_bots_fill_up_with_those_who_are_there() -> None:
    pool = pool_of(bot("a", "anna", kinds=KINDS), bot("b", "bert", kinds=KINDS), *house(), kinds=[FIVE])
    (table,) = tables(pool, now=LONE_SECONDS)
    assert names(table) >= {"a", "b"}
    assert len(names(table)) == 5


def test_house_bots_never_play_among_themselves() -> None:
    pool = pool_of(*house())
    assert list(tables(pool, now=1000.0)) == []
    assert pool.wake_at() == math.inf


def test_too_few_house_bots_are_waited_for() -> None:
    two, third = house(number=2), house(number=3)[2]
    pool = pool_of(bot("a", "anna", kinds=KINDS), *two, kinds=[PARTNERS])
    assert list(tables(pool, now=10.0)) == []
    pool.add(third, now=10.1)
    (table,) = tables(pool, now=10.1)
    assert names(table) == {"a", *(one.name for one in [*two, third])}


def test_who_has_gone_is_not_seated() -> None:
    pool = pool_of(bot("a", "anna"), bot("b", "bert"))
    pool.remove("b")
    pool.remove("b")
    assert "b" not in pool
    assert list(tables(pool, now=10.0)) == []


def test_who_is_known_anew_keeps_his_place() -> None:
    pool = pool_of(bot("a", "anna"), *house())
    pool.add(bot("a", "anna", elo=2000), now=1.9)
    (table,) = tables(pool, now=LONE_SECONDS)
    assert table.first.strengths["duel"].elo == 2000
    assert table.waited_seconds == LONE_SECONDS


def test_who_waits_and_is_known_anew_is_found_where_he_is_now() -> None:
    crowd = [bot(f"{n}", f"{n}", elo=n, half_width=1) for n in range(0, 3000, 10)]
    pool = pool_of(*crowd, seed=3)
    pool.add(bot("0", "0", elo=3000, half_width=1), now=0.1)
    found = next(table for table in tables(pool, now=LONE_SECONDS / 4) if "0" in names(table))
    assert min(one.strengths["duel"].elo for one in found.seats) > 2500


def test_a_clock_that_stands_or_goes_back_seats_nobody_twice_and_loses_nobody() -> None:
    pool = pool_of(bot("a", "anna"), bot("b", "bert"), now=100.0)
    assert pool.next_table(100.5 - 90) is None
    (table,) = tables(pool, now=100.5)
    assert names(table) == {"a", "b"}
    assert pool.next_table(0.0) is None


def test_a_time_to_be_alone_has_to_be_above_zero() -> None:
    with pytest.raises(ValueError, match="lone_seconds is 0, and has to be above zero"):
        Pool([PAIR], rng=Random(1), lone_seconds=0)


@pytest.mark.parametrize(("elo", "half_width"), [(math.nan, 1.0), (math.inf, 1.0), (1500.0, math.inf), (1500.0, -1.0)])
def test_a_strength_that_would_spoil_the_order_is_refused(elo: float, half_width: float) -> None:
    with pytest.raises(ValueError, match="a has no strength at duel"):
        bot("a", "anna", elo=elo, half_width=half_width)


@pytest.mark.slow
def test_the_same_chance_seats_the_same() -> None:
    def seats(seed: int) -> list[tuple[str, ...]]:
        bots = [bot(f"bot {n}", f"author {n % 7}", elo=1200 + 40 * n, kinds=KINDS) for n in range(20)]
        pool = pool_of(*bots, *house(), kinds=KINDS, seed=seed)
        return [tuple(one.name for one in table.seats) for table in played(pool, rounds=30)]

    assert seats(1) == seats(1) != seats(2)


def test_a_pool_that_is_told_the_seatings_goes_on_as_the_one_that_made_them() -> None:
    bots = [bot(f"bot {n}", f"author {n % 5}", elo=1200 + 40 * n, kinds=KINDS) for n in range(12)]
    old_chance, new_chance = Random(1), Random(2)
    old, new = Pool(KINDS, rng=old_chance), Pool(KINDS, rng=new_chance)
    for one in [*bots, *house()]:
        old.add(one, now=0.0)
    for table in played(old, rounds=20):
        new.remember(table.kind, [Seated(one.name, one.account) for one in table.seats])
    for one in [*bots, *house()]:
        old.remove(one.key)
    seats = []
    for pool, chance in ((old, old_chance), (new, new_chance)):
        chance.seed(7)
        for one in [*bots, *house()]:
            pool.add(one, now=1000.0)
        seats.append([tuple(one.name for one in table.seats) for table in tables(pool, now=1000.0 + LONE_SECONDS)])
    assert seats[0] == seats[1] != []


def test_kinds_of_one_game_are_told_apart() -> None:
    two, three = Kind("cards", (0, 1)), Kind("cards", (0, 1, 2))
    waiting = [bot(name, name, kinds=[two]) for name in "abcdef"]
    begun = played(pool_of(*waiting, *house(kinds=[two]), kinds=[two, three]), rounds=12)
    assert {table.kind for table in begun} == {two, three}


@pytest.mark.parametrize("comes_later", [0.0, LONE_SECONDS / 4])
def test_who_plays_two_games_is_kept_free_for_the_one_that_he_alone_plays(comes_later: float) -> None:
    """All others play one game only; when he has come first, he looks, and else they do."""
    pool = pool_of(*house(), kinds=[PAIR, PARTNERS])
    times: Counter[Kind] = Counter()
    for step in range(40):
        now = 10.0 * step
        pool.add(bot(f"bot {step}", f"author {step}"), now=now + LONE_SECONDS / 4 - comes_later)
        pool.add(bot("both", "anna", kinds=[PAIR, PARTNERS]), now=now + comes_later)
        for look in range(1, 7):
            begun = tables(pool, now=now + look * LONE_SECONDS / 4)
            times.update(table.kind for table in begun if "both" in names(table))
    assert times.total() == 40
    assert abs(times[PAIR] - times[PARTNERS]) <= MOST_AHEAD


def test_an_exhibition_seats_bots_of_the_house_alone_and_each_kind_in_its_turn() -> None:
    pool = pool_of(bot("guest", "ana"), kinds=(PAIR, TRIO))
    assert pool.exhibition() is None
    kinds = set()
    for _ in range(2):
        for one in house():
            pool.add(one, now=0)
        table = pool.exhibition()
        assert table is not None
        assert not any(waiting.account for waiting in table.seats)
        kinds.add(table.kind)
    assert kinds == {PAIR, TRIO}
    assert "guest" in pool
