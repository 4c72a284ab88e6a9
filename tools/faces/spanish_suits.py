"""The signs of the four Spanish suits, drawn upright around the origin, within 13 units up and down."""

from collections.abc import Sequence
from typing import Final

from faces.colours import AMBER, BLUE, CREAM, GOLD, INK, LEAF, RED, STEEL
from faces.stamps import Layer

OROS, COPAS, ESPADAS, BASTOS = 6, 7, 8, 9

COLOUR_OF: Final = {OROS: AMBER, COPAS: RED, ESPADAS: BLUE, BASTOS: LEAF}

_WOOD: Final = "#a8713d"
_DOT: Final = "M0 0H0"
_LINE: Final = 0.8

_SIGNS: Final = {
    OROS: (
        Layer(_DOT, stroke=INK, width=20.2),
        Layer(_DOT, stroke=GOLD, width=18.6),
        Layer(_DOT, stroke=AMBER, width=14.8),
        Layer(_DOT, stroke=CREAM, width=13.2),
        Layer(
            "M0 0C1.9-2.2 1.9-4 0-5.4-1.9-4-1.9-2.2 0 0 1-2.7 2.5-3.6 4.7-2.7 4.4-.4 2.9.5 0 0 2.9-.5 4.4.4 4.7 2.7 2.5 3.6"
            " 1 2.7 0 0 1.9 2.2 1.9 4 0 5.4-1.9 4-1.9 2.2 0 0-1 2.7-2.5 3.6-4.7 2.7-4.4.4-2.9-.5 0 0-2.9.5-4.4-.4-4.7-2.7"
            "-2.5-3.6-1-2.7 0 0Z",
            fill=RED,
        ),
        Layer(_DOT, stroke=GOLD, width=2.6),
    ),
    COPAS: (
        Layer(
            "M-8-11H8C8-4 5.6.6 1.8 1.6V5.4C2.6 7.8 5.6 7.8 6.4 11H-6.4C-5.6 7.8-2.6 7.8-1.8 5.4V1.6C-5.6.6-8-4-8-11Z",
            fill=RED,
            stroke=INK,
            width=_LINE,
        ),
        Layer(
            "M-8.6-12.4H8.6L8-8.6H-8ZM-3 3.4C-3 1.3 3 1.3 3 3.4S-3 5.5-3 3.4ZM-6.6 10.6H6.6V12.6H-6.6Z",
            fill=GOLD,
            stroke=INK,
            width=_LINE,
        ),
        Layer("M-5.4-6.2C-5-3.4-4-1.6-2.4-.6", stroke=CREAM, width=1.2),
    ),
    ESPADAS: (
        Layer("M0 13-2.3 9.4V-4.6H2.3V9.4Z", fill=STEEL, stroke=INK, width=_LINE),
        Layer(
            "M-7-6.4C-7-4.6-5-4-3-4.2H3C5-4 7-4.6 7-6.4H2.2L1.6-10.2C3.4-11.8 2-13.6 0-13.6S-3.4-11.8-1.6-10.2L-2.2-6.4Z",
            fill=GOLD,
            stroke=INK,
            width=_LINE,
        ),
        Layer("M0-2.4V9", stroke=BLUE, width=1),
    ),
    BASTOS: (
        Layer(
            "M3.4-1.8C5-5.4 8.4-6 9.6-4.4 9.4-1.4 6.4 1 3-.2ZM-3 2.4C-4.6-1.2-8-1.8-9.2-.2-9 2.8-6 5.2-2.6 4Z",
            fill=LEAF,
            stroke=INK,
            width=_LINE,
        ),
        Layer("M-1.8 12.8-4.4-7.6C-5-11.4-2.6-13 0-13S5-11.4 4.4-7.6L1.8 12.8Z", fill=_WOOD, stroke=INK, width=_LINE),
        Layer("M-1.7-9V-8.4M1.5-4.4V-3.8M-.9 1.4V2", stroke=INK, width=3.6),
        Layer("M-1.7-9V-8.4M1.5-4.4V-3.8M-.9 1.4V2", stroke=CREAM, width=2.2),
        Layer("M-2.6 10.2H2.6L2.2 13H-2.2Z", fill=GOLD, stroke=INK, width=_LINE),
    ),
}


def sign(suit: int) -> Sequence[Layer]:
    """Return the sign of a suit."""
    return _SIGNS[suit]
