"""The letters and numerals of indices as strokes, so that they look the same without fonts."""

from typing import Final, NamedTuple

from faces.stamps import shifted

HEIGHT: Final = 17
WEIGHT: Final = 3.1
"""The width of a stroke."""
_GAP: Final = 4


class _Glyph(NamedTuple):
    width: float
    d: str


_GLYPHS: Final = {
    "0": _Glyph(8.2, "M4.1 0C7 0 8.2 3 8.2 8.5S7 17 4.1 17 0 14 0 8.5 1.2 0 4.1 0Z"),
    "1": _Glyph(4, "M0 3.6 4 0V17"),
    "2": _Glyph(10, "M.3 4.6C.5 1.6 2.3 0 5 0 7.9 0 9.7 1.8 9.7 4.6 9.7 8.2 5.6 11 .3 17H10"),
    "3": _Glyph(10, "M.8 0H9.4L4.6 6.7C8 6.7 10 8.8 10 11.8S8 17 5 17C2.3 17 .5 15.6 0 13.2"),
    "4": _Glyph(11, "M11 12.4H0L7.6 0V17"),
    "5": _Glyph(10, "M9.2 0H1.6L.9 7.6C2 6.7 3.4 6.2 5 6.2 8 6.2 10 8.4 10 11.5S8 17 5 17C2.4 17 .6 15.7 0 13.4"),
    "6": _Glyph(10, "M8.4 0C3.4 2 0 6 0 11.5 0 14.9 2 17 5 17S10 14.8 10 11.6 8 6.4 5 6.4C2.3 6.4 .3 8.5 0 11.5"),
    "7": _Glyph(10, "M0 0H10C6.6 5 4.6 10.4 4 17"),
    "8": _Glyph(
        10,
        "M5 7.9C2.3 7.9 .8 6.4 .8 4S2.4 0 5 0 9.2 1.6 9.2 4 7.7 7.9 5 7.9C2 7.9 0 9.7 0 12.4S2 17 5 17 10 15.1"
        " 10 12.4 8 7.9 5 7.9Z",
    ),
    "9": _Glyph(10, "M1.6 17C6.6 15 10 11 10 5.5 10 2.1 8 0 5 0S0 2.2 0 5.4 2 10.6 5 10.6C7.7 10.6 9.7 8.5 10 5.5"),
    "A": _Glyph(11, "M0 17 5.5 0 11 17M1.9 11.6H9.1"),
    "C": _Glyph(10, "M10 4.2C9.3 1.5 7.7 0 5.4 0 2 0 0 3.2 0 8.5S2 17 5.4 17C7.7 17 9.3 15.5 10 12.8"),
    "I": _Glyph(0, "M0 0V17"),
    "J": _Glyph(8.5, "M3.6 0H8.5M7 0V12.4C7 15.5 5.8 17 3.6 17 1.5 17 .2 15.8 0 13.4"),
    "K": _Glyph(10, "M.4 0V17M9.6 0 .8 10.2M3.8 6.8 10 17"),
    "O": _Glyph(11, "M5.5 0C9 0 11 3 11 8.5S9 17 5.5 17 0 14 0 8.5 2 0 5.5 0Z"),
    "Q": _Glyph(11, "M5.5 0C9 0 11 3 11 8.5S9 17 5.5 17 0 14 0 8.5 2 0 5.5 0ZM6.3 12.4 11.2 18"),
    "R": _Glyph(10, "M.4 17V0H5.4C8.3 0 9.8 1.8 9.8 4.6S8.3 9.2 5.4 9.2H.4M5.4 9.2 10 17"),
    "S": _Glyph(
        10, "M9.4 3.6C8.8 1.2 7.3 0 5 0 2.2 0 .5 1.6 .5 4.1 .5 9.7 10 6.9 10 12.7 10 15.3 8 17 5 17 2.2 17 .5 15.6 0 13"
    ),
    "V": _Glyph(10, "M0 0 5 17 10 0"),
    "X": _Glyph(10, "M0 0 10 17M10 0 0 17"),
}


def width_of(text: str) -> float:
    """Return the width of a text, from the middle of its leftmost stroke to the middle of its rightmost."""
    return sum(_GLYPHS[letter].width for letter in text) + _GAP * (len(text) - 1)


def outline(letters: str) -> str:
    """Return the strokes of a text between y = 0 and y = 17, centred at x = 0."""
    left, drawn = -width_of(letters) / 2, ""
    for letter in letters:
        drawn += shifted(_GLYPHS[letter].d, left)
        left += _GLYPHS[letter].width + _GAP
    return drawn
