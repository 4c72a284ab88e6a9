"""The phrases in which Mitigati is told: hands, statements, declarations, chips."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ordago.cards import FOOL, sign, signs
from ordago.games.mitigati.pack import LED, SUIT_CARDS, high_to_low
from ordago.games.mitigati.values import Holding, MitigatiEvent

_PLAIN_SUIT_SIGNS: Final = "♣♦♥♠"


def hand_phrase(cards: Iterable[int]) -> str:
    """Write a hand suit by suit, then the trumps, then the Fool."""
    return "   ".join(_suits(high_to_low(cards)))


def _suits(cards: Sequence[int]) -> Iterator[str]:
    for suit_sign, suit in zip(_PLAIN_SUIT_SIGNS, SUIT_CARDS, strict=False):
        ranks = [sign(card)[:-1] for card in cards if LED[card] == suit]
        if ranks:
            yield f"{suit_sign} {' '.join(ranks)}"
    trumps = [card for card in cards if LED[card] == SUIT_CARDS[-1]]
    if trumps:
        yield signs(trumps)
    if FOOL in cards:
        yield sign(FOOL)


def statement_phrase(amount: int) -> str:
    """Write a statement as it is said."""
    if amount == 0:
        return "zero"
    return f"receive {amount}" if amount > 0 else f"pay {-amount}"


def holding_phrase(event: MitigatiEvent) -> str:
    """Write what was declared, with what the others learn of it."""
    match event.holding:
        case Holding.TAROCCHI:
            return f"{event.number} tarocchi ({cards_phrase(event.cards)})"
        case Holding.REALE:
            return f"reale{_extras(event.number, 'extra')}"
        case Holding.MITIGATI:
            return f"mitigati{_extras(event.number, 'king')}"
        case _:
            return f"{event.number} onori"


def _extras(number: int, what: str) -> str:
    if not number:
        return ""
    return f" with {number} {what}" + ("s" if number > 1 else "")


def cards_phrase(cards: Iterable[int]) -> str:
    """Write some cards suit by suit, high to low, with a space between each two."""
    return signs(high_to_low(cards))
