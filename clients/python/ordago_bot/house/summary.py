"""An analysis as a whole: the dearest choices of a match, and how each seat did."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple

from ordago import v1
from ordago_bot.house.analysis import Judgement, Opinion
from ordago_bot.house.weighing import Unit

DEAREST: Final = 3
"""How many choices a summary names."""
_DECIDES_NOTHING: Final = frozenset({Unit.HAND})
"""What cannot be compared with what a game is won by."""


class Cost(NamedTuple):
    """What the choices of a seat cost in one unit."""

    unit: Unit
    """The unit."""
    choices: int
    """The choices that are counted in it."""
    per_choice: float
    """What each of them cost on average."""
    per_deal: float
    """What they cost together, for each deal of the match."""
    error: float
    """The standard error of what they cost for each deal, as far as it comes from the deals imagined."""


class SeatSummary(NamedTuple):
    """How a seat did."""

    seat: int
    """The seat."""
    choices: int
    """Its own choices between several actions that the house could weigh."""
    like_the_house: int
    """How many of them the house would have made as well."""
    dear: int
    """How many cost more than chance explains."""
    costs: tuple[Cost, ...]
    """What they cost, for each unit that they are counted in."""


class Summary(NamedTuple):
    """An analysis as a whole."""

    deals: int
    """The deals of the match."""
    dearest: tuple[Judgement, ...]
    """The choices that cost most, the dearest first; none that chance explains."""
    seats: tuple[SeatSummary, ...]
    """The seats that were analysed, in order."""


def summary_of(record: v1.MatchRecord, opinions: Iterable[Opinion]) -> Summary:
    """Sum up the opinions of a match."""
    judged = [opinion for opinion in opinions if isinstance(opinion, Judgement)]
    deals = max((entry.shuffle.deal + 1 for entry in record.entries if entry.HasField("shuffle")), default=0)
    dear = (judgement for judgement in judged if judgement.dear and judgement.unit not in _DECIDES_NOTHING)
    return Summary(
        deals=deals,
        dearest=tuple(sorted(dear, key=lambda judgement: -judgement.cost)[:DEAREST]),
        seats=tuple(
            _seat_summary(seat, [judgement for judgement in judged if judgement.seat == seat], deals)
            for seat in sorted({judgement.seat for judgement in judged})
        ),
    )


def _seat_summary(seat: int, judged: Sequence[Judgement], deals: int) -> SeatSummary:
    units = sorted({judgement.unit for judgement in judged})
    return SeatSummary(
        seat=seat,
        choices=len(judged),
        like_the_house=sum(judgement.like_the_house for judgement in judged),
        dear=sum(judgement.dear for judgement in judged),
        costs=tuple(_cost(unit, [each for each in judged if each.unit is unit], deals) for unit in units),
    )


def _cost(unit: Unit, judged: Sequence[Judgement], deals: int) -> Cost:
    total = sum(judgement.cost for judgement in judged)
    error = sqrt(sum((judgement.error or 0.0) ** 2 for judgement in judged))
    return Cost(unit, len(judged), total / len(judged), total / deals, error / deals)
