"""What is special about Taihe A Bao as it is shown: an exchange, as those see it who are in it and the others."""

import pytest

from ordago.cards import CLUBS, HEARTS, NO_CARD, SPADES, french
from ordago.games.taihe import GAME
from ordago.games.taihe.values import EventKind as Kind
from ordago.games.taihe.values import TaiheEvent

PLAYERS = ("Ana", "Ben", "Cyn")
KING, QUEEN, ACE, SEVEN = french(SPADES, 14), french(SPADES, 13), french(HEARTS, 1), french(CLUBS, 7)
HANDS = ((SEVEN,), (KING,), (ACE,))


@pytest.fixture
def begun():
    """A stage for each seat, and one for an onlooker, each told the hands that it may see."""

    def begin(viewer):
        stage = GAME.staging.begin(players=PLAYERS, options=GAME.rules.options({}))
        stage.apply(TaiheEvent(Kind.DEAL_STARTED, seat=0))
        for seat, hand in enumerate(HANDS):
            stage.apply(TaiheEvent(Kind.HAND_DEALT, seat=seat, cards=hand if seat == viewer else ()))
        return stage

    return begin


def asked(stage):
    return stage.apply(TaiheEvent(Kind.ASKED, seat=0, card=KING, holder=1)).sentence.written()


def gave_back(stage, card):
    return stage.apply(TaiheEvent(Kind.GAVE_BACK, seat=0, card=card, holder=1)).sentence.written()


def hands(stage):
    return [seat.hand.cards for seat in stage.scene().seats]


def test_the_asker_sees_what_he_gets_and_what_he_gives(begun):
    stage = begun(0)
    assert asked(stage).endswith("and gets it from Ben.")
    assert set(hands(stage)[0]) == {KING, SEVEN}
    assert "a card" not in gave_back(stage, SEVEN)
    assert hands(stage)[0] == (KING,)
    assert SEVEN in hands(stage)[1]


def test_the_holder_loses_the_card_that_was_asked_for_and_sees_the_one_that_he_gets(begun):
    stage = begun(1)
    asked(stage)
    assert hands(stage)[1] == ()
    gave_back(stage, SEVEN)
    assert hands(stage)[1] == (SEVEN,)


def test_a_third_knows_where_the_card_went_that_was_asked_for_and_not_what_was_given_back(begun):
    stage = begun(2)
    sizes = list(map(len, hands(stage)))
    asked(stage)
    assert KING in hands(stage)[0]
    assert list(map(len, hands(stage))) == [sizes[0] + 1, sizes[1] - 1, sizes[2]]
    assert gave_back(stage, NO_CARD) == "Ana gives Ben a card in return."
    assert list(map(len, hands(stage))) == sizes
    assert set(hands(stage)[1]) == {NO_CARD}
    assert hands(stage)[2] == (ACE,)


def test_what_came_to_a_hand_earlier_may_be_what_is_given_back_unseen(begun):
    stage = begun(2)
    asked(stage)
    gave_back(stage, NO_CARD)
    assert KING in hands(stage)[0]
    stage.apply(TaiheEvent(Kind.ASKED, seat=0, card=QUEEN, holder=1))
    gave_back(stage, NO_CARD)
    assert QUEEN in hands(stage)[0]
    assert KING not in hands(stage)[0]


def test_the_combination_to_beat_stands_out_until_it_is_beaten(begun):
    stage = begun(0)
    stage.apply(TaiheEvent(Kind.PLAYED, seat=0, cards=(SEVEN,)))
    assert stage.scene().seats[0].front.marked == (SEVEN,)
    stage.apply(TaiheEvent(Kind.PLAYED, seat=1, cards=(KING,)))
    assert [seat.front.marked for seat in stage.scene().seats] == [(), (KING,), ()]
