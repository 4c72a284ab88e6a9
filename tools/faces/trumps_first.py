"""The pictures of the trumps I to VII, around the middle of their field: 32 units to each side, 38 up and down."""

from faces.colours import BLUE, BROWN, CREAM, GOLD, GREEN, INK, LEAF, PLUM, RED, SKY, STEEL, WHITE
from faces.svg import circle, dots, group, line, path, placed


def cups() -> str:
    """Return the table of a conjurer, with three cups, a ball and a wand."""
    table = path("M-29 12H29V18H-29ZM-25 18H-21L-19 37H-23ZM21 18H25L23 37H19Z", fill=BROWN)
    cloth = path("M-29 12H29V15C24 20 19 20 14.5 15 10 20 5 20 0 15-5 20-10 20-14.5 15-19 20-24 20-29 15Z", fill=GREEN)
    beaker = "M-5.4-14H5.4L8 12H-8Z"
    beakers = "".join(
        path(beaker, fill=colour, transform=f"translate({x})") for x, colour in ((-18, RED), (0, GOLD), (18, BLUE))
    )
    bands = line("M-24.6 4H-11.4M-6.6 4H6.6M11.4 4H24.6", CREAM, 1.6)
    wand = path("M-22.6-17.4 15-33.6 16.4-30.4-21.2-14.2Z", fill=INK) + path(
        "M12-32.4 16-34.1 17.4-30.8 13.4-29.1Z", fill=WHITE
    )
    sparks = line("M23-36V-28M19-32H27M-4-34V-30M-6-32H-2", GOLD, 1.6)
    return table + cloth + beakers + bands + wand + sparks + circle(9.4, 9.4, 2.8, fill=RED)


def book() -> str:
    """Return an open book with a ribbon between two pillars."""
    pillar = (
        path("M-4-28H4V30H-4Z", fill=CREAM)
        + path("M-6-34H6V-28H-6ZM-6 30H6V36H-6Z", fill=GOLD)
        + line("M-1.4-24V26M1.4-24V26", STEEL, 0.8)
    )
    pillars = placed(pillar, -25, 0) + placed(pillar, 25, 0)
    cover = path("M-19-10C-12-14-5-13 0-10 5-13 12-14 19-10V16C12 12 5 13 0 16-5 13-12 12-19 16Z", fill=PLUM)
    pages = path("M-17-13C-11-17-4-16 0-12 4-16 11-17 17-13V12C11 9 4 9.6 0 13-4 9.6-11 9-17 12Z", fill=WHITE)
    text = line(
        "M0-12V13M-14-9C-10-11-6-10.6-3-8M-14-4C-10-6-6-5.6-3-3M-14 1C-10-1-6-.6-3 2M3-8C6-10.6 10-11 14-9M3-3C6-5.6 10-6 14-4M3 2C6-.6 10-1 14 1",
        INK,
        0.8,
    )
    moon = path("M-8-34C-7-22 7-22 8-34 4-29-4-29-8-34Z", fill=GOLD)
    return pillars + cover + pages + text + path("M5 11.4V26L7.4 23.4 9.8 26V10.6Z", fill=RED) + moon


def shield() -> str:
    """Return a shield with a lily, below a coronet and between ears of corn."""
    field = path("M-18-12H18V6C18 20 9 28 0 34-9 28-18 20-18 6Z", fill=RED)
    half = path("M0-12H18V6C18 20 9 28 0 34Z", fill=BLUE)
    lily = path(
        "M0-7C4-2 3.4 3 2 7 6 1 11 2 10 7 9 11 4.6 10 3 11.4L2 16H4V19H1.6L0 24-1.6 19H-4V16H-2L-3 11.4C-4.6 10-9 11-10 7"
        "-11 2-6 1-2 7-3.4 3-4-2 0-7Z",
        fill=GOLD,
    )
    crown = path("M-12-18-15-32-7-26 0-35 7-26 15-32 12-18Z", fill=GOLD) + dots(
        ((-15, -33), (0, -36), (15, -33)), WHITE, 2.6, rim=INK
    )
    return field + half + lily + crown + dots(((-7, -21.4), (0, -21.4), (7, -21.4)), RED, 2.4) + _ear(-26) + _ear(26)


def _ear(x: float) -> str:
    grains = "".join(
        f"M{x} {y}C{x - 5} {y - 2} {x - 5} {y - 6} {x - 3.6} {y - 8} {x - 1} {y - 6} {x} {y - 3} {x} {y}C{x + 5} {y - 2} {x + 5} {y - 6} {x + 3.6} {y - 8} {x + 1} {y - 6} {x} {y - 3} {x} {y}Z"
        for y in (10, 2, -6, -14)
    )
    return line(f"M{x} 34V-20", LEAF, 1.6) + path(grains, fill=GOLD, stroke_width=0.6)


def orb() -> str:
    """Return an orb with a cross, on a cushion."""
    cushion = path("M-28 24C-22 20 22 20 28 24 31 28 31 32 28 36 22 33-22 33-28 36-31 32-31 28-28 24Z", fill=RED)
    tassels = dots(((-29.4, 23), (29.4, 23), (-29.4, 36.4), (29.4, 36.4)), GOLD, 3.4, rim=INK)
    globe = circle(0, 2, 20, fill=BLUE)
    bands = path("M-20 0C-10 4 10 4 20 0V5C10 9-10 9-20 5ZM-2.4-17.8H2.4V4.6H-2.4Z", fill=GOLD)
    cross = path("M-2.4-18V-24H-8V-29H-2.4V-35H2.4V-29H8V-24H2.4V-18Z", fill=GOLD)
    return (
        cushion
        + tassels
        + globe
        + bands
        + cross
        + line("M-13-7C-11-11-8-13-5-14", SKY, 2)
        + circle(0, 5, 2.4, fill=RED)
    )


def keys() -> str:
    """Return two crossed keys below a triple crown."""
    key = path("M-2-10H2V28H-2ZM2 17H10V21H7V24H10V28H2Z") + path("M0-10A8 8 0 1 1 .1-10ZM0-14A4 4 0 1 0-.1-14Z")
    crossed = placed(group(key, fill=STEEL), 3, 11, turn=38) + placed(group(key, fill=GOLD), -3, 11, turn=-38)
    tiara = path("M-11-10C-12-24-6-32 0-34 6-32 12-24 11-10Z", fill=WHITE)
    crowns = path(
        "M-12-10-12.6-15-6-13 0-16 6-13 12.6-15 12-10ZM-11.2-18-11.4-23-5-21 0-23.6 5-21 11.4-23 11.2-18ZM-8-25-7.6-29.6-3.6-27.8 0-30 3.6-27.8 7.6-29.6 8-25Z",
        fill=GOLD,
    )
    return (
        crossed
        + tiara
        + crowns
        + path("M-1-34V-38H1V-34Z", fill=GOLD)
        + dots(((-6, -11.6), (0, -12.2), (6, -11.6)), RED, 2)
    )


def heart() -> str:
    """Return a burning heart pierced by an arrow."""
    flame = path("M0-14C-8-18-8-26-2-30-3-26 0-25 0-22 2-26 1-32 4-37 10-30 12-20 0-14Z", fill=GOLD)
    body = path(
        "M0 34C-7 24-26 16-26-1-26-10-20-16-13-16-7-16-2-12 0-7 2-12 7-16 13-16 20-16 26-10 26-1 26 16 7 24 0 34Z",
        fill=RED,
    )
    shaft = path("M-31 23.4-29.6 26.4-15 19-16.4 16ZM15 2.4 16.4 5.4 26 .6 24.6-2.4Z", fill=BROWN)
    ends = path("M32-4 22.6-6.4 26.8 3ZM-24 18.4-30.6 18-32 29-22.4 25.4Z", fill=STEEL)
    return flame + body + shaft + ends + line("M-19-3C-18-7-15-9.4-11-9.6", CREAM, 2.4)


def chariot() -> str:
    """Return a chariot under a canopy."""
    posts = path("M-22-16H-19V6H-22ZM19-16H22V6H19Z", fill=GOLD)
    canopy = path(
        "M-28-18C-24-32-10-36 0-36S24-32 28-18C24-13 19-13 14-18 9.4-13 4.6-13 0-18-4.6-13-9.4-13-14-18-19-13-24-13-28-18Z",
        fill=BLUE,
    )
    body = path("M-24 4H24L20 24H-20Z", fill=RED) + path("M-26 2H26V7H-26Z", fill=GOLD)
    star = path("M0 8.4 2 13.4 7.4 13.8 3.2 17.2 4.6 22.4 0 19.4-4.6 22.4-3.2 17.2-7.4 13.8-2 13.4Z", fill=GOLD)
    stars = dots(((-16, -24), (-5.6, -28), (5.6, -28), (16, -24)), GOLD, 2.6)
    return posts + canopy + body + star + stars + _wheel(-17) + _wheel(17)


def _wheel(x: float) -> str:
    spokes = line(f"M{x} 18V36M{x - 9} 27H{x + 9}M{x - 6} 21 {x + 6} 33M{x - 6} 33 {x + 6} 21", BROWN, 1.6)
    rim = (
        line(f"M{x} 27H{x}", INK, 1)
        + circle(x, 27, 9.4, stroke=INK, stroke_width=4.2)
        + circle(x, 27, 9.4, stroke=GOLD, stroke_width=2.4)
    )
    return spokes + rim + circle(x, 27, 2.2, fill=GOLD)
