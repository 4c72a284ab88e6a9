"""What a server has to know to go on after a restart: sessions, and what was decided in the matches that run."""

from ordago.journal.errors import JournalError
from ordago.journal.journal import NO_JOURNAL, Journal, MatchJournal, MatchPage
from ordago.journal.outage import Outage
from ordago.journal.terms import match_entry, terms_of

__all__ = ["Journal", "JournalError", "MatchJournal", "MatchPage", "NO_JOURNAL", "Outage", "match_entry", "terms_of"]
