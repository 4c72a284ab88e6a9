"""Values of the ratings of a standing ladder: what they are made of, and as they are told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

_DAY: int = 24 * 60 * 60


class Player(NamedTuple):
    """A version of a bot on a standing ladder."""

    player: int
    """The number of the player, from 1; newer ones have higher numbers."""
    name: str
    """The name of the bot."""
    predecessor: int | None = None
    """The newest player of the same name before; ``None`` for the first."""
    house: bool = False
    """Whether it is a house bot: it neither learns nor gives points away."""


class CareerResult(NamedTuple):
    """What the ratings want to know of a committed match."""

    game: str
    players: tuple[int, ...]
    """The player at each seat."""
    placings: tuple[int, ...]
    """The placing of each seat's side, from 1."""
    forfeits: tuple[int, ...]
    """The seats that forfeited the match, ascending."""
    ended: int
    """When the match was over, in whole seconds since 1970."""


class Counted(NamedTuple):
    """A result, as far as it counts."""

    result: CareerResult
    left_out: frozenset[tuple[int, int]]
    """Players who had met too often before, ascending in each pair: what they did to each other does not count."""

    def __deepcopy__(self, _known: dict[int, object]) -> "Counted":
        # There are as many as results in the open slice.
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """What is assumed of how strengths change. docs/standing-ladder/ratings.md says what it rests on."""

    slice_seconds: int = 7 * _DAY
    """How long a slice of time is, within which a strength is taken for one."""
    walk: float = 15.0
    """The standard deviation of what a strength changes by itself from one slice to the next, in Elo."""
    drift: float = 10.0
    """The same of what all strengths change together. House bots change in neither way."""
    leap: float = 100.0
    """The standard deviation of what a new version is stronger or weaker than the one before, in Elo."""
    absence: int = 12
    """After how many slices without a match it is forgotten how the error of a strength hangs together with others."""
    together: int = 2_000
    """For how many players that is known, at the most, but for those of the open slice: the last who played."""
    batch: int = 128
    """How many results of the open slice are taken up at once: what an update costs depends on it."""


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

    def __deepcopy__(self, _known: dict[int, object]) -> "Moment":
        # There are as many as players and slices.
        return self


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

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "StandingRatings":
        """Return the ratings of which these are the values of JSON.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: they are of none.
        """
        games = tuple((game, _scale_from_json(scale)) for game, scale in sorted(content["games"].items()))
        return cls(content["results"], _scale_from_json(content["overall"]), games)


NO_RATINGS: Final = StandingRatings(0, Scale((), ()), ())
"""Those of a ladder on which nobody has played."""


def _scale_from_json(content: Mapping[str, Any]) -> Scale:
    ratings = tuple(StandingRating(**rating) for rating in content["ratings"])
    courses = {int(player): _course_from_json(course) for player, course in content["courses"].items()}
    return Scale(ratings, tuple(courses.items()))


def _course_from_json(content: Sequence[Mapping[str, Any]]) -> tuple[Moment, ...]:
    return tuple(Moment(**moment) for moment in content)


def _scale_as_json(scale: Scale) -> dict[str, object]:
    return {
        "ratings": [rating._asdict() for rating in scale.ratings],
        "courses": {str(player): [moment._asdict() for moment in course] for player, course in scale.courses},
    }
