"""One match: the referee who asks, judges, keeps the time and writes the record."""

from ordago.match.decisions import Decision
from ordago.match.match import Match
from ordago.match.player import Player, Reply
from ordago.match.terms import MatchTerms, SeatTerms

__all__ = ["Decision", "Match", "MatchTerms", "Player", "Reply", "SeatTerms"]
