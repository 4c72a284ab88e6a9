"""The fields of an observation: each is declared once, with its size, its text and the function that writes it.

An observation is a row of 32-bit floats. A field is a part of it: a *set* has 1 for each member, a *choice* has a
single 1, or none where there is nothing, and a *number* is divided by a bound, so that it lies between -1 and 1. Seats
are counted from the one that sees: 0 itself, 1 the seat after it.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

# A memoryview has no type parameter at run time before Python 3.14.
Row: TypeAlias = "memoryview[float]"
"""The floats of an observation, all 0 before it is written."""
View: TypeAlias = Any
"""The view of a seat, of the type that the game has."""
Write: TypeAlias = Callable[[Row, View], None]
"""Writes what a view says into a row."""

MOST_SEATS: Final = 5
"""The most seats of any game."""


class Field(NamedTuple):
    """A part of an observation."""

    name: str
    shape: tuple[int, ...]
    """Its size, the slowest index first."""
    text: str
    """A description for people who train."""
    writer: Callable[[int], Write] | None = None
    """Makes the function that writes it, given its place in the row; ``None`` if the encoding writes it."""
    low: float = 0.0
    """The least value, 0 or -1. The greatest is always 1."""
    constant: bool = False
    """True if it stays the same through a deal, so that it is written once."""

    @property
    def size(self) -> int:
        """The number of floats."""
        size = 1
        for length in self.shape:
            size *= length
        return size


class Layout:
    """The fields of an observation, one after the other.

    Attributes:
        fields: the fields, in order.
        at: the place of the first float of each field, by name.
        size: the number of floats of all fields.
        writers: what writes the fields that have a writer and change in a deal.
        constants: what writes those that do not change.
    """

    __slots__ = ("at", "constants", "fields", "size", "writers")

    def __init__(self, fields: Sequence[Field]) -> None:
        """Put the fields one after the other."""
        places: dict[str, int] = {}
        size = 0
        for field in fields:
            places[field.name] = size
            size += field.size
        self.fields: Final = tuple(fields)
        self.at: Final[Mapping[str, int]] = MappingProxyType(places)
        self.size: Final = size
        self.writers: Final = self._writers_of(constant=False)
        self.constants: Final = self._writers_of(constant=True)

    def _writers_of(self, *, constant: bool) -> tuple[Write, ...]:
        some = [field for field in self.fields if field.constant is constant]
        return tuple([field.writer(self.at[field.name]) for field in some if field.writer is not None])

    def lows(self) -> list[float]:
        """Return the least value of each float."""
        return [field.low for field in self.fields for _ in range(field.size)]


def held(value: float) -> float:
    """Return a value held between -1 and 1."""
    return -1.0 if value < -1.0 else min(value, 1.0)


def choice(name: str, size: int, text: str, *, first: int = 0) -> Field:
    """Declare a value of a view as a single 1, or no 1 for ``None``; ``first`` is the value of the first float."""
    get = attrgetter(name)

    def writer(at: int) -> Write:
        start = at - first

        def write(row: Row, view: View) -> None:
            value = get(view)
            if value is not None:
                row[start + value] = 1.0

        return write

    return Field(name, (size,), text, writer)


def seat(name: str, seats: int, text: str, *, constant: bool = False) -> Field:
    """Declare a seat of a view, counted from the one that sees; no 1 for ``None``."""
    get = attrgetter(name)

    def writer(at: int) -> Write:
        def write(row: Row, view: View) -> None:
            value = get(view)
            if value is not None:
                row[at + (value - view.seat) % seats] = 1.0

        return write

    return Field(name, (seats,), text, writer, constant=constant)


def number(name: str, bound: int, text: str, *, constant: bool = False) -> Field:
    """Declare a number of a view, from 0 on, divided by its bound."""
    get = attrgetter(name)

    def writer(at: int) -> Write:
        def write(row: Row, view: View) -> None:
            value = get(view)
            if value:
                row[at] = held(value / bound)

        return write

    return Field(name, (1,), _by_bound(text, bound), writer, constant=constant)


def by_seat(name: str, seats: int, bound: int, text: str, *, signed: bool = False, constant: bool = False) -> Field:
    """Declare a number for each seat, or for each side if there are as many, divided by its bound."""
    get = attrgetter(name)
    places = [[(place - own) % seats for place in range(seats)] for own in range(MOST_SEATS)]

    def writer(at: int) -> Write:
        def write(row: Row, view: View) -> None:
            for place, value in zip(
                places[view.seat], get(view), strict=False
            ):  # Some are empty before they are known.
                if value:
                    row[at + place] = held(value / bound)

        return write

    return Field(name, (seats,), _by_bound(text, bound), writer, -1.0 if signed else 0.0, constant)


def members(name: str, places: Sequence[int], size: int, text: str) -> Field:
    """Declare cards of a view as a set, given the place of each card."""
    get = attrgetter(name)

    def writer(at: int) -> Write:
        at_card = [at + place for place in places]

        def write(row: Row, view: View) -> None:
            for card in get(view):
                row[at_card[card]] = 1.0

        return write

    return Field(name, (size,), text, writer)


def _by_bound(text: str, bound: int) -> str:
    return text if bound == 1 else f"{text.rstrip('.')}, divided by {bound}."


def table_of(layout: Layout) -> str:
    """Return the fields of an observation as a table in Markdown."""
    rows = ["| floats | field | shape | values | text |", "|---|---|---|---|---|"]
    for field in layout.fields:
        first = layout.at[field.name]
        shape = " × ".join(map(str, field.shape))
        values = "-1 to 1" if field.low else "0 to 1"
        rows.append(f"| {first}–{first + field.size - 1} | `{field.name}` | {shape} | {values} | {field.text} |")
    return "\n".join(rows) + "\n"
