"""The Spanish pack: a frame whose gaps, the pintas, show the suit, upright pips, and courts as whole figures."""

from typing import Final

from facts import CardFacts

from faces import backs
from faces.colours import GREEN
from faces.pips import Corner, index, places
from faces.spanish_courts import SOTA, court
from faces.spanish_suits import BASTOS, COLOUR_OF, COPAS, ESPADAS, OROS, sign
from faces.stamps import Place, stamped
from faces.svg import HEIGHT, WIDTH, both_ways, card, line, number

PINTAS: Final = {OROS: 0, COPAS: 1, ESPADAS: 2, BASTOS: 3}
"""The number of gaps in the frame, above and below."""

_CORNER: Final = Corner(left=9, top=9.8, letters=1, sign=0.5)
_INSET: Final = 4.2
_BREAK: Final = 6
_PERIOD: Final = 15


def face(facts: CardFacts) -> str:
    """Return the face of a card."""
    colour = COLOUR_OF[facts.suit]
    corner = index(facts.sign[:-1], colour, sign(facts.suit), _CORNER)
    return card(frame(facts.suit), corner, middle(facts))


def back() -> str:
    """Return the back of all cards."""
    return backs.back(GREEN, stamped(sign(OROS), [Place(0, 0)], 1.3))


def frame(suit: int) -> str:
    """Return the line around a card, with the gaps of its suit."""
    right, half = number(WIDTH - _INSET), number(HEIGHT / 2)
    bend = number(WIDTH - _INSET - 5)
    upper = f"M{_INSET} {half}V9.2A5 5 0 0 1 9.2 {_INSET}{_breaks(PINTAS[suit])}H{bend}A5 5 0 0 1 {right} 9.2V{half}"
    return both_ways(line(upper, COLOUR_OF[suit], 1, stroke_linecap="butt"))


def middle(facts: CardFacts) -> str:
    """Return the picture inside the frame."""
    if facts.rank >= SOTA:
        return court(facts.suit, facts.rank)
    if facts.rank == 1:
        return stamped(sign(facts.suit), [Place(WIDTH / 2, HEIGHT / 2)], 2.7)
    columns, scale = (18, 0.95) if facts.rank == 7 else (16.5, 1.15)
    upright = [place._replace(turned=False) for place in places(facts.rank, columns=columns, rows=43)]
    return stamped(sign(facts.suit), upright, scale)


def _breaks(count: int) -> str:
    middles = (WIDTH / 2 + _PERIOD * (place - (count - 1) / 2) for place in range(count))
    return "".join(f"H{number(middle - _BREAK / 2)}m{_BREAK} 0" for middle in middles)
