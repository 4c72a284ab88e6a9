"""The table of cards that all SDKs are made from says what the contract and the rules of the games say."""

import sys
from pathlib import Path

import pytest

from ordago import cards, v1
from ordago.games import find_game, game_names
from ordago.games.mitaines import pack as mitaines
from ordago.games.mitigati import pack as mitigati
from ordago.games.mittlere import pack as mittlere
from ordago.games.mus import hands as mus
from ordago.games.taihe import pack as taihe

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from facts import GameFacts, ValuesFacts, read_facts

FACTS = read_facts()
GAMES = {game.game: game for game in FACTS.games}
VALUES = [pytest.param(game, values, id=f"{game.game}-{values.name}") for game in FACTS.games for values in game.values]


def pack_of(name: str) -> tuple[int, ...]:
    """Return the cards that a match of a game with most players begins to shuffle."""
    rules = find_game(name).rules
    return rules.new_match(seats=rules.seat_counts[-1], options=rules.options({})).shuffle_due().cards


def values_of(game: str, name: str) -> ValuesFacts:
    [values] = [values for values in GAMES[game].values if values.name == name]
    return values


def test_all_cards_and_suits_of_the_contract_stand_there_in_their_order() -> None:
    assert {card.constant: card.card for card in FACTS.cards} == {
        name: number for name, number in v1.Card.items() if number
    }
    assert [card.card for card in FACTS.cards] == list(range(1, cards.LAST_CARD + 1))
    assert {f"SUIT_{suit.name.upper()}": suit.suit for suit in FACTS.suits} == {
        name: number for name, number in v1.Suit.items() if number
    }


def test_suits_and_ranks_are_those_of_the_rules() -> None:
    for card in FACTS.cards:
        if card.card < cards.FIRST_TRUMP:
            expected = cards.french_suit(card.card) + v1.SUIT_CLUBS, cards.french_rank(card.card)
        elif card.card < cards.FOOL:
            expected = v1.SUIT_TRUMPS, cards.trump_number(card.card)
        elif card.card == cards.FOOL:
            expected = v1.SUIT_UNSPECIFIED, 0
        else:
            expected = cards.spanish_suit(card.card) + v1.SUIT_OROS, cards.spanish_rank(card.card)
        assert (card.suit, card.rank) == expected, card


def test_names_and_signs_are_those_that_people_see() -> None:
    for card in FACTS.cards:
        assert card.sign == cards.sign(card.card)
        words = card.constant.removeprefix("CARD_").replace("_", " ").lower()
        assert card.name in (words, "Fool", f"trump {card.sign}")
    assert len({card.name for card in FACTS.cards}) == len(FACTS.cards)


def test_every_game_is_there_with_its_pack_and_a_way_of_holding_it() -> None:
    assert sorted(GAMES) == sorted(game_names())
    for name, game in GAMES.items():
        assert game.pack == pack_of(name)
        assert tuple(sorted(game.held)) == game.pack
    assert list(GAMES["mittlere"].held) == mittlere.high_to_low(mittlere.PACK)
    assert list(GAMES["mitigati"].held) == mitigati.high_to_low(mitigati.PACK)
    assert list(GAMES["taihe"].held) == taihe.high_to_low(taihe.PACK)


@pytest.mark.parametrize(("game", "values"), VALUES)
def test_every_card_of_a_pack_has_a_height_and_points(game: GameFacts, values: ValuesFacts) -> None:
    assert tuple(values.heights) == tuple(values.points) == game.pack
    assert set(values.heights.values()) == set(range(max(values.heights.values()) + 1))
    assert values.compares in ("all cards", "cards of one suit")


@pytest.mark.parametrize(("name", "kings"), [("eight_kings", 8), ("four_kings", 4)])
def test_mus(name: str, kings: int) -> None:
    values, table = values_of("mus", name), mus.hand_table(kings)
    for card in mus.PACK:
        lower = sum(weight < table.weights[card] for weight in set(table.weights[min(mus.PACK) :]))
        assert values.heights[card] == lower
        hand = [card] * mus.HAND
        assert mus.HAND * values.points[card] == table.worths[sum(table.weights[card] for card in hand)].punto


def test_mitaines() -> None:
    values = values_of("mitaines", "all")
    for card in mitaines.PACK:
        assert values.heights[card] == mitaines.RANKS_LOW_TO_HIGH.index(mitaines.RANK_OF[card])
    assert {card: points for card, points in values.points.items() if points} == {mitaines.TEN_OF_DIAMONDS: 50}


@pytest.mark.parametrize(("name", "piedmont"), [("source", False), ("piedmont", True)])
def test_mitigati(name: str, piedmont: bool) -> None:  # noqa: FBT001 - a parameter of the test
    values = values_of("mitigati", name)
    assert {card: mitigati.POINTS[card] for card in mitigati.PACK} == values.points
    for suit in mitigati.SUIT_CARDS:
        for card in cards.cards_in(suit):
            lower = {other for other in cards.cards_in(suit) if values.heights[other] < values.heights[card]}
            assert lower == set(cards.cards_in(mitigati.BEATEN_BY[piedmont][card] & suit))


@pytest.mark.parametrize("trump", [*cards.FRENCH_SUITS, mittlere.NO_TRUMP])
def test_mittlere(trump: int) -> None:
    for suit in cards.FRENCH_SUITS:
        of_suit = "trump" if suit == trump else "plain"
        heights = values_of("mittlere", of_suit).heights
        points = values_of("mittlere", "no_trump" if trump == mittlere.NO_TRUMP else of_suit).points
        for card in cards.cards_in(mittlere.SUIT_CARDS[suit]):
            lower = {other for other in cards.cards_in(mittlere.SUIT_CARDS[suit]) if heights[other] < heights[card]}
            assert lower == set(cards.cards_in(mittlere.BEATEN_BY[trump][card] & mittlere.SUIT_CARDS[suit]))
            assert points[card] == mittlere.POINTS[trump][card]


def test_taihe() -> None:
    values = values_of("taihe", "all")
    assert {card: taihe.height(card) for card in taihe.PACK} == values.heights
    assert not any(values.points.values())
