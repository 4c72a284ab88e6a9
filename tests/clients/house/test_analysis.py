"""An analysis finds what was bad, blames nobody for what was good, and says the same again."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from games.mitigati import table as mitigati
from games.mus import table as mus
from games.taihe import table as taihe
from support.scripted_record import scripted_record

from ordago import v1
from ordago.cards import card_set
from ordago.games.mitigati.values import statement_of
from ordago.games.taihe.values import DECLARE
from ordago.record import read_record
from ordago.record.opening import UnplayableError
from ordago_bot.house.analysis import Judgement, Opinion, Unjudged, choices_of, opinions
from ordago_bot.house.summary import summary_of
from ordago_bot.house.weighing import Unit

CORPUS = Path(__file__).parents[2] / "corpus"


def opinion_on(record: v1.MatchRecord, number: int, *, worlds: int = 24) -> Opinion:
    """Return what is said of a choice, counted from 0."""
    entries = [place for place, entry in enumerate(record.entries) if entry.HasField("choice")]
    seat = record.entries[entries[number]].choice.seat
    return next(each for each in opinions(record, worlds=worlds, seat=seat) if each.entry == entries[number])


def judged(record: v1.MatchRecord, number: int) -> Judgement:
    opinion = opinion_on(record, number)
    assert isinstance(opinion, Judgement)
    return opinion


def by_chance(seed: int) -> Any:
    """Return a player who plays as chance has it, so that a position can be named by a seed and a number."""
    rng = Random(seed)
    return lambda state, _number: rng.choice(state.legal_actions()).action


def mus_record(*said: str) -> v1.MatchRecord:
    hands = [card_set(mus.cards(hand)) for hand in ("4o 5o 6o 7o", "Ro Rc Re 3o", "Ao 4c 5c 6c", "Co Cc Sc 7c")]
    return scripted_record(
        "mus",
        lambda _state, number: mus.action(said[number]) if number < len(said) else None,
        first=lambda state: mus.dealing_order(hands, mano=state.scoreboard.mano),
    )


def test_who_refuses_an_ordago_at_grande_with_four_kings_throws_the_game_away() -> None:
    found = judged(mus_record("no mus", "órdago", "no quiero"), 2)
    assert (found.unit, found.taken.words, found.options[0].words) == (Unit.CHANCE, "No quiero", "Quiero")
    assert found.dear
    assert found.cost > 0.2


def test_who_accepts_it_plays_like_the_house() -> None:
    found = judged(mus_record("no mus", "órdago", "quiero"), 2)
    assert (found.like_the_house, found.cost, found.dear) == (True, 0.0, False)


def test_a_bet_that_the_house_never_makes_is_weighed_beside_its_own() -> None:
    found = judged(mus_record("no mus", "envido 9"), 1)
    assert found.taken.words == "Envido 9"


def test_four_kings_are_no_hand_for_mus_by_the_rule_of_thumb() -> None:
    """Seats 0 and then 1 are asked; seat 1 has the kings."""
    found = judged(mus_record("mus", "mus"), 1)
    assert (found.unit, found.searched, found.error, found.dear) == (Unit.HAND, False, None, True)


def mitigati_record(*said: str) -> v1.MatchRecord:
    """Seat 1 has nothing but low cards, and trumps below what seat 0 leads; seat 2 deals."""
    hands = [card_set(mitigati.cards(hand)) for hand in ("XXI XX XIX", "I II III IV A♣ 2♣ 3♣ 4♣", "")]

    def choose(_state: Any, number: int) -> Any:
        return mitigati_action(said[number]) if number < len(said) else None

    return scripted_record("mitigati", choose, first=lambda _state: mitigati.holding(hands))


def mitigati_action(text: str) -> Any:
    if text == "default":
        return None
    if text == "play":
        return mitigati.PLAY
    return statement_of(int(text)) if text.lstrip("-").isdecimal() else mitigati.CARD[mitigati.cards(text)[0]]


def test_who_throws_the_pagat_under_the_highest_trump_gives_its_points_away() -> None:
    record = mitigati_record("play", "play", "play", "default", "XXI", "I")
    found = judged(record, 5)
    assert (found.unit, found.taken.words, found.dear) == (Unit.CHIPS, "Play I", True)
    assert found.options[0].words in ("Play II", "Play III", "Play IV")
    assert found.cost > 2


def test_who_agrees_to_pay_much_more_than_play_would_cost_is_told_so() -> None:
    """The two others have asked for 40 chips each, and a third who pays 80 strikes the bargain."""
    found = judged(mitigati_record("40", "40", "-80"), 2)
    assert (found.searched, found.dear, found.taken.words) == (False, True, "State −80")
    assert found.cost > 40


def test_of_an_offer_that_others_may_agree_to_nothing_is_said() -> None:
    assert isinstance(opinion_on(mitigati_record("-90"), 0), Unjudged)


def test_who_declares_with_the_lowest_cards_is_told_to_pass() -> None:
    """His hand has no bomb and no card above the jack; whoever declares plays alone against all."""
    low = taihe.cards("4♣ 5♦ 6♣ 7♦ 9♣ 10♦ J♣ 4♥ 6♥ 9♦")

    def first(state: Any) -> list[int]:
        taker, pack = state.taker, taihe.pack_of(state.seats)
        rest = [card for card in pack if card not in low]
        share = len(pack) // state.seats
        hands = [rest[share * place : share * place + share] for place in range(state.seats - 1)]
        hands.insert(taker, low)
        return taihe.dealing_order([card_set(hand) for hand in hands], taker=taker)

    record = scripted_record(
        "taihe", lambda _state, number: None if number else DECLARE, seats=4, options={"deals": 1}, first=first
    )
    found = judged(record, 0)
    assert (found.unit, found.taken.words, found.options[0].words) == (Unit.POINTS, "Declare", "Pass")
    assert found.dear


def test_who_plays_a_nine_and_leaves_his_glove_of_nines_undeclared_loses_its_points() -> None:
    record = scripted_record("mitaines", by_chance(2), options={"max_deals": 1}, seed=2)
    found = judged(record, 38)
    assert (found.taken.words, found.options[0].words) == ("Play 9♥", "Play 9♣: glove of nines")
    assert found.dear
    assert found.cost > 100


def test_who_wins_a_trick_too_dearly_in_mittlere_is_told_so() -> None:
    record = scripted_record("mittlere", by_chance(9), options={"deals": 3}, seed=9)
    found = judged(record, 25)
    assert (found.taken.words, found.options[0].words) == ("Play Q♥", "Play K♦")
    assert found.dear
    assert found.cost > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mitaines-3", "mitigati-3", "mittlere-3", "taihe-3"])
def test_the_house_pays_less_than_chance_for_its_choices(name: str) -> None:
    """In these records seat 0 is the house and seat 1 plays by chance."""
    record = read_record((CORPUS / f"{name}.record").read_bytes())
    house, chance = (summary_of(record, opinions(record, worlds=4, seat=seat)).seats[0] for seat in (0, 1))
    assert house.costs[0].per_choice < chance.costs[0].per_choice / 2
    assert house.like_the_house / house.choices > chance.like_the_house / chance.choices


def test_an_analysis_says_the_same_again_and_of_one_seat_what_it_says_of_all() -> None:
    record = read_record((CORPUS / "mus-4.record").read_bytes())
    once, again = list(opinions(record, worlds=8)), list(opinions(record, worlds=8))
    assert once == again
    assert list(opinions(record, worlds=8, seat=2)) == [opinion for opinion in once if opinion.seat == 2]
    assert len(once) == choices_of(record)


@pytest.mark.slow
def test_other_matches_have_other_chance() -> None:
    """The deals imagined hang on the name of the match, so nobody can prepare for them by playing another."""
    one, other = (
        scripted_record("mittlere", by_chance(9), options={"deals": 3}, seed=9, match_id=name * 32) for name in "01"
    )
    assert judged(one, 25).cost != judged(other, 25).cost


def test_nobody_is_blamed_for_what_was_done_for_him() -> None:
    """A choice with a fault is left out: the seat refused nothing, it was late."""
    record = scripted_record("mus", lambda *_: None, options={"target": 10}, faults=frozenset({1, 3}))
    own = [entry.choice for entry in record.entries if entry.HasField("choice") and not entry.choice.fault]
    assert choices_of(record) == len(own) == len(list(opinions(record, worlds=2)))


def test_a_record_that_is_not_as_the_rules_say_is_refused() -> None:
    record = read_record((CORPUS / "mus-4.record").read_bytes())
    del record.entries[-1]
    with pytest.raises(UnplayableError, match="not as the rules say"):
        opinions(record)
