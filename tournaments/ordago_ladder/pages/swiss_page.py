"""Plain values for the standings of a Swiss event, and the page of its rounds."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from ordago.scene import Sentence, sentence
from ordago_ladder.pages.figures import trimmed
from ordago_ladder.pages.ladder_table import MOST_COLUMNS
from ordago_ladder.pages.page_layout import PageLayout
from ordago_ladder.schedule.swiss_reasons import Floater, Reason, reasons_of, way_of
from ordago_ladder.schedule.swiss_standings import SwissLine, SwissRound, SwissTable

PAGE: Final = "rounds.html"
"""The path of the page."""


class Cell(NamedTuple):
    """An entrant in a game of a round."""

    points: Fraction
    opponents: tuple[int, ...]
    """The ranks of its opponents; empty for a bye."""


class CourseRow(NamedTuple):
    """The way of an entrant through the event."""

    line: SwissLine
    cells: tuple[tuple[Cell, ...], ...]
    """The games of each complete round."""


class ShownEntrant(NamedTuple):
    """An entrant at a table."""

    entrant: str
    before: Fraction
    """Its points before the round."""
    points: Fraction | None
    """The points that it made; ``None`` while the round is played."""
    way: str
    """The arrow of a float; empty for none."""


class ShownTable(NamedTuple):
    """A table of a round, and why its entrants met."""

    game: str
    """The title of the game."""
    entrants: tuple[ShownEntrant, ...]
    reasons: tuple[Sentence, ...]


class ShownRound(NamedTuple):
    """A round as it is shown."""

    found: SwissRound
    tables: tuple[ShownTable, ...]
    byes: tuple[str, ...]
    """The entrants without a table, each once."""
    with_standings: bool
    """True if the page has room for the standings after each round."""


_ARROWS: Final[Mapping[str, str]] = {"down": "↓", "up": "↑", "": ""}


def swiss_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the page of the rounds by path; none in another format."""
    if layout.ladder.event.format != "swiss":
        return {}
    shown = [_shown(layout, one) for one in layout.rounds]
    return {PAGE: layout.page(PAGE, "rounds", rounds=shown, course=course_of(layout.rounds))}


def standings_of(rounds: Sequence[SwissRound]) -> tuple[SwissLine, ...]:
    """Return the standings after the last complete round; empty before there is one."""
    return next((one.standings for one in reversed(rounds) if one.standings), ())


def course_of(rounds: Sequence[SwissRound]) -> list[CourseRow]:
    """Return the way of each entrant through the complete rounds, in the order of the standings."""
    lines = standings_of(rounds)
    ranks = {line.entrant: line.rank for line in lines}
    complete = [one for one in rounds if one.standings]
    return [CourseRow(line, tuple(tuple(_cells(one, line.entrant, ranks)) for one in complete)) for line in lines]


def _cells(found: SwissRound, name: str, ranks: Mapping[str, int]) -> Iterator[Cell]:
    for table in found.tables:
        if name in table.entrants:
            yield Cell(table.points[name], tuple(ranks[other] for other in table.entrants if other != name))
    for _, entrant in found.byes:
        if entrant == name:
            yield Cell(Fraction(1, 2), ())


def _shown(layout: PageLayout, found: SwissRound) -> ShownRound:
    reasons = reasons_of(layout.rounds, found.number)
    tables = (_table(layout, found, *pair) for pair in zip(found.tables, reasons, strict=True))
    byes = tuple(name for name, _ in groupby(sorted(name for _, name in found.byes)))
    room = len(layout.ladder.entrants) <= MOST_COLUMNS
    return ShownRound(found, tuple(tables), byes, room and bool(found.standings))


def _table(layout: PageLayout, found: SwissRound, table: SwissTable, reason: Reason) -> ShownTable:
    entrants = (
        ShownEntrant(name, found.before[name], table.points.get(name), _ARROWS[way_of(found, table, name)])
        for name in table.entrants
    )
    return ShownTable(layout.titles[table.game], tuple(entrants), tuple(reason_sentences(found, table, reason)))


def reason_sentences(found: SwissRound, table: SwissTable, reason: Reason) -> Iterator[Sentence]:
    """Yield the reason why the entrants of a table met, in words."""
    if not reason.floaters:
        points = trimmed(found.before[table.entrants[0]])
        yield sentence("All have the same points, {points}.", points=points)
    yield from (_floating(one) for one in reason.floaters)
    for one, other, rounds in reason.again:
        yield sentence("{one} and {other} had met before ({rounds}).", one=one, other=other, rounds=_rounds(rounds))
    if not reason.again:
        yield sentence("They had not met before.")


def _floating(one: Floater) -> Sentence:
    values = {
        "name": one.entrant,
        "points": trimmed(one.points),
        "met": ", ".join(f"{name} ({_rounds(rounds)})" for name, rounds in one.met),
    }
    if one.way == "up":
        return sentence("{name} ({points} points) floats up.", **values)
    if not one.met and not one.elsewhere:
        return sentence("{name} ({points} points) floats down: nobody else has as many.", **values)
    if not one.met:
        return sentence("{name} ({points} points) floats down: those with as many sit at other tables.", **values)
    if not one.elsewhere:
        return sentence("{name} ({points} points) floats down: it had met all with as many, {met}.", **values)
    return sentence(
        "{name} ({points} points) floats down: of those with as many it had met {met}; the others sit at other tables.",
        **values,
    )


def _rounds(rounds: Sequence[int]) -> str:
    return ", ".join(f"R{number}" for number in rounds)
