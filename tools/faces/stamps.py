"""Signs that stand in many places of a card: layers of outlines, each of which becomes one path for all places.

Outlines are written with absolute coordinates around an origin (M, L, H, V, C, S, Q and Z, which only M follows) and come out with relative
ones, which take fewer characters wherever they stand. A dot is a line of no length, ``M3 4H3``, with round ends.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from faces.svg import Value, pair, path

_DIGITS: Final = 1
_COMMANDS: Final = re.compile(r"([A-Z])([^A-Z]*)")
_NUMBERS: Final = re.compile(r"-?\d*\.?\d+")
_POINTS_OF: Final = {"M": 1, "L": 1, "C": 3, "S": 2, "Q": 2, "Z": 1}
"""How many points each command takes; Z, which takes none, has none to be cut into."""

Point = tuple[float, float]
Step = tuple[str, list[Point]]


class Layer(NamedTuple):
    """One colour of a sign."""

    d: str
    fill: str = ""
    stroke: str = ""
    width: float = 0
    """The width of its line, in the units of the outline."""


class Place(NamedTuple):
    """Where the origin of a sign comes to stand."""

    x: float
    y: float
    turned: bool = False
    """Whether it stands on its head."""


def stamped(layers: Sequence[Layer], places: Sequence[Place], scale: float = 1) -> str:
    """Return a sign in all these places, in one size."""
    return "".join(path(_everywhere(layer.d, places, scale), **_ink(layer, scale)) for layer in layers)


def shifted(d: str, across: float) -> str:
    """Return an outline that is moved to the right, with absolute coordinates still."""
    return "".join(command + " ".join(pair(x + across, y) for x, y in points) for command, points in _steps(d))


def _ink(layer: Layer, scale: float) -> dict[str, Value]:
    ink: dict[str, Value] = {"fill": layer.fill} if layer.fill else {}
    return ink | {"stroke": layer.stroke, "stroke_width": layer.width * scale} if layer.stroke else ink


def _everywhere(d: str, places: Sequence[Place], scale: float) -> str:
    steps = list(_steps(d))
    return "".join(_moved(steps, place, -scale if place.turned else scale) for place in places)


def _steps(d: str) -> Iterator[Step]:
    """Yield the commands of an outline with their points; all that are straight lines become L."""
    x, y = 0.0, 0.0
    for command, told in _COMMANDS.findall(d):
        numbers = [float(value) for value in _NUMBERS.findall(told)]
        if command in "HV":
            command, numbers = "L", [*numbers, y] if command == "H" else [x, *numbers]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        yield command, points[:1] if command == "M" else points
        if command == "M" and points[1:]:
            yield "L", points[1:]
        x, y = points[-1] if points else (x, y)


def _moved(steps: Sequence[Step], place: Place, scale: float) -> str:
    """Return an outline at a place; each point is rounded by itself, so that errors do not add up."""
    told, at = "", (0.0, 0.0)
    for command, points in steps:
        told += command if command in "MZ" else command.lower()
        moved = [(round(place.x + scale * x, _DIGITS), round(place.y + scale * y, _DIGITS)) for x, y in points]
        for first in range(0, len(moved), _POINTS_OF[command]):
            together = moved[first : first + _POINTS_OF[command]]
            told = _joined(told, together, (0.0, 0.0) if command == "M" else at)
            at = together[-1]
    return told


def _joined(told: str, points: Sequence[Point], origin: Point) -> str:
    """Return a text with the distances of points from an origin behind it."""
    for x, y in points:
        distances = pair(round(x - origin[0], _DIGITS), round(y - origin[1], _DIGITS))
        told += ("" if told[-1].isalpha() or distances.startswith("-") else " ") + distances
    return told
