"""The French pack: pips in the usual places, and two-headed courts."""

from typing import Final

from facts import CardFacts

from faces import backs
from faces.colours import BLUE, GOLD
from faces.courts import drawn
from faces.french_courts import COURTS, CUT
from faces.french_suits import COLOUR_OF, SPADES, sign
from faces.pips import CORNER, index, places
from faces.stamps import Place, stamped
from faces.svg import HEIGHT, WIDTH, card, circle, group, path

_MIDDLE: Final = Place(WIDTH / 2, HEIGHT / 2)


def face(facts: CardFacts) -> str:
    """Return the face of a card."""
    court = COURTS.get((facts.suit, facts.rank))
    return card(corner(facts), drawn(court, facts.suit, CUT) if court else pips(facts))


def back() -> str:
    """Return the back of all cards."""
    return backs.back(BLUE, star())


def corner(facts: CardFacts) -> str:
    """Return the indices in the corners of a card."""
    letters = facts.sign[:-1]
    return index(
        letters, COLOUR_OF[facts.suit], sign(facts.suit), CORNER._replace(left=4) if letters == "10" else CORNER
    )


def pips(facts: CardFacts) -> str:
    """Return the pips of an ace, or of a card from two to ten."""
    if facts.rank == 1:
        return ace(facts.suit, 2.6 if facts.suit == SPADES else 2)
    return stamped(sign(facts.suit), places(facts.rank, columns=16.5, rows=43), 0.85 if facts.rank > 7 else 1)


def ace(suit: int, scale: float) -> str:
    """Return the single pip of an ace."""
    return stamped(sign(suit), [_MIDDLE], scale)


def star() -> str:
    """Return an eight-pointed star around the origin."""
    rays = "".join(
        path("M0-13 2.4-2.4 0 0-2.4-2.4Z", transform=f"rotate({turn})scale({1 if turn % 90 == 0 else 0.7})")
        for turn in range(0, 360, 45)
    )
    return group(rays, fill=GOLD) + circle(0, 0, 2.2, fill=BLUE)
