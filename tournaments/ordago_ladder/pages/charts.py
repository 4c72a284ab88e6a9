"""Charts of ratings over an event: a small one for each entrant, all with the same axes."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from ordago.scene import Sentence, sentence
from ordago_ladder.pages import figures
from ordago_ladder.pages.axis import Axis, axis_of
from ordago_ladder.rating.history import Stage
from ordago_ladder.rating.rating import Rating

WIDTH: Final = 220
"""The width of a chart in SVG units."""
HEIGHT: Final = 80
"""The height of a chart in SVG units."""
_LEFT: Final = 24
"""The width of the tick labels."""
_RIGHT: Final = 5
"""The room for the dot at the end of the line."""
_MOST_TICKS: Final = 3


class Chart(NamedTuple):
    """The ratings of an entrant over the sets of an event. Lengths are in SVG units."""

    rating: Rating
    """The last rating."""
    line: str
    """The points of the line, for an SVG ``points`` attribute."""
    band: str
    """The points of the outline of the intervals."""
    end: tuple[str, str]
    """The coordinates of the end of the line."""
    text: Sentence
    """The same as text, for screen readers."""


class Charts(NamedTuple):
    """The charts of an event."""

    sets: int
    """The number of duplicate sets at the right end of the axis."""
    ticks: tuple[tuple[int, str], ...]
    """The labelled ratings, each with its height."""
    charts: tuple[Chart, ...]
    """The charts, in the order of the ladder."""


def charts_of(stages: Sequence[Stage], *, rated: Collection[str]) -> Charts:
    """Return the charts of the rated entrants of an event, at least one.

    The axis contains all ratings and the last intervals. The first intervals are wider and are cut off.
    """
    last = stages[-1]
    ratings: dict[str, list[Rating]] = {rating.entrant: [] for rating in last.ratings if rating.entrant in rated}
    for stage in stages:
        for rating in stage.ratings:
            if rating.entrant in rated:
                ratings[rating.entrant].append(rating)
    ends = [end for found in ratings.values() for end in (found[-1].low, found[-1].high)]
    axis = axis_of([*ends, *(rating.elo for found in ratings.values() for rating in found)], most_ticks=_MOST_TICKS)
    places = [_LEFT + (WIDTH - _LEFT - _RIGHT) * stage.sets / last.sets for stage in stages]
    return Charts(
        sets=last.sets,
        ticks=tuple((tick, _number(_height(axis, tick))) for tick in axis.ticks),
        charts=tuple(_chart(axis, places, stages, found) for found in ratings.values()),
    )


def _chart(axis: Axis, places: Sequence[float], stages: Sequence[Stage], ratings: Sequence[Rating]) -> Chart:
    upper = [(place, _height(axis, rating.high)) for place, rating in zip(places, ratings, strict=True)]
    lower = [(place, _height(axis, rating.low)) for place, rating in zip(places, ratings, strict=True)]
    line = [(place, _height(axis, rating.elo)) for place, rating in zip(places, ratings, strict=True)]
    ratings_text = (
        f"{stage.sets}: {figures.rating_text(rating.known)}" for stage, rating in zip(stages, ratings, strict=True)
    )
    return Chart(
        rating=ratings[-1],
        line=_points(line),
        band=_points([*upper, *reversed(lower)]),
        end=(_number(line[-1][0]), _number(line[-1][1])),
        text=sentence("ratings after so many sets, {ratings}", ratings=", ".join(ratings_text)),
    )


def _height(axis: Axis, elo: float) -> float:
    return HEIGHT * (1 - axis.share(elo))


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(length: float) -> str:
    return f"{length:.1f}"
