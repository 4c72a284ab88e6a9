"""The longest and the closest matches of an event."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ordago.scene import Sentence, sentence
from ordago.store import MatchResult
from ordago_ladder.pages.match_pages import link_to
from ordago_ladder.rating.think_times import ThinkTimes, decision_count

_LISTED: Final = 3


class Highlight(NamedTuple):
    """A match that stands out."""

    number: int
    """Its place in the schedule, from 1."""
    figure: Sentence
    """What it stands out by, in words."""
    entrants: str
    link: str
    """Where it is told."""


class Highlights(NamedTuple):
    """The matches of a game that stand out, the most outstanding first, of equal ones the earliest."""

    longest: Sequence[Highlight]
    closest: Sequence[Highlight]


def highlights_of(results: Iterable[MatchResult], times: Mapping[str, ThinkTimes], *, up: str) -> Highlights:
    """Return what stands out among the matches of a game that are open to everybody, and without a forfeit.

    Args:
        results: the matches.
        times: how long the players took in each match that is open, by its name.
        up: the way from the page that names them to the folder of the event.
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
    """Return by how many points the winner was ahead; where the first place is shared, zero."""
    score_by_placing = dict(zip(played.result.placings, played.result.scores, strict=True))
    return abs(score_by_placing[1] - score_by_placing[2]) if 2 in score_by_placing else 0


def _apart(margin: int) -> Sentence:
    known = {0: sentence("shared"), 1: sentence("by 1 point")}
    return known.get(margin, sentence("by {margin} points", margin=margin))


def _highlight(played: MatchResult, figure: Sentence, up: str) -> Highlight:
    names = ", ".join(dict.fromkeys(played.planned.entrants))
    return Highlight(played.planned.row + 1, figure, names, link_to(played, up=up))
