"""The pages that list the matches of an event, some hundred on each, by their places in the schedule."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.folder import told_name
from ordago_ladder.pages.page_layout import PageLayout

MATCHES_A_PAGE: Final = 250
_FOLDER: Final = "matches"


class Sheet(NamedTuple):
    """One of the pages of a list, as each of them leads to the others."""

    number: int
    """From 1."""
    first: int
    """The number of the first match that it is for,"""
    last: int
    """and of the last."""


def match_page_names(matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the names of the pages on which some matches are listed, ascending by their places."""
    return [_name(number) for number in sorted({sheet_number(planned.row) for planned in matches})]


def link_to(played: MatchResult, *, up: str) -> str:
    """Return a link to where a match whose record is open is told.

    Args:
        played: the match.
        up: the way from the page with the link to the folder of the event.
    """
    return up + told_name(played.match.match_id)


def listing_of(planned: PlannedMatch) -> str:
    """Return a link from the folder of the event to where a match is listed."""
    return f"{_name(sheet_number(planned.row))}#m{planned.row + 1}"


def match_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the pages by their names."""
    results = layout.ladder.results
    found = {number: list(some) for number, some in groupby(results, lambda played: sheet_number(played.planned.row))}
    sheets = [sheet(number, layout.ladder.planned) for number in found]
    return {
        _name(here.number): layout.page(
            _name(here.number), "matches", here=here, sheets=sheets, results=found[here.number], is_open=layout.is_open
        )
        for here in sheets
    }


def sheet_number(row: int) -> int:
    """Return the number of the page for a place in the schedule."""
    return 1 + row // MATCHES_A_PAGE


def sheet(number: int, planned: int) -> Sheet:
    """Return a page of a list of so many matches."""
    return Sheet(number, 1 + MATCHES_A_PAGE * (number - 1), min(MATCHES_A_PAGE * number, planned))


def _name(number: int) -> str:
    return f"{_FOLDER}/{number}.html"
