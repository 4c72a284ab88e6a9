"""One match: the referee asks the seats, judges their answers, runs the clocks and writes the record."""

from ordago.match.audit import Audit, UnpromptedForfeit, audit
from ordago.match.decisions import PastDecision, decisions_of
from ordago.match.fault_rules import FAULT_RULES, sentence_of
from ordago.match.match import Match
from ordago.match.messages import Acceptance, match_start, record_heading
from ordago.match.progress import Progress, progress_of
from ordago.match.seat_clock import SeatClock, TimeLeft, TimeTerms
from ordago.match.step import Message, PlayedOut, PlayerFailedError, Question, Reply, SeatMessage, Step
from ordago.match.terms import (
    TERM_BOUNDS,
    DealTerms,
    FaultTerms,
    MatchTerms,
    SeatTerms,
    TermBounds,
    recorded_terms,
    single_match_terms,
)
from ordago.wire.decision_parts import SerializedDecision

__all__ = [
    "Acceptance",
    "Audit",
    "DealTerms",
    "SerializedDecision",
    "FAULT_RULES",
    "FaultTerms",
    "Match",
    "MatchTerms",
    "Message",
    "PastDecision",
    "PlayedOut",
    "PlayerFailedError",
    "Progress",
    "Question",
    "Reply",
    "SeatClock",
    "SeatMessage",
    "SeatTerms",
    "Step",
    "TERM_BOUNDS",
    "TermBounds",
    "TimeLeft",
    "TimeTerms",
    "UnpromptedForfeit",
    "audit",
    "decisions_of",
    "match_start",
    "progress_of",
    "record_heading",
    "recorded_terms",
    "sentence_of",
    "single_match_terms",
]
