"""What is special about Mitaines as it is shown: the declaration that stands, and what clears take away."""

import pytest

from ordago.cards import CLUBS, HEARTS, SPADES, french
from ordago.games.mitaines import GAME
from ordago.games.mitaines.combinations import OWN_CARDS, POINTS, Combination
from ordago.games.mitaines.names import combination_words
from ordago.games.mitaines.values import Clear, MitainesEvent
from ordago.games.mitaines.values import EventKind as Kind

PLAYERS = ("Ana", "Ben")
SIX, OTHER_SIX, NINE = french(CLUBS, 6), french(HEARTS, 6), french(SPADES, 9)
SIX_OF_BEN = french(SPADES, 6)
WEAK, STRONG = [combination for combination in Combination if combination][:2]


@pytest.fixture
def stage():
    made = GAME.staging.begin(players=PLAYERS, options=GAME.rules.options({}))
    made.apply(MitainesEvent(Kind.DEAL_STARTED, seat=1))
    made.apply(MitainesEvent(Kind.HAND_DEALT, seat=0, cards=(SIX, OTHER_SIX)))
    made.apply(MitainesEvent(Kind.HAND_DEALT, seat=1, cards=(SIX_OF_BEN, NINE)))
    return made


def play(stage, seat, card, combination=Combination.NONE):
    return stage.apply(MitainesEvent(Kind.CARD_PLAYED, seat=seat, card=card, combination=combination))


def declaration(stage):
    return stage.scene().figures[2]


def test_a_declaration_stands_with_what_is_left_to_play_and_what_it_is_worth(stage):
    assert declaration(stage).value.written() == "none"
    assert not declaration(stage).stressed
    play(stage, 0, SIX, WEAK)
    left, points = OWN_CARDS[WEAK] - 1, POINTS[WEAK][6]
    assert declaration(stage).value.written().endswith(f" of Ana, {left} to play, {points} points")
    assert declaration(stage).stressed
    play(stage, 0, OTHER_SIX)
    assert f", {left - 1} to play, " in declaration(stage).value.written()


def test_a_card_of_another_player_counts_nothing_down(stage):
    play(stage, 0, SIX, WEAK)
    before = declaration(stage)
    play(stage, 1, SIX_OF_BEN)
    assert declaration(stage) == before


def test_who_steals_a_declaration_gets_its_points_with_his_own(stage):
    play(stage, 0, SIX, WEAK)
    play(stage, 1, NINE, STRONG)
    both = POINTS[WEAK][6] + POINTS[STRONG][9]
    assert declaration(stage).value.written().endswith(f" of Ben, {OWN_CARDS[STRONG] - 1} to play, {both} points")
    told = stage.apply(MitainesEvent(Kind.DECLARATION_STOLEN, seat=1, robbed_seat=0))
    assert told.sentence.written() == f"Ben steals Ana's {combination_words(WEAK, 6).written()}."


def test_a_clear_takes_pile_and_declaration_away_and_counts_its_points(stage):
    assert play(stage, 0, SIX, WEAK).mark.title.written() == "Pile 1"
    assert stage.scene().table[0].cards == (SIX,)
    told = stage.apply(MitainesEvent(Kind.PILE_CLEARED, seat=0, clear=Clear.COMPLETION, points=40, declared_points=40))
    assert told.sentence.written().endswith("clears the pile: declaration 40. Total: 40.")
    scene = stage.scene()
    assert scene.table[0].cards == ()
    assert declaration(stage).value.written() == "none"
    assert [[figure.value.written() for figure in seat.figures] for seat in scene.seats] == [["40", "40"], ["0", "0"]]
