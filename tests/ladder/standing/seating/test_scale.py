"""What a table costs, counted, however many wait."""

from random import Random

import pytest
from support.waiting import FIVE, PAIR, bot, house, pool_of, tables

from ordago_ladder.standing.seating import LONE_SECONDS, KnownStrength
from ordago_ladder.standing.seating import pairing_draw as lottery
from ordago_ladder.standing.seating.participants import WaitingRoom


@pytest.mark.parametrize("number", [100, 10_000])
def test_so_many_pairings_are_looked_at_for_a_table_however_many_wait(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = 0

    def counting(one: KnownStrength, other: KnownStrength) -> float:
        nonlocal counted
        counted += 1
        return real(one, other)

    real = lottery.openness
    monkeypatch.setattr(lottery, "openness", counting)
    rng = Random(1)
    pool = pool_of(*(bot(f"bot {n}", f"author {n}", elo=rng.gauss(1500, 300)) for n in range(number)))
    begun = [table for _, table in zip(range(50), tables(pool, now=LONE_SECONDS), strict=False)]
    assert len(begun) == 50
    assert counted <= 24 * 50


def test_those_who_cannot_be_seated_are_not_looked_at_without_end() -> None:
    """A thousand of one account are tried once a look, and not at each of the tables of others."""
    pool = pool_of(*(bot(f"flood {n}", "mallory") for n in range(1000)))
    tried = 0

    def counting(*_: object) -> None:
        nonlocal tried
        tried += 1

    pool._table_for = counting  # type: ignore[method-assign]
    for step in range(1, 101):
        pool.next_table(LONE_SECONDS * step / 100)
    assert tried == 4 * 1000


def test_who_cannot_be_seated_whatever_the_house_sends_leaves_no_looks_behind() -> None:
    pool = pool_of(bot("a", "anna", kinds=[FIVE]), kinds=[PAIR, FIVE])
    for number in range(500):
        now = LONE_SECONDS + 0.001 * number
        pool.add(house(number=1)[0], now=now)
        assert pool.next_table(now) is None
        pool.remove("house 1200")
    assert len(pool._looks) == 1


def test_most_who_are_eligible_are_near_and_some_are_anywhere() -> None:
    room = WaitingRoom(PAIR.game)
    for number in range(1000):
        room.add(number, bot(f"bot {number}", f"author {number}", elo=number))
    elos = [one.strengths[PAIR.game].elo for one in room.eligible(500.0, Random(1))]
    assert elos == sorted(elos)
    assert set(range(492, 508)) <= set(elos)
    assert 4 <= len(elos) - 16 <= 8
    assert max(elos) - min(elos) > 500


def test_of_an_account_only_who_came_first_is_in_sight_though_he_is_known_anew() -> None:
    room = WaitingRoom(PAIR.game)
    first, second = bot("first", "anna"), bot("second", "anna")
    room.add(1, first)
    room.add(2, second)
    room.remove(1, first)
    assert room.eligible(1500.0, Random(1)) == [second]
    room.add(1, first)
    assert room.eligible(1500.0, Random(1)) == [first]
