"""The pictures of the trumps XV to XXI and of the Fool, around the middle of their field."""

from faces.colours import BLUE, BROWN, CREAM, GOLD, GREEN, INK, LEAF, PLUM, RED, RUST, SKIN, SKY, STEEL, TEAL, WHITE
from faces.svg import circle, dots, group, line, path, placed


def devil() -> str:
    """Return a horned mask."""
    horns = path("M-9-12C-20-12-28-20-26-36-19-30-12-26-4-20ZM9-12C20-12 28-20 26-36 19-30 12-26 4-20Z", fill=CREAM)
    ears = path("M-15-2C-24-4-29-1-31 5-25 9-18 9-13 6ZM15-2C24-4 29-1 31 5 25 9 18 9 13 6Z", fill=RUST)
    face = path("M0-22C10-22 16-14 16-4 16 10 8 18 0 36-8 18-16 10-16-4-16-14-10-22 0-22Z", fill=RED)
    brow = path("M-14-7C-9-10-4-6-1-2H1C4-6 9-10 14-7 10-12 4-13 0-10-4-13-10-12-14-7Z", fill=INK)
    eyes = path("M-11.4-3C-8-5-5-3-4 0-7 1.4-10 0-11.4-3ZM11.4-3C8-5 5-3 4 0 7 1.4 10 0 11.4-3Z", fill=GOLD)
    mouth = path("M-9 10C-4 13 4 13 9 10 6 17-6 17-9 10Z", fill=INK) + path(
        "M-5.4 12 -4 15.4-2.6 12.6ZM5.4 12 4 15.4 2.6 12.6Z", fill=WHITE, stroke="none"
    )
    beard = path("M-5 19C-2 21 2 21 5 19 4 26 2 31 0 37-2 31-4 26-5 19Z", fill=INK)
    return (
        horns
        + ears
        + face
        + brow
        + eyes
        + mouth
        + beard
        + line("M0-2-2.4 6H2.4", INK, 1.2)
        + line("M-22-25-17-20M-19-29-13-22M22-25 17-20M19-29 13-22", BROWN, 1)
    )


def tower() -> str:
    """Return a tower struck by lightning."""
    walls = path("M-14-8H12L15 37H-17Z", fill=CREAM)
    top = path("M-18-24H-12V-19H-6V-24H0V-19H6V-24H12L15-10H-17Z", fill=RUST, transform="rotate(9)")
    doors = path(
        "M-5 37V28A4 4 0 0 1 3 28V37ZM-8 8V3A2.4 2.4 0 0 1-3.2 3V8ZM3 18V13A2.4 2.4 0 0 1 7.8 13V18Z", fill=INK
    )
    joints = line("M-14.4 2H-10M2 2H8M-12 14H-6M-15 24H-9M7 26H13.6M-1 20H3", BROWN, 1)
    bolt = path("M31-37 12-22 18-20 5-8 26-17 19-19.6Z", fill=GOLD)
    return (
        walls
        + doors
        + joints
        + top
        + bolt
        + path("M-10-14C-16-20-13-26-16-31-9-29-9-25-8-22-6-26-7-30-5-34 1-28 1-20-2-13Z", fill=RED)
        + dots(((-26, -6), (-23, 12), (25, 6), (23, 24), (-27, 27)), RUST, 3)
    )


def star() -> str:
    """Return a large star among small ones, over water."""
    water = path("M-37 24C-28 19-20 29-12 24S2 19 10 24 28 29 37 24V42H-37Z", fill=BLUE, stroke="none")
    waves = line("M-30 31C-24 28-20 34-14 31M2 33C8 30 12 36 18 33", SKY, 1.4)
    rays = path("M0-31 4-11 17-22 9-8 27-5 9-1 17 13 4 3 0 23-4 3-17 13-9-1-27-5-9-8-17-22-4-11Z", fill=GOLD)
    small = "".join(
        placed(path("M0-4.4 1.2-1.2 4.4 0 1.2 1.2 0 4.4-1.2 1.2-4.4 0-1.2-1.2Z", fill=WHITE, stroke="none"), x, y)
        for x, y in ((-24, -28), (24, -29), (-27, 13), (27, 13))
    )
    return water + waves + rays + circle(0, -4.6, 4.4, fill=CREAM) + small


def moon() -> str:
    """Return the moon above two towers."""
    hills = path("M-37 28C-20 20-8 24 0 29 8 24 20 20 37 28V42H-37Z", fill=TEAL, stroke="none")
    keep = path("M-6 26V-2H-8V-9H-4V-6H-2V-9H2V-6H4V-9H8V-2H6V26Z", fill=STEEL) + path(
        "M-2 10V4A2 2 0 0 1 2 4V10Z", fill=GOLD
    )
    crescent = path("M6-36A16 16 0 1 0 14-10 17 17 0 0 1 6-36Z", fill=GOLD)
    face = line("M-4.6-22Q-3-23.4-1.6-22M1-17.4 3.4-15.4 1.6-14M-3-11.4Q-1-10 1-11", INK, 1)
    drops = dots(((-20, -30), (-24, -18), (22, -32), (25, -22), (-13, -7), (17, -5)), CREAM, 2.2)
    return (
        hills
        + placed(keep, -23, 4)
        + placed(keep, 23, 4)
        + crescent
        + face
        + drops
        + line("M-2 41C2 34-3 33 0 29", CREAM, 3)
    )


def sun() -> str:
    """Return the sun with a face."""
    ray, wave = "M-4.6-18 0-36 4.6-18Z", "M-3-18C-6-24 3-27-1-33 6-29 0-23 3-18Z"
    rays = "".join(
        path(ray if turn % 60 == 0 else wave, transform=f"rotate({turn})", fill=GOLD if turn % 60 == 0 else RED)
        for turn in range(0, 360, 30)
    )
    disc = circle(0, 0, 18.6, fill=GOLD)
    cheeks = dots(((-9.6, 5), (9.6, 5)), RUST, 4.4)
    features = line("M-10.4-5.4Q-7-8.4-3.6-5.6M10.4-5.4Q7-8.4 3.6-5.6M.4-4-2 4H2.4", INK, 1.3) + line(
        "M-6 9Q0 13.4 6 9", RED, 2
    )
    return rays + disc + cheeks + dots(((-6.8, -2.6), (6.8, -2.6)), INK, 2.6) + features


def trumpet() -> str:
    """Return a trumpet with a banner, emerging from clouds."""
    tube = path("M-22-30-17.6-33.4 8 2C12 8 19 12 27 11.4L9.6 27C9 20 7 14 3 8Z", fill=GOLD)
    bell = path("M27 11.4C29 14 12 29 9.6 27 8 25 25 10 27 11.4Z", fill=BROWN)
    banner = path("M-14-19 1 1.6-9 17-14 12-20 13-27-1Z", fill=WHITE) + path(
        "M-17-6.6-12.6-9.6-8.6-4-4-7-1.6-3.4-6-.4-2.4 5-6.4 8-10 2.6-15 6-17.6 2.4-12.6-1Z", fill=RED, stroke="none"
    )
    cloud = path("M-37-24C-30-18-24-21-23-25-17-22-12-26-14-31-8-31-6-36-8-42H-37Z", fill=SKY)
    sound = line("M20 27C23 26 26 23 27 20M24 33C29 31 32 27 33 23", RED, 1.8)
    return banner + tube + bell + cloud + sound


def world() -> str:
    """Return a globe within a wreath."""
    leaf = "M0-35C-5-32-6-27-3-23 1-25 3-30 0-35Z"
    wreath = "".join(
        path(leaf, transform=f"rotate({turn}){scale}")
        for turn in range(0, 360, 30)
        for scale in ("", "scale(.94)rotate(16)")
    )
    globe = circle(0, 0, 18, fill=SKY)
    lands = path(
        "M-16-7C-12-14-6-17-1-17 2-14-2-12-1-9-4-5-8-8-10-4-8 0-3 0-3 5-4 10-8 13-10 14-15 10-18 2-16-7ZM6-15C12-12 16-7 17-1 13 1 14 6 10 8 6 4 9 0 5-3 3-7 8-10 6-15Z",
        fill=LEAF,
        stroke_width=0.7,
    )
    ties = path("M-6-31H6V-25H-6ZM-6 25H6V31H-6Z", fill=RED)
    return (
        circle(0, 0, 28.4, stroke=GREEN, stroke_width=2)
        + group(wreath, fill=LEAF, stroke_width=0.7)
        + globe
        + lands
        + ties
    )


def fool() -> str:
    """Return the head of a jester's staff: a face in a cap with bells."""
    staff = path("M-2 20H2V38H-2Z", fill=BROWN)
    collar = path("M0 14 7 17 15 14 14 21 20 26 11 26 6 32 0 27-6 32-11 26-20 26-14 21-15 14-7 17Z", fill=GOLD)
    face = path("M-10-4C-10-10 10-10 10-4 10 8 6 17 0 17S-10 8-10-4Z", fill=SKIN)
    middle = path("M-11-2C-13-20-8-30 3-37 10-27 13-16 11-2 5-7-5-7-11-2Z", fill=GREEN)
    left = path("M-11-2C-13-14-20-19-31-13-30-22-22-29-12-25-5-20-4-12-5-6-8-5-10-4-11-2Z", fill=RED)
    right = path("M11-2C13-14 20-19 31-13 30-22 22-29 12-25 5-20 4-12 5-6 8-5 10-4 11-2Z", fill=BLUE)
    bells = dots(((-31, -11), (31, -11), (3, -36), (20, 27), (-20, 27), (0, 29)), GOLD, 4.6, rim=INK)
    features = line("M-5.6-.4Q-4-2-2.2-.6M5.6-.4Q4-2 2.2-.6M0 .6-1.6 6H1.4", INK, 1.2) + line(
        "M-5 9.4Q0 14 5 9.4", RED, 1.6
    )
    return staff + collar + face + middle + left + right + bells + features + dots(((-4, 2), (4, 2)), PLUM, 1.8)
