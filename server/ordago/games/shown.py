"""What the stages and the words of several games share."""

from typing import TypeVar

from ordago.cards import NO_CARD
from ordago.scene import Group, kept

PartT = TypeVar("PartT")


def present(part: PartT | None) -> PartT:
    """Return a part of an event that all events of its kind have, as the seat of whoever played a card."""
    if part is None:
        raise ValueError("an event of this kind names it")
    return part


def signed(number: int) -> str:
    """Write a number with its sign."""
    return f"{number:+}".replace("-", "−") if number else "0"


class TrickShown:
    """The trick that lies on a table: one card before each seat, and the best of them stands out."""

    def __init__(self, seats: int) -> None:
        """Begin before the first card."""
        self._cards = [NO_CARD] * seats
        self.best = NO_CARD
        """The card that takes the trick so far."""

    def play(self, seat: int, card: int) -> None:
        """Put a card before a seat."""
        self._cards[seat] = card

    def front(self, seat: int) -> Group:
        """Return what lies before a seat."""
        card = self._cards[seat]
        return _front(card, takes=card == self.best)


@kept
def _front(card: int, *, takes: bool) -> Group:
    return Group((card,), marked=(card,) if takes else ()) if card != NO_CARD else Group(())
