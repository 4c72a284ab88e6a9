"""The pictures of the trumps VIII to XIV, around the middle of their field."""

from faces.colours import BLUE, BROWN, CREAM, GOLD, GREEN, INK, PLUM, RED, RUST, SKIN, SKY, STEEL, WHITE
from faces.svg import circle, dots, group, line, path, placed


def scales() -> str:
    """Return a pair of scales on a sword."""
    blade = path("M-2.6-14H2.6V24L0 34-2.6 24Z", fill=STEEL)
    hilt = path("M-1.8-22H1.8V-34H-1.8Z", fill=BROWN) + circle(0, -34.6, 2.8, fill=GOLD)
    beam = path(
        "M-27-22C-18-18-9-23 0-23S18-18 27-22C26-17 18-13 9-16 4-17.4-4-17.4-9-16-18-13-26-17-27-22Z", fill=GOLD
    )
    return blade + hilt + beam + _pan(-21) + _pan(21)


def _pan(x: float) -> str:
    cords = line(f"M{x}-17 {x - 9} 9M{x}-17 {x + 9} 9M{x}-17V9", INK, 0.8)
    return cords + path(f"M{x - 10.4} 9H{x + 10.4}C{x + 9} 19 {x - 9} 19 {x - 10.4} 9Z", fill=GOLD)


def lantern() -> str:
    """Return a shining lantern and a staff."""
    rays = line("M-14 1H-29M22 1H30M-12-12-24-22M20-12 28-19M-12 14-24 22M20 14 28 20", GOLD, 2)
    staff = path("M-29 37C-27 10-25-10-27.4-30-27.8-34-24-36-22.4-32.6-20-10-24 10-26 37Z", fill=BROWN)
    ring = circle(4, -28, 5, stroke_width=2) + path("M-6-17C-5-23 0-25 4-25S13-23 14-17Z", fill=RUST)
    glass = path("M-8-17H16L14 20H-6Z", fill=CREAM) + path(
        "M-9-19H17V-15H-9ZM-9 18H17V24H-9ZM-5 24H13L11 29H-3Z", fill=RUST
    )
    flame = path("M4 13C-3 10-3 2 4-8 11 2 11 10 4 13Z", fill=GOLD) + path(
        "M4 12C1 10 1 6 4 2 7 6 7 10 4 12Z", fill=RED, stroke="none"
    )
    return rays + staff + ring + glass + flame + line("M-3.4-15-2 18M11.4-15 10 18", INK, 1)


def wheel() -> str:
    """Return a wheel with a crank on a stand."""
    stand = path("M-4 0H4L14 37H8L0 8-8 37H-14Z", fill=BROWN)
    spokes = "".join(
        path("M-1.4 0-2.2-24H2.2L1.4 0Z", transform=f"translate(0-4)rotate({turn})") for turn in range(0, 360, 45)
    )
    rim = circle(0, -4, 25, stroke=INK, stroke_width=8.4) + circle(0, -4, 25, stroke=GOLD, stroke_width=6.4)
    studs = dots(
        [(0, -29), (17.7, -21.7), (25, -4), (17.7, 13.7), (0, 21), (-17.7, 13.7), (-25, -4), (-17.7, -21.7)], RED, 3
    )
    crank = path("M-2-6H15V-13H18V-3H-2Z", fill=STEEL)
    return stand + group(spokes, fill=BLUE) + rim + studs + circle(0, -4, 5.4, fill=GOLD) + crank


def lion() -> str:
    """Return the head of a lion."""
    tuft = "M0-36C8-34 9-26 6-20H-6C-9-26-8-34 0-36Z"
    mane = "".join(path(tuft, transform=f"rotate({turn})") for turn in range(0, 360, 30))
    ears = circle(-13, -14, 5, fill=GOLD) + circle(13, -14, 5, fill=GOLD)
    face = path(
        "M0-20C11-20 17-13 16-3 15 6 11 11 9 16 7 21 3 23 0 23S-7 21-9 16C-11 11-15 6-16-3-17-13-11-20 0-20Z", fill=GOLD
    )
    muzzle = path("M0 3C6 3 10 7 9 12 8 17 4 20 0 20S-8 17-9 12C-10 7-6 3 0 3Z", fill=CREAM)
    nose = path("M-4.4 2H4.4L0 8Z", fill=INK) + line(
        "M0 8V12M0 12C-2 15-5 15-6 13.4M0 12C2 15 5 15 6 13.4M-2.6-16V-6L-4.4 2M2.6-16V-6L4.4 2", INK, 1
    )
    brows = line("M-11.4-8.4C-9-10.4-6-10-4.4-8.4M11.4-8.4C9-10.4 6-10 4.4-8.4", INK, 1.2)
    whiskers = dots(((-5.4, 11), (-4, 14), (5.4, 11), (4, 14)), BROWN, 1)
    return (
        group(mane, fill=RUST)
        + circle(0, 0, 24, fill=RUST, stroke="none")
        + ears
        + face
        + muzzle
        + nose
        + brows
        + dots(((-7.4, -4.6), (7.4, -4.6)), INK, 3)
        + whiskers
    )


def hanged() -> str:
    """Return a man hanging by one foot."""
    gallows = path("M-30 37V-36H-25V37ZM25 37V-36H30V37ZM-31-38H31V-32H-31Z", fill=BROWN)
    rope = line("M0-32V-24", CREAM, 2.4)
    legs = path("M-3-26H3.4L3-2H-4Z", fill=RED) + path(
        "M3-2 13-11-2-15-1-19.4 19-13.6C21.4-12 21-9.6 19.4-8L5 5Z", fill=BLUE
    )
    coat = path("M-7-4C-3-6 3-6 7-4L9 17C4 20-4 20-9 17Z", fill=GREEN) + path("M-8.4 4H8.2L8.6 8H-8.8Z", fill=GOLD)
    arms = path("M-9 16C-15 12-15 6-8 2M9 16C15 12 15 6 8 2", stroke=GREEN, stroke_width=4)
    head = path("M0 17.4C5 17.4 7.4 21 7 26S3.6 34 0 34-6.6 31-7 26-5 17.4 0 17.4Z", fill=SKIN) + path(
        "M-7.2 27C-4 29 4 29 7.2 27 8.4 34 4 37 0 37S-8.4 34-7.2 27Z", fill=GOLD
    )
    return (
        gallows
        + rope
        + legs
        + arms
        + coat
        + head
        + dots(((-2.8, 25), (2.8, 25)), INK, 1.6)
        + line("M-2 20.6Q0 22 2 20.6", RED, 1.1)
    )


def scythe() -> str:
    """Return a skull in front of a scythe."""
    staff = path("M-21 37-24.6 36 10.6-36 14-34.6Z", fill=BROWN)
    blade = path("M13-36C2-37-17-32-27-15-16-24-2-28 9-27.6Z", fill=STEEL)
    skull = path(
        "M7-12C19-12 26-4 25.4 6 25 12 22 15 21 18L20 27C15 30-1 30-6 27L-7 18C-8 15-11 12-11.4 6-12-4-5-12 7-12Z",
        fill=WHITE,
    )
    holes = path(
        "M-5 7C-5 2 3 1 4 6S1 14-2 13.4-5 11-5 7ZM19 7C19 2 11 1 10 6S13 14 16 13.4 19 11 19 7ZM7 13 9.6 18.6H4.4Z",
        fill=INK,
    )
    return (
        staff
        + blade
        + skull
        + holes
        + line("M-5 23H19M-1 20.4V26.6M3 20.4V27.4M7 20.4V27.6M11 20.4V27.4M15 20.4V26.6", INK, 1)
    )


def jugs() -> str:
    """Return two jugs, with water flowing from one into the other."""
    jug = (
        path("M-5-12H5L4-7C11-3 11 8 5 13H-5C-11 8-11-3-4-7Z")
        + path("M-5.6-14.6H5.6V-11.6H-5.6ZM-6 13H6V16H-6Z", fill=GOLD)
        + path("M8.6 8C15 7 15-6 4.6-8", stroke_width=1.6)
    )
    stream = path("M-8.6-15.4C4-12 13-4 14.6 6L9.6 7C7-3 0-9-11-11.6Z", fill=BLUE)
    upper = placed(group(jug, fill=RED), -19, -19, turn=62)
    lower = placed(group(jug, fill=SKY), 12, 18, 1.15)
    return stream + upper + lower + line("M-29 36H31", PLUM, 2) + line("M4 17C8 15 12 19 20 16.4", BLUE, 1.4)
