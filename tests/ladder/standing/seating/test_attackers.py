"""What hostile bots and authors try, and what comes of it."""

import math
from collections import Counter
from collections.abc import Iterable
from random import Random
from statistics import mean

import pytest
from support.waiting import PAIR, bot, house, played, pool_of, tables

from ordago_ladder.standing.seating import LONE_SECONDS, Pool, Table, Waiting

WEAK, STRONG = 1300.0, 1700.0


def crowd(number: int) -> list[Waiting]:
    """Return bots of as many accounts, the one half weak and the other strong."""
    return [bot(f"bot {n}", f"author {n}", elo=(WEAK, STRONG)[n % 2], half_width=60) for n in range(number)]


def plays(name: str, table: Table) -> bool:
    return name in [one.name for one in table.seats]


def opponents(begun: Iterable[Table], name: str) -> list[Waiting]:
    return [one for table in begun if plays(name, table) for one in table.seats if one.name != name]


def test_a_thousand_processes_of_one_account_do_not_crowd_out_others() -> None:
    """They are one account: one in sight of those who look, and one turn like each other account."""
    flood = [bot(f"flood {n}", "mallory") for n in range(1000)]
    others = [bot(f"bot {n}", f"author {n}") for n in range(20)]
    pool = pool_of(*flood, *others)
    first_tables = [table for _, table in zip(range(10), tables(pool, now=LONE_SECONDS), strict=False)]
    seated = Counter(one.account == "mallory" for table in first_tables for one in table.seats)
    assert seated[True] <= 2, "others were passed over for it"


def test_a_thousand_processes_do_not_take_the_last_house_bot_from_others() -> None:
    """Whenever the house has room it is the turn of the account that has not sat for longest."""
    only = house(number=1)[0]
    pool = pool_of(*(bot(f"flood {n}", "mallory") for n in range(1000)), only)
    # So the two accounts may not meet now.
    for _ in range(4):
        pool.remember(PAIR, [bot("a", "anna").seated, bot("flood 0", "mallory").seated])
    begun = [pool.next_table(LONE_SECONDS)]
    pool.add(bot("a", "anna"), now=LONE_SECONDS)
    assert list(tables(pool, now=5.0)) == [], "all wait for the house"
    for at in (5.1, 5.2):
        pool.add(only, now=at)
        begun.append(pool.next_table(at))
    assert [table.first.account for table in begun if table] == ["mallory", "anna", "mallory"]


@pytest.mark.slow
def test_who_comes_and_goes_quickly_finds_no_weaker_opponents() -> None:
    """A fisher who goes whenever he was not seated at once sees nobody before he is seated, and cannot choose."""

    def met(*, fishes: bool) -> tuple[float, int]:
        pool = pool_of(*house(), seed=5)
        rng = Random(4)
        found: list[Waiting] = []
        fisher = bot("fisher", "mallory", elo=1500, half_width=60)
        for step in range(1600):
            now = 0.25 * step
            if fishes and "fisher" in pool and step % 3 == 0:
                pool.remove("fisher")
            else:
                pool.add(fisher, now=now)
            for one in rng.sample(crowd(30), 2):
                pool.add(one, now=now)
            found += opponents(tables(pool, now=now), "fisher")
        return mean(one.strengths["duel"].elo for one in found), len(found)

    (honest, honest_times), (fished, fished_times) = met(fishes=False), met(fishes=True)
    assert abs(fished - honest) < 40
    assert fished_times < honest_times, "he only plays less"


@pytest.mark.slow
def test_who_leaves_what_he_does_not_like_meets_the_same_again() -> None:
    """A table counts when it begins: who leaves it has forfeited a match, and has gained no other draw."""
    pool = pool_of(*crowd(20), *house(), seed=3)
    leaver = bot("leaver", "mallory", half_width=60)
    pool.add(leaver, now=0.0)
    begun = played(pool, rounds=250)
    met = Counter(one.strengths["duel"].elo > 1500 for one in opponents(begun, "leaver") if one.account)
    assert 0.8 < met[True] / met[False] < 1.25, "weak and strong alike, whatever he does in the match"


def test_two_accomplices_alone_at_night_meet_in_less_than_a_quarter_of_their_matches() -> None:
    pool = pool_of(bot("taker", "anna"), bot("giver", "bert"), *house())
    begun = [table for table in played(pool, rounds=400) if plays("taker", table)]
    together = [plays("giver", table) for table in begun]
    assert len(begun) == 400
    assert sum(together) == 4 * math.ceil(400 / 17), "four of each seventeen"
    assert all(sum(together[start : start + 17]) <= 4 for start in range(400))


@pytest.mark.slow
def test_processes_and_versions_and_other_matches_do_not_bring_accomplices_together_more_often() -> None:
    """The matches that count are those of the two bots, by their names: minions play for themselves."""
    minions = [bot(f"minion {n} of {account}", account) for account in ("anna", "bert") for n in range(10)]
    pool = pool_of(bot("taker", "anna"), bot("giver", "bert"), *minions, *house())
    begun = played(pool, rounds=80)
    with_bert = ["bert" in [one.account for one in table.seats] for table in begun if plays("taker", table)]
    assert len(with_bert) == 80
    assert 0 < sum(with_bert) <= 20


def test_a_new_version_meets_an_accomplice_no_sooner() -> None:
    pool = Pool([PAIR], rng=Random(1))
    for _ in range(4):
        pool.remember(PAIR, [bot("taker", "anna").seated, bot("giver", "bert").seated])
    for one in (bot("taker", "anna"), bot("giver", "bert")):
        pool.add(one, now=0.0)
    assert list(tables(pool, now=100.0)) == []


def test_who_plays_only_when_weak_ones_are_there_gets_house_bots_too() -> None:
    """The weak account of a friend is a quarter of his matches at most; the rest are house bots of known rating."""
    pool = pool_of(bot("strong", "anna", elo=1900), bot("weak", "bert", elo=1100), *house())
    begun = [table for table in played(pool, rounds=100) if plays("strong", table)]
    assert sum(plays("weak", table) for table in begun) <= 25


def test_a_flood_of_comings_and_goings_leaves_nothing_behind() -> None:
    pool = pool_of(*house())
    for number in range(5000):
        now = 0.001 * number
        pool.add(bot(f"flood {number}", f"author {number}"), now=now)
        pool.remove(f"flood {number}")
        pool.next_table(now)
    assert len(pool) == 4
    assert pool.next_table(10.0) is None
    left = [
        pool._looks,
        pool._expected,
        pool._stuck,
        pool._by_number,
        pool._bots[PAIR]._lines,
        pool._turns._order,
        pool._turns._bots,
    ]
    assert [len(one) for one in left] == [0, 0, 0, 4, 0, 0, 0]
