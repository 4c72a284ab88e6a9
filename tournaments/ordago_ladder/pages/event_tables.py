"""The ladders of an event as tables: what its pages show of them, by the tables that all pages share."""

from collections.abc import Mapping

from ordago.scene import Sentence, sentence
from ordago_ladder.pages.ladder_table import (
    MOST_COLUMNS,
    HeatCell,
    HeatTable,
    LadderRow,
    LadderTable,
    heat_of,
    ladder_table,
    likelihood_table,
)
from ordago_ladder.rating.ladder import Ladder, Standing, Standings, Tally


def ladder_table_of(ladder: Ladder, standings: Standings, links: Mapping[str, str]) -> LadderTable:
    """Return one of the ladders of an event as a table.

    Args:
        ladder: the event.
        standings: the ladder.
        links: where more is told of each entrant, by his name.
    """
    marks = _marks(ladder)
    known = {entrant.name: entrant for entrant in ladder.entrants}
    rows = [
        _row(line, game=standings.game)._replace(
            link=links[line.entrant],
            version=known[line.entrant].version,
            author=known[line.entrant].author,
            language=known[line.entrant].language,
            marks=marks[line.entrant],
        )
        for line in standings.lines
    ]
    return ladder_table(f"ladder-{standings.game or 'overall'}", rows)


def _row(line: Standing, *, game: str | None) -> LadderRow:
    row = LadderRow(
        rank=line.rank,
        name=line.entrant,
        elo=line.rating.elo,
        low=line.rating.low,
        high=line.rating.high,
        matches=line.matches,
        score=line.tally.score,
        above_next=line.rating.above_next,
        placings=line.placings,
        faults=line.conduct.faults,
        forfeits=line.conduct.forfeits,
    )
    if game is None:
        return row
    return row._replace(
        mean_score=line.mean_score, points_per_match=line.points_per_match, points_per_deal=line.points_per_deal
    )


def _marks(ladder: Ladder) -> dict[str, tuple[Sentence, ...]]:
    remote = {entrant.name for entrant in ladder.settings.remote_entrants}
    return {
        entrant.name: (
            *((sentence("remote"),) if entrant.name in remote else ()),
            *((sentence("suspended"),) if entrant.suspended else ()),
        )
        for entrant in ladder.entrants
    }


def crosstable_of(standings: Standings) -> HeatTable:
    """Return what everybody took from everybody else: scores in percent, with wins, ties and losses."""
    names = tuple(line.entrant for line in standings.lines)
    if len(names) > MOST_COLUMNS:
        return HeatTable(names, ())
    return HeatTable(names, [[_cell(tally) for tally in row] for row in standings.crosstable])


def _cell(tally: Tally | None) -> HeatCell | None:
    score = None if tally is None else tally.score
    if tally is None or score is None:
        return None
    return HeatCell(f"{100 * score:.0f}", heat_of(score), "–".join(map(str, tally)))


def superiority_of(standings: Standings) -> HeatTable:
    """Return how likely everybody is better than everybody else."""
    return likelihood_table([line.entrant for line in standings.lines], standings.superiority)
