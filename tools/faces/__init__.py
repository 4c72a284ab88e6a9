"""Drawings of all card faces as SVG: pips, courts, trumps and backs of four packs; rule pictures and the logo.

A face is an SVG string with a view box of 100 by 150. It is a function of the table of cards alone, so that the files
are reproducible. Rule pictures also depend on the deals of the rule pages. The files are self-contained, without fonts,
scripts, styles or links. Parts are drawn around their own origin and moved into place by ``placed``. ``svg.py`` has the
elements, ``colours.py`` the colours, and a module for each pack composes its faces.

The French pack has two-headed courts behind a slanting sash. The Jass pack has pips and courts within a double frame,
foot soldiers with halberds, and queens in bonnets. The Spanish pack has whole figures and the *pintas*, breaks of the
frame above and below: none for oros, one for copas, two for espadas, three for bastos. The tarot pack has knights with
their horses, a picture for each trump with its number as 18 and as XVIII, and the Fool.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from facts import CardFacts, Facts

from faces import colours, french, jass, names, rule_pictures, signs, spanish, tarot
from faces.french_suits import CLUBS, DIAMONDS, HEARTS
from faces.spanish_suits import BASTOS, COPAS, ESPADAS

ASSETS: Final = Path(__file__).parents[2] / "tournaments/ordago_ladder/assets"

GAMES_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "french": ("mitaines", "taihe"),
    "jass": ("mittlere",),
    "spanish": ("mus",),
    "tarot": ("mitigati",),
}
"""The games with each pack."""

FOUR_COLOURS: Final[Mapping[int, tuple[str, str]]] = {
    CLUBS: (colours.INK, "#007d7a"),
    DIAMONDS: (colours.RED, "#1d5fd0"),
    HEARTS: (colours.RED, "#d0262b"),
    COPAS: (colours.RED, "#c01878"),
    ESPADAS: (colours.BLUE, "#1d5fd0"),
    BASTOS: (colours.LEAF, colours.INK),
}
"""The suits that a pack in four clear colours draws otherwise: which colour is replaced by which.

Chosen so that the four suits of a pack differ by at least 25 (CIE 1976) for people without red or green cones.
"""

_PACKS: Final = {"french": french, "jass": jass, "spanish": spanish, "tarot": tarot}


def cards_of(pack: str, facts: Facts) -> Iterator[CardFacts]:
    """Yield the cards of a pack, which are those of its games, ascending by code."""
    held = {card for game in facts.games if game.game in GAMES_OF[pack] for card in game.pack}
    return (card for card in facts.cards if card.card in held)


def written(facts: Facts) -> Iterator[tuple[Path, str]]:
    """Yield each file with its text."""
    for pack, drawn in _PACKS.items():
        for card in cards_of(pack, facts):
            yield ASSETS / f"faces/{pack}/{card.card}.svg", drawn.face(card)
            if card.suit in FOUR_COLOURS:
                yield ASSETS / f"faces/{pack}-four/{card.card}.svg", drawn.face(card).replace(*FOUR_COLOURS[card.suit])
        yield ASSETS / f"faces/{pack}/back.svg", drawn.back()
    for name, text in rule_pictures.pictures(facts, _face_of):
        yield ASSETS / f"rules/{name}.svg", text
    yield ASSETS / "cards.js", names.script(facts)
    yield ASSETS / "favicon.svg", signs.favicon()
    yield ASSETS / "mark.svg", signs.mark()


def _face_of(game: str) -> Callable[[CardFacts], str]:
    """Return the function that draws the faces of a game."""
    return next(_PACKS[pack].face for pack, games in GAMES_OF.items() if game in games)
