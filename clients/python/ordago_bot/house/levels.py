"""Levels of the house: for each game, from the weakest to the strongest, a policy and the deals that it imagines.

Levels are fixed by counts rather than by time, so a level plays the same on every machine. Only where time would run
out does it imagine fewer deals. docs/house.md says how far apart levels are and how long they take.
"""

import math
import time
from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from ordago import v1
from ordago_bot.bot import Choosable
from ordago_bot.house.solid import POLICIES, SolidBot
from ordago_bot.house.weighing import Weigher
from ordago_bot.match import Match
from ordago_bot.search.budget import Budget


class Level(NamedTuple):
    """A level of the house in one game."""

    policy: str
    """The module of the policy, whose ``choose`` is called."""
    worlds: int = 1
    """The number of deals imagined for each decision."""
    noise: int = 0
    """The percentage of decisions at which a random legal action is taken, from 0 to 100."""


_MISTAKES: Final = 50
"""The percentage of random decisions of the lowest level. 30 hardly told it from the next one in Mittlere Jass."""


def _levels(game: str, *stronger: Level) -> tuple[Level, ...]:
    """Return the levels of a game: three of ``solid``, then stronger ones."""
    solid = POLICIES[game]
    return (Level(solid, noise=_MISTAKES), Level(solid), Level(solid, worlds=8), *stronger)


_HOUSE: Final = "ordago_bot.house"

LEVELS: Final[Mapping[str, tuple[Level, ...]]] = MappingProxyType(
    {
        "mitaines": _levels(
            "mitaines", Level(f"{_HOUSE}.mitaines_search", 40), Level(f"{_HOUSE}.mitaines_search", 160)
        ),
        # More worlds do not tell in Mitigati.
        "mitigati": (
            Level(POLICIES["mitigati"], noise=_MISTAKES),
            Level(POLICIES["mitigati"], 8),
            Level(f"{_HOUSE}.mitigati_bargain", 8),
        ),
        "mittlere": _levels(
            "mittlere", Level(f"{_HOUSE}.mittlere_search", 300), Level(f"{_HOUSE}.mittlere_search", 1200)
        ),
        "mus": _levels("mus", Level(f"{_HOUSE}.mus_mixed_bets"), Level(f"{_HOUSE}.mus_bets")),
        "taihe": _levels("taihe", Level(f"{_HOUSE}.taihe_search", 20), Level(f"{_HOUSE}.taihe_search", 200)),
    }
)
"""The levels by game, the weakest first."""


def level_of(game: str, level: int) -> Level:
    """Return a level of a game, from 1 on: the strongest where the game has fewer."""
    levels = LEVELS.get(game, (Level(""),))
    return levels[min(level, len(levels)) - 1]


def strongest_weigher(game: str) -> Weigher | None:
    """Return the evaluation of a game's actions by the strongest level that has one; ``None`` if the house has none."""
    modules = (import_module(level.policy) for level in reversed(LEVELS.get(game, ())))
    return next((cast(Weigher, module) for module in modules if hasattr(module, "weigh")), None)


class LevelBot(SolidBot):
    """A bot that plays each game at a level. In games without levels it does as ``solid``."""

    def __init__(
        self, match: Match, *, level: int, budget_ms: int = 0, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        """Begin a match.

        Args:
            match: the match.
            level: the level, from 1 on.
            budget_ms: the most milliseconds for a decision; 0 for those that the match leaves.
            clock: returns a monotonic time in seconds, to measure thinking times.
        """
        chosen = level_of(match.game, level)
        super().__init__(match, worlds=chosen.worlds, noise=chosen.noise, policy=chosen.policy)
        self._most = chosen.worlds
        self._budget = Budget(seconds=budget_ms / 1000 or math.inf)
        self._clock = clock

    def choose(self, decision: v1.Decision) -> Choosable:
        """Take the action of the level, after as many deals as there is time for."""
        begun = self._clock()
        self._worlds = self._budget.worlds(self._most, left=self.time_left())
        chosen = super().choose(decision)
        if len(decision.actions) > 1:  # what is forced costs nothing, and tells nothing
            self._budget.took(self._worlds, seconds=self._clock() - begun)
        return chosen
