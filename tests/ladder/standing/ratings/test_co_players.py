"""Who has sat with whom so often that it says no more."""

from ordago_ladder.standing.ratings.careers import FREE, CoPlayers
from ordago_ladder.standing.ratings.values import CareerResult, Player

PLAYERS = {number: Player(number, f"bot {number}", house=number == 9) for number in range(1, 10)}


def match(*players: int) -> CareerResult:
    return CareerResult("mittlere", players, (1,) * len(players), (), 0)


def counted(company: CoPlayers, *players: int, times: int) -> int:
    """Return how many of so many matches of two players count."""
    return sum(not company.too_much(match(*players)) for _ in range(times))


def test_some_meetings_of_two_always_count() -> None:
    assert counted(CoPlayers(PLAYERS), 1, 2, times=100) == FREE


def test_more_count_for_those_who_both_play_with_others_too() -> None:
    company = CoPlayers(PLAYERS)
    for other in (3, 4, 5, 6):
        counted(company, 1, other, times=30)
        counted(company, 2, other, times=30)
    assert counted(company, 1, 2, times=100) == 60


def test_what_one_alone_plays_with_others_lifts_nothing() -> None:
    company = CoPlayers(PLAYERS)
    for other in (3, 4, 5, 6):
        counted(company, 1, other, times=30)
    assert counted(company, 1, 2, times=100) == FREE


def test_with_house_bots_all_meetings_count() -> None:
    assert counted(CoPlayers(PLAYERS), 1, 9, times=100) == 100


def test_at_a_larger_table_only_the_two_who_met_too_often_are_left_out() -> None:
    company = CoPlayers(PLAYERS)
    counted(company, 1, 2, times=FREE)
    assert company.too_much(match(3, 2, 1)) == {(1, 2)}
