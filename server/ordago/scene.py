"""What a table looks like at a moment, for whoever shows a match to people by pictures.

A *stage* is told what happened, event by event, and says what then lies on the table, and in words what happened. It
knows what it was told and no more: told the events in full it shows all hands, told what one seat or an onlooker sees
it shows what these know. So a replay, a match that is watched and a match that is played are shown by the same stage.

Texts can be told in other languages: a *sentence* is a text with places for values, and both are put together last.
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
"""So many results of a function are kept."""


def kept(make: Callable[ArgumentsT, MadeT]) -> Callable[ArgumentsT, MadeT]:
    """Keep what a function makes of equal values, and hand it out again.

    A table is much the same from moment to moment: what stays as it was is not made anew, and is quickly found equal.
    """
    return cast("Callable[ArgumentsT, MadeT]", lru_cache(maxsize=_KEPT)(make))


class Sentence(NamedTuple):
    """A text with places for values, for instance ``{player} plays {card}.``."""

    words: str
    """The text. It is the key of the catalogue of translations."""
    values: tuple[tuple[str, "str | Sentence"], ...] = ()
    """What is put into its places, by their names."""

    def written(self, translate: Callable[[str], str] = str) -> str:
        """Return the whole text, in the language that the function translates English texts to."""
        values = {
            name: value.written(translate) if isinstance(value, Sentence) else value for name, value in self.values
        }
        return translate(self.words).format_map(values) if values else translate(self.words)

    def filled(self, **values: "object | Sentence") -> "Sentence":
        """Return the text with these values in its places."""
        return Sentence(
            self.words,
            tuple((name, value if isinstance(value, Sentence) else str(value)) for name, value in values.items()),
        )


def sentence(words: str, **values: "object | Sentence") -> Sentence:
    """Return a sentence. Its words stand in the catalogue, so that they are always written out where this is called."""
    return Sentence(words).filled(**values) if values else _without_values(words)


@kept
def _without_values(words: str) -> Sentence:
    return Sentence(words)


@kept
def untranslated(value: str | int) -> Sentence:
    """Return what reads the same in all languages: a number, a name, a term of a game."""
    return Sentence("{value}", (("value", str(value)),))


class Group(NamedTuple):
    """Cards that lie together."""

    cards: tuple[int, ...]
    """The cards, as they lie from left to right or from the bottom to the top; ``NO_CARD`` for one that is not seen."""
    title: Sentence | None = None
    """What they are, in the game's words; ``None`` where it goes without saying."""
    seen_by: int | None = None
    """The seats that see their faces, as a bit mask; ``None`` for everybody. A show of one seat turns the others."""
    marked: tuple[int, ...] = ()
    """Those of the cards that stand out: the one that takes the trick, for instance."""
    spread: bool = True
    """Whether all of them are to be seen; a stack shows its top card, and how many they are."""


@unique
class FigureKind(StrEnum):
    """How a figure is drawn."""

    TEXT = "text"
    """As it is written."""
    STONES = "stones"
    """A whole number as stones or chips: those that count five, and those that count one."""


class Figure(NamedTuple):
    """Something that is known at the table: a score, the trump suit, a stake."""

    title: Sentence
    """What it is, in a word or two."""
    value: Sentence
    """How much or which it is; short."""
    stressed: bool = False
    """Whether it is what goes on now: the lance that is bet on, the side that is ahead."""
    kind: FigureKind = FigureKind.TEXT


class SeatScene(NamedTuple):
    """What lies before a player, and is known of him."""

    hand: Group
    """His hand, in the order in which a player holds it."""
    front: Group = Group(())
    """What he played last, or has shown, in the middle before him."""
    piles: tuple[Group, ...] = ()
    """What else lies at his place: tricks that he took, cards that he laid away."""
    said: Sentence | None = None
    """What he said last, as long as it matters."""
    roles: tuple[Sentence, ...] = ()
    """What he is in this deal: dealer, mano, declarer."""
    figures: tuple[Figure, ...] = ()
    """What is known of him: his score, the tricks that he took."""


class Scene(NamedTuple):
    """What lies on a table at a moment."""

    seats: tuple[SeatScene, ...]
    """The seats in order."""
    table: tuple[Group, ...] = ()
    """What lies in the middle: the stock, a pile, the combination to beat. The same groups all through a deal."""
    figures: tuple[Figure, ...] = ()
    """What all of them know: the deal, the trump suit, the score of sides."""


@unique
class Section(StrEnum):
    """What a viewer can jump to."""

    DEAL = "deal"
    PART = "part"
    """A trick, a lance, a round, a bargain: whatever the deals of a game consist of."""


class Mark(NamedTuple):
    """Where something begins that a viewer can jump to."""

    section: Section
    title: Sentence
    """For instance ``Deal 3``, ``Trick 4``, ``Grande``."""


class Telling(NamedTuple):
    """What an event was, in words. One without a sentence belongs to the event before it."""

    sentence: Sentence | None = None
    """What happened, in a sentence or a few short ones; ``None`` where nobody has to be told."""
    seat: int | None = None
    """Who did it, if anybody did."""
    mark: Mark | None = None
    """What begins with it, if anything does."""
    brief: Sentence | None = None
    """The same as a clause, where it follows another that has one: ``Ana leads K♦, Ben 3♦.``"""
    deals: bool = False
    """Whether cards were dealt: a text then lists what is held, and what lies open."""


class Stage(Protocol[EventT_contra]):
    """A match as it is shown. It is told the events as somebody sees them, in order, from the first of the match on."""

    def apply(self, event: EventT_contra, /) -> Telling:
        """Take in what happened, and say it in words."""

    def scene(self) -> Scene:
        """Return what lies on the table now."""


class Offer(NamedTuple):
    """A legal action as it is offered to a person."""

    sentence: Sentence
    """What is done with it, as a button says it: ``Envido``, ``Play 10♥``."""
    cards: tuple[int, ...] = ()
    """The cards of his hand that he does it with, in any order; empty where there are none, or where he picks them."""


class Begin(Protocol[EventT_contra, OptionsT_contra]):
    """Begins to show a match, before its first event."""

    def __call__(self, *, players: Sequence[str], options: OptionsT_contra) -> Stage[EventT_contra]:
        """Return the stage of the match.

        Args:
            players: what the players are called, in order of seats.
            options: what is played with.
        """


@dataclass(frozen=True, slots=True)
class Staging(Generic[ActionT, EventT, OptionsT]):
    """How a game is told and shown to people."""

    begin: Begin[EventT, OptionsT]
    """Begins to show a match."""
    offer: Callable[[LegalAction[ActionT]], Offer]
    """Returns how a legal action, or an extra as one, is offered to a person."""
    faces: str = ""
    """The pack whose faces its cards have: ``french``, ``jass``, ``spanish`` or ``tarot``; empty where it is only told
    in words."""


def unseen(number: int) -> tuple[int, ...]:
    """Return so many cards that are not seen."""
    return (NO_CARD,) * number


def without(cards: Sequence[int], gone: Sequence[int]) -> tuple[int, ...]:
    """Return what is left of a hand after some cards have gone: where they were not seen, as many unseen ones go."""
    left = list(cards)
    for card in gone:
        left.remove(card if card in left else NO_CARD)
    return tuple(left)
