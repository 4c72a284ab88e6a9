"""A chart of ratings over time: a line for each player on common axes. Lengths are in SVG units."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from ordago import v1
from ordago_ladder.pages.axis import Axis, axis_of
from ordago_ladder.rating.known import Known, known
from ordago_web.ladder.places import time_of

WIDTH: Final = 640
HEIGHT: Final = 260
MOST_LINES: Final = 8
"""The number of lines with distinct colours."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 10, 8, 24
_TIMES: Final = 3
"""The number of times on the axis. Within as many days they have hours and minutes,
within as many minutes seconds."""


class Curve(NamedTuple):
    """The rating history of one player, drawn."""

    name: str
    colour: int
    """The number of its colour, from 0."""
    points: str
    """The points of the line, as SVG takes them."""
    band: str
    """The outline of the intervals, as SVG takes it."""
    end: tuple[str, str]
    rows: Sequence[tuple[str, Known, int]]
    """The same as a table: time, rating, matches."""


class CourseChart(NamedTuple):
    """Rating histories on common axes."""

    lines: Sequence[Curve]
    elos: Sequence[tuple[int, str]]
    """The ticks of ratings, each with its vertical position."""
    dates: Sequence[tuple[str, str]]
    """The ticks of dates or times, each with its horizontal position."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    """The left end of the grid lines, right of the numbers."""
    right: int = WIDTH - _RIGHT


def course_chart(courses: Sequence[tuple[str, Sequence[v1.RatingPoint]]]) -> CourseChart | None:
    """Draw the histories of players by their names, at most eight; ``None`` if all are empty."""
    drawn = [(name, points) for name, points in courses if points][:MOST_LINES]
    if not drawn:
        return None
    every = [point for _, points in drawn for point in points]
    lasts = [points[-1] for _, points in drawn]
    elos = axis_of([*(point.elo for point in every), *(end for point in lasts for end in (point.low, point.high))])
    begin, end = min(point.at for point in every), max(point.at for point in every)
    return CourseChart(
        lines=[_line(colour, name, points, elos, (begin, end)) for colour, (name, points) in enumerate(drawn)],
        elos=[(tick, _number(_height(elos, tick))) for tick in elos.ticks],
        dates=_dates(begin, end),
    )


def _line(colour: int, name: str, points: Sequence[v1.RatingPoint], elos: Axis, times: tuple[int, int]) -> Curve:
    places = [_across(point.at, *times) for point in points]
    upper = [(place, _height(elos, point.high)) for place, point in zip(places, points, strict=True)]
    lower = [(place, _height(elos, point.low)) for place, point in zip(places, points, strict=True)]
    middle = [(place, _height(elos, point.elo)) for place, point in zip(places, points, strict=True)]
    return Curve(
        name=name,
        colour=colour,
        points=_points(middle),
        band=_points([*upper, *reversed(lower)]),
        end=(_number(middle[-1][0]), _number(middle[-1][1])),
        rows=[_row(point) for point in points],
    )


def _row(point: v1.RatingPoint) -> tuple[str, Known, int]:
    at = time_of(point.at)
    return at.text if at else "", known(point.elo, point.low, point.high), point.matches


def _dates(begin: int, end: int) -> list[tuple[str, str]]:
    count = _TIMES if end > begin else 1
    times = [end - (end - begin) * left // (_TIMES - 1) for left in reversed(range(count))]
    form = "%Y-%m-%d" if end - begin >= _TIMES * 86_400 else "%Y-%m-%d %H:%M"
    form = "%H:%M:%S" if 0 < end - begin < _TIMES * 60 else form
    return [(datetime.fromtimestamp(at, UTC).strftime(form), _number(_across(at, begin, end))) for at in times]


def _across(at: int, begin: int, end: int) -> float:
    """Return the horizontal position of a time. A single time is at the right."""
    share = (at - begin) / (end - begin) if end > begin else 1.0
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * share


def _height(elos: Axis, elo: float) -> float:
    """Return the vertical position of a rating, cut off at the edges, since the first intervals are long."""
    share = min(max(elos.share(elo), 0.0), 1.0)
    return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(length: float) -> str:
    return f"{length:.1f}"
