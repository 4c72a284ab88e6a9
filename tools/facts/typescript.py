"""The card tables of the TypeScript SDK, for ``ordago/cards``."""

import json
import textwrap
from collections.abc import Iterable, Iterator

from facts import CardFacts, Facts, GameFacts, ValuesFacts

_BEGINNING = """\
// Written from proto/cards.json by `make proto`; edits are lost.

/** All cards, by their codes. */
export const CARDS = {"""
_LONGEST_LINE = 120
"""The line width of the formatter, ``lineWidth`` in ``clients/typescript/biome.json``."""


def written(facts: Facts) -> dict[str, str]:
    """Return the file, by path."""
    return {"src/facts.ts": "\n".join(_lines(facts)) + "\n"}


def _lines(facts: Facts) -> Iterator[str]:
    yield _BEGINNING
    yield from map(_card, facts.cards)
    yield "} as const;"
    for game in facts.games:
        yield from _game(game)


def _card(card: CardFacts) -> str:
    fields = f"suit: {card.suit}, rank: {card.rank}, sign: {_text(card.sign)}, name: {_text(card.name)}"
    return f"  {card.card}: {{ {fields} }},"


def _game(game: GameFacts) -> Iterator[str]:
    yield ""
    yield f"/** The cards of {game.title}. */"
    yield f"export const {game.game.upper()} = {{"
    yield f"  game: {_text(game.game)},"
    yield from _list("  pack: ", game.pack)
    yield from _list("  held: ", game.held)
    yield "  values: {"
    for values in game.values:
        yield from _values(values, game.pack)
    yield "  },"
    yield "} as const;"


def _values(values: ValuesFacts, pack: Iterable[int]) -> Iterator[str]:
    """Yield heights and points in the order of the pack."""
    yield "    /**"
    sentences = f"{values.when[0].upper()}{values.when[1:]}. Heights compare {values.compares}."
    yield from textwrap.wrap(sentences, _LONGEST_LINE, initial_indent="     * ", subsequent_indent="     * ")
    yield "     */"
    yield f"    {values.name}: {{"
    yield from _list("      heights: ", (values.heights[card] for card in pack))
    yield from _list("      points: ", (values.points[card] for card in pack))
    yield "    },"


def _list(beginning: str, numbers: Iterable[int]) -> Iterator[str]:
    """Yield the lines of a list of numbers, broken as the formatter would do it."""
    words = [str(number) for number in numbers]
    line = f"{beginning}[{', '.join(words)}],"
    if len(line) <= _LONGEST_LINE:
        yield line
        return
    indent = " " * (len(beginning) - len(beginning.lstrip()) + 2)
    yield f"{beginning}["
    yield from _filled(indent, words)
    yield f"{indent[2:]}],"


def _filled(indent: str, words: Iterable[str]) -> Iterator[str]:
    line = indent
    for word in words:
        if len(line) + len(word) + 1 > _LONGEST_LINE:
            yield line.rstrip()
            line = indent
        line += f"{word}, "
    yield line.rstrip()


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
