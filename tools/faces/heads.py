"""Heads of courts: face, hair and headgear. The origin is the middle of the dividing line of a card."""

from typing import Final

from faces.colours import BLUE, CREAM, GOLD, INK, RED, SKIN, STEEL, WHITE
from faces.svg import circle, dots, path

_NECK: Final = "M-3.8-34V-25C-1.5-22.5 1.5-22.5 3.8-25V-34Z"
_FACE: Final = "M-7-42C-7.4-47.5-4-50.5 0-50.5S7.4-47.5 7-42C6.8-36.5 3.6-31.2 0-31.2S-6.8-36.5-7-42Z"
_LONG: Final = (
    "M0-53C-8-53-10-46-9.6-40-9.4-34-13-31-11.6-24.5-8-21.5-4-25-4-30H4C4-25 8-21.5 11.6-24.5 13-31 9.4-34 9.6-40"
    " 10-46 8-53 0-53Z"
)
_BOB: Final = (
    "M0-53C-8-53-9.8-47-9.6-42-9.4-37-11.4-34.6-9.4-31.4-6-30-4-32-4-35H4C4-32 6-30 9.4-31.4 11.4-34.6 9.4-37 9.6-42"
    " 9.8-47 8-53 0-53Z"
)
_FRINGE: Final = "M-7.4-40.6C-7.2-44.6-4-46.4 0-48.4 4-46.4 7.2-44.6 7.4-40.6 9.4-47 6-52.6 0-52.6S-9.4-47-7.4-40.6Z"
_BEARD: Final = (
    "M-7.3-41.5C-8.4-34-5.6-27-4-25.6-2.8-27-2.2-25-0-22.6 2.2-25 2.8-27 4-25.6 5.6-27 8.4-34 7.3-41.5 6-38.6 4.4-37.6"
    " 2.6-38.2 1-38.5 .5-37.8 0-37.4-.5-37.8-1-38.5-2.6-38.2-4.4-37.6-6-38.6-7.3-41.5Z"
)


def long_haired(hair: str) -> str:
    """Return a head with hair down to the shoulders."""
    return path(_LONG, fill=hair) + _bare() + path(_FRINGE, fill=hair) + _features()


def short_haired(hair: str) -> str:
    """Return a head with hair down to the chin."""
    return path(_BOB, fill=hair) + _bare() + path(_FRINGE, fill=hair) + _features()


def bearded(hair: str) -> str:
    """Return a head with a full beard."""
    beard = path(_BEARD, fill=hair) + path("M-1.9-35.6Q0-34.4 1.9-35.6", stroke=CREAM)
    return path(_BOB, fill=hair) + _bare() + path(_FRINGE, fill=hair) + _features(mouth=False) + beard


def _bare() -> str:
    return path(_NECK, fill=SKIN) + path(_FACE, fill=SKIN)


def _features(*, mouth: bool = True) -> str:
    lines = path("M-5-44.2Q-3.4-45.4-1.7-44.4M1.7-44.4Q3.4-45.4 5-44.2M.2-42.6-.9-38.8H.8")
    lips = path("M-1.9-35.4Q0-34 1.9-35.4", stroke=RED, stroke_width=1) if mouth else ""
    return dots(((-3.2, -42), (3.2, -42)), INK, 1.7) + lines + lips


def crown(lining: str) -> str:
    """Return the crown of a king, five-pointed, over a lining."""
    cap = path("M-7.6-50C-8-57-5-60 0-60S8-57 7.6-50Z", fill=lining)
    gold = path("M-8.4-48.8-10.4-59.6-5.4-54.8 0-62 5.4-54.8 10.4-59.6 8.4-48.8C4-50.6-4-50.6-8.4-48.8Z", fill=GOLD)
    pearls = dots(((-10.4, -60), (0, -62.4), (10.4, -60)), WHITE, 1.9, rim=INK)
    return cap + gold + pearls + path("M0-54.4 1.5-52.2 0-50.6-1.5-52.2Z", fill=lining) + _studs(5.2, -51.4)


def arched_crown(lining: str) -> str:
    """Return a closed crown with arches and a cross on top."""
    cap = path("M-8.6-50C-12-57-6-60.4 0-60.4S12-57 8.6-50Z", fill=lining)
    arches = path("M-8.4-50C-11-57-5-59.6 0-60.4 5-59.6 11-57 8.4-50M0-50V-60.4", stroke=GOLD, stroke_width=2)
    band = path("M-8.8-52.4C-4-54.4 4-54.4 8.8-52.4L8.2-48.4C4-50.2-4-50.2-8.2-48.4Z", fill=GOLD)
    cross = path("M-.9-60.4V-62H-2.6V-63.6H-.9V-65.2H.9V-63.6H2.6V-62H.9V-60.4Z", fill=GOLD)
    return cap + arches + band + cross + _studs(4.4, -51.4) + circle(0, -51.8, 1, fill=WHITE)


def coronet(jewel: str) -> str:
    """Return the low crown of a queen, with three leaves."""
    gold = path("M-7.8-49.6-9-56.4-4.6-53.4 0-58 4.6-53.4 9-56.4 7.8-49.6C4-51.4-4-51.4-7.8-49.6Z", fill=GOLD)
    pearls = dots(((-9, -56.8), (0, -58.4), (9, -56.8)), WHITE, 1.6, rim=INK)
    return gold + pearls + circle(0, -52.8, 1.2, fill=jewel) + _studs(4.4, -51.8)


def veil(colour: str) -> str:
    """Return the veil that hangs down behind the head of a queen."""
    return path(
        "M0-56C-11-56-13-46-12.6-38-12.4-30-15-27-16-20L16-20C15-27 12.4-30 12.6-38 13-46 11-56 0-56Z", fill=colour
    )


def bonnet(colour: str) -> str:
    """Return a lace bonnet, round about the head, with a band of a colour."""
    lace = (
        "M-8-46C-14-48-13-55-8.6-55.4-7-60.6-1.6-60.6 0-58.4 1.6-60.6 7-60.6 8.6-55.4 13-55 14-48 8-46 5-50-5-50-8-46Z"
    )
    return path(lace, fill=WHITE) + path("M-8-46.4C-5.6-51.6 5.6-51.6 8-46.4L8.4-48.6C6-54-6-54-8.4-48.6Z", fill=colour)


def cap(colour: str, feather: str) -> str:
    """Return a flat cap with a feather."""
    plume = path(
        "M6-54C10-62.6 17-64 20.4-60 17.4-59.6 18-58 16-57.4 14.4-57 14-55 11-54.4 9-54 8-51.6 6-50.6Z", fill=feather
    )
    felt = path("M-9.4-48C-13-53-8-57.6 0-57.6S13-53 9.4-48C4-50.4-4-50.4-9.4-48Z", fill=colour)
    return plume + felt + path("M-9.2-49.6C-4-52 4-52 9.2-49.6V-47.4C4-49.8-4-49.8-9.2-47.4Z", fill=GOLD)


def slashed_cap(colour: str, feather: str) -> str:
    """Return a broad cap with two feathers, as foot soldiers wore it."""
    plumes = path(
        "M-2-55C-4-63 3-65 6-62 4-61 3-58 2-55ZM1-55C3-61.6 10-63.4 12.6-59.6 9.6-59 6-57 4-54Z", fill=feather
    )
    brim = path("M-12-49.6C-12-55.6-6-57 0-57S12-55.6 12-49.6C8-53-8-53-12-49.6Z", fill=colour)
    return plumes + brim + path("M-10.6-51.4-8.6-54.4M-5-53.4-4-56.4M5-53.4 4-56.4M10.6-51.4 8.6-54.4", stroke=GOLD)


def helmet(plume: str) -> str:
    """Return an open helmet with a plume."""
    feathers = path("M0-56C-4-65 6-66 9-62 14-62 15-54 12.4-48 11-54 6-57 0-56Z", fill=plume)
    steel = path("M-8.6-39C-10.6-50-8-57.6 0-57.6S10.6-50 8.6-39L6.8-41.6C7-46-4-47.4-6.8-46Z", fill=STEEL)
    return feathers + steel + path("M-9-47.4C-5-50.6 5-50.6 9-47.4", stroke=BLUE)


def _studs(x: float, y: float) -> str:
    return dots(((-x, y), (x, y)), RED, 1.4)
