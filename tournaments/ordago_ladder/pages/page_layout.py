"""The data that the pages of an event share, and their common frame: heading and navigation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from gettext import NullTranslations
from typing import NamedTuple

from ordago.record.ledgers.event import Ledger
from ordago.scene import Sentence, sentence
from ordago.store import MatchResult
from ordago_ladder.matches.due import due_matches
from ordago_ladder.pages.assets import FOLDER
from ordago_ladder.pages.charts import Charts, charts_of
from ordago_ladder.pages.claims import Claim
from ordago_ladder.pages.facts import time_odds
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
from ordago_ladder.pages.rendering import ENGLISH, template
from ordago_ladder.rating.history import stages
from ordago_ladder.rating.ladder import Ladder, Standing, Standings, Tally
from ordago_ladder.rating.think_times import ThinkTimes
from ordago_ladder.schedule.swiss_standings import SwissRound, complete_rounds, swiss_rounds


class PageLink(NamedTuple):
    """A navigation link to a page of the event."""

    title: Sentence
    path: str
    """The URL, relative to the page with the link."""
    current: bool
    """True if it leads to the page itself, or to the first page of the same kind."""


@dataclass(frozen=True)
class PageLayout:
    """An event as published at one time, in one language."""

    ladder: Ladder
    ledger: Ledger
    claims: Sequence[Claim]
    """The claims of the event, proved or not."""
    times: Mapping[str, ThinkTimes]
    """The thinking times in each match with an open record, by match id."""
    translations: NullTranslations = ENGLISH

    def page(self, path: str, kind: str, **values: object) -> str:
        """Return a rendered page.

        Args:
            path: its path in the folder of the event.
            kind: the name of its template.
            values: the values for this template, in addition to those that all pages get.
        """
        root = way_up(path)
        return template(kind, self.translations).render(
            root=root,
            assets=f"{root}{FOLDER}/",
            heading=self.ladder.event.heading,
            links=self._links(path, root),
            ladder=self.ladder,
            titles=self.titles,
            entrant_links=self.entrant_links(root),
            **values,
        )

    @cached_property
    def charts(self) -> Charts | None:
        """The charts of all ratings that are known; ``None`` if there are none."""
        rated = [line.entrant for line in self.ladder.overall.lines if line.rating.known.elo is not None]
        played = stages(self.ladder.settings, self.ladder.results) if rated else ()
        return charts_of(played, rated=rated) if played else None

    @cached_property
    def superiority(self) -> HeatTable:
        """The likelihoods that each entrant is better than each other, over all games."""
        return superiority_of(self.ladder.overall)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of the games, by name."""
        return {game.name: game.title for game in self.ladder.games}

    @cached_property
    def rounds(self) -> tuple[SwissRound, ...]:
        """The rounds of a Swiss event, also the one that is being played; none in another format."""
        ladder = self.ladder
        if ladder.event.format != "swiss":
            return ()
        if ladder.finished:
            return complete_rounds(ladder.settings, ladder.rounds, ladder.results, over=ladder.finished)
        due = due_matches(ladder.settings, self.ledger, ladder.results)
        return swiss_rounds(ladder.settings, due.matches, due.rounds, ladder.results)

    def entrant_links(self, root: str) -> dict[str, str]:
        """Return links to the pages of the entrants, by name; ``root`` is the relative URL of the event's folder."""
        return {
            entrant.name: root + entrant_page_name(number) for number, entrant in enumerate(self.ladder.entrants, 1)
        }

    def is_open(self, played: MatchResult) -> bool:
        """Return True if the record of a match is public."""
        return played.match.match_id in self.times

    def _links(self, page: str, root: str) -> list[PageLink]:
        missing = {"sets/1.html", "matches/1.html"} if not self.ladder.results else set()
        if self.ladder.event.format != "swiss":
            missing.add("rounds.html")
        return [
            PageLink(title, root + path, current=_kind(page) == _kind(path))
            for path, title in _PAGES.items()
            if path not in missing
        ]


_PAGES = {
    "index.html": sentence("Ladder"),
    "rounds.html": sentence("Rounds"),
    "games.html": sentence("Games"),
    "sets/1.html": sentence("Sets"),
    "schedule.html": sentence("Schedule"),
    "matches/1.html": sentence("Matches"),
    "meetings.html": sentence("Head to head"),
    "likelihoods.html": sentence("Who is better"),
    "course.html": sentence("Course"),
    "entrants.html": sentence("Entrants"),
    "proof.html": sentence("Proof"),
}


def _kind(path: str) -> str:
    """Return the kind of a page, which all pages behind one link share: the folder, or the name."""
    return path.partition("/")[0].removesuffix(".html")


def way_up(path: str) -> str:
    """Return the relative URL from a page to the folder of the event."""
    return "../" * path.count("/")


def entrant_page_name(number: int) -> str:
    """Return the path of the page of an entrant, by number in the event file from 1, since names may be anything."""
    return f"entrants/{number}.html"


def ladder_table_of(ladder: Ladder, standings: Standings, links: Mapping[str, str]) -> LadderTable:
    """Return one of the ladders of an event as a table.

    Args:
        ladder: the event.
        standings: the ladder.
        links: the URL of the page of each entrant, by name.
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
        known=line.rating.known,
        matches=line.matches,
        score=line.tally.score,
        above_next=line.rating.above_next,
        placings=line.placings,
        faults=line.conduct.faults,
        forfeits=line.conduct.forfeits,
        rated=line.rated,
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
            *((time_odds(entrant.time_odds),) if entrant.time_odds != 1 else ()),
            *((sentence("suspended"),) if entrant.suspended else ()),
            *((sentence("withdrawn"),) if entrant.withdrawn else ()),
        )
        for entrant in ladder.entrants
    }


def crosstable_of(standings: Standings) -> HeatTable:
    """Return the scores of each entrant against each other in percent, with wins, ties and losses."""
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
    """Return the likelihoods that each entrant is better than each other, as a table."""
    return likelihood_table([line.entrant for line in standings.lines], standings.superiority)
