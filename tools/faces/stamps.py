"""Signs that are repeated on a card: layers of outlines, each of which becomes one path for all places.

Outlines are written with absolute coordinates around an origin (M, L, H, V, C, S, Q and Z, which only M may follow).
The output has relative coordinates, which are shorter. A dot is a line of length zero with round ends, ``M3 4H3``.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from faces.svg import Value, pair, path

_DIGITS: Final = 1
_COMMANDS: Final = re.compile(r"([A-Z])([^A-Z]*)")
_NUMBERS: Final = re.compile(r"-?\d*\.?\d+")
_POINTS_OF: Final = {"M": 1, "L": 1, "C": 3, "S": 2, "Q": 2, "Z": 1}
"""The number of points of each command. Z has none; its value only has to be a valid step."""

Point = tuple[float, float]
Step = tuple[str, list[Point]]


class Layer(NamedTuple):
    """A part of a sign in one colour."""

    d: str
    fill: str = ""
    stroke: str = ""
    width: float = 0
    """The width of the stroke, in the units of the outline."""


class Place(NamedTuple):
    """The place of the origin of a sign."""

    x: float
    y: float
    turned: bool = False
    """True to put the sign upside down."""


def stamped(layers: Sequence[Layer], places: Sequence[Place], scale: float = 1) -> str:
    """Return a sign in all these places, with the same scale."""
    return "".join(path(_everywhere(layer.d, places, scale), **_ink(layer, scale)) for layer in layers)


def shifted(d: str, across: float) -> str:
    """Return an outline moved to the right, still with absolute coordinates."""
    return "".join(command + " ".join(pair(x + across, y) for x, y in points) for command, points in _steps(d))


def _ink(layer: Layer, scale: float) -> dict[str, Value]:
    ink: dict[str, Value] = {"fill": layer.fill} if layer.fill else {}
    return ink | {"stroke": layer.stroke, "stroke_width": layer.width * scale} if layer.stroke else ink


def _everywhere(d: str, places: Sequence[Place], scale: float) -> str:
    steps = list(_steps(d))
    return "".join(_moved(steps, place, -scale if place.turned else scale) for place in places)


def _steps(d: str) -> Iterator[Step]:
    """Yield the commands of an outline with their points. All straight lines become L."""
    x, y = 0.0, 0.0
    for command, numbers_text in _COMMANDS.findall(d):
        numbers = [float(value) for value in _NUMBERS.findall(numbers_text)]
        if command in "HV":
            command, numbers = "L", [*numbers, y] if command == "H" else [x, *numbers]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        yield command, points[:1] if command == "M" else points
        if command == "M" and points[1:]:
            yield "L", points[1:]
        x, y = points[-1] if points else (x, y)


def _moved(steps: Sequence[Step], place: Place, scale: float) -> str:
    """Return an outline at a place. Absolute points are rounded, so that errors do not add up."""
    path, at = "", (0.0, 0.0)
    for command, points in steps:
        path += command if command in "MZ" else command.lower()
        moved = [(round(place.x + scale * x, _DIGITS), round(place.y + scale * y, _DIGITS)) for x, y in points]
        for first in range(0, len(moved), _POINTS_OF[command]):
            together = moved[first : first + _POINTS_OF[command]]
            path = _joined(path, together, (0.0, 0.0) if command == "M" else at)
            at = together[-1]
    return path


def _joined(path: str, points: Sequence[Point], origin: Point) -> str:
    """Return a text with the offsets of points from an origin appended."""
    for x, y in points:
        distances = pair(round(x - origin[0], _DIGITS), round(y - origin[1], _DIGITS))
        path += ("" if path[-1].isalpha() or distances.startswith("-") else " ") + distances
    return path
