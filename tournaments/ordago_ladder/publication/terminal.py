"""The ladder on a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from ordago_ladder.pages.facts import prize_sentences
from ordago_ladder.pages.figures import likelihood, percent, rating_cells, trimmed
from ordago_ladder.rating.ladder import Ladder, Standing, Standings
from ordago_ladder.rating.prizes import prizes_of
from ordago_ladder.schedule.elimination import Bracket, Contest
from ordago_ladder.schedule.league import GroupLine, GroupTable
from ordago_ladder.schedule.schedule import bracket_of, league_of
from ordago_ladder.schedule.swiss_standings import SwissLine, complete_rounds
from ordago_ladder.settings.written_values import ELIMINATION

_SWISS_COLUMNS: Final = ("#", "entrant", "points", "Buchholz", "Sonneborn–Berger", "median Buchholz")
_GROUP_COLUMNS: Final = ("#", "entrant", "points", "Sonneborn–Berger", "score")
_RATED: Final = "rated"
_COLUMNS: Final = ("#", "entrant", "Elo", "±", "matches", _RATED, "score", "above next")


def _columns(standings: Standings) -> list[str]:
    """Return the headings. ``rated`` is left out where nobody forfeited a match."""
    with_forfeits = any(line.rated < line.matches for line in standings.lines)
    return [column for column in _COLUMNS if with_forfeits or column != _RATED]


def ladder_table(standings: Standings, *, title: str = "") -> Table:
    """Return a ladder as a table for rich."""
    table = Table(title=title or None, title_justify="left", header_style="bold")
    columns = _columns(standings)
    for column in columns:
        table.add_column(column, justify="left" if column == "entrant" else "right", no_wrap=True)
    for line in standings.lines:
        cells = _cells(line)
        table.add_row(*(Text(cells[column]) for column in columns), style="bold" if line.rank == 1 else None)
    return table


def ladder_lines(standings: Standings) -> Iterator[str]:
    """Yield the lines of a ladder as plain text, headings first."""
    columns, lines = _columns(standings), map(_cells, standings.lines)
    return _aligned([columns, *([cells[column] for column in columns] for cells in lines)])


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows of a table, headings first, with the names on the left of their column."""
    heads = rows[0]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.ljust(width) if head == "entrant" else cell.rjust(width)
            for head, cell, width in zip(heads, row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()


def format_lines(ladder: Ladder) -> Iterator[str]:
    """Yield what decides besides ratings: Swiss standings, a bracket, the tables of a league; elsewhere the prizes."""
    begun, *later = ladder.stages
    if ladder.event.format == "swiss":
        rounds = complete_rounds(ladder.settings, ladder.rounds, ladder.results, over=ladder.finished)
        if rounds:
            yield f"standings after round {len(rounds)}"
            yield from swiss_lines(rounds[-1].standings)
    elif ladder.event.format in ELIMINATION:
        yield from _bracket_lines(bracket_of(begun.settings, ladder.results, later))
    elif ladder.event.format == "league":
        league = league_of(begun.settings, ladder.results, later)
        yield from group_lines(league.tables)
        yield from _bracket_lines(league.bracket) if league.bracket else ()
    yield from (said.written() for said in prize_sentences(prizes_of(ladder)))


def _bracket_lines(bracket: Bracket) -> Iterator[str]:
    yield from map(contest_line, bracket.contests)
    yield from (f"{place.rank}. {place.entrant}" for place in bracket.places)


def group_lines(tables: Iterable[GroupTable]) -> Iterator[str]:
    """Yield tables of a league as plain text, those that go on marked by a star."""
    for table in tables:
        yield f"group {table.name}" if table.name else "final"
        yield from _aligned([_GROUP_COLUMNS, *map(_group_cells, table.lines)])


def _group_cells(line: GroupLine) -> Sequence[str]:
    mark = "*" if line.goes_on else " (gone)" if line.gone else ""
    score = "–" if line.score is None else str(line.score)
    figures = (f"{float(value):.2f}" for value in (line.points, line.sonneborn_berger))
    return str(line.rank), f"{line.entrant}{mark}", *figures, score


def swiss_lines(lines: Sequence[SwissLine]) -> Iterator[str]:
    """Yield the lines of Swiss standings as plain text, headings first; nothing before there are any."""
    if lines:
        figures = [(f"{value:.2f}" for value in map(float, line[2:])) for line in lines]
        cells = [(str(line.rank), line.entrant, *of_line) for line, of_line in zip(lines, figures, strict=True)]
        yield from _aligned([_SWISS_COLUMNS, *cells])


def contest_line(one: Contest) -> str:
    """Return a table of a bracket in one line, those who go on marked by a star."""
    sat = (f"{who.entrant}{'*' if who.goes_on else ''} {trimmed(who.points)}" for who in one.contenders)
    part = "" if one.part == "upper" else f" ({one.part})"
    how = {"": "being played", "absence": "others gone", "score": "by total score", "seed": "by seed"}.get(
        one.decided_by, ""
    )
    played = f"{one.sets} sets" if one.sets != 1 else "1 set"
    return f"stage {one.stage}{part}, table {one.number}: {' – '.join(sat)}; {', '.join(filter(None, (played, how)))}"


def forfeit_lines(standings: Standings) -> Iterator[str]:
    """Yield a line for each entrant that forfeited matches: its score says little about how it plays."""
    for line in standings.lines:
        if line.conduct.forfeits:
            causes = counted_causes(line.conduct.matches)
            yield f"{line.entrant} forfeited {line.conduct.forfeits} of {line.matches} matches: {causes}"


def counted_causes(counts: Iterable[tuple[str, int]]) -> str:
    """Write causes with their counts: ``too late 6, crashed 1``."""
    return ", ".join(f"{cause.replace('_', ' ')} {number}" for cause, number in counts)


def _cells(line: Standing) -> Mapping[str, str]:
    """Return the cells of a line by column. A score with forfeits in it has an asterisk."""
    mark = "*" if line.rated < line.matches else ""
    cells = (
        str(line.rank),
        line.entrant,
        *rating_cells(line.rating.known),
        str(line.matches),
        str(line.rated),
        f"{percent(line.tally.score)}{mark}",
        likelihood(line.rating.above_next),
    )
    return dict(zip(_COLUMNS, cells, strict=True))
