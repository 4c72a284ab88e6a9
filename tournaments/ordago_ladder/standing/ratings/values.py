"""Inputs and outputs of the ratings of a standing ladder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ordago_ladder.rating.known import known

_DAY: int = 24 * 60 * 60


class Player(NamedTuple):
    """A version of a bot on a standing ladder."""

    player: int
    """The number of the player, from 1; newer ones have higher numbers."""
    name: str
    """The name of the bot."""
    predecessor: int | None = None
    """The latest earlier player of the same name; ``None`` for the first."""
    house: bool = False
    """True for a house bot, which neither learns nor gives points away."""


class CareerResult(NamedTuple):
    """The part of a committed match that ratings use."""

    game: str
    players: tuple[int, ...]
    """The player at each seat."""
    placings: tuple[int, ...]
    """The placing of each seat's side, from 1."""
    forfeits: tuple[int, ...]
    """The seats that forfeited the match, ascending."""
    ended: int
    """The time of the match's end, in whole seconds since 1970."""
    unrated: bool = False
    """True if the match changes no rating."""


class Counted(NamedTuple):
    """A result, with the pairs of players that do not count in it."""

    result: CareerResult
    left_out: frozenset[tuple[int, int]]
    """Pairs of players that had met too often before, each ascending. Their pairings do not count."""

    def __deepcopy__(self, _known: dict[int, object]) -> "Counted":
        # There are as many as results in the open slice, and they never change, so copies can share them.
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Assumptions about how strengths change. docs/standing-ladder/ratings.md has the measurements behind them."""

    slice_seconds: int = 7 * _DAY
    """The length of a slice of time, within which a strength is constant."""
    walk: float = 15.0
    """The standard deviation of a strength's own change from one slice to the next, in Elo."""
    drift: float = 10.0
    """The standard deviation of the common change of all strengths, in Elo. House bots change in neither way."""
    leap: float = 100.0
    """The standard deviation of the difference between a new version and the one before, in Elo."""
    absence: int = 12
    """The number of slices without a match after which the covariances of a strength with others are dropped."""
    together: int = 2_000
    """The most players whose covariances are kept from one slice to the next: the last to play."""
    batch: int = 128
    """The number of results of the open slice that are fitted at once: it bounds the cost of an update."""


DECIMALS: Final = 1
"""The decimals of a published rating: far coarser than the rounding errors of the fits."""
_BEHIND_ALL: Final = 1e6
"""More than any two ratings are apart, in Elo."""
PROVISIONAL: Final = 100.0
"""The half length of an interval, in Elo, above which a rating is provisional."""


class StandingRating(NamedTuple):
    """The rating of a player on a standing ladder."""

    player: int
    elo: float
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""
    matches: int
    """The number of the player's counted matches, forfeited ones included."""
    provisional: bool
    """True while the interval is too long to say much: more than ``PROVISIONAL`` to either side."""
    current: bool
    """True for the version of its bot that played last, in any game."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    @property
    def place(self) -> tuple[float, int]:
        """The sort key of standings: the strongest first, and last those whose rating cannot be said yet."""
        is_said = known(self.elo, self.low, self.high).is_known
        return (0 if is_said else _BEHIND_ALL) - self.elo, self.player


class Moment(NamedTuple):
    """The rating of a player at the end of a slice of time, or within one after a number of matches."""

    ended: int
    """The end of the slice, in whole seconds since 1970; within a slice the time of its last result until then."""
    elo: float
    low: float
    high: float
    matches: int
    """The number of the player's counted matches until then."""

    def __deepcopy__(self, _known: dict[int, object]) -> "Moment":
        # There are as many as players and slices, and they never change, so copies can share them.
        return self


class Scale(NamedTuple):
    """The ratings in one game, or in all."""

    ratings: tuple[StandingRating, ...]
    """The ratings of all who have played: best first, equal ones by number of the player."""
    courses: tuple[tuple[int, tuple[Moment, ...]], ...]
    """The history of each of these players, ascending: a moment for each slice in which it played, more at first."""


class StandingRatings(NamedTuple):
    """The ratings of a standing ladder."""

    results: int
    """The number of results that they come from."""
    overall: Scale
    games: tuple[tuple[str, Scale], ...]
    """The scale of each game that was played, ascending by name."""

    def of(self, game: str | None) -> Scale:
        """Return the ratings in a game, or over all games for ``None``; empty for a game without results."""
        return self.overall if game is None else dict(self.games).get(game, Scale((), ()))

    def as_json(self) -> dict[str, object]:
        """Return the ratings as JSON values."""
        return {
            "results": self.results,
            "overall": _scale_as_json(self.overall),
            "games": {game: _scale_as_json(scale) for game, scale in self.games},
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> "StandingRatings":
        """Return the ratings from their JSON values.

        Raises:
            KeyError, TypeError, ValueError, AttributeError: the values are malformed.
        """
        games = tuple((game, _scale_from_json(scale)) for game, scale in sorted(content["games"].items()))
        return cls(content["results"], _scale_from_json(content["overall"]), games)


NO_RATINGS: Final = StandingRatings(0, Scale((), ()), ())
"""The ratings of a ladder without results."""


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
