"""How far a match has come that is to go on: found by playing what was decided."""

from collections.abc import Iterable
from typing import NamedTuple

from ordago import v1
from ordago.match.match import Match
from ordago.match.terms import MatchTerms


class Progress(NamedTuple):
    """How far a match has come."""

    asked: tuple[int, ...]
    """The last decision that each seat can have been asked, the open one included."""
    forfeited: tuple[bool, ...]
    """Which seats are forfeited."""
    over: bool
    """Whether the match is over."""


def progress_of(terms: MatchTerms, past: Iterable[v1.RecordEntry]) -> Progress:
    """Return how far a match has come after the choices and forfeits that were made."""
    match = Match(terms, past=past)
    told = match.begin().told
    step = match.step(None)
    asked = {seat: message.last_decision for seat, message in told if isinstance(message, v1.MatchStart)}
    if step.question is not None:
        asked[step.question.seat] = step.question.decision.number
    forfeited = {seat for seat, message in (*told, *step.told) if isinstance(message, v1.Forfeited)}
    seats = range(len(terms.seats))
    return Progress(
        tuple(asked[seat] for seat in seats), tuple(seat in forfeited for seat in seats), over=step.question is None
    )
