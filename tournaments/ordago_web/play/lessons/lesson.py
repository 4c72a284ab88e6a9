"""Lessons as data: a match of fixed choices, with explanations between them that take their facts from the table."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from ordago.cards import sign
from ordago.scene import Sentence
from ordago_ladder.showing.scene_json import Json

READER = 0
"""The seat from which a lesson is seen."""
NEXT_DEAL: Final = "the next deal"
"""Stands in a script where explanations go on to the next deal: before, they are about the end of the last one."""


class Table(NamedTuple):
    """The table at a moment of a lesson, as ``scene_json`` writes it."""

    english: Json
    """The scene with English texts, in which facts are found."""
    shown: Json
    """The scene in the language of the reader."""


Fact: TypeAlias = Callable[[Table], str]
"""Reads a fact from a table; LookupError if it is not so."""


class Explanation(NamedTuple):
    """A text for the reader at a moment of a lesson."""

    words: Sentence
    facts: Mapping[str, Fact]
    """The values of its placeholders."""
    asks: bool
    """True if the next choice is the reader's."""

    def at(self, table: Table) -> Sentence:
        """Return the text at a table.

        Raises:
            LookupError: a fact is not so.
        """
        return self.words.filled(**{name: fact(table) for name, fact in self.facts.items()})


def explain(words: Sentence, /, **facts: Fact) -> Explanation:
    """Return an explanation. Cards and scores in its text are placeholders, with a fact of the same name for each."""
    return Explanation(words, facts, asks=False)


def ask(words: Sentence, /, **facts: Fact) -> Explanation:
    """Return an explanation after which the reader makes the next choice of the script."""
    return Explanation(words, facts, asks=True)


class Lesson(NamedTuple):
    """A lesson about a game. The reader has the first seat."""

    seats: int
    options: Mapping[str, Any]
    """The options that differ from their defaults."""
    seed: int
    """The secret of the deals, as a number."""
    script: tuple[str | Explanation, ...]
    """Choices and explanations, in order. Choices are buttons in English with their numbers and cards, such as
    ``Envido 2``; several of them have bars between. An explanation is about the table before the next choice."""


def held(*cards: str, seat: int = READER) -> Fact:
    """Return the fact that a player holds these cards, and the reader sees them."""
    return lambda table: _among(cards, _signs(table.english["seats"][str(seat)]["hand"]))


def lying(*cards: str) -> Fact:
    """Return the fact that these cards lie open on the table."""
    return lambda table: _among(cards, [card for group in _open(table.english) for card in _signs(group)])


def figure(title: str, seat: int | None = None) -> Fact:
    """Return the value of a figure by its English title: of a seat, or else of the table."""
    return lambda table: {
        found["title"]: shown["value"]
        for found, shown in zip(_figures(table.english, seat), _figures(table.shown, seat), strict=True)
    }[title]


def last_word(seat: int) -> Fact:
    """Return the last word of what a player said: the number of a bet or a statement."""
    return lambda table: table.english["seats"][str(seat)]["said"].split()[-1]


def _open(scene: Json) -> list[Json]:
    fronts = [seat["front"] for seat in scene["seats"].values()]
    piles = [pile for seat in scene["seats"].values() for pile in seat["piles"].values()]
    return [*scene["table"].values(), *fronts, *piles]


def _figures(scene: Json, seat: int | None) -> list[Json]:
    found: list[Json] = (scene if seat is None else scene["seats"][str(seat)])["figures"]
    return found


def _signs(group: Json) -> list[str]:
    return list(map(sign, group["cards"]))


def _among(cards: tuple[str, ...], there: list[str]) -> str:
    if missing := [card for card in cards if card not in there]:
        raise LookupError(f"{' '.join(missing)} is not among {' '.join(there)}")
    return " ".join(cards)
