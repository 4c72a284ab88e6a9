"""The card tables of the Python SDK: plain values for ``ordago_bot.cards``."""

from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import Final

from facts import Facts, GameFacts, ValuesFacts

_HEAD: Final = '''"""The card tables, made from ``proto/cards.json`` by ``make proto``: do not edit."""

# fmt: off

from typing import Final, TypeAlias

Suit: TypeAlias = tuple[int, str, str]
Card: TypeAlias = tuple[int, str, str, int, int]
Values: TypeAlias = tuple[str, str, str, tuple[int, ...], tuple[int, ...]]
Game: TypeAlias = tuple[str, str, tuple[int, ...], tuple[int, ...], tuple[Values, ...]]

'''


def written(facts: Facts) -> dict[str, str]:
    """Return the module, by path."""
    return {"ordago_bot/card_facts.py": _HEAD + "\n".join(_lines(facts)) + "\n"}


def _lines(facts: Facts) -> Iterator[str]:
    yield "SUITS: Final[tuple[Suit, ...]] = ("
    for suit in facts.suits:
        yield f"    ({suit.suit}, {_text(suit.name)}, {_text(suit.sign)}),"
    yield ")"
    yield '"""Each suit: its number, its name, its sign."""'
    yield "CARDS: Final[tuple[Card, ...]] = ("
    for card in facts.cards:
        yield f"    ({card.card}, {_text(card.name)}, {_text(card.sign)}, {card.suit}, {card.rank}),"
    yield ")"
    yield '"""Each card: its code, its name, its sign, its suit, its rank."""'
    yield "GAMES: Final[tuple[Game, ...]] = ("
    for game in facts.games:
        yield from _game(game)
    yield ")"
    yield '"""Each game: its short name, its name, its pack, the pack in the order of a sorted hand, its values.'
    yield ""
    yield "Values: their name, condition and scope of comparisons, and the height and points of each card of the pack."
    yield '"""'


def _game(game: GameFacts) -> Iterator[str]:
    yield f"    ({_text(game.game)}, {_text(game.title)},"
    yield f"     {_numbers(game.pack, 5)},"
    yield f"     {_numbers(game.held, 5)},"
    yield "     ("
    for values in game.values:
        yield from _values(values, game.pack)
    yield "     )),"


def _values(values: ValuesFacts, pack: Iterable[int]) -> Iterator[str]:
    yield f"         ({_text(values.name)}, {_text(values.when)}, {_text(values.compares)},"
    yield f"          {_numbers((values.heights[card] for card in pack), 10)},"
    yield f"          {_numbers((values.points[card] for card in pack), 10)}),"


def _numbers(numbers: Iterable[int], indent: int) -> str:
    text = ", ".join(map(str, numbers))
    return f"({fill(text, 110, initial_indent=' ' * indent, subsequent_indent=' ' * (indent + 1)).lstrip()})"


def _text(text: str) -> str:
    return f'"{text}"'
