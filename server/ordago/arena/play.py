"""Plays a match at seats that bots have taken."""

from collections.abc import Sequence

from ordago import v1
from ordago.arena.bot import BotSeat
from ordago.match import Match, MatchTerms


async def play(terms: MatchTerms, seats: Sequence[BotSeat]) -> v1.MatchRecord:
    """Play a match at these seats, in order, and return its record.

    If it is cancelled, or if the server itself fails, the match is void and the bots are told so.
    """
    try:
        return await Match(terms, seats).play()
    except Exception:
        _abandon(seats, "the server failed; the match does not count, and nobody at the table is to blame")
        raise
    finally:
        _abandon(seats, "the server stopped the match; it does not count")


def _abandon(seats: Sequence[BotSeat], sentence: str) -> None:
    """Give back what seats are still taken."""
    for seat in seats:
        seat.abandon(sentence)
