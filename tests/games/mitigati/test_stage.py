"""What is special about Mitigati as it is shown: bargains as they are said, the discard, and which card is best."""

import pytest

from ordago.cards import CLUBS, DIAMONDS, HEARTS, SPADES, french, trump
from ordago.games.mitigati import GAME
from ordago.games.mitigati.values import EventKind as Kind
from ordago.games.mitigati.values import MitigatiEvent, Ranking

PLAYERS = ("Ana", "Ben", "Cyn")


def begun(**options):
    stage = GAME.staging.begin(players=PLAYERS, options=GAME.rules.options(options))
    stage.apply(MitigatiEvent(Kind.DEAL_STARTED, seat=0))
    return stage


def said(stage):
    return [seat.said and seat.said.written() for seat in stage.scene().seats]


def state(stage, seat, amount):
    return stage.apply(MitigatiEvent(Kind.STATEMENT_MADE, seat=seat, amount=amount))


def test_a_bargain_stands_as_it_is_said_until_the_next_one_begins():
    stage = begun()
    assert state(stage, 1, 3).mark.title.written() == "Bargain 1"
    assert state(stage, 2, -2).mark is None
    stage.apply(MitigatiEvent(Kind.PLAY_SAID, seat=0))
    assert said(stage) == ["play", "receive 3", "pay 2"]
    stage.apply(MitigatiEvent(Kind.CARDS_DEALT, seat=0, number=3))
    assert said(stage) == ["play", "receive 3", "pay 2"]
    assert state(stage, 1, 0).mark.title.written() == "Bargain 2"
    assert said(stage) == [None, "zero", None]


@pytest.mark.parametrize(("cards", "told"), [((french(CLUBS, 2), french(CLUBS, 3)), True), ((), False)])
def test_the_discard_lies_with_the_dealer_and_he_alone_sees_it(cards, told):
    stage = begun()
    stage.apply(MitigatiEvent(Kind.CARDS_DEALT, seat=0, cards=cards, number=2))
    sentence = stage.apply(MitigatiEvent(Kind.CARDS_DISCARDED, seat=0, cards=cards, number=2)).sentence.written()
    assert (sentence == "Ana, the dealer, discards 2 cards.") is not told
    piles = [seat.piles for seat in stage.scene().seats]
    assert piles[1:] == [(), ()]
    (discard,) = piles[0]
    assert sorted(discard.cards) == sorted(cards or (0, 0))
    assert discard.seen_by == 0b001
    assert not discard.spread
    assert stage.scene().seats[0].hand.cards == ()


def best_of(stage, *cards):
    """Play a trick of these cards from seat 0 on, and return the one that stands out then."""
    for seat, card in enumerate(cards):
        stage.apply(MitigatiEvent(Kind.CARDS_DEALT, seat=seat, cards=(card,), number=1))
        stage.apply(MitigatiEvent(Kind.CARD_PLAYED, seat=seat, card=card))
    (best,) = [card for seat in stage.scene().seats if seat.front.cards for card in seat.front.marked]
    return best


@pytest.mark.parametrize("suit", [HEARTS, DIAMONDS])
def test_in_piedmont_the_low_pips_of_red_suits_are_best(suit):
    low, high = french(suit, 2), french(suit, 9)
    assert best_of(begun(ranking=Ranking.PIEDMONT), low, high) == low
    assert best_of(begun(ranking=Ranking.SOURCE), low, high) == high


def test_a_trump_is_best_and_a_card_of_another_suit_is_not():
    led, other = french(SPADES, 4), french(CLUBS, 14)
    assert best_of(begun(), led, other) == led
    assert best_of(begun(), led, other, trump(2)) == trump(2)
