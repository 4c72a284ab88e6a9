"""Descriptions and pictures that several games share."""

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from ordago.cards import NO_CARD, sign, signs
from ordago.scene import Group, Mark, Section, Sentence, Telling, kept, sentence, untranslated

PartT = TypeVar("PartT")
DEALT: Final = Telling(deals=True)
"""Cards were dealt."""
SCORE: Final = Mark(Section.PART, sentence("Score"))
"""The end of a deal."""
_SAID: Final = sentence("{player}: {said}")
_PASSES: Final = sentence("{player} passes")
_FIGURE: Final = Sentence("{side} {figure}")
_PLAYS: Final = sentence("{player} {cards}")


def present(part: PartT | None) -> PartT:
    """Return a field that all events of a kind have, such as the seat of the player of a card."""
    if part is None:
        raise ValueError("an event of this kind names it")
    return part


def signed(number: int) -> str:
    """Write a number with its sign."""
    return f"{number:+}".replace("-", "−") if number else "0"


def together(names: Sequence[str]) -> Sentence:
    """Write some names as one: ``Ana, Ben & Cyn``."""
    if len(names) < 2:
        return untranslated("".join(names))
    return sentence("{names} & {last}", names=listed(map(untranslated, names[:-1])), last=names[-1])


def listed(parts: Iterable[Sentence]) -> Sentence:
    """Write some parts of a sentence as a list: ``Ana 3, Ben 0``."""
    whole, *others = parts
    for part in others:
        whole = sentence("{told}, {part}", told=whole, part=part)
    return whole


def cards_written(cards: Sequence[int]) -> Sentence:
    """Write some cards; those that are not seen are counted."""
    if NO_CARD not in cards:
        return untranslated(signs(cards))
    return sentence("one card") if len(cards) == 1 else sentence("{number} cards", number=len(cards))


class Words:
    """The sentences that games have in common. A game adds its own."""

    def __init__(self, players: Sequence[str], *, sides: int = 0) -> None:
        """Describe a match of these players, on this many sides; by default each plays alone."""
        self.players = players
        self.sides = [together(players[side :: sides or len(players)]) for side in range(sides or len(players))]
        """The names of the sides."""

    def each(self, figures: Iterable[object]) -> Sentence:
        """Write a figure for each side: ``Ana 3, Ben 0``. Partners have the same, so further ones are left out."""
        return listed(
            _FIGURE.filled(side=side, figure=figure) for side, figure in zip(self.sides, figures, strict=False)
        )

    def each_signed(self, figures: Iterable[int]) -> Sentence:
        """Write a gain or loss for each side: ``Ana +3, Ben −3``."""
        return self.each(map(signed, figures))

    def says(
        self,
        words: Sentence,
        seat: int | None,
        *,
        mark: Mark | None = None,
        brief: Sentence | None = None,
        **values: object,
    ) -> Telling:
        """Describe an action of a player by a sentence and perhaps a clause, each with a placeholder ``player``."""
        values["player"] = self.players[present(seat)]
        return Telling(words.filled(**values), seat, mark, brief.filled(**values) if brief else None)

    def deals(self, seat: int | None, deal: int, *, words: Sentence | None = None) -> Telling:
        """Begin a deal, in the words of the game or by naming the dealer."""
        mark = Mark(Section.DEAL, sentence("Deal {number}", number=deal + 1))
        return self.says(words or sentence("{player} deals."), seat, mark=mark)

    def speaks(self, seat: int, said: Sentence, mark: Mark | None = None) -> Telling:
        """Describe a statement of a player."""
        return self.says(sentence("{player}: {said}."), seat, mark=mark, brief=_SAID, said=said)

    def passes(self, seat: int) -> Telling:
        """Describe a pass."""
        return self.says(sentence("{player} passes."), seat, brief=_PASSES)

    def leads(self, seat: int, cards: Sequence[int], begun: Sentence) -> Telling:
        """Describe the lead to a trick or round, with the title of that section."""
        mark = Mark(Section.PART, begun)
        return self.says(sentence("{player} leads {cards}."), seat, mark=mark, brief=_PLAYS, cards=signs(cards))

    def plays(self, seat: int, cards: Sequence[int], mark: Mark | None = None) -> Telling:
        """Describe a play."""
        return self.says(sentence("{player} plays {cards}."), seat, mark=mark, brief=_PLAYS, cards=signs(cards))

    def plays_to(self, trick: "Tricks", seat: int, card: int) -> Telling:
        """Describe a card led or played to a trick, after it was added to the trick."""
        if trick.size > 1:
            return self.plays(seat, [card])
        return self.leads(seat, [card], sentence("Trick {number}", number=sum(trick.taken) + 1))

    def takes(self, trick: "Tricks", seat: int) -> Telling:
        """Describe a trick taken, with the number that each player has now."""
        words = sentence("{player} takes the trick with {card}. Tricks: {tricks}.")
        return self.says(words, seat, card=sign(trick.best), tricks="–".join(map(str, trick.taken)))


class Tricks:
    """The tricks of a deal: the last one lies on the table, one card before each seat, and the best stands out."""

    def __init__(self, seats: int) -> None:
        """Begin before the first card."""
        self.taken = [0] * seats
        """The tricks that each seat has taken."""
        self.clear()

    def clear(self) -> None:
        """Take the cards from the table."""
        self._cards = [NO_CARD] * len(self.taken)
        self._over = False
        self.best = NO_CARD
        """The card that takes the trick so far."""

    def play(self, seat: int, card: int) -> None:
        """Put a card before a seat; the first one after a trick that was taken begins another."""
        if self._over:
            self.clear()
        self._cards[seat] = card

    def take(self, seat: int) -> None:
        """Give the trick to a seat. It stays on the table until the next one begins."""
        self.taken[seat] += 1
        self._over = True

    @property
    def size(self) -> int:
        """The number of its cards."""
        return len(self._cards) - self._cards.count(NO_CARD)

    def front(self, seat: int) -> Group:
        """Return the cards in front of a seat."""
        card = self._cards[seat]
        return _front(card, takes=card == self.best)


@kept
def _front(card: int, *, takes: bool) -> Group:
    return Group((card,), marked=(card,) if takes else ()) if card != NO_CARD else Group(())
