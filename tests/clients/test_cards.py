"""The cards as authors in Python know them."""

import sys
from pathlib import Path

import pytest

from ordago import v1
from ordago.games import find_game, game_names
from ordago_bot import Match, cards

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from facts import read_facts

FACTS = read_facts()


def test_every_card_says_what_the_table_says() -> None:
    for card in FACTS.cards:
        told = (cards.name(card.card), cards.sign(card.card), cards.suit(card.card), cards.rank(card.card))
        assert told == (card.name, card.sign, card.suit, card.rank)
        assert cards.card_of(card.sign) == card.card


def test_every_game_says_what_the_table_says() -> None:
    for game in FACTS.games:
        known = cards.game_cards(game.game)
        assert (known.title, known.pack) == (game.title, game.pack)
        assert tuple(known.sorted(reversed(game.pack))) == game.held  # type: ignore[arg-type]  # a card is its number
        for values in game.values:
            said = known.values(values.name)
            assert (said.when, said.compares) == (values.when, values.compares)
            assert {card: said.height(card) for card in game.pack} == values.heights
            assert {card: said.points(card) for card in game.pack} == values.points


def test_the_ten_of_hearts() -> None:
    ten = v1.CARD_TEN_OF_HEARTS
    assert (cards.name(ten), cards.sign(ten)) == ("ten of hearts", "10♥")
    assert (cards.suit(ten), cards.rank(ten)) == (v1.SUIT_HEARTS, 10)
    assert (cards.suit_name(v1.SUIT_HEARTS), cards.suit_sign(v1.SUIT_HEARTS)) == ("hearts", "♥")
    assert cards.signs([ten, v1.CARD_KING_OF_CLUBS]) == "10♥ K♣"
    trump = cards.game_cards("mittlere").values("trump")
    assert trump.points(v1.CARD_JACK_OF_HEARTS) > trump.points(ten)


def test_kings_belong_to_their_own_suit() -> None:
    """Whoever divides the code of a card by 14 takes them for aces of the next."""
    kings = (v1.CARD_KING_OF_CLUBS, v1.CARD_KING_OF_DIAMONDS, v1.CARD_KING_OF_HEARTS, v1.CARD_KING_OF_SPADES)
    assert [cards.suit(king) for king in kings] == [1, 2, 3, 4]


@pytest.mark.parametrize("card", [0, 120, -1, 2**31 - 1])
def test_a_card_of_a_newer_server_does_no_harm(card: int) -> None:
    assert (cards.suit(card), cards.rank(card), cards.sign(card)) == (v1.SUIT_UNSPECIFIED, 0, "?")
    assert cards.name(card) == f"card {card}"
    assert cards.suit_name(card + 50) == f"suit {card + 50}"


def test_what_a_game_does_not_have_is_a_mistake_of_the_author() -> None:
    mittlere = cards.game_cards("mittlere")
    with pytest.raises(LookupError, match="two of clubs is no card of this game"):
        mittlere.values("plain").height(v1.CARD_TWO_OF_CLUBS)
    with pytest.raises(LookupError, match="two of clubs"):
        mittlere.sorted([v1.CARD_TWO_OF_CLUBS])
    with pytest.raises(LookupError, match=r"has no values 'trumps'.*trump"):
        mittlere.values("trumps")
    with pytest.raises(LookupError, match=r"nothing is known of the cards of 'mitlere'.*mittlere"):
        cards.game_cards("mitlere")
    with pytest.raises(LookupError, match="no card is written '10h'"):
        cards.card_of("10h")


def seated(sides: tuple[int, ...], seat: int) -> Match:
    players = [v1.Player(name=f"bot {number}", side=side) for number, side in enumerate(sides)]
    return Match(v1.MatchStart(match_id="m", game="mitaines", seat=seat, players=players))


def test_a_match_knows_partners_and_opponents() -> None:
    match = seated((0, 1, 0, 1), 3)
    assert (match.partner, match.partners, match.opponents) == (1, (1,), (0, 2))
    assert (match.seats, match.seat_after(3), match.name_of(match.seat_after(3))) == (4, 0, "bot 0")
    assert match.names == ("bot 0", "bot 1", "bot 2", "bot 3")
    assert match.cards.title == "Mitaines"


def test_who_plays_alone_or_in_a_crowd_has_no_one_partner() -> None:
    alone = seated((0, 1, 2), 1)
    assert (alone.partner, alone.partners, alone.opponents) == (None, (), (0, 2))
    crowd = seated((0, 1, 0, 1, 0, 1), 2)
    assert (crowd.partner, crowd.partners) == (None, (0, 4))


@pytest.mark.parametrize("name", game_names())
def test_every_game_of_the_server_has_cards(name: str) -> None:
    assert cards.game_cards(name).title == find_game(name).rules.title
