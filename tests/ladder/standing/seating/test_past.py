"""What is remembered of seatings, and for how long."""

from itertools import count

import pytest
from support.waiting import FIVE, PAIR, PARTNERS, TRIO, bot

from ordago_ladder.standing.seating import Kind, Seated
from ordago_ladder.standing.seating.past import MOST_AHEAD, REMEMBERED, Past

ANNA, BERT = Seated("a", "anna"), Seated("b", "bert")
HOUSE = Seated("random", "")
strangers = (Seated(f"bot {number}", f"author {number}") for number in count())


def meet_others(past: Past, times: int, *, kind: Kind = PAIR) -> None:
    for _ in range(times):
        for one in (ANNA, BERT):
            past.note(kind, [one, *(next(strangers) for _ in range(kind.seats - 1))])


def test_two_of_one_account_or_name_never_meet() -> None:
    past = Past()
    assert past.newness(ANNA, BERT, PAIR) == 1.0
    assert past.newness(ANNA, Seated("c", "anna"), PAIR) == 0.0
    assert past.newness(HOUSE, HOUSE, PAIR) == 0.0
    assert past.newness(HOUSE, Seated("solid", ""), PAIR) == 1.0


def test_who_has_met_is_less_new_and_after_a_quarter_of_the_tables_too_well_known() -> None:
    past = Past()
    found = []
    for _ in range(5):
        found.append(past.newness(ANNA, BERT, PAIR))
        past.note(PAIR, [ANNA, BERT])
    assert found == [1.0, 1 / 2, 1 / 3, 1 / 4, 0.0]


def test_it_is_enough_that_one_of_two_remembers() -> None:
    past = Past()
    for _ in range(4):
        past.note(PAIR, [ANNA, BERT])
    for _ in range(100):
        past.note(PAIR, [BERT, next(strangers)])
    assert past.newness(ANNA, BERT, PAIR) == past.newness(BERT, ANNA, PAIR) == 0.0


def test_what_is_long_ago_is_forgotten() -> None:
    past = Past()
    past.note(PAIR, [ANNA, BERT])
    meet_others(past, REMEMBERED - 1)
    assert past.newness(ANNA, BERT, PAIR) == 1 / 2
    meet_others(past, 1)
    assert past.newness(ANNA, BERT, PAIR) == 1.0


def test_other_kinds_are_other_meetings() -> None:
    past = Past()
    past.note(PAIR, [ANNA, BERT])
    assert past.newness(ANNA, BERT, TRIO) == 1.0


@pytest.mark.parametrize(("kind", "most"), [(PAIR, 4), (PARTNERS, 4), (TRIO, 8), (FIVE, 16)])
def test_at_larger_tables_two_may_meet_more_often(kind: Kind, most: int) -> None:
    past = Past()
    meetings = 0
    while past.newness(ANNA, BERT, kind):
        past.note(kind, [ANNA, BERT, *(next(strangers) for _ in range(kind.seats - 2))])
        meetings += 1
    assert meetings == most


def test_a_house_bot_is_met_as_itself_and_as_often_as_need_be() -> None:
    past = Past()
    for _ in range(20):
        past.note(PAIR, [ANNA, HOUSE])
    assert past.newness(ANNA, HOUSE, PAIR) == past.newness(HOUSE, ANNA, PAIR) == 1 / 17
    assert past.newness(ANNA, Seated("solid", ""), PAIR) == 1.0


def test_what_is_new_to_a_bot_does_not_come_for_ever() -> None:
    past = Past()
    meet_others(past, 100)
    assert past.played("a", PAIR) == 100
    assert past.played("a", TRIO) == 100 - MOST_AHEAD
    meet_others(past, 1, kind=TRIO)
    assert past.played("a", TRIO) == 100 - MOST_AHEAD + 1


def test_turns_and_seats_are_counted_for_bots_and_not_for_the_house() -> None:
    past = Past()
    past.note(PAIR, [ANNA, HOUSE])
    past.note(PAIR, [BERT, ANNA])
    assert [past.turn(account) for account in ("anna", "bert", "carl", "")] == [2, 2, 0, 0]
    assert past.seats("a", PAIR) == [1, 1]
    assert past.seats("random", PAIR) == [0, 0]
    assert (past.begun(PAIR), past.begun(TRIO)) == (2, 0)
    assert bot("a", "anna").seated == ANNA
