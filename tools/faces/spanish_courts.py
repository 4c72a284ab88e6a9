"""The courts of the Spanish pack: sota, caballo and rey, whole figures that raise the sign of their suit."""

from typing import Final, NamedTuple

from faces import heads
from faces.colours import BLUE, BROWN, CHESTNUT, CREAM, DARK, FAIR, GOLD, GREY, INK, LEAF, RED, SKIN, STEEL, WHITE
from faces.spanish_suits import BASTOS, COPAS, ESPADAS, OROS, sign
from faces.stamps import Place, stamped
from faces.svg import circle, dots, group, line, path, placed

SOTA, CABALLO, REY = 8, 9, 10

_SIGN: Final = Place(74, 35)
_HAND: Final = (73.5, 49)


class _Dress(NamedTuple):
    """The colours of the courts of a suit."""

    robe: str
    trim: str
    hose: str
    hair: tuple[str, str, str]
    """The hair of sota, caballo and rey."""
    horse: tuple[str, str]
    """The coat and the mane of the horse."""


_DRESSES: Final = {
    OROS: _Dress(GOLD, RED, BLUE, (FAIR, BROWN, GREY), (WHITE, GREY)),
    COPAS: _Dress(RED, GOLD, LEAF, (BROWN, DARK, BROWN), (CHESTNUT, DARK)),
    ESPADAS: _Dress(BLUE, CREAM, RED, (DARK, CHESTNUT, INK), (STEEL, BLUE)),
    BASTOS: _Dress(LEAF, GOLD, BROWN, (CHESTNUT, FAIR, FAIR), (BROWN, CREAM)),
}


def court(suit: int, rank: int) -> str:
    """Return the figure of a court."""
    dress = _DRESSES[suit]
    figure = {SOTA: _sota, CABALLO: _caballo, REY: _rey}[rank](dress)
    held = stamped(sign(suit), [_SIGN._replace(turned=suit == ESPADAS)], 1.2)
    return group(_ground(), figure, held, _hand(), stroke=INK, stroke_width=0.8)


def _ground() -> str:
    tufts = line("M30 131V128.4M33 131V129M62 131V128.4M65 131V129", LEAF, 1)
    return path("M24 131C34 129 66 129 76 131 66 134.6 34 134.6 24 131Z", fill="#c9d8b6", stroke="none") + tufts


def _hand() -> str:
    x, y = _HAND
    return circle(x, y, 3, fill=SKIN) + path(
        f"M{x - 2.6} {y - 0.9}H{x + 0.6}M{x - 2.6} {y + 0.9}H{x + 0.6}", stroke_width=0.5
    )


def _arm(colour: str, shoulder: str) -> str:
    """Return the raised arm, from the path of a shoulder."""
    return path(f"{shoulder}C63 66 67 60 70.4 50L76.4 52C75 64 69 75 56.4 75Z", fill=colour)


def _sota(dress: _Dress) -> str:
    cape = path("M37 61C28 72 25 92 25 112 31 115 37 113 40 108L56 62Z", fill=dress.trim)
    legs = path("M39 98H46L45.4 127H40.6ZM48 98H55L53.4 127H48.6Z", fill=dress.hose)
    shoes = path(
        "M45.6 125.6V130.6H35C35 127.6 38 127 40.4 125.6ZM53.6 125.6V130.6H43.6C44 127.8 47 127 48.4 125.6Z", fill=INK
    )
    tunic = path(
        "M36 62C42 59 52 59 57 62L55 84C57 91 59 97 60 104 52 107 41 107 33 104 34 97 37 91 39 84Z", fill=dress.robe
    )
    belt = path("M38.6 82H55.2L55.6 86H38.2Z", fill=dress.trim) + path(
        "M33.6 100.6C42 103.4 51 103.4 59.4 100.6L60 104C52 107 41 107 33 104Z", fill=dress.trim
    )
    akimbo = path(
        "M37 62C31 64 26 74 26.6 79 29 84 36 86 39.6 85L40 80.6C36 80.6 33 79 32.4 77 33.6 74 37 71 39 70Z",
        fill=dress.robe,
    )
    head = placed(heads.short_haired(dress.hair[0]) + heads.cap(dress.robe, dress.trim), 46.4, 85, 0.95)
    seam = dots(((46.6, 68), (46.6, 73), (46.6, 78)), dress.trim, 1.9, rim=INK)
    return cape + legs + shoes + _arm(dress.robe, "M55 62") + tunic + belt + akimbo + seam + head


def _caballo(dress: _Dress) -> str:
    coat, mane = dress.horse
    far = path(
        "M40 106C38 112 39 117 38 122L37 130.4H41.6L43.4 121C45 116 47 112 48 108ZM60 106C62 112 63 116 62 121L60.6 130.4H65.4L67.4 120 67 108Z",
        fill=coat,
    )
    body = path(
        "M38 85C34 79 36 71 33.4 65L32.4 59.6 29 64.4C25 68 21.6 73.6 19 79.6 18 82.6 19 85.2 21.6 85.4 24 85.4 25.4 83 28 82"
        " 30 81.6 31 82 32 83 32 91 31 97 33 102 32 108 29.6 112 29 118L28 130.4H33L35 119C37 113 41 110 44 108.6 51 111 58"
        " 110.4 64 107.4 67 112 70 115 69.4 121L68.4 130.4H73.4L75.6 119C76 112 78 105 77 98 76 89 70 86 62 86Z",
        fill=coat,
    )
    tail = path("M75.6 92C82 94 82 106 78 118 75.4 112 77 104 73 98Z", fill=mane)
    hair = path(
        "M33.4 65C39 70 44 79 43 86H38C34 79 36 71 33.4 65ZM32 64C29.4 65 27.4 68 27 71 29.6 70 32 68 33.4 65Z",
        fill=mane,
    )
    bridle = line("M21.6 77.6 27.8 82M30 64.8 32 83M32 75C38 80 44 80 47 78", RED, 1.1) + circle(
        27.6, 73, 0.9, fill=INK
    )
    cloth = path("M41 86H64L66 99C58 102 48 102 40 99Z", fill=dress.trim) + line(
        "M40.6 97C48 99.6 58 99.6 65.4 97", dress.robe, 1.4
    )
    leg = path("M46 84C51 84 55 86 55 90L50 106 51 113H41.6C41 110.6 44 110 45 108Z", fill=dress.hose)
    boot = path("M47.6 101.4 52.6 102 50.6 107 51 113.4H41C41 110.6 44.6 110 45.6 108Z", fill=INK)
    tunic = path("M40 61C46 58 55 58 60 61L59 90C53 93 46 93 41 88Z", fill=dress.robe)
    belt = path("M41.2 80H59.2L59.2 83.6H41.4Z", fill=dress.trim)
    rein = path("M41 62C37 66 37.6 74 43 80L47.6 77C45 73 45 69 46 66Z", fill=dress.robe) + circle(
        46.4, 78.8, 2.6, fill=SKIN
    )
    head = placed(heads.short_haired(dress.hair[1]) + heads.slashed_cap(dress.robe, dress.trim), 50, 82, 0.9)
    return (
        far + tail + body + hair + cloth + _arm(dress.robe, "M57 61") + tunic + belt + leg + boot + bridle + rein + head
    )


def _rey(dress: _Dress) -> str:
    mantle = path("M36 64C28 76 24 104 22 128 34 133 60 133 72 128 70 104 66 80 59 64Z", fill=dress.robe)
    gown = path("M40 66H54L60 130.4C52 132 42 132 34 130.4Z", fill=dress.trim)
    hem = path("M34.4 126C42 127.8 52 127.8 59.6 126L60 130.4C52 132 42 132 34 130.4Z", fill=GOLD)
    edges = line("M39 70 32 129M55 70 62 129", WHITE, 3)
    spots = dots(
        [(x, y) for y in range(80, 128, 9) for x in (38.7 - (y - 70) * 0.115, 55.3 + (y - 70) * 0.115)], INK, 1.1
    )
    belt = path("M38.4 90H56L56.6 94.6H38Z", fill=GOLD) + dots(
        ((42, 92.3), (47.2, 92.3), (52.4, 92.3)), dress.robe, 1.8
    )
    arm = path(
        "M36 66C29 72 27 84 30 89 33 92 39 91 43 88L41 83C38 84 36.6 84 36 83 36 79 38 76 40 74Z", fill=dress.robe
    )
    collar = path("M40 60C32 62 30 68 30 72 37 76 43 75 47 71 51 75 57 76 64 72 64 68 62 62 54 60Z", fill=WHITE)
    ermine = line("M35 68V70.4M40 66V68.4M42 70V72.4M52 70V72.4M54 66V68.4M59 68V70.4", INK, 1)
    head = placed(heads.bearded(dress.hair[2]) + heads.crown(dress.robe), 47, 87, 0.95)
    hand = circle(43, 85.6, 2.8, fill=SKIN)
    return mantle + gown + hem + edges + spots + _arm(dress.robe, "M57 64") + belt + arm + hand + collar + ermine + head
