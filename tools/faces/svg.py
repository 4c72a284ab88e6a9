"""The SVG elements of faces, as strings."""

from collections.abc import Iterable
from typing import Final

from faces.colours import EDGE, PAPER

WIDTH: Final = 100
HEIGHT: Final = 150

Value = str | float


def number(value: float) -> str:
    """Return a number with at most two decimals, in as few characters as possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def pair(x: float, y: float) -> str:
    """Return two numbers, with a space between them only if needed."""
    return number(x) + ("" if number(y).startswith("-") else " ") + number(y)


def element(name: str, content: str = "", /, **attributes: Value) -> str:
    """Return an element. Attribute names have underscores in place of hyphens."""
    written = "".join(
        f' {key.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def group(*content: str, **attributes: Value) -> str:
    """Return a group, whose attributes apply to its content."""
    return element("g", "".join(content), **attributes)


def path(d: str, **attributes: Value) -> str:
    """Return a path."""
    return element("path", d=d, **attributes)


def line(d: str, colour: str, width: float = 1, **attributes: Value) -> str:
    """Return a path as a line, with round ends by default."""
    return path(d, stroke=colour, stroke_width=width, **attributes)


def circle(x: float, y: float, radius: float, **attributes: Value) -> str:
    """Return a circle around a point."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def dots(places: Iterable[tuple[float, float]], colour: str, size: float, *, rim: str = "") -> str:
    """Return round dots of diameter ``size`` at some places, with a rim if its colour is given."""
    d = "".join(f"M{pair(x, y)}h0" for x, y in places)
    return (line(d, rim, size + 1) if rim else "") + line(d, colour, size)


def rectangle(x: float, y: float, width: float, height: float, **attributes: Value) -> str:
    """Return a rectangle by its upper left corner."""
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def placed(content: str, x: float, y: float, scale: float = 1, *, turn: float = 0, mirrored: bool = False) -> str:
    """Return a drawing moved from the origin to a point; ``turn`` is in degrees, clockwise."""
    transform = f"translate({pair(x, y)})"
    if turn:
        transform += f"rotate({number(turn)})"
    if mirrored:
        transform += f"scale({number(-scale)} {number(scale)})"
    elif scale != 1:
        transform += f"scale({number(scale)})"
    return group(content, transform=transform)


def both_ways(half: str) -> str:
    """Return a face from its upper half, with the same half upside down below it."""
    return half + group(half, transform=f"rotate(180 {WIDTH // 2} {HEIGHT // 2})")


def picture(content: str, width: int, height: int, *, scale: float = 0) -> str:
    """Return a complete SVG file, with no fill and round lines by default.

    Args:
        content: its elements.
        width: the width of its view box.
        height: the height of its view box.
        scale: its size in pixels, relative to the view box; 0 for a size that the page sets.
    """
    view = f"0 0 {width} {height}"
    size: dict[str, Value] = {"width": width * scale, "height": height * scale} if scale else {}
    lines: dict[str, Value] = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("svg", content, xmlns="http://www.w3.org/2000/svg", viewBox=view, **size, **lines) + "\n"


def card(*content: str) -> str:
    """Return the file of a card: the paper with a hairline around it, and its content."""
    sheet = rectangle(0.5, 0.5, WIDTH - 1, HEIGHT - 1, rx=7, fill=PAPER, stroke=EDGE)
    return picture(sheet + "".join(content), WIDTH, HEIGHT)
