from collections.abc import Callable

from ordago_ladder.schedule.balance import balance, balance_lines
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings


def test_the_balance_of_a_round_robin(make_event: Callable[..., Settings]) -> None:
    event = make_event([("trio", 3), ("pairs", 4)], entrants=4)
    found = balance(event, plan(event).matches)
    assert found.entrants == ("a", "b", "c", "d")
    pairs, trio = found.games
    assert (pairs.game, pairs.sets, trio.sets) == ("pairs", (3,) * 4, (3,) * 4)
    assert pairs.seats == ((3,) * 4,) * 4
    assert trio.seats == ((6,) * 3,) * 4
    assert pairs.partners == tuple(tuple(6 if row == column else 0 for column in range(4)) for row in range(4))
    assert found.meetings == tuple(tuple(0 if row == column else 3 for column in range(4)) for row in range(4))


def test_it_is_told_in_a_line_for_each_entrant(make_event: Callable[..., Settings]) -> None:
    event = make_event([("duel", 2)], entrants=["ana", "benedikta", "cleo"], of_games="sets = 1")
    assert balance_lines(balance(event, plan(event).matches)) == [
        "entrant    duel: sets, seats  met: least, most, never",
        "ana        1, 1/1             0, 1, 1",
        "benedikta  1, 1/1             0, 1, 1",
        "cleo       0, 0/0             0, 0, 2",
    ]
