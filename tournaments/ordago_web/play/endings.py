"""How a match ended, to the person who played it."""

from collections.abc import Sequence
from typing import Final

from ordago import v1
from ordago.scene import Sentence, sentence

_WORDS: Final = {
    "won": sentence("You win."),
    "won together": sentence("You and your partner win."),
    "shared": sentence("You share the first place."),
    "lost": sentence("You lose."),
    "lost together": sentence("You and your partner lose."),
}


def result_of(outcome: v1.Outcome, seat: int, sides: Sequence[int]) -> Sentence:
    """Return how a match ended for a seat, in a sentence.

    Args:
        outcome: how it ended.
        seat: the seat.
        sides: the side of each seat.
    """
    own, side = outcome.placings[seat], sides[seat]
    together = " together" if sides.count(side) > 1 else ""
    first_sides = {other for other, placing in zip(sides, outcome.placings, strict=True) if placing == 1}
    if own == 1:
        return _WORDS["shared" if len(first_sides) > 1 else f"won{together}"]
    if len(set(sides)) > 2:
        return sentence("You are in place {place} of {all}.", place=own, all=len(set(sides)))
    return _WORDS[f"lost{together}"]
