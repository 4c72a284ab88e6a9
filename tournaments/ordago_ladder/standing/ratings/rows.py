"""What the ratings of a standing ladder are made of: its players, its results, and what is assumed of careers."""

from dataclasses import dataclass
from typing import NamedTuple

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
