"""What is special about Mus as it is shown: exchanges without end, signals, lances."""

import random

import pytest
from support.stages import cards_shown

from ordago.cards import NO_CARD
from ordago.game import CHANCE, LegalAction
from ordago.games.mus import GAME
from ordago.games.mus.values import ActionKind, Lance, MusAction, MusEvent, Signal
from ordago.games.mus.values import EventKind as Kind

PLAYERS = ("Ana", "Ben", "Cyn", "Dan")


@pytest.fixture
def stage():
    return GAME.staging.begin(players=PLAYERS, options=GAME.rules.options({}))


def told(stage, *events):
    return [telling.sentence.written() for event in events if (telling := stage.apply(event)).sentence]


def lances(stage):
    return [figure.value.written() for figure in stage.scene().figures[:4]]


@pytest.mark.parametrize("seed", range(6))
def test_however_often_cards_are_exchanged_each_lies_in_one_place(stage, seed):
    rng = random.Random(seed)
    state = GAME.rules.new_match(seats=4, options=GAME.rules.options({"max_mus": 20}))
    shuffles = 0
    for _ in range(200):
        if state.actor == CHANCE:
            shuffles += 1
            events = state.supply(rng.sample(state.shuffle_due().cards, len(state.shuffle_due().cards)))
        else:
            legal = state.legal_actions()[0]
            cards = tuple(sorted(rng.sample(legal.picks[0].cards, rng.randint(2, 4)))) if legal.picks else ()
            events = state.apply(legal.action._replace(cards=cards))
        for event in events:
            stage.apply(event.full)
        if state.actor != CHANCE:
            scene = stage.scene()
            shown = cards_shown(scene)
            seen = [card for card in shown if card != NO_CARD]
            assert len(seen) == len(set(seen))
            assert len(shown) == 40
            assert len(scene.table[0].cards) == state.view(0).stock
        if not state.legal_actions() or state.view(0).lance is not None:
            break
    assert shuffles > 2


def test_the_lances_stand_there_with_what_was_bet(stage):
    stage.apply(MusEvent(Kind.DEAL_STARTED, seat=3, points=(0, 0), games=(0, 0)))
    stage.apply(MusEvent(Kind.LANCE_STARTED, lance=Lance.GRANDE, seats=(0, 1, 2, 3)))
    assert lances(stage) == ["open", "–", "–", "–"]
    stage.apply(MusEvent(Kind.SAID, seat=0, lance=Lance.GRANDE, said=ActionKind.ENVIDO, amount=2))
    stage.apply(MusEvent(Kind.SAID, seat=1, lance=Lance.GRANDE, said=ActionKind.ENVIDO, amount=3))
    assert lances(stage)[0] == "2 bet", "the partner is asked too"
    stage.apply(MusEvent(Kind.SAID, seat=3, lance=Lance.GRANDE, said=ActionKind.NO_QUIERO))
    assert lances(stage)[0] == "5 bet"
    said = [seat.said and seat.said.written() for seat in stage.scene().seats]
    assert said == ["Envido 2", "Envido 3 more", None, "No quiero"]


def test_punto_stands_in_the_place_of_juego_once_nobody_has_juego(stage):
    stage.apply(MusEvent(Kind.LANCE_STARTED, lance=Lance.PUNTO, seats=(0, 1, 2, 3)))
    assert [figure.title.written() for figure in stage.scene().figures[:4]] == ["Grande", "Chica", "Pares", "Punto"]


def test_a_signal_is_told_to_those_who_see_it(stage):
    assert told(stage, MusEvent(Kind.SIGNALLED, seat=2, signal=Signal.MEDIAS)) == ["Cyn signals: medias."]
    offer = GAME.staging.offer(LegalAction(MusAction(signal=Signal.DUPLES)))
    assert offer.sentence.written() == "Signal: duples"
