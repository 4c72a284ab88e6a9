"""Names, signs, suits and ranks of cards, and their values in each game.

Cards and suits are the numbers of the contract (``v1.SUIT_HEARTS``). Ranks count from 1. A card that only a newer
server knows is no error here: it has no suit, the rank 0 and the sign ``?``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple, cast

from ordago import v1
from ordago.names import nearest
from ordago_bot import card_facts


class _Card(NamedTuple):
    name: str
    sign: str
    suit: v1.Suit
    rank: int


_CARDS: Final[Mapping[int, _Card]] = {
    card: _Card(name, sign, cast(v1.Suit, suit), rank) for card, name, sign, suit, rank in card_facts.CARDS
}
_SUITS: Final = {suit: (name, sign) for suit, name, sign in card_facts.SUITS}
_CARD_OF_SIGN: Final = {known.sign: cast(v1.Card, card) for card, known in _CARDS.items()}


def suit(card: int) -> v1.Suit:
    """Return the suit of a card, for instance ``v1.SUIT_HEARTS``; ``v1.SUIT_UNSPECIFIED`` for the Fool."""
    return _CARDS[card].suit if card in _CARDS else v1.SUIT_UNSPECIFIED


def rank(card: int) -> int:
    """Return the rank of a card within its suit, from 1; 0 for the Fool."""
    return _CARDS[card].rank if card in _CARDS else 0


def sign(card: int) -> str:
    """Return the sign of a card, for instance ``10♥``."""
    return _CARDS[card].sign if card in _CARDS else "?"


def signs(cards: Iterable[int]) -> str:
    """Return the signs of cards, separated by spaces."""
    return " ".join(map(sign, cards))


def name(card: int) -> str:
    """Return the name of a card, for instance ``ten of hearts``."""
    return _CARDS[card].name if card in _CARDS else f"card {card}"


def suit_name(suit: int) -> str:
    """Return the name of a suit, for instance ``hearts``."""
    return _SUITS[suit][0] if suit in _SUITS else f"suit {suit}"


def suit_sign(suit: int) -> str:
    """Return the sign of a suit, for instance ``♥``."""
    return _SUITS[suit][1] if suit in _SUITS else "?"


def card_of(sign: str) -> v1.Card:
    """Return the card with a sign, for instance ``10♥``.

    Raises:
        LookupError: no card has this sign.
    """
    if sign not in _CARD_OF_SIGN:
        raise LookupError(f"no card is written {sign!r}; the ten of hearts is '10♥'")
    return _CARD_OF_SIGN[sign]


@dataclass(frozen=True, slots=True)
class Values:
    """Heights and points of a game's cards under one condition."""

    name: str
    """The name of these values, for instance ``trump``."""
    when: str
    """The condition, in words."""
    compares: str
    """The cards whose heights can be compared: ``all cards`` or ``cards of one suit``."""
    _heights: Mapping[int, int] = field(repr=False)
    _points: Mapping[int, int] = field(repr=False)

    def height(self, card: int) -> int:
        """Return the height of a card, from 0; the higher one wins, and equal cards have equal heights.

        Raises:
            LookupError: the card does not belong to the game.
        """
        return _of_pack(self._heights, card)

    def points(self, card: int) -> int:
        """Return the points of a card; 0 if it counts nothing.

        Raises:
            LookupError: the card does not belong to the game.
        """
        return _of_pack(self._points, card)


def _of_pack(known: Mapping[int, int], card: int) -> int:
    if card not in known:
        raise LookupError(f"{name(card)} is no card of this game")
    return known[card]


@dataclass(frozen=True, slots=True)
class GameCards:
    """The cards of a game."""

    game: str
    """The short name of the game."""
    title: str
    """The name of the game, for people."""
    pack: tuple[v1.Card, ...]
    """The cards of the game, ascending by number."""
    _places: Mapping[int, int] = field(repr=False)
    _values: Mapping[str, Values] = field(repr=False)

    def sorted(self, cards: Iterable[v1.Card]) -> list[v1.Card]:
        """Return cards in the order in which a player holds them.

        Raises:
            LookupError: one of them does not belong to the game.
        """
        return sorted(cards, key=lambda card: _of_pack(self._places, card))

    def values(self, name: str) -> Values:
        """Return the values of a name, for instance ``trump``.

        Raises:
            LookupError: the game has no values of this name.
        """
        if name not in self._values:
            raise LookupError(f"{self.title} has no values {name!r}; {nearest(name, list(self._values))}")
        return self._values[name]


@cache
def game_cards(game: str) -> GameCards:
    """Return the cards of a game by its short name, for instance ``mittlere``.

    Raises:
        LookupError: this SDK does not know the game.
    """
    known = {facts[0]: facts for facts in card_facts.GAMES}
    if game not in known:
        raise LookupError(f"nothing is known of the cards of {game!r}; {nearest(game, list(known))}")
    _, title, pack, held, values = known[game]
    return GameCards(
        game=game,
        title=title,
        pack=cast(tuple[v1.Card, ...], pack),
        _places={card: place for place, card in enumerate(held)},
        _values={values[0]: _values(values, pack) for values in values},
    )


def _values(values: card_facts.Values, pack: tuple[int, ...]) -> Values:
    name, when, compares, heights, points = values
    return Values(name, when, compares, dict(zip(pack, heights, strict=True)), dict(zip(pack, points, strict=True)))
