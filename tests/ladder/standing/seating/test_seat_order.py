"""Who sits where: seats are shared out evenly, and partners so that the match is open."""

from collections import Counter, defaultdict
from random import Random

import pytest
from support.waiting import FIVE, KINDS, PAIR, PARTNERS, TRIO, bot, house, played, pool_of

from ordago_ladder.standing.seating import Kind
from ordago_ladder.standing.seating.past import Past
from ordago_ladder.standing.seating.seat_order import in_order_of_seats


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "most"), [(PAIR, 1.0), (TRIO, 1.4), (PARTNERS, 2.0), (FIVE, 1.7)])
def test_everybody_sits_in_each_seat_about_as_often(kind: Kind, most: float) -> None:
    bots = [bot(f"bot {n}", f"author {n}", elo=1000 + 50 * n, half_width=50, kinds=KINDS) for n in range(17)]
    begun = played(pool_of(*bots, *house(), kinds=[kind], seed=2), rounds=150)
    sat: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for table in begun:
        for seat, one in enumerate(table.seats):
            sat[one.name][seat] += 1
    off = [max(sat[one.name].values()) - sat[one.name].total() / kind.seats for one in bots]
    assert min(sat[one.name].total() for one in bots) > 50
    assert max(off) <= most


def test_the_strongest_and_the_weakest_are_partners() -> None:
    players = [bot(f"{elo}", f"{elo}", elo=elo, kinds=[PARTNERS]) for elo in (1200, 1400, 1600, 1800)]
    order = in_order_of_seats(players, PARTNERS, past=Past(), rng=Random(1))
    sides = [{one.name for one, side in zip(order, PARTNERS.sides, strict=True) if side == number} for number in (0, 1)]
    assert {"1200", "1800"} in sides


def test_where_nothing_tells_chance_decides() -> None:
    players = [bot(name, name) for name in "ab"]
    orders = Counter(in_order_of_seats(players, PAIR, past=Past(), rng=Random(n))[0].name for n in range(100))
    assert 30 < orders["a"] < 70


def test_a_house_bot_leaves_the_seat_to_others() -> None:
    past = Past()
    one, other = bot("a", "anna"), house(number=1)[0]
    for _ in range(10):
        order = in_order_of_seats([one, other], PAIR, past=past, rng=Random(1))
        past.note(PAIR, [each.seated for each in order])
    assert past.seats("a", PAIR) == [5, 5]
    assert past.seats(other.name, PAIR) == [0, 0]
