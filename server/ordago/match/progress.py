"""How far a match has come that is to go on: found by playing what was decided, with nobody at the table."""

from collections.abc import Iterable
from typing import NamedTuple

from ordago import v1
from ordago.match.match import Match
from ordago.match.messages import Acceptance
from ordago.match.terms import MatchTerms


class Progress(NamedTuple):
    """How far a match has come."""

    asked: tuple[int, ...]
    """The last decision that each seat can have been asked, the open one included."""
    forfeited: tuple[bool, ...]
    """Which seats are forfeited."""
    over: bool
    """Whether the match is over."""


class _EmptyChair:
    """A ``Player`` who is told how far a match has come, and plays no part in it."""

    def __init__(self) -> None:
        self.asked = 0
        self.forfeited = False

    def begin(self, start: v1.MatchStart) -> None:
        self.asked = start.last_decision

    def accept(self, accepted: Acceptance) -> None:
        pass

    def refuse(self, refused: v1.Refused) -> None:
        pass

    def forfeit(self, forfeited: v1.Forfeited) -> None:  # noqa: ARG002 - that it is forfeited is all
        self.forfeited = True


def progress_of(terms: MatchTerms, past: Iterable[v1.RecordEntry]) -> Progress:
    """Return how far a match has come after the choices and forfeits that were made."""
    chairs = [_EmptyChair() for _ in terms.seats]
    try:
        question = next(Match(terms, chairs, past=past).play())
    except StopIteration:
        question = None
    over = question is None
    if question is not None:
        chairs[question.seat].asked = question.decision.number
    return Progress(tuple(chair.asked for chair in chairs), tuple(chair.forfeited for chair in chairs), over)
