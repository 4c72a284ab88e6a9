"""The state that a server needs to resume after a restart: sessions, and the decisions of running matches."""

from ordago.journal.choice_log import NO_CHOICE_LOG, ChoiceLog
from ordago.journal.frames import JournalError
from ordago.journal.journal import NO_JOURNAL, Journal, MatchJournal, MatchPage
from ordago.journal.outage import Outage
from ordago.journal.terms import match_entry, terms_of

__all__ = [
    "ChoiceLog",
    "Journal",
    "JournalError",
    "MatchJournal",
    "MatchPage",
    "NO_CHOICE_LOG",
    "NO_JOURNAL",
    "Outage",
    "match_entry",
    "terms_of",
]
