"""Summary of an analysis: the dearest choices of a match, and the costs of each seat."""

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Final, NamedTuple

from ordago import v1
from ordago_bot.house.analysis import Judgement, Opinion
from ordago_bot.house.weighing import Unit

DEAREST: Final = 3
"""The most choices that a summary lists."""
_DECIDES_NOTHING: Final = frozenset({Unit.HAND})
"""Units that cannot be compared with points, chips or chances to win."""


class Cost(NamedTuple):
    """The cost of a seat's choices in one unit."""

    unit: Unit
    """The unit."""
    choices: int
    """The number of choices in this unit."""
    per_choice: float
    """Their average cost."""
    per_deal: float
    """Their total cost, divided by the deals of the match."""
    error: float
    """The standard error of ``per_deal``, as far as it comes from the deals imagined."""


class SeatSummary(NamedTuple):
    """The result of one seat."""

    seat: int
    """The seat."""
    choices: int
    """The number of its choices that were judged."""
    like_the_house: int
    """The number of them that the house would have made as well."""
    dear: int
    """The number of them that cost more than chance explains."""
    costs: tuple[Cost, ...]
    """Their costs, one for each unit."""


class Summary(NamedTuple):
    """The summary of a match."""

    deals: int
    """The number of deals in the match."""
    dearest: tuple[Judgement, ...]
    """The choices that cost most, in descending order of cost; only those that are dear."""
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
