"""The pages that list the matches of an event in the order of the schedule, 250 rows to a page."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from ordago.scene import Sentence, sentence
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.folder import match_page_name
from ordago_ladder.pages.page_layout import PageLayout
from ordago_ladder.rating.think_times import ThinkTimes, decision_count

MATCHES_A_PAGE: Final = 250
"""The number of matches on a page of a list."""
_FOLDER: Final = "matches"


class Sheet(NamedTuple):
    """One page of a list, for the links between its pages."""

    number: int
    """The number of the page, from 1."""
    first: int
    """The number of its first match, from 1."""
    last: int
    """The number of its last match."""


def match_page_names(matches: Iterable[PlannedMatch]) -> list[str]:
    """Return the paths of the pages that list some matches, in the order of the schedule."""
    return [_name(number) for number in sorted({sheet_number(planned.row) for planned in matches})]


def link_to(played: MatchResult, *, up: str) -> str:
    """Return a link to the page of a match with an open record.

    Args:
        played: the match.
        up: the relative URL from the page with the link to the folder of the event.
    """
    return up + match_page_name(played.match.match_id)


def listing_of(planned: PlannedMatch) -> str:
    """Return a link from the folder of the event to the entry of a match in the list."""
    return f"{_name(sheet_number(planned.row))}#m{planned.row + 1}"


def match_pages(layout: PageLayout) -> Mapping[str, str]:
    """Return the pages by path."""
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
    """Return the number of the page, from 1, for a row of the schedule, from 0."""
    return 1 + row // MATCHES_A_PAGE


def sheet(number: int, planned: int) -> Sheet:
    """Return a page of a list of ``planned`` matches."""
    return Sheet(number, 1 + MATCHES_A_PAGE * (number - 1), min(MATCHES_A_PAGE * number, planned))


def _name(number: int) -> str:
    return f"{_FOLDER}/{number}.html"


_LISTED: Final = 3
"""The number of matches in each list of highlights."""


class Highlight(NamedTuple):
    """A match that stands out."""

    number: int
    """Its number in the schedule, from 1."""
    figure: Sentence
    """The remarkable figure, in words."""
    entrants: str
    link: str
    """The URL of its page."""


class Highlights(NamedTuple):
    """The matches of a game that stand out, the most extreme first; ties go to the earlier match."""

    longest: Sequence[Highlight]
    closest: Sequence[Highlight]


def highlights_of(results: Iterable[MatchResult], times: Mapping[str, ThinkTimes], *, up: str) -> Highlights:
    """Return the highlights among the matches of a game with open records and without forfeits.

    Args:
        results: the matches.
        times: the thinking times in each match with an open record, by match id.
        up: the relative URL from the page with the links to the folder of the event.
    """
    whole = [played for played in results if played.match.match_id in times and not played.result.forfeits]
    lengths = {played.planned.row: decision_count(times[played.match.match_id]) for played in whole}
    margins = {played.planned.row: _margin(played) for played in whole}
    longest = sorted(whole, key=lambda played: (-lengths[played.planned.row], played.planned.row))[:_LISTED]
    closest = sorted(whole, key=lambda played: (margins[played.planned.row], played.planned.row))[:_LISTED]
    return Highlights(
        [
            _highlight(played, sentence("{number} decisions", number=lengths[played.planned.row]), up)
            for played in longest
        ],
        [_highlight(played, _apart(margins[played.planned.row]), up) for played in closest],
    )


def _margin(played: MatchResult) -> int:
    """Return the lead of the winner in points; 0 if the first place is shared."""
    score_by_placing = dict(zip(played.result.placings, played.result.scores, strict=True))
    return abs(score_by_placing[1] - score_by_placing[2]) if 2 in score_by_placing else 0


def _apart(margin: int) -> Sentence:
    known = {0: sentence("shared"), 1: sentence("by 1 point")}
    return known.get(margin, sentence("by {margin} points", margin=margin))


def _highlight(played: MatchResult, figure: Sentence, up: str) -> Highlight:
    names = ", ".join(dict.fromkeys(played.planned.entrants))
    return Highlight(played.planned.row + 1, figure, names, link_to(played, up=up))
