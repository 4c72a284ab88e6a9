"""The card tables in C++, for the functions of ``ordago/cards.h``."""

import json
from collections.abc import Sequence

from facts import CardFacts, Facts, GameFacts, ValuesFacts

_BEGIN = """\
// Generated from proto/cards.json by tools/facts/cpp.py; `make proto` writes it anew.
// clang-format off
#include "cards_table.h"

namespace ordago::table {
"""
_FACTS_OF = """\
const CardFacts* facts_of(int card) {
  const auto index = static_cast<std::size_t>(card - 1);
  return card >= 1 && index < cards.size() ? &cards[index] : nullptr;
}
"""
_NUMBERS_IN_A_LINE = 20
_WORTHS_IN_A_LINE = 8


def written(facts: Facts) -> dict[str, str]:
    """Return the file with the tables, by path."""
    cards = [
        "namespace {",
        "",
        f"const std::array<CardFacts, {len(facts.cards)}> cards{{{{",
        *map(_card, facts.cards),
        "}};",
        "",
        "}  // namespace",
        "",
    ]
    games = [
        "const std::vector<GameCards>& games() {",
        "  static const std::vector<GameCards> all{",
        *(line for game in facts.games for line in _game(game)),
        "  };",
        "  return all;",
        "}",
        "",
        "}  // namespace ordago::table",
        "",
    ]
    return {"src/cards_table.cc": "\n".join([_BEGIN, *cards, _FACTS_OF, *games])}


def _card(card: CardFacts) -> str:
    return f"    {{{_text(card.name)}, {_text(card.sign)}, static_cast<v1::Suit>({card.suit}), {card.rank}}},"


def _game(game: GameFacts) -> list[str]:
    return [
        f"      {{{_text(game.game)}, {_text(game.title)},",
        "       {",
        *_lines([str(card) for card in game.held], _NUMBERS_IN_A_LINE),
        "       },",
        "       {",
        *(line for values in game.values for line in _values(values)),
        "       }},",
    ]


def _values(values: ValuesFacts) -> list[str]:
    worths = [f"{{{card}, {height}, {values.points[card]}}}" for card, height in values.heights.items()]
    return [
        f"        {{{_text(values.name)}, {_text(values.when)}, {_text(values.compares)}, {{",
        *_lines(worths, _WORTHS_IN_A_LINE),
        "        }},",
    ]


def _lines(words: Sequence[str], number: int) -> list[str]:
    return [f"          {', '.join(words[begin : begin + number])}," for begin in range(0, len(words), number)]


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
