"""Ratings of a standing ladder over time: a pure function of its players and of its committed results."""

from ordago_ladder.standing.careers.careers import Careers
from ordago_ladder.standing.careers.ratings import NO_RATINGS, Moment, Scale, StandingRating, StandingRatings
from ordago_ladder.standing.careers.rows import Assumptions, CareerResult, Player

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
