"""The courts of the tarot pack: valet, knight with his horse, veiled queen and king of each suit."""

from typing import Final

from faces import heads, held
from faces.colours import (
    BLUE,
    BROWN,
    CHESTNUT,
    CREAM,
    DARK,
    FAIR,
    GOLD,
    GREY,
    INK,
    PLUM,
    RED,
    RUST,
    SKY,
    STEEL,
    TEAL,
    WHITE,
)
from faces.courts import Court, Cut, ermine, linen, pearls, ruff
from faces.french_courts import JACK, KING, QUEEN
from faces.french_suits import CLUBS, DIAMONDS, HEARTS, SPADES
from faces.svg import circle, path

KNIGHT: Final = 12

CUT: Final = Cut(half=26, slope=-7)


def _horse(coat: str, mane: str) -> str:
    """Return the head and neck of a horse that faces left."""
    neck = path(
        "M4 1.1C3-12-2-27-8-33L-9-38.4-12.4-34C-16.4-31-20.4-24-24-17.6-25.4-15-24.4-12.2-21.8-11.8-19.4-11.6-18-13.6-16-15.4"
        "-14-16-12-16-11-15-11-9-14-6-16-4.3Z",
        fill=coat,
    )
    hair = path(
        "M-8-33C-1-31 8-18 8 2.2L3.4 .9C3-12-3-26-8-33ZM-9-34C-12-33-14.4-30-15-27-12-28-10-30-8-33Z", fill=mane
    )
    bridle = path("M-21-21.6-16-15.4M-12.6-33.4-11-15M-16-15.4-12.6-28", stroke=RED, stroke_width=1.2)
    return neck + bridle + hair + circle(-15.2, -25.6, 0.9, fill=INK) + path("M-22.6-15.4h.6")


COURTS: Final = {
    (CLUBS, JACK): Court(heads.short_haired(FAIR) + heads.cap(TEAL, RED), held.halberd, TEAL, CREAM, ruff),
    (CLUBS, KNIGHT): Court(
        heads.short_haired(DARK) + heads.helmet(TEAL), held.axe, TEAL, GOLD, linen, before=_horse(BROWN, DARK)
    ),
    (CLUBS, QUEEN): Court(
        heads.veil(TEAL) + heads.long_haired(FAIR) + heads.coronet(TEAL), held.rose, TEAL, GOLD, pearls, mirrored=True
    ),
    (CLUBS, KING): Court(heads.bearded(DARK) + heads.arched_crown(TEAL), held.sceptre, TEAL, RED, ermine),
    (DIAMONDS, JACK): Court(
        heads.short_haired(DARK) + heads.cap(RUST, SKY), held.hawk, RUST, CREAM, linen, mirrored=True
    ),
    (DIAMONDS, KNIGHT): Court(
        heads.short_haired(FAIR) + heads.helmet(RUST), held.halberd, RUST, TEAL, linen, before=_horse(WHITE, GREY)
    ),
    (DIAMONDS, QUEEN): Court(
        heads.veil(CREAM) + heads.long_haired(CHESTNUT) + heads.coronet(RUST), held.star_flower, RUST, TEAL, pearls
    ),
    (DIAMONDS, KING): Court(
        heads.bearded(GREY) + heads.arched_crown(RUST), held.orb, RUST, TEAL, ermine, mirrored=True
    ),
    (HEARTS, JACK): Court(heads.short_haired(CHESTNUT) + heads.cap(RED, SKY), held.tulip, RED, BLUE, ruff),
    (HEARTS, KNIGHT): Court(
        heads.short_haired(CHESTNUT) + heads.helmet(RED), held.sword, RED, BLUE, linen, before=_horse(STEEL, BLUE)
    ),
    (HEARTS, QUEEN): Court(
        heads.veil(SKY) + heads.long_haired(BROWN) + heads.coronet(RED), held.sceptre, RED, BLUE, pearls, mirrored=True
    ),
    (HEARTS, KING): Court(heads.bearded(FAIR) + heads.arched_crown(RED), held.sword, RED, BLUE, ermine),
    (SPADES, JACK): Court(
        heads.short_haired(BROWN) + heads.cap(PLUM, GOLD), held.arrow, PLUM, GOLD, linen, mirrored=True
    ),
    (SPADES, KNIGHT): Court(
        heads.short_haired(BROWN) + heads.helmet(PLUM), held.arrow, PLUM, GOLD, linen, before=_horse(DARK, INK)
    ),
    (SPADES, QUEEN): Court(
        heads.veil(PLUM) + heads.long_haired(DARK) + heads.coronet(PLUM), held.fan, PLUM, SKY, pearls
    ),
    (SPADES, KING): Court(heads.bearded(INK) + heads.arched_crown(PLUM), held.axe, PLUM, GOLD, ermine, mirrored=True),
}
