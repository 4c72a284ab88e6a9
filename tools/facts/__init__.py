"""The cards and their values in each game, from ``proto/cards.json``, for the SDKs of all languages.

The module of each language has one function, ``written(facts)``, which returns its generated files: their text, by path
in the folder of the language in ``clients``.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = ROOT / "proto/cards.json"


class SuitFacts(NamedTuple):
    """A suit."""

    suit: int
    """Its number in the contract, from 1."""
    name: str
    """Its name, for instance ``clubs``."""
    sign: str
    """Its symbol, one character."""


class CardFacts(NamedTuple):
    """A card."""

    card: int
    """Its code in the contract."""
    constant: str
    """Its name in the contract, for instance ``CARD_TEN_OF_HEARTS``."""
    name: str
    """Its name in words, for instance ``ten of hearts``."""
    sign: str
    """Its symbol, for instance ``10♥``."""
    suit: int
    """The number of its suit; 0 for the Fool."""
    rank: int
    """Its rank within its suit, from 1; 0 for the Fool."""


class ValuesFacts(NamedTuple):
    """The values of the cards of a game under a condition."""

    name: str
    """The name of these values, for instance ``trump``."""
    when: str
    """The condition, in words."""
    compares: str
    """The scope of comparisons by height: ``all cards`` or ``cards of one suit``."""
    heights: Mapping[int, int]
    """The height of each card of the pack, from 0; equal cards have equal heights."""
    points: Mapping[int, int]
    """The points of each card of the pack."""


class GameFacts(NamedTuple):
    """The cards of a game."""

    game: str
    """Its short name."""
    title: str
    """Its full name."""
    pack: tuple[int, ...]
    """Its cards, ascending by code."""
    held: tuple[int, ...]
    """Its cards in the order of a sorted hand."""
    values: tuple[ValuesFacts, ...]
    """The values of its cards, for each condition."""


class Facts(NamedTuple):
    """The suits, cards and games of the table."""

    suits: tuple[SuitFacts, ...]
    cards: tuple[CardFacts, ...]
    games: tuple[GameFacts, ...]


def read_facts(path: Path = TABLE) -> Facts:
    """Return the contents of the table."""
    table = json.loads(path.read_text(encoding="utf-8"))
    return Facts(
        suits=tuple(SuitFacts(**suit) for suit in table["suits"]),
        cards=tuple(CardFacts(**card) for card in table["cards"]),
        games=tuple(map(_game, table["games"])),
    )


def _game(game: dict[str, Any]) -> GameFacts:
    pack = tuple(game["pack"])
    return GameFacts(
        game=game["game"],
        title=game["title"],
        pack=pack,
        held=tuple(game["held"]),
        values=tuple(_values(values, pack) for values in game["values"]),
    )


def _values(values: dict[str, Any], pack: tuple[int, ...]) -> ValuesFacts:
    height_of = {card: height for height, cards in enumerate(values["low_to_high"]) for card in cards}
    points_of = {card: group["points"] for group in values["points"] for card in group["cards"]}
    return ValuesFacts(
        name=values["name"],
        when=values["when"],
        compares=values["compares"],
        heights={card: height_of[card] for card in pack},
        points={card: points_of.get(card, 0) for card in pack},
    )
