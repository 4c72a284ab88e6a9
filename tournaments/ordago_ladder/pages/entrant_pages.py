"""A page for each entrant of an event: rank, rating history, opponents, results by seat, and thinking times."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from ordago.scene import Sentence
from ordago.store import MatchResult
from ordago_ladder.pages.charts import HEIGHT, WIDTH, Chart
from ordago_ladder.pages.facts import notes_of
from ordago_ladder.pages.ladder_table import HeatCell
from ordago_ladder.pages.page_layout import PageLayout, entrant_page_name
from ordago_ladder.rating.ladder import Standing, Standings, Tally
from ordago_ladder.settings.settings import Settings

_MOST_OPPONENTS: Final = 60
"""The most opponents on a page."""
_RECENT: Final = 25
"""The number of latest matches on a page."""


class Opponent(NamedTuple):
    """An opponent that an entrant met, or could have met."""

    name: str
    tally: Tally
    """The wins, ties and losses of the entrant against it."""
    likelihood: HeatCell | None
    """The likelihood that the entrant is better; ``None`` if they cannot be compared."""


class SeatLine(NamedTuple):
    """The results of an entrant in a seat of a game."""

    game: str
    """The short name of the game."""
    title: str
    """Its title."""
    seat: int
    matches: int
    mean_score: float
    first: int
    """The number of matches with placing 1."""


class GameLine(NamedTuple):
    """An entrant in a game."""

    title: str
    line: Standing
    asked: int
    """The number of decisions asked of it in matches with open records."""
    mean_ms: float | None
    """The mean charged time of these decisions; ``None`` without any."""
    longest_ms: int
    """The longest charged time of these decisions."""


def entrant_page_names(settings: Settings) -> list[str]:
    """Return the names of the pages, in the order of the event file."""
    return [entrant_page_name(number) for number in range(1, 1 + len(settings.entrants))]


def entrant_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the pages by path."""
    pages = _Entrants(layout)
    return {
        name: pages.page(entrant.name, name)
        for entrant, name in zip(layout.ladder.entrants, entrant_page_names(layout.ladder.settings), strict=True)
    }


class _Entrants:
    """The data that the pages of all entrants share, looked up once."""

    def __init__(self, layout: PageLayout) -> None:
        ladder = layout.ladder
        self._layout = layout
        self._notes: Mapping[str, Sequence[Sentence]] = notes_of(ladder.settings, layout.ledger)
        self._played: defaultdict[str, list[MatchResult]] = defaultdict(list)
        for played in ladder.results:
            for name in set(played.planned.entrants):
                self._played[name].append(played)

    def page(self, name: str, path: str) -> str:
        """Return the page of an entrant."""
        ladder = self._layout.ladder
        played = self._played[name]
        return self._layout.page(
            path,
            "entrant",
            entrant=next(entrant for entrant in ladder.entrants if entrant.name == name),
            notes=self._notes[name],
            line=_line_of(ladder.overall, name),
            chart=self._chart(name),
            ticks=self._layout.charts.ticks if self._layout.charts else (),
            width=WIDTH,
            height=HEIGHT,
            games=[self._game(found, name) for found in ladder.by_game if _line_of(found, name).matches],
            opponents=_opponents(self._layout, name),
            most_opponents=_MOST_OPPONENTS,
            seats=list(_seats(self._layout.titles, played, name)),
            recent=played[: -_RECENT - 1 : -1],
            is_open=self._layout.is_open,
        )

    def _chart(self, name: str) -> Chart | None:
        charts = self._layout.charts.charts if self._layout.charts else ()
        return next((chart for chart in charts if chart.rating.entrant == name), None)

    def _game(self, standings: Standings, name: str) -> GameLine:
        assert standings.game is not None
        times = [
            self._layout.times[played.match.match_id][seat]
            for played in self._played[name]
            if played.planned.game == standings.game and self._layout.is_open(played)
            for seat, entrant in enumerate(played.planned.entrants)
            if entrant == name
        ]
        asked = sum(seat.asked for seat in times)
        return GameLine(
            title=self._layout.titles[standings.game],
            line=_line_of(standings, name),
            asked=asked,
            mean_ms=sum(seat.charged_ms for seat in times) / asked if asked else None,
            longest_ms=max((seat.longest_ms for seat in times), default=0),
        )


def _line_of(standings: Standings, name: str) -> Standing:
    return next(line for line in standings.lines if line.entrant == name)


def _opponents(layout: PageLayout, name: str) -> list[Opponent]:
    """Return the opponents that an entrant met most often, in the order of the ladder."""
    standings, likely = layout.ladder.overall, layout.superiority.rows
    names = [line.entrant for line in standings.lines]
    row = names.index(name)
    met = [
        Opponent(other, tally, likely[row][column] if likely else None)
        for column, (other, tally) in enumerate(zip(names, standings.crosstable[row], strict=True))
        if tally is not None and tally.pairings
    ]
    chosen = sorted(met, key=lambda opponent: -opponent.tally.pairings)[:_MOST_OPPONENTS]
    return [opponent for opponent in met if opponent in chosen]


def _seats(titles: Mapping[str, str], played: Iterable[MatchResult], name: str) -> Iterator[SeatLine]:
    """Yield the results of an entrant in each seat that it had, by game and seat."""
    found: defaultdict[tuple[str, int], list[MatchResult]] = defaultdict(list)
    for one in played:
        for seat, entrant in enumerate(one.planned.entrants):
            if entrant == name:
                found[one.planned.game, seat].append(one)
    for game in titles:
        for seat in sorted(seat for other, seat in found if other == game):
            results = [one.result for one in found[game, seat]]
            mean = fmean(result.scores[seat] for result in results)
            first = sum(result.placings[seat] == 1 for result in results)
            yield SeatLine(game, titles[game], seat, len(results), mean, first)
