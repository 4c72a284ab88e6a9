"""The tarot pack: four French suits with knights, twenty-one trumps, and the Fool."""

from typing import Final

from facts import CardFacts

from faces import backs, french, trumps_first, trumps_last, trumps_middle
from faces.colours import CREAM, INK, PLUM, SKY
from faces.courts import drawn
from faces.glyphs import WEIGHT, outline, width_of
from faces.pips import corners, index
from faces.stamps import Layer, stamped
from faces.svg import HEIGHT, WIDTH, card, element, group, placed
from faces.tarot_courts import COURTS, CUT

TRUMPS, FOOL = 5, 0

_ROSE: Final = "#f3d9d2"
_SAGE: Final = "#d6e5d8"
_NIGHT: Final = "#26304a"

_PICTURES: Final = (
    (trumps_last.fool, CREAM),
    (trumps_first.cups, _ROSE),
    (trumps_first.book, SKY),
    (trumps_first.shield, _SAGE),
    (trumps_first.orb, CREAM),
    (trumps_first.keys, _ROSE),
    (trumps_first.heart, SKY),
    (trumps_first.chariot, _SAGE),
    (trumps_middle.scales, SKY),
    (trumps_middle.lantern, "#5b6b86"),
    (trumps_middle.wheel, _SAGE),
    (trumps_middle.lion, _SAGE),
    (trumps_middle.hanged, SKY),
    (trumps_middle.scythe, "#8d97a3"),
    (trumps_middle.jugs, CREAM),
    (trumps_last.devil, "#e9c79a"),
    (trumps_last.tower, "#9fb3c8"),
    (trumps_last.star, _NIGHT),
    (trumps_last.moon, _NIGHT),
    (trumps_last.sun, SKY),
    (trumps_last.trumpet, _ROSE),
    (trumps_last.world, CREAM),
)
"""The picture of each trump and its background colour, by number, after those of the Fool."""


def face(facts: CardFacts) -> str:
    """Return the face of a card."""
    if facts.suit in (TRUMPS, FOOL):
        return card(_numbers(facts), _picture(facts.rank))
    court = COURTS.get((facts.suit, facts.rank))
    return card(french.corner(facts), drawn(court, facts.suit, CUT) if court else french.pips(facts))


def back() -> str:
    """Return the back of all cards."""
    return backs.back(PLUM, french.star())


def _numbers(facts: CardFacts) -> str:
    """Return the number of a trump in the corners, as an Arabic numeral, quick to read, and in its usual form."""
    if facts.suit == FOOL:
        return index(facts.sign, INK)
    called = Layer(outline(facts.sign), stroke=INK, width=WEIGHT)
    right = WIDTH - 9 - 0.78 * width_of(facts.sign) / 2
    return index(str(facts.rank), INK) + stamped((called,), corners(right, 10.2), 0.78)


def _picture(number: int) -> str:
    picture, ground = _PICTURES[number]
    field = {"x": 13, "y": 33, "width": 74, "height": 84, "rx": 3}
    drawn_picture = group(placed(picture(), WIDTH / 2, HEIGHT / 2), stroke=INK, stroke_width=0.9)
    return (
        element("rect", **field, fill=ground) + drawn_picture + element("rect", **field, stroke=INK, stroke_width=1.4)
    )
