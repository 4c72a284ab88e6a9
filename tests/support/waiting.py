"""Bots that wait for a seat on a standing ladder."""

from collections.abc import Iterable, Iterator
from random import Random

from ordago_ladder.standing.seating import LONE_SECONDS, Kind, KnownStrength, Pool, Table, Waiting

PAIR = Kind("duel", (0, 1))
TRIO = Kind("trio", (0, 1, 2))
PARTNERS = Kind("partners", (0, 1, 0, 1))
FIVE = Kind("five", (0, 1, 2, 3, 4))
KINDS = (PAIR, TRIO, PARTNERS, FIVE)


def bot(
    name: str, account: str, *, elo: float = 1500.0, half_width: float = 100.0, kinds: Iterable[Kind] = (PAIR,)
) -> Waiting:
    """Return a bot that plays some kinds, equally well."""
    strengths = {kind.game: KnownStrength(elo, half_width) for kind in kinds}
    return Waiting(key=name, name=name, account=account, strengths=strengths)


def house(*, number: int = 4, kinds: Iterable[Kind] = KINDS) -> list[Waiting]:
    """Return some house bots, whose strengths are known."""
    kinds = tuple(kinds)
    return [
        bot(f"house {elo}", "", elo=elo, half_width=0.0, kinds=kinds) for elo in range(1200, 1200 + 200 * number, 200)
    ]


def pool_of(*waiting: Waiting, kinds: Iterable[Kind] = (PAIR,), seed: int = 1, now: float = 0.0) -> Pool:
    """Return a pool of those who begin to wait at a time."""
    pool = Pool(tuple(kinds), rng=Random(seed))
    for one in waiting:
        pool.add(one, now=now)
    return pool


def tables(pool: Pool, *, now: float, back: bool = False) -> Iterator[Table]:
    """Yield the tables that begin at a time. House bots have room for more at once, and so have others who are back."""
    while (table := pool.next_table(now)) is not None:
        for one in table.seats:
            if back or not one.account:
                pool.add(one, now=now)
        yield table


def played(pool: Pool, *, rounds: int, seconds: float = LONE_SECONDS) -> list[Table]:
    """Return the tables that begin where all who were seated come back when their matches end, all at one time."""
    begun: list[Table] = []
    for number in range(1, rounds + 1):
        round_of = list(tables(pool, now=seconds * number))
        for table in round_of:
            for one in table.seats:
                pool.add(one, now=seconds * number)
        begun += round_of
    return begun
