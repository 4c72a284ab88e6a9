"""The places of the pips and indices of a card."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from faces.glyphs import WEIGHT, outline, width_of
from faces.stamps import Layer, Place, stamped
from faces.svg import HEIGHT, WIDTH

LEFT, RIGHT = -1, 1


class Spot(NamedTuple):
    """The place of a pip, from the middle of the card, in units of the column distance and of half the height."""

    column: float
    row: float


_FOUR: Final = (Spot(LEFT, -1), Spot(RIGHT, -1), Spot(LEFT, 1), Spot(RIGHT, 1))
_SIX: Final = (*_FOUR, Spot(LEFT, 0), Spot(RIGHT, 0))
_EIGHT: Final = (*_FOUR, Spot(LEFT, -1 / 3), Spot(RIGHT, -1 / 3), Spot(LEFT, 1 / 3), Spot(RIGHT, 1 / 3))

SPOTS: Final = {
    2: (Spot(0, -1), Spot(0, 1)),
    3: (Spot(0, -1), Spot(0, 0), Spot(0, 1)),
    4: _FOUR,
    5: (*_FOUR, Spot(0, 0)),
    6: _SIX,
    7: (*_SIX, Spot(0, -0.5)),
    8: (*_SIX, Spot(0, -0.5), Spot(0, 0.5)),
    9: (*_EIGHT, Spot(0, 0)),
    10: (*_EIGHT, Spot(0, -2 / 3), Spot(0, 2 / 3)),
}
"""The places of the pips of each rank from two to ten."""


def places(rank: int, *, columns: float, rows: float) -> list[Place]:
    """Return the places of the pips of a rank; those in the lower half are upside down."""
    middle = Place(WIDTH / 2, HEIGHT / 2)
    return [Place(middle.x + columns * x, middle.y + rows * y, turned=y > 0) for x, y in SPOTS[rank]]


class Corner(NamedTuple):
    """The layout of the index in the corner of a card."""

    left: float = 5.4
    top: float = 7.5
    letters: float = 1.12
    """The size of its letters."""
    sign: float = 0.72
    """The size of the suit below them."""


CORNER: Final = Corner()
"""The layout of most indices."""


def index(letters: str, colour: str, sign: Sequence[Layer] = (), corner: Corner = CORNER) -> str:
    """Return the index of a card in two corners: its rank above its suit."""
    x = corner.left + corner.letters * max(width_of(letters), 11) / 2
    rank = stamped((Layer(outline(letters), stroke=colour, width=WEIGHT),), corners(x, corner.top), corner.letters)
    return rank + stamped(sign, corners(x, corner.top + 27 * corner.letters), corner.sign)


def corners(x: float, y: float) -> list[Place]:
    """Return a place measured from the upper left corner, and its counterpart upside down at the lower right."""
    return [Place(x, y), Place(WIDTH - x, HEIGHT - y, turned=True)]
