"""The cards, and what they are worth in each game, as the SDKs of all languages tell them: from ``proto/cards.json``.

A module of this package for each language has one function, ``written(facts)``, which returns the files that it makes
of them: their text by their path within the folder of the language in ``clients``.
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
    """What it is called, for instance ``clubs``."""
    sign: str
    """What it looks like, one character."""


class CardFacts(NamedTuple):
    """A card."""

    card: int
    """Its code in the contract."""
    constant: str
    """Its name in the contract, for instance ``CARD_TEN_OF_HEARTS``."""
    name: str
    """What it is called, for instance ``ten of hearts``."""
    sign: str
    """What it looks like, for instance ``10♥``."""
    suit: int
    """The number of its suit; 0 for the Fool."""
    rank: int
    """Its rank within its suit, from 1; 0 for the Fool."""


class ValuesFacts(NamedTuple):
    """What the cards of a game are worth under a condition."""

    name: str
    """What these values are called, for instance ``trump``."""
    when: str
    """The condition, in words."""
    compares: str
    """Which cards can be compared by their height: ``all cards`` or ``cards of one suit``."""
    heights: Mapping[int, int]
    """How high each card of the pack stands, from 0; cards that are equal have equal heights."""
    points: Mapping[int, int]
    """What each card of the pack counts; 0 for nothing."""


class GameFacts(NamedTuple):
    """The cards of a game."""

    game: str
    """Its short name."""
    title: str
    """Its name."""
    pack: tuple[int, ...]
    """Its cards, ascending by code."""
    held: tuple[int, ...]
    """Its cards in the order in which a player holds them."""
    values: tuple[ValuesFacts, ...]
    """What they are worth, each condition by itself."""


class Facts(NamedTuple):
    """All there is to know of cards."""

    suits: tuple[SuitFacts, ...]
    cards: tuple[CardFacts, ...]
    games: tuple[GameFacts, ...]


def read_facts(path: Path = TABLE) -> Facts:
    """Return what the table says."""
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
