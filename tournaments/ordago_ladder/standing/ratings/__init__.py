"""Ratings of a standing ladder over time: a pure function of its players and its committed results."""

from ordago_ladder.standing.ratings.careers import Careers
from ordago_ladder.standing.ratings.values import (
    NO_RATINGS,
    Assumptions,
    CareerResult,
    Moment,
    Player,
    Scale,
    StandingRating,
    StandingRatings,
)

__all__ = [
    "NO_RATINGS",
    "Assumptions",
    "CareerResult",
    "Careers",
    "Moment",
    "Player",
    "Scale",
    "StandingRating",
    "StandingRatings",
]
