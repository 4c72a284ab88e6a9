"""Two-headed courts: half a figure above a sash, and the same below it, upside down."""

from collections.abc import Callable
from typing import Final, NamedTuple

from faces.colours import CREAM, GOLD, INK, SKIN, WHITE
from faces.french_suits import sign
from faces.stamps import Place, stamped
from faces.svg import HEIGHT, WIDTH, both_ways, circle, dots, group, number, path, placed, rectangle

_TOP: Final = 66
"""The distance from the middle of the card to the top of the frame."""


class Cut(NamedTuple):
    """The layout of the courts of a pack."""

    half: float
    """The distance from the middle of the card to the sides of the frame."""
    slope: float
    """The drop of the sash from the middle to the left side."""


class Court(NamedTuple):
    """A court card: its parts and colours."""

    head: str
    """The head with hair and headgear."""
    held: Callable[[], str]
    """Draws the object in its hand."""
    robe: str
    """The colour of the robe."""
    trim: str
    """The colour of the front, folds and cuffs."""
    collar: Callable[[], str]
    mirrored: bool = False
    """True if it holds the object at the left."""
    before: str = ""
    """The drawing in front of it, for instance a horse."""


def drawn(court: Court, suit: int, cut: Cut) -> str:
    """Return a court within its frame."""
    half = placed(_half(court, suit, cut), WIDTH / 2, HEIGHT / 2, mirrored=court.mirrored)
    contour = group(both_ways(half), stroke=INK, stroke_width=0.7)
    return contour + _sash(court, cut) + _frame(cut)


def ermine() -> str:
    """Return a collar of fur."""
    fur = path(
        "M-5-27C-13-25.4-19-21.6-21-16-14-12.6-5-14 0-20 5-14 14-12.6 21-16 19-21.6 13-25.4 5-27 2.6-23.6-2.6-23.6-5-27Z",
        fill=WHITE,
    )
    return fur + path(
        "M-15.4-19.6v2.6M-10-22v2.6M-9.4-17v2.2M-5-22.4v2.6M5-22.4v2.6M9.4-17v2.2M10-22v2.6M15.4-19.6v2.6",
        stroke_width=1,
    )


def pearls() -> str:
    """Return a necklace."""
    return dots(((-6, -24), (-3.8, -21), (0, -19.6), (3.8, -21), (6, -24)), WHITE, 1.7, rim=INK)


def linen() -> str:
    """Return a broad collar of linen."""
    return path(
        "M-4-28C-9-27.4-12-24-12.4-20.6-8-18.6-3-20 0-24 3-20 8-18.6 12.4-20.6 12-24 9-27.4 4-28 2-25-2-25-4-28Z",
        fill=WHITE,
    )


def ruff() -> str:
    """Return a collar in folds."""
    return path(
        "M-9-27Q-12.4-25-10.4-23-11-19.6-7-20.6-5.4-17.6-3-20-0-17.4 3-20 5.4-17.6 7-20.6 11-19.6 10.4-23 12.4-25 9-27"
        " 5-24.4 0-24.4-5-24.4-9-27Z",
        fill=CREAM,
    )


def _half(court: Court, suit: int, cut: Cut) -> str:
    reach = cut.half / 2 + 4.2
    hand = circle(0, 0, 3.1, fill=SKIN) + path("M-2.8-.9H.6M-2.9.9H.6", stroke_width=0.5)
    cuff = path(
        f"M{number(cut.half)}-4 {number(reach + 1.8)}-5.6 {number(reach + 2.6)}-12 {number(cut.half)}-13.4Z",
        fill=court.trim,
    )
    figure = _robe(court, cut) + court.collar() + court.head + court.before
    pip = group(stamped(sign(suit), [Place(6.9 - cut.half, 7.6 - _TOP)], 0.6), stroke_width=0)
    return figure + placed(court.held(), reach, -9) + cuff + placed(hand, reach, -9) + pip


def _robe(court: Court, cut: Cut) -> str:
    # The sash itself is not mirrored, so the slope is reversed in a mirrored figure.
    slope = -cut.slope if court.mirrored else cut.slope
    side, left, right = number(cut.half), number(slope), number(-slope)
    robe = path(
        f"M-{side} {left}V-12C-{side}-20-12-21.6-5-25.5H5C12-21.6 {side}-20 {side}-12V{right}Z", fill=court.robe
    )
    front = path(
        f"M-5-25.5C-8-17-8-8-6.4 {number(slope / 4)}L6.4 {number(-slope / 4)}C8-8 8-17 5-25.5Z", fill=court.trim
    )
    folds = path("M-12.6-20.8C-15-14-15.6-6-14.8 0M12.6-20.8C15-14 15.6-6 14.8 0", stroke=court.trim, stroke_width=1.6)
    return robe + folds + front + dots(((0, -15.5), (0, -10.5), (0, -5.5)), GOLD, 1.9, rim=INK)


def _sash(court: Court, cut: Cut) -> str:
    """Return the band between the halves, which covers both of them and is drawn once."""
    side, fall = number(2 * cut.half), 2 * cut.slope
    corner = f"{number(WIDTH / 2 - cut.half)} {number(HEIGHT / 2 + cut.slope - 3)}"
    band = path(f"M{corner}l{side} {number(-fall)}v6l-{side} {number(fall)}Z", fill=GOLD, stroke=INK, stroke_width=0.7)
    gems = [(WIDTH / 2 + step * cut.half / 3, HEIGHT / 2 - step * cut.slope / 3) for step in range(-2, 3)]
    return band + dots(gems, court.trim if court.robe == GOLD else court.robe, 2.6)


def _frame(cut: Cut) -> str:
    x, y = WIDTH / 2 - cut.half, HEIGHT / 2 - _TOP
    return rectangle(x, y, 2 * cut.half, 2 * _TOP, rx=1, stroke=INK, stroke_width=0.8)
