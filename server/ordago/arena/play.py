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
    finally:
        for seat in seats:
            seat.abandon()
