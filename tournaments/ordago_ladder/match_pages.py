"""The pages that list the matches of an event, some hundred on each, by their places in the schedule."""

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import Final

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.folder import told_name
from ordago_ladder.ladder import Ladder
from ordago_ladder.rendering import template

MATCHES_A_PAGE: Final = 250
_FOLDER: Final = "matches"


def match_page_names(matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the names of the pages on which some matches are listed, ascending by their places."""
    return [_name(number) for number in sorted({_page_of(planned) for planned in matches})]


def link_to(played: MatchResult, *, up: str) -> str:
    """Return a link to where a match whose record is open is told.

    Args:
        played: the match.
        up: the way from the page with the link to the folder of the event.
    """
    return up + told_name(played.match.match_id)


def listing_of(planned: PlannedMatch) -> str:
    """Return a link from the folder of the event to where a match is listed."""
    return f"{_name(_page_of(planned))}#m{planned.row + 1}"


def match_pages(ladder: Ladder, open_matches: Collection[str]) -> Mapping[str, str]:
    """Return the pages by their names.

    Args:
        ladder: the ladder.
        open_matches: the names of the matches whose records are open to everybody.
    """
    games = {game.name: game.title for game in ladder.games}
    found = {number: list(some) for number, some in groupby(ladder.results, lambda played: _page_of(played.planned))}
    ranges = [(number, "–".join(map(str, _ends(number, ladder.planned)))) for number in found]
    return {
        _name(number): template("matches").render(
            heading=ladder.event.heading,
            number=number,
            pages=ranges,
            first=_ends(number, ladder.planned)[0],
            last=_ends(number, ladder.planned)[1],
            results=results,
            game_titles=games,
            open=open_matches,
            some_closed=not all(played.match.match_id in open_matches for played in results),
        )
        for number, results in found.items()
    }


def _page_of(planned: PlannedMatch) -> int:
    return 1 + planned.row // MATCHES_A_PAGE


def _name(number: int) -> str:
    return f"{_FOLDER}/{number}.html"


def _ends(number: int, planned: int) -> tuple[int, int]:
    """Return the numbers of the first and the last match that a page is for."""
    return 1 + MATCHES_A_PAGE * (number - 1), min(MATCHES_A_PAGE * number, planned)
