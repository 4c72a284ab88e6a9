"""Objects in the hands of courts, upright, with the hand at the origin."""

from faces.colours import BLUE, BROWN, CREAM, GOLD, GREEN, INK, RED, STEEL, WHITE
from faces.svg import circle, dots, path


def _staff(top: float, bottom: float, colour: str) -> str:
    return path(f"M-.9 {bottom}V{-top}H.9V{bottom}Z", fill=colour)


def sword() -> str:
    """Return a sword that points up."""
    blade = path("M-1.8-3V-42L0-46.6 1.8-42V-3ZM0-3V-38", fill=STEEL)
    hilt = path(
        "M-6.4-5.2C-4-4.2 4-4.2 6.4-5.2V-2.6C4-1.6 1.4-1.8 1.2-1V5.4A2 2 0 1 1-1.2 5.4V-1C-1.4-1.8-4-1.6-6.4-2.6Z",
        fill=GOLD,
    )
    return blade + hilt


def sceptre() -> str:
    """Return a sceptre with a lily."""
    lily = path(
        "M0-46.6C3-43 2.4-40 1.4-37.6 4-41.6 7-41 6.4-38 6-35.6 3.4-35.8 2-35L1.4-32.6H-1.4L-2-35C-3.4-35.8-6-35.6-6.4-38-7-41-4-41.6-1.4-37.6-2.4-40-3-43 0-46.6Z",
        fill=GOLD,
    )
    return _staff(34, 8, GOLD) + lily


def orb() -> str:
    """Return an orb with a cross."""
    cross = path("M-1-10.6V-13H-3.4V-15H-1V-17.4H1V-15H3.4V-13H1V-10.6Z", fill=GOLD)
    return (
        cross + circle(0, -5, 5.8, fill=BLUE) + path("M-5.6-6.4C-2-4.6 2-4.6 5.6-6.4V-3.8C2-2-2-2-5.6-3.8Z", fill=GOLD)
    )


def axe() -> str:
    """Return an axe."""
    blade = path("M-.6-42C2-42 5-44.6 6.4-46.4 7.6-40 7.6-34 6.4-27.6 5-29.6 2-32-.6-32Z", fill=STEEL)
    return _staff(45, 8, BROWN) + blade + path("M-1.6-43.4H1.6V-30.6H-1.6Z", fill=GOLD)


def halberd() -> str:
    """Return a halberd."""
    blade = path(
        "M1-39C3-38.6 4.8-40 5.8-41.6 6.6-37 6.2-33 5-29.4 4-31.6 3-32.6 1-32.4ZM-1-38.6-6-35.6-1-32.8Z", fill=STEEL
    )
    return _staff(40, 8, BROWN) + path("M0-48.6 2-40.6H-2Z", fill=STEEL) + blade


def arrow() -> str:
    """Return an arrow that points up."""
    fletching = path("M0 1 3.4-2.4V6.4L0 9.6-3.4 6.4V-2.4Z", fill=RED)
    return _staff(36, 8, BROWN) + path("M0-44.6 3.8-35.4 0-37.4-3.8-35.4Z", fill=STEEL) + fletching


def rose() -> str:
    """Return a rose."""
    stem = path("M0 7C.8-2 .4-10-.4-19", stroke=GREEN, stroke_width=1.4)
    leaf = path("M.4-8C3-12.4 6.4-12 7.4-10.6 6-7.6 3-6.4.4-8Z", fill=GREEN)
    petals = dots(((0, -27), (3.6, -24.4), (2.2, -20), (-2.2, -20), (-3.6, -24.4)), RED, 4.4, rim=INK)
    return stem + leaf + petals + circle(0, -23.2, 2, fill=GOLD)


def tulip() -> str:
    """Return a tulip."""
    stem = path("M0 7V-19", stroke=GREEN, stroke_width=1.4)
    leaves = path("M0-4C-4.6-7-5-12-4-15-1.6-13 0-9 0-4ZM0-2C4-5 4.6-9 4-12 1.6-10 0-7 0-2Z", fill=GREEN)
    return (
        stem
        + leaves
        + path("M0-18.4C-4.6-18.4-5.6-24-4-29.4L-1.8-26 0-30.4 1.8-26 4-29.4C5.6-24 4.6-18.4 0-18.4Z", fill=GOLD)
    )


def star_flower() -> str:
    """Return an edelweiss."""
    stem = path("M0 7V-22", stroke=GREEN, stroke_width=1.4)
    petals = "".join(
        path("M0-23.4C-1.8-26-1.6-29.6 0-31 1.6-29.6 1.8-26 0-23.4Z", transform=f"rotate({turn} 0 -23.4)")
        for turn in range(0, 360, 60)
    )
    leaf = path("M0-8C3-12.4 6.4-12 7.4-10.6 6-7.6 3-6.4 0-8Z", fill=GREEN)
    return stem + leaf + f'<g fill="{WHITE}">{petals}</g>' + circle(0, -23.4, 1.9, fill=GOLD)


def fan() -> str:
    """Return a fan, half open."""
    leaf = path("M0 3-6.2-16C-3-19.6 3-19.6 6.2-16Z", fill=CREAM)
    edge = path("M-6.2-16C-3-19.6 3-19.6 6.2-16L5-12.2C2.4-15.2-2.4-15.2-5-12.2Z", fill=RED)
    return leaf + edge + path("M0 3-2.2-18.2M0 3 2.2-18.2")


def hawk() -> str:
    """Return a hawk that sits on the hand."""
    body = path(
        "M-3.6-17C-6-14.4-6.4-8-3-3.6L0 5 1.6-3C5.6-6 5.4-12 3.4-15 4.6-18 2-20.6-.8-20-3-19.8-4-18.6-3.6-17Z",
        fill=BROWN,
    )
    return (
        body
        + path("M2.8-13C5-9 4-5 .6-2.6-.6-6 .6-10.6 2.8-13Z", fill=CREAM)
        + path("M-3.4-18.4-6-16.6-3.4-16Z", fill=GOLD)
        + circle(-1.4, -17.8, 0.6, fill=CREAM)
    )
