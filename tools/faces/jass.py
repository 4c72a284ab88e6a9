"""The pack for Jass: French suits in the cut of Swiss cards, pips and courts within a frame of their own."""

from facts import CardFacts

from faces import backs, french
from faces.colours import INK, RED, WHITE
from faces.courts import drawn
from faces.french_suits import sign
from faces.jass_courts import COURTS, CUT
from faces.pips import places
from faces.stamps import stamped
from faces.svg import card, path, rectangle


def face(facts: CardFacts) -> str:
    """Return the face of a card."""
    return card(frame(), french.corner(facts), middle(facts))


def back() -> str:
    """Return the back of all cards."""
    return backs.back(RED, path("M-4-11H4V-4H11V4H4V11H-4V4H-11V-4H-4Z", fill=WHITE))


def frame() -> str:
    """Return the frame around everything except the indices: two lines, the inner one a hairline."""
    outer = rectangle(26, 7, 48, 136, rx=2, stroke=INK, stroke_width=1)
    return outer + rectangle(28, 9, 44, 132, rx=1, stroke=INK, stroke_width=0.5)


def middle(facts: CardFacts) -> str:
    """Return the picture inside the frame."""
    if court := COURTS.get((facts.suit, facts.rank)):
        return drawn(court, facts.suit, CUT)
    if facts.rank == 1:
        return french.ace(facts.suit, 2)
    return stamped(sign(facts.suit), places(facts.rank, columns=11.5, rows=50), 0.85)
