"""The course of a match: games, who deals, and how it ends."""

import copy

import pytest
from games.mus.table import (
    ALL_PASS,
    HANDS,
    dealt,
    new_match,
    say,
)
from support.copies import pickled

from ordago.game import FINISHED, OutcomeReason
from ordago.games.mus.scoring import Scoreboard
from ordago.games.mus.state import MusState
from ordago.games.mus.values import (
    MusEvent,
    Reason,
)


def win(state: MusState, side: int) -> list[MusEvent]:
    """Deal and let a side win the game by an órdago on grande."""
    low, high = ("4o 5o 6o 7o", "4c 5c 6c 7c"), ("Ro Rc So Co", "Re Rb Sc Cc")
    first, second = (high, low) if side == 0 else (low, high)
    dealt(first[0], second[0], first[1], second[1], state=state)
    return say(state, "no mus", "órdago", "quiero!")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_scoreboards_are_known_by_what_they_say(copied) -> None:
    scoreboard = Scoreboard(1, 5, 2, (7, 21), (0, 1))
    assert copied(scoreboard) == scoreboard == Scoreboard(1, 5, 2).with_points((7, 21)).with_game(1)
    assert hash(copied(scoreboard)) == hash(scoreboard)
    assert scoreboard not in (scoreboard.next_deal(), scoreboard.next_game(), scoreboard.with_points((21, 7)), None)
    assert repr(scoreboard) == "Scoreboard(1, 5, 2, (7, 21), (0, 1))"


def test_one_game_scores_the_points_of_the_sides() -> None:
    state = new_match()
    state.scoreboard = state.scoreboard.with_points((7, 21))
    win(state, 0)
    assert state.actor == FINISHED
    assert state.outcome == (OutcomeReason.TARGET_REACHED, (40, 21, 40, 21), (1, 2, 1, 2))


def test_best_of_three_begins_each_game_at_nothing_and_stops_when_it_is_decided() -> None:
    state = new_match(games=3)
    win(state, 0)
    assert state.view(0).games == (1, 0)
    assert (state.view(0).game, state.view(0).deal, state.view(0).deal_of_game) == (1, 1, 0)
    assert state.view(0).points == (0, 0)
    win(state, 1)
    assert state.outcome is None
    events = win(state, 1)
    assert events[-1].games == (1, 2)
    assert state.outcome == (OutcomeReason.TARGET_REACHED, (1, 2, 1, 2), (2, 1, 2, 1))


def test_two_games_of_three_are_enough() -> None:
    state = new_match(games=3)
    win(state, 0)
    win(state, 0)
    assert state.outcome == (OutcomeReason.TARGET_REACHED, (2, 0, 2, 0), (1, 2, 1, 2))


def test_the_deal_goes_on_round_from_game_to_game() -> None:
    state = new_match(games=3)
    win(state, 0)
    assert state.view(0).dealer == 0


def test_at_the_cap_of_deals_the_higher_score_wins() -> None:
    state = dealt(*HANDS, max_deals=1)
    events = say(state, "no mus", "envido 2", "no quiero!", *["paso"] * 8)
    assert events[-1].reason is Reason.DEAL_CAP
    assert state.outcome == (OutcomeReason.CAP_REACHED, (1, 0, 1, 0), (1, 2, 1, 2))


def test_if_the_scores_are_level_at_the_cap_deals_go_on_until_they_differ() -> None:
    state = dealt(*HANDS, max_deals=1)
    say(state, "no mus", *ALL_PASS)
    assert state.outcome is None
    dealt(*HANDS, state=state)
    say(state, "no mus", *ALL_PASS)
    assert state.outcome is None
    dealt(*HANDS, state=state)
    say(state, "no mus", *["paso"] * 8, "envido 2", "no quiero!")
    assert state.outcome is not None


def test_a_cap_in_the_last_game_of_several_is_the_reason_of_the_match() -> None:
    state = new_match(games=3, max_deals=1)
    for _ in range(2):
        dealt(*HANDS, state=state)
        mano = state.scoreboard.mano
        say(state, "no mus", *(["envido 2", "no quiero!"] if mano == 0 else ["paso", "envido 2", "no quiero!"]))
        say(state, *["paso"] * 8)
    assert state.outcome is not None
    assert (state.outcome.reason, state.outcome.scores) == (OutcomeReason.CAP_REACHED, (2, 0, 2, 0))
