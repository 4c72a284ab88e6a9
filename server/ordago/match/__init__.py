"""One match: the referee who asks, judges, keeps the time and writes the record."""

from ordago.match.audit import Audit, UnpromptedForfeit, audit
from ordago.match.bounds import TERM_BOUNDS, TermBounds
from ordago.match.choice_log import NO_CHOICE_LOG, ChoiceLog, GatheringLog
from ordago.match.clock import SeatClock, TimeLeft, TimeTerms
from ordago.match.decisions import SerializedDecision
from ordago.match.faults import FAULT_RULES, sentence_of
from ordago.match.match import Course, Match, PlayedOut
from ordago.match.messages import Acceptance, match_start, record_heading
from ordago.match.player import Onlooker, Player, PlayerFailedError, Question, Reply
from ordago.match.progress import Progress, progress_of
from ordago.match.terms import DealTerms, FaultTerms, MatchTerms, SeatTerms, single_match_terms

__all__ = [
    "Acceptance",
    "Audit",
    "Course",
    "DealTerms",
    "SerializedDecision",
    "FAULT_RULES",
    "FaultTerms",
    "GatheringLog",
    "Match",
    "MatchTerms",
    "NO_CHOICE_LOG",
    "Onlooker",
    "PlayedOut",
    "Player",
    "PlayerFailedError",
    "Progress",
    "Question",
    "Reply",
    "SeatClock",
    "SeatTerms",
    "TERM_BOUNDS",
    "TermBounds",
    "TimeLeft",
    "TimeTerms",
    "UnpromptedForfeit",
    "ChoiceLog",
    "audit",
    "match_start",
    "progress_of",
    "record_heading",
    "sentence_of",
    "single_match_terms",
]
