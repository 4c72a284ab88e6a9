"""A match told in words, as a page: a function of its record."""

from ordago import v1
from ordago.games import find_game
from ordago.names import visible
from ordago.record import tell
from ordago_ladder.rendering import template


def told_page(record: v1.MatchRecord) -> str:
    """Return the page on which a match is told as ``ordago record`` tells it."""
    return template("told").render(
        title=find_game(record.game).rules.title,
        names=[visible(name) for name in dict.fromkeys(seat.name for seat in record.seats)],
        match_id=record.match_id,
        text="\n".join(tell(record)),
    )


def decision_count(record: v1.MatchRecord) -> int:
    """Return the number of decisions in a match."""
    return sum(entry.HasField("choice") for entry in record.entries)
