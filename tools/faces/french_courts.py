"""The courts of the French pack: jack, queen and king of each suit."""

from typing import Final

from faces import heads, held
from faces.colours import BLUE, BROWN, CHESTNUT, CREAM, DARK, FAIR, GOLD, GREEN, GREY, INK, PLUM, RED, WHITE
from faces.courts import Court, Cut, ermine, linen, pearls, ruff
from faces.french_suits import CLUBS, DIAMONDS, HEARTS, SPADES

JACK, QUEEN, KING = 11, 13, 14

CUT: Final = Cut(half=26, slope=7)

COURTS: Final = {
    (CLUBS, JACK): Court(heads.short_haired(DARK) + heads.cap(GREEN, RED), held.arrow, GREEN, GOLD, linen),
    (CLUBS, QUEEN): Court(
        heads.long_haired(BROWN) + heads.coronet(GREEN), held.rose, GREEN, CREAM, pearls, mirrored=True
    ),
    (CLUBS, KING): Court(heads.bearded(BROWN) + heads.crown(GREEN), held.orb, GREEN, RED, ermine),
    (DIAMONDS, JACK): Court(
        heads.short_haired(FAIR) + heads.cap(RED, CREAM), held.halberd, GOLD, RED, ruff, mirrored=True
    ),
    (DIAMONDS, QUEEN): Court(heads.long_haired(FAIR) + heads.coronet(RED), held.fan, GOLD, RED, pearls),
    (DIAMONDS, KING): Court(heads.bearded(FAIR) + heads.crown(RED), held.axe, GOLD, BLUE, ermine, mirrored=True),
    (HEARTS, JACK): Court(heads.short_haired(BROWN) + heads.cap(RED, GOLD), held.hawk, RED, CREAM, linen),
    (HEARTS, QUEEN): Court(
        heads.long_haired(CHESTNUT) + heads.coronet(RED), held.tulip, RED, GOLD, pearls, mirrored=True
    ),
    (HEARTS, KING): Court(heads.bearded(GREY) + heads.crown(RED), held.sword, RED, BLUE, ermine),
    (SPADES, JACK): Court(heads.short_haired(FAIR) + heads.cap(BLUE, WHITE), held.halberd, BLUE, GOLD, ruff),
    (SPADES, QUEEN): Court(
        heads.long_haired(DARK) + heads.coronet(BLUE), held.sceptre, BLUE, PLUM, pearls, mirrored=True
    ),
    (SPADES, KING): Court(heads.bearded(INK) + heads.crown(BLUE), held.sword, BLUE, GOLD, ermine, mirrored=True),
}
