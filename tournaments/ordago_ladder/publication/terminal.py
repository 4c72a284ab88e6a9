"""The ladder on a terminal."""

from collections.abc import Iterable, Iterator
from typing import Final

from rich.table import Table
from rich.text import Text

from ordago_ladder.pages.figures import likelihood, percent, whole
from ordago_ladder.rating.ladder import Standing, Standings

_COLUMNS: Final = ("#", "entrant", "Elo", "±", "matches", "score", "above next")


def ladder_table(standings: Standings, *, title: str = "") -> Table:
    """Return a ladder as a table for rich."""
    table = Table(title=title or None, title_justify="left", header_style="bold")
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column == "entrant" else "right", no_wrap=True)
    for line in standings.lines:
        table.add_row(*(Text(cell) for cell in _cells(line)), style="bold" if line.rank == 1 else None)
    return table


def ladder_lines(standings: Standings) -> Iterator[str]:
    """Yield the lines of a ladder as plain text, headings first."""
    rows = [_COLUMNS, *(_cells(line) for line in standings.lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    for row in rows:
        cells = [
            cell.ljust(width) if column == "entrant" else cell.rjust(width)
            for column, cell, width in zip(_COLUMNS, row, widths, strict=True)
        ]
        yield "  ".join(cells).rstrip()


def forfeit_lines(standings: Standings) -> Iterator[str]:
    """Yield a line for each entrant that forfeited matches: its score says little about how it plays."""
    for line in standings.lines:
        if line.conduct.forfeits:
            causes = counted_causes(line.conduct.matches)
            yield f"{line.entrant} forfeited {line.conduct.forfeits} of {line.matches} matches: {causes}"


def counted_causes(counts: Iterable[tuple[str, int]]) -> str:
    """Write causes with their counts: ``too late 6, crashed 1``."""
    return ", ".join(f"{cause.replace('_', ' ')} {number}" for cause, number in counts)


def _cells(line: Standing) -> tuple[str, ...]:
    return (
        str(line.rank),
        line.entrant,
        whole(line.rating.elo),
        whole(line.rating.half_length),
        str(line.matches),
        percent(line.tally.score),
        likelihood(line.rating.above_next),
    )
