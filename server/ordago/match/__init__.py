"""One match: the referee who asks, judges, keeps the time and writes the record."""

from ordago.match.clock import SeatClock, TimeLeft, TimeTerms
from ordago.match.decisions import Decision
from ordago.match.faults import FAULT_RULES, sentence_of
from ordago.match.match import Course, Match
from ordago.match.messages import Acceptance, record_seats
from ordago.match.player import Player, Question, Reply
from ordago.match.progress import Progress, progress_of
from ordago.match.terms import FaultTerms, MatchTerms, SeatTerms
from ordago.match.witness import NOBODY, Witness

__all__ = [
    "Acceptance",
    "Course",
    "Decision",
    "FAULT_RULES",
    "FaultTerms",
    "Match",
    "MatchTerms",
    "NOBODY",
    "Player",
    "Progress",
    "Question",
    "Reply",
    "SeatClock",
    "SeatTerms",
    "TimeLeft",
    "TimeTerms",
    "Witness",
    "progress_of",
    "record_seats",
    "sentence_of",
]
