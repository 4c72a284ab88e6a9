"""The ratings of a standing ladder, as they are told."""

from typing import Final, NamedTuple

DECIMALS: Final = 1
"""Of a rating as it is told: far above what rounding in the fits can do."""
PROVISIONAL: Final = 100.0
"""A rating is provisional while half its interval is longer."""


class StandingRating(NamedTuple):
    """The rating of a player on a standing ladder."""

    player: int
    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""
    matches: int
    """How many matches of the player counted, those that he forfeited too."""
    provisional: bool
    """Whether the interval is still too long to say much."""
    current: bool
    """Whether the player is that of his bot's versions who played last, in whichever game."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


class Moment(NamedTuple):
    """The rating of a player at the end of a slice of time, as it was told then."""

    ended: int
    """The end of the slice, in whole seconds since 1970; of the last one the time of its last result."""
    elo: float
    low: float
    high: float
    matches: int
    """How many matches of the player counted until then."""


class Scale(NamedTuple):
    """The ratings of one game, or of all."""

    ratings: tuple[StandingRating, ...]
    """Of those who have played: best first, equal ones as they came to the ladder."""
    courses: tuple[tuple[int, tuple[Moment, ...]], ...]
    """For each of these players, ascending, his ratings over time: a moment for each slice in which he played."""


class StandingRatings(NamedTuple):
    """The ratings of a standing ladder: a function of its committed results and of its players."""

    results: int
    """How many results they come from."""
    overall: Scale
    games: tuple[tuple[str, Scale], ...]
    """Each game that was played, ascending."""

    def of(self, game: str | None) -> Scale:
        """Return the ratings of a game, or with ``None`` of all games. Of a game that nobody played there are none."""
        return self.overall if game is None else dict(self.games).get(game, Scale((), ()))

    def as_json(self) -> dict[str, object]:
        """Return all of it as values of JSON."""
        return {
            "results": self.results,
            "overall": _scale_as_json(self.overall),
            "games": {game: _scale_as_json(scale) for game, scale in self.games},
        }


def _scale_as_json(scale: Scale) -> dict[str, object]:
    return {
        "ratings": [rating._asdict() for rating in scale.ratings],
        "courses": {str(player): [moment._asdict() for moment in course] for player, course in scale.courses},
    }
