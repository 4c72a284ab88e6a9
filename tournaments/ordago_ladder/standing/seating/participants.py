"""Who waits for a seat, and for what kinds of tables."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import NamedTuple


class Kind(NamedTuple):
    """A kind of tables."""

    game: str
    """The short name of the game."""
    sides: tuple[int, ...]
    """The side that each seat plays for, from 0, as the rules of the game say."""

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return len(self.sides)

    @property
    def opponents(self) -> int:
        """How many sides each side plays against."""
        return len(set(self.sides)) - 1


class KnownStrength(NamedTuple):
    """What is known of the strength of a player at a game."""

    elo: float
    half_width: float
    """Half the length of its 95 % interval, in points of Elo; 0 for an anchor."""


class Seated(NamedTuple):
    """Who sat at a table."""

    name: str
    """The name of the bot, whatever its version."""
    account: str
    """Whose it is; empty for a house bot."""

    @property
    def met_as(self) -> str:
        """As whom it is met: a bot as its account, a house bot as itself."""
        return self.account or f"house bot {self.name}"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A bot that has room for one more match."""

    key: Hashable
    """What the caller knows it by: one connected process."""
    name: str
    """The name of the bot, whatever its version."""
    account: str
    """Whose it is; empty for a house bot."""
    strengths: Mapping[str, KnownStrength]
    """The games that it plays, by their short names, and what is known of its strength at each."""

    seated: Seated = field(init=False, repr=False)
    """Who it is at a table."""

    def __post_init__(self) -> None:
        """Check the figures.

        Raises:
            ValueError: a strength is not finite, or a width is below zero.
        """
        for game, (elo, half_width) in self.strengths.items():
            if not (isfinite(elo) and 0 <= half_width < inf):
                raise ValueError(f"{self.name} has no strength at {game}: {elo} ± {half_width}")
        object.__setattr__(self, "seated", Seated(self.name, self.account))
