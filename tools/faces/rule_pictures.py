"""Pictures for rule pages: the order of the cards, combinations, and the hands of the deal on each page.

A picture has no words, so it serves every language. Equal cards overlap; a gap separates cards of different height.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple, TypeVar

from facts import ROOT, CardFacts, Facts

from faces.svg import HEIGHT, WIDTH, picture, placed

Row = Sequence[Sequence[CardFacts]]
"""Groups of cards from left to right."""
_Item = TypeVar("_Item")
Face = Callable[[CardFacts], str]

_GAP: Final = 10
_OVERLAP: Final = 55
"""The distance of overlapping cards. The index in the corner takes 30 of 100."""
_SCALE: Final = 0.6
"""A card is 60 pixels wide, so that seven fit into a column of text."""
_GROUPS_IN_ROW: Final = 7
_CARDS_IN_ROW: Final = 6
_HAND: Final = re.compile(r"^  ([A-Z]\w+|pile)  +((?:\S+ )*\S+)$", re.MULTILINE)


class _Order(NamedTuple):
    """The cards of one suit by height."""

    game: str
    values: str
    suit: str


_ORDERS: Final = {
    "mus-order": _Order("mus", "eight_kings", "oros"),
    "mittlere-plain": _Order("mittlere", "plain", "hearts"),
    "mittlere-trump": _Order("mittlere", "trump", "hearts"),
    "mitigati-suit": _Order("mitigati", "source", "spades"),
    "mitigati-trumps": _Order("mitigati", "source", "trumps"),
    "mitaines-order": _Order("mitaines", "all", "spades"),
    "taihe-order": _Order("taihe", "all", "spades"),
}
_COMBINATIONS: Final = {
    "mitigati-fool": "O",
    "mitaines-combinations": "9♣+9♦\n9♣+9♦+9♥\n9♣+9♦+9♥+9♠",
    "mitaines-added": "9♠ 9♣+9♦\n9♠ 9♣+9♦+9♥",
    "taihe-combinations": "9♠\nJ♦+J♠\n9♣ 10♥ J♠\n5♣+5♥ 6♦+6♠\n4♣+4♦+4♥\n4♣+4♦+4♥+4♠",
}
"""Rows of cards; ``+`` joins cards of a group."""


def pictures(facts: Facts, face_of: Callable[[str], Face]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each picture.

    Args:
        facts: the cards and their values.
        face_of: returns the function that draws the faces of a game.
    """
    for name, rows in pictured(facts):
        yield name, _picture(rows, face_of(name.partition("-")[0]))


def pictured(facts: Facts) -> Iterator[tuple[str, Sequence[Row]]]:
    """Yield the name of each picture with its cards."""
    by_sign = {card.sign: card for card in facts.cards}
    for name, order in _ORDERS.items():
        yield name, _rows(_groups(order, facts), _GROUPS_IN_ROW)
    for name, text in _COMBINATIONS.items():
        yield name, [[[by_sign[sign] for sign in each.split("+")] for each in row.split()] for row in text.split("\n")]
    for game in facts.games:
        page = (ROOT / f"docs/rules/{game.game}.md").read_text(encoding="utf-8")
        for player, hand in hands(page, by_sign).items():
            yield f"{game.game}-{player.lower()}", [[cards] for cards in _rows(hand, _CARDS_IN_ROW)]


def hands(page: str, by_sign: Mapping[str, CardFacts]) -> dict[str, list[CardFacts]]:
    """Return the first hand of each player, and the cards laid out, in the deal on a page."""
    found: dict[str, list[CardFacts]] = {}
    for player, signs in _HAND.findall(page):
        if set(signs.split()) <= by_sign.keys():
            found.setdefault(player, [by_sign[sign] for sign in signs.split()])
    return found


def _groups(order: _Order, facts: Facts) -> list[list[CardFacts]]:
    """Return the cards of a suit from high to low, equal ones together."""
    values = next(
        each for game in facts.games if game.game == order.game for each in game.values if each.name == order.values
    )
    suit = next(each.suit for each in facts.suits if each.name == order.suit)
    cards = [card for card in facts.cards if card.suit == suit and card.card in values.heights]
    cards.sort(key=lambda card: (values.heights[card.card], card.rank), reverse=True)
    return [list(equal) for _, equal in groupby(cards, key=lambda card: values.heights[card.card])]


def _rows(items: Sequence[_Item], most: int) -> list[Sequence[_Item]]:
    """Divide items evenly into rows of at most this many."""
    each = -(-len(items) // -(-len(items) // most))
    return [items[first : first + each] for first in range(0, len(items), each)]


def _picture(rows: Sequence[Row], face: Face) -> str:
    content, width = "", 0
    for number, row in enumerate(rows):
        x = 0
        for cards in row:
            for place, card in enumerate(cards):
                content += placed(_content(face(card)), x + place * _OVERLAP, number * (HEIGHT + _GAP))
            x += WIDTH + (len(cards) - 1) * _OVERLAP + _GAP
        width = max(width, x - _GAP)
    return picture(content, width, len(rows) * (HEIGHT + _GAP) - _GAP, scale=_SCALE)


def _content(face: str) -> str:
    """Return a face without the element around it."""
    return face.partition(">")[2].removesuffix("</svg>\n")
