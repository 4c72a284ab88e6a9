"""The standings as a table, and likelihoods of superiority, converted from answers of the server."""

import math
from collections.abc import Sequence
from typing import Final

from ordago import v1
from ordago.names import visible
from ordago.scene import sentence
from ordago_ladder.pages.ladder_table import HeatTable, LadderRow, LadderTable, ladder_table, likelihood_table
from ordago_ladder.rating.known import Known, known
from ordago_web.ladder.places import author_link, bot_link

_LANGUAGES: Final = {
    "ordago_bot python": "Python",
    "ordago cpp": "C++",
    "ordago go": "Go",
    "ordago java": "Java",
    "ordago rust": "Rust",
    "ordago typescript": "TypeScript",
}
"""The library names in a Hello message, by language. Other libraries appear by their own name."""
_DEVIATIONS: Final = 2 * 1.96
"""The length of a 95 % interval in standard deviations."""


def standings_table(standings: Sequence[v1.Standing]) -> LadderTable:
    """Convert a page of standings to a table."""
    return ladder_table("ladder", [ladder_row(standing) for standing in standings])


def ladder_row(standing: v1.Standing) -> LadderRow:
    """Convert a standing to a row."""
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
        known=known_rating(rating),
        matches=rating.matches,
        provisional=rating.provisional,
        mean_score=figures.mean_score if figures.HasField("mean_score") else None,
        mean_deal_score=figures.mean_deal_score if figures.HasField("mean_deal_score") else None,
        faults=figures.faults,
        forfeits=figures.forfeits,
        marks=(sentence("house"),) if player.house else (),
    )


def language_of(sdk: str) -> str:
    """Return the language of a bot by its library, or the name of an unknown library; empty without one."""
    return _LANGUAGES.get(sdk, visible(sdk))


def superiority(standings: Sequence[v1.Standing]) -> HeatTable:
    """Return the table of likelihoods that one player is better than another."""
    names = [visible(standing.player.name) for standing in standings]
    ratings = [standing.rating for standing in standings]
    return likelihood_table(names, [[better(one, other, same=one is other) for other in ratings] for one in ratings])


def better(one: v1.Rating, other: v1.Rating, *, same: bool = False) -> float | None:
    """Return the likelihood that one player is stronger than another, from 0 to 1.

    Their errors count as independent. ``None`` for a player against itself, for two players of fixed strength, and
    where the rating of one is not known.
    """
    variance = _deviation(one) ** 2 + _deviation(other) ** 2
    if same or not variance:
        return None
    likelihood = 0.5 * (1 + math.erf((one.elo - other.elo) / math.sqrt(2 * variance)))
    return known_rating(one).against(known_rating(other), likelihood)


def known_rating(rating: v1.Rating) -> Known:
    """Return the part of a rating that may be said."""
    return known(rating.elo, rating.low, rating.high)


def _deviation(rating: v1.Rating) -> float:
    return (rating.high - rating.low) / _DEVIATIONS
