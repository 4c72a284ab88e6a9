"""The logo and favicon of the site: a card with a spade on the green of its pages."""

from faces.colours import GREEN, PAPER
from faces.french_suits import SPADES, sign
from faces.stamps import Place, stamped
from faces.svg import picture, placed, rectangle

_SIZE = 32


def mark() -> str:
    """Return the logo in the header of every page: a fan of two cards."""
    ground = rectangle(0, 0, _SIZE, _SIZE, rx=7, fill=GREEN)
    behind = rectangle(-5.5, -8.5, 11, 17, rx=1.8, fill="#9cc9b8", transform="translate(12.5 16)rotate(-16)")
    sheet = rectangle(-6.5, -9.5, 13, 19, rx=2, fill=PAPER)
    return picture(
        ground + behind + placed(sheet + stamped(sign(SPADES), [Place(0, 0)], 0.46), 18.5, 16, turn=10),
        _SIZE,
        _SIZE,
    )


def favicon() -> str:
    """Return the favicon, which has to be clear at 16 pixels: a single card with a spade."""
    sheet = rectangle(5, 1, 22, 30, rx=4, fill=PAPER, stroke=GREEN, stroke_width=2)
    return picture(sheet + stamped(sign(SPADES), [Place(16, 16.4)], 0.8), _SIZE, _SIZE)
