"""The ladder as a table, and how likely who is better than whom: of answers of the contract, plain values for pages."""

import math
from collections.abc import Sequence
from typing import Final

from ordago import v1
from ordago.names import visible
from ordago.scene import sentence
from ordago_ladder.pages.ladder_table import HeatTable, LadderRow, LadderTable, ladder_table, likelihood_table
from ordago_web.ladder.places import author_link, bot_link

_LANGUAGES: Final = {
    "ordago_bot python": "Python",
    "ordago cpp": "C++",
    "ordago go": "Go",
    "ordago java": "Java",
    "ordago rust": "Rust",
    "ordago typescript": "TypeScript",
}
"""What those who wrote a library of Ordago call themselves in a Hello. Of another library its name is shown."""
_DEVIATIONS: Final = 2 * 1.96
"""So many standard deviations is an interval of 95 % long."""


def standings_table(standings: Sequence[v1.Standing]) -> LadderTable:
    """Return a page of the standings as a table."""
    return ladder_table("ladder", [ladder_row(standing) for standing in standings])


def ladder_row(standing: v1.Standing) -> LadderRow:
    """Return a line of the ladder."""
    player, rating, figures = standing.player, standing.rating, standing.figures
    author = author_link(player.account)
    return LadderRow(
        rank=standing.rank,
        name=visible(player.name),
        link=bot_link(player.name).place,
        version=visible(player.version),
        author=author.text,
        author_link=author.place,
        language=language_of(player.sdk),
        elo=rating.elo,
        low=rating.low,
        high=rating.high,
        matches=rating.matches,
        provisional=rating.provisional,
        mean_score=figures.mean_score if figures.HasField("mean_score") else None,
        mean_deal_score=figures.mean_deal_score if figures.HasField("mean_deal_score") else None,
        faults=figures.faults,
        forfeits=figures.forfeits,
        marks=(sentence("house"),) if player.house else (),
    )


def language_of(sdk: str) -> str:
    """Return the language that a bot is written in, by the library that it was built with; empty where it has none."""
    return _LANGUAGES.get(sdk, visible(sdk))


def superiority(standings: Sequence[v1.Standing]) -> HeatTable:
    """Return how likely each player is better than each other."""
    names = [visible(standing.player.name) for standing in standings]
    ratings = [standing.rating for standing in standings]
    return likelihood_table(names, [[better(one, other, same=one is other) for other in ratings] for one in ratings])


def better(one: v1.Rating, other: v1.Rating, *, same: bool = False) -> float | None:
    """Return how likely one is stronger than another, from 0 to 1, as if their errors had nothing in common.

    ``None`` for a player beside himself, and for two whose strengths are given.
    """
    variance = _deviation(one) ** 2 + _deviation(other) ** 2
    if same or not variance:
        return None
    return 0.5 * (1 + math.erf((one.elo - other.elo) / math.sqrt(2 * variance)))


def _deviation(rating: v1.Rating) -> float:
    return (rating.high - rating.low) / _DEVIATIONS
