"""The signs of the four French suits, drawn around the origin, within 10 units to each side."""

from collections.abc import Sequence
from typing import Final

from faces.colours import INK, RED
from faces.stamps import Layer

CLUBS, DIAMONDS, HEARTS, SPADES = 1, 2, 3, 4

COLOUR_OF: Final = {CLUBS: INK, DIAMONDS: RED, HEARTS: RED, SPADES: INK}

_OUTLINES: Final = {
    CLUBS: "M-2-3H2L1.1 3C1.3 6.5 2.1 8.6 3.8 10H-3.8C-2.1 8.6-1.3 6.5-1.1 3Z",
    DIAMONDS: "M0-10.6C2-6.6 4.6-3.1 8 0 4.6 3.1 2 6.6 0 10.6-2 6.6-4.6 3.1-8 0-4.6-3.1-2-6.6 0-10.6Z",
    HEARTS: "M0 9.8C-3.8 4.6-9.5 1.6-9.5-4.2-9.5-7.4-7.2-9.5-4.6-9.5-2.5-9.5-.8-8.2 0-6 .8-8.2 2.5-9.5 4.6-9.5 7.2-9.5 9.5-7.4 9.5-4.2 9.5 1.6 3.8 4.6 0 9.8Z",
    SPADES: "M0-10.4C3.2-5.4 9.5-2.3 9.5 2.8 9.5 5.6 7.4 7.3 5.2 7.3 3.4 7.3 1.9 6.4 1.1 4.9 1.3 7.3 2.1 8.9 3.7 10H-3.7C-2.1 8.9-1.3 7.3-1.1 4.9-1.9 6.4-3.4 7.3-5.2 7.3-7.4 7.3-9.5 5.6-9.5 2.8-9.5-2.3-3.2-5.4 0-10.4Z",
}
_LEAVES: Final = "M0-5.3H0M-5.1 2.2H-5.1M5.1 2.2H5.1"
"""The leaves of clubs, as dots."""


def sign(suit: int) -> Sequence[Layer]:
    """Return the sign of a suit."""
    outline = Layer(_OUTLINES[suit], fill=COLOUR_OF[suit])
    return (outline, Layer(_LEAVES, stroke=COLOUR_OF[suit], width=9.5)) if suit == CLUBS else (outline,)
