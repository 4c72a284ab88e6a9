"""The courts of the Jass pack: foot soldiers with halberds, queens in bonnets, kings under closed crowns."""

from typing import Final

from faces import heads, held
from faces.colours import BLUE, BROWN, CHESTNUT, CREAM, DARK, FAIR, GOLD, GREY, INK, LEAF, NIGHT, RED, WHITE
from faces.courts import Court, Cut, ermine, linen, pearls, ruff
from faces.french_courts import JACK, KING, QUEEN
from faces.french_suits import CLUBS, DIAMONDS, HEARTS, SPADES

CUT: Final = Cut(half=22, slope=0)

COURTS: Final = {
    (CLUBS, JACK): Court(heads.short_haired(BROWN) + heads.slashed_cap(LEAF, RED), held.halberd, LEAF, RED, ruff),
    (CLUBS, QUEEN): Court(heads.long_haired(FAIR) + heads.bonnet(LEAF), held.star_flower, LEAF, RED, linen),
    (CLUBS, KING): Court(heads.bearded(DARK) + heads.arched_crown(LEAF), held.sword, LEAF, GOLD, ermine, mirrored=True),
    (DIAMONDS, JACK): Court(heads.short_haired(FAIR) + heads.slashed_cap(BLUE, RED), held.arrow, BLUE, RED, ruff),
    (DIAMONDS, QUEEN): Court(
        heads.long_haired(CHESTNUT) + heads.bonnet(RED), held.fan, BLUE, CREAM, linen, mirrored=True
    ),
    (DIAMONDS, KING): Court(heads.bearded(GREY) + heads.arched_crown(BLUE), held.sceptre, BLUE, RED, ermine),
    (HEARTS, JACK): Court(
        heads.short_haired(CHESTNUT) + heads.slashed_cap(RED, WHITE), held.halberd, RED, WHITE, ruff, mirrored=True
    ),
    (HEARTS, QUEEN): Court(heads.long_haired(BROWN) + heads.bonnet(RED), held.rose, RED, NIGHT, pearls),
    (HEARTS, KING): Court(heads.bearded(BROWN) + heads.arched_crown(RED), held.orb, RED, GOLD, ermine),
    (SPADES, JACK): Court(heads.short_haired(DARK) + heads.slashed_cap(NIGHT, GOLD), held.sword, NIGHT, GOLD, ruff),
    (SPADES, QUEEN): Court(heads.long_haired(DARK) + heads.bonnet(NIGHT), held.tulip, NIGHT, RED, linen, mirrored=True),
    (SPADES, KING): Court(heads.bearded(INK) + heads.arched_crown(NIGHT), held.axe, NIGHT, GOLD, ermine),
}
