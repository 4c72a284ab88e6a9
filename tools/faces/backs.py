"""The backs of cards: a lattice of lozenges within a border, and a shield in the middle."""

from faces.colours import GOLD, WHITE
from faces.svg import card, circle, group, line, number, path, rectangle

_STEP = 9
_LEFT, _TOP, _RIGHT, _BOTTOM = 9.5, 9, 90.5, 141


def back(colour: str, sign: str) -> str:
    """Return the back of a pack in a colour, with a sign, drawn around the origin, in the middle."""
    ground = rectangle(4.5, 4.5, 91, 141, rx=4.5, fill=colour)
    border = rectangle(7.5, 7.5, 85, 135, rx=2.5, stroke=WHITE, stroke_width=0.7, opacity=0.75)
    shield = path("M50 44 71 75 50 106 29 75Z", fill=colour, stroke=GOLD, stroke_width=1.4)
    corners = "".join(
        circle(x, y, 1.5, fill=GOLD) for x in (50, 29, 71) for y in (44, 75, 106) if (x == 50) != (y == 75)
    )
    return card(
        ground,
        border,
        line(_lattice(), WHITE, 0.6, opacity=0.38),
        shield,
        corners,
        group(sign, transform="translate(50 75)"),
    )


def _lattice() -> str:
    columns = int((_RIGHT - _LEFT) / _STEP)
    return "".join(
        _zigzag(_LEFT + _STEP * column, 1) + _zigzag(_LEFT + _STEP * (column + 1), -1) for column in range(columns)
    )


def _zigzag(x: float, way: int) -> str:
    steps = int((_BOTTOM - _TOP) / 12)
    turns = "".join(f"l{way * _STEP} 6 {-way * _STEP} 6" for _ in range(steps))
    return f"M{number(x)} {_TOP}{turns}"
