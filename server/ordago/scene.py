"""The appearance of a table at a moment, for programs that show a match with pictures.

A *stage* is given events one by one, and returns the cards on the table and a description of each event in words. It
knows only what it was given: with full events it shows all hands, with the events of a seat or a spectator only what
that one may see. So replays, live matches and matches in play are all shown by the same stage.

Texts can be translated: a *sentence* is a text with placeholders, which is filled in last.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from functools import lru_cache
from typing import Final, Generic, NamedTuple, ParamSpec, Protocol, TypeVar, cast

from ordago.cards import NO_CARD
from ordago.game import ActionT, EventT, EventT_contra, LegalAction, OptionsT, OptionsT_contra

ArgumentsT = ParamSpec("ArgumentsT")
MadeT = TypeVar("MadeT")

_KEPT: Final = 4096
"""The number of results that are kept for a function."""


def kept(make: Callable[ArgumentsT, MadeT]) -> Callable[ArgumentsT, MadeT]:
    """Cache the results of a function by its arguments.

    A table is much the same from moment to moment: unchanged parts are not built again, and compare equal quickly.
    """
    return cast("Callable[ArgumentsT, MadeT]", lru_cache(maxsize=_KEPT)(make))


class Sentence(NamedTuple):
    """A text with placeholders, for instance ``{player} plays {card}.``."""

    words: str
    """The text. It is the key of the catalogue of translations."""
    values: tuple[tuple[str, "str | Sentence"], ...] = ()
    """The values of its placeholders, by their names."""

    def written(self, translate: Callable[[str], str] = str) -> str:
        """Return the whole text, in the language that the function translates English texts to."""
        values = {
            name: value.written(translate) if isinstance(value, Sentence) else value for name, value in self.values
        }
        return translate(self.words).format_map(values) if values else translate(self.words)

    def filled(self, **values: "object | Sentence") -> "Sentence":
        """Return the text with these values for its placeholders."""
        return Sentence(
            self.words,
            tuple((name, _unwritten(value)) for name, value in values.items()),
        )


def sentence(words: str, **values: "object | Sentence") -> Sentence:
    """Return a sentence. Pass its words as a literal: the catalogue of translations is collected from these calls."""
    return Sentence(words).filled(**values) if values else _without_values(words)


class English(str):
    """A text in English that can still be translated: programs read it as it is, pages write its sentence.

    Titles of games and messages of errors are such texts.
    """

    __slots__ = ("sentence",)
    sentence: Sentence

    def __new__(cls, text: Sentence) -> "English":
        """Write a sentence in English."""
        made = super().__new__(cls, text.written())
        made.sentence = text
        return made

    def __str__(self) -> "English":
        """Return the text itself, so that ``str(error)`` can be translated as well."""
        return self

    def __getnewargs__(self) -> tuple[Sentence]:  # type: ignore[override]  # what __new__ takes
        """Return what a copy in another process is made of."""
        return (self.sentence,)


def english(words: str, **values: "object | Sentence") -> English:
    """Return a sentence in English. Its words are collected for the catalogue like those of ``sentence``."""
    return English(sentence(words, **values))


def _unwritten(value: object) -> "str | Sentence":
    if isinstance(value, English):
        return value.sentence
    return value if isinstance(value, Sentence) else str(value)


@kept
def _without_values(words: str) -> Sentence:
    return Sentence(words)


@kept
def untranslated(value: str | int) -> Sentence:
    """Return a text that is the same in all languages: a number, a name, a term of a game."""
    return Sentence("{value}", (("value", str(value)),))


class Group(NamedTuple):
    """Cards that lie together."""

    cards: tuple[int, ...]
    """The cards, as they lie from left to right or from the bottom to the top; ``NO_CARD`` for one that is not seen."""
    title: Sentence | None = None
    """A description in the game's words; ``None`` where it is obvious."""
    seen_by: int | None = None
    """The seats that see their faces, as a bit mask; ``None`` for everybody. Other seats see them face down."""
    marked: tuple[int, ...] = ()
    """The cards that stand out: the one that takes the trick, for instance."""
    spread: bool = True
    """True if all cards are visible; a stack shows its top card and its height."""


@unique
class FigureKind(StrEnum):
    """The way a figure is drawn."""

    TEXT = "text"
    """As text."""
    STONES = "stones"
    """A whole number as stones or chips, some worth five and some worth one."""


class Figure(NamedTuple):
    """A fact known at the table: a score, the trump suit, a stake."""

    title: Sentence
    """The name of the fact, in a word or two."""
    value: Sentence
    """The value of the fact; short."""
    stressed: bool = False
    """True if it is current: the lance that is being bet on, the side that is ahead."""
    kind: FigureKind = FigureKind.TEXT


class SeatScene(NamedTuple):
    """A player's cards, role and figures."""

    hand: Group
    """The hand, in the order in which a player holds it."""
    front: Group = Group(())
    """The cards last played, or shown, in the middle in front of the player."""
    piles: tuple[Group, ...] = ()
    """Other cards at the player's place: tricks taken, cards laid away."""
    said: Sentence | None = None
    """The player's last words, as long as they matter."""
    roles: tuple[Sentence, ...] = ()
    """The roles in this deal: dealer, mano, declarer."""
    figures: tuple[Figure, ...] = ()
    """Facts about the player: the score, the tricks taken."""


class Scene(NamedTuple):
    """The state of a table at a moment."""

    seats: tuple[SeatScene, ...]
    """The seats in order."""
    table: tuple[Group, ...] = ()
    """The groups in the middle: the stock, a pile, the combination to beat. The same groups all through a deal."""
    figures: tuple[Figure, ...] = ()
    """Facts about the whole table: the deal, the trump suit, the score of sides."""


@unique
class Section(StrEnum):
    """The kinds of places that a viewer can jump to."""

    DEAL = "deal"
    PART = "part"
    """A trick, a lance, a round, a bargain: the parts of a deal, depending on the game."""


class Mark(NamedTuple):
    """The beginning of a section that a viewer can jump to."""

    section: Section
    title: Sentence
    """For instance ``Deal 3``, ``Trick 4``, ``Grande``."""


class Telling(NamedTuple):
    """An event in words. One without a sentence belongs to the event before it."""

    sentence: Sentence | None = None
    """A description of the event, in one or a few short sentences; ``None`` where there is nothing to say."""
    seat: int | None = None
    """The seat that acted, if any."""
    mark: Mark | None = None
    """The section that begins with it, if any."""
    brief: Sentence | None = None
    """The description as a clause, for use after another event with one: ``Ana leads K♦, Ben 3♦.``"""
    deals: bool = False
    """True if cards were dealt: a text then lists the hands and the open cards."""


class Stage(Protocol[EventT_contra]):
    """A match as it is shown. It gets all events in order, beginning with the first, as one viewer sees them."""

    def apply(self, event: EventT_contra, /) -> Telling:
        """Apply an event, and return it in words."""

    def scene(self) -> Scene:
        """Return the scene now."""


class Offer(NamedTuple):
    """A legal action as it is offered to a person."""

    sentence: Sentence
    """The label of its button: ``Envido``, ``Play 10♥``."""
    cards: tuple[int, ...] = ()
    """The cards of the hand that it plays, in any order; empty if there are none, or if the player picks them."""


class Begin(Protocol[EventT_contra, OptionsT_contra]):
    """Starts the presentation of a match, before its first event."""

    def __call__(self, *, players: Sequence[str], options: OptionsT_contra) -> Stage[EventT_contra]:
        """Return the stage of the match.

        Args:
            players: the names of the players, in order of seats.
            options: the options of the match.
        """


@dataclass(frozen=True, slots=True)
class Staging(Generic[ActionT, EventT, OptionsT]):
    """The presentation of a game to people."""

    begin: Begin[EventT, OptionsT]
    """Starts the presentation of a match."""
    offer: Callable[[LegalAction[ActionT]], Offer]
    """Return the presentation of a legal action, or of an extra as one."""
    faces: str = ""
    """The pack of its card faces: ``french``, ``jass``, ``spanish`` or ``tarot``; empty where a match is shown in words
    only.
    """


def unseen(number: int) -> tuple[int, ...]:
    """Return a number of unseen cards."""
    return (NO_CARD,) * number


def without(cards: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    """Return the rest of a hand after some cards have left it: an unseen card leaves for each one that was not seen."""
    left = list(cards)
    for card in gone:
        left.remove(card if card in left else NO_CARD)
    return tuple(left)
