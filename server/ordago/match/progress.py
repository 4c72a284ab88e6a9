"""The progress of a match that is to be resumed, found by replaying its decisions."""

from collections.abc import Iterable
from typing import NamedTuple

from ordago import v1
from ordago.match.match import Match
from ordago.match.terms import MatchTerms


class Progress(NamedTuple):
    """The progress of a match."""

    asked: tuple[int, ...]
    """The number of the last decision that each seat can have been asked, the open one included."""
    forfeited: tuple[bool, ...]
    """For each seat, True if it is forfeited."""
    over: bool
    """True if the match is over."""


def progress_of(terms: MatchTerms, past: Iterable[v1.RecordEntry]) -> Progress:
    """Return the progress of a match after its earlier choices and forfeits."""
    match = Match(terms, past=past)
    messages = match.begin().messages
    step = match.step(None)
    asked = {seat: message.last_decision for seat, message in messages if isinstance(message, v1.MatchStart)}
    if step.question is not None:
        asked[step.question.seat] = step.question.decision.number
    forfeited = {seat for seat, message in (*messages, *step.messages) if isinstance(message, v1.Forfeited)}
    seats = range(len(terms.seats))
    return Progress(
        tuple(asked[seat] for seat in seats), tuple(seat in forfeited for seat in seats), over=step.question is None
    )
