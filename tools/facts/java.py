"""The card tables of the Java SDK, for ``Cards`` and ``GameCards``."""

import json
from collections.abc import Iterable, Mapping

from facts import CardFacts, Facts, GameFacts, SuitFacts, ValuesFacts

_PATH = "src/main/java/org/ordago/bot/Facts.java"
_HEAD = """\
package org.ordago.bot;

import java.util.List;

/** The card tables. Written by tools/facts from proto/cards.json: do not edit. */
final class Facts {
    static final List<SuitFacts> SUITS = List.of(
"""
_TAIL = """\

    private Facts() {}

    /** A suit: its number in the contract, its name and its symbol. */
    record SuitFacts(int suit, String name, String sign) {}

    /** A card: its code in the contract, its name, its symbol, its suit and its rank. */
    record CardFacts(int card, String name, String sign, int suit, int rank) {}

    /** A game: its pack, ascending by code, the same in the order of a sorted hand, and its values. */
    record GameFacts(String game, String title, int[] pack, int[] held, List<ValuesFacts> values) {}

    /** The values of the cards of a pack under a condition: heights and points in the order of the pack. */
    record ValuesFacts(String name, String when, String compares, int[] heights, int[] points) {}
}
"""


def written(facts: Facts) -> dict[str, str]:
    """Return the file with the tables, by path."""
    suits = ",\n".join(map(_suit, facts.suits))
    cards = ",\n".join(map(_card, facts.cards))
    games = ",\n".join(map(_game, facts.games))
    tables = (
        f"{_HEAD}{suits});\n\n    static final List<CardFacts> CARDS = List.of(\n{cards});\n\n"
        f"    static final List<GameFacts> GAMES = List.of(\n{games});\n"
    )
    return {_PATH: tables + _TAIL}


def _suit(suit: SuitFacts) -> str:
    return f"            new SuitFacts({suit.suit}, {_text(suit.name)}, {_text(suit.sign)})"


def _card(card: CardFacts) -> str:
    words = f"{_text(card.name)}, {_text(card.sign)}"
    return f"            new CardFacts({card.card}, {words}, {card.suit}, {card.rank})"


def _game(game: GameFacts) -> str:
    indent = " " * 20
    values = ",\n".join(_values(values, game.pack) for values in game.values)
    words = "".join(f"{indent}{_text(word)},\n" for word in (game.game, game.title))
    cards = "".join(f"{indent}new int[] {{{_numbers(cards)}}},\n" for cards in (game.pack, game.held))
    return f"            new GameFacts(\n{words}{cards}{indent}List.of(\n{values}))"


def _values(values: ValuesFacts, pack: Iterable[int]) -> str:
    indent = " " * 36
    words = "".join(f"{indent}{_text(word)},\n" for word in (values.name, values.when, values.compares))
    heights, points = (_numbers(_in_order(table, pack)) for table in (values.heights, values.points))
    return (
        f"                            new ValuesFacts(\n{words}"
        f"{indent}new int[] {{{heights}}},\n{indent}new int[] {{{points}}})"
    )


def _in_order(table: Mapping[int, int], pack: Iterable[int]) -> Iterable[int]:
    return (table[card] for card in pack)


def _numbers(numbers: Iterable[int]) -> str:
    return ", ".join(map(str, numbers))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
