"""Strengths of all players on one scale (one game, or all games) over time.

At the end of a slice all of its results are fitted at once, starting from the posterior at its beginning. Within the
open slice they are added batch by batch, so that an update fits few of them. The posterior at the end of a slice does
not depend on its batches.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.spreads import USUAL
from ordago_ladder.standing.ratings.evidence import Key, evidence_of, meetings
from ordago_ladder.standing.ratings.posterior import Beginning, Posterior
from ordago_ladder.standing.ratings.values import Assumptions, Counted, Player

_MOST_SLICES: Final = 52
"""The most slices of change after a gap: a clock that is set forward must not make all strengths unknown."""


_FIRST_SPREAD: Final = 350.0
"""The spread of bots' first versions before any is known, in Elo: that of Glicko."""
_FIRST_WEIGHT: Final = 4
"""The number of bots that say as much about the spread as it did beforehand."""
_WIDEST_SPREAD: Final = 800.0
"""The greatest spread, in Elo: a crowd of hopeless bots makes no newcomer's interval longer than that."""


class EstimatedStrength(NamedTuple):
    """The strength of a player, with its variance."""

    mean: float
    variance: float


class _Apart(NamedTuple):
    """The strength of a player who left the joint posterior after a long absence."""

    strength: EstimatedStrength
    since: int
    """The number of the slice in which it left."""


class Priors(NamedTuple):
    """The model's assumptions, and all that they refer to."""

    assumptions: Assumptions
    players: Mapping[int, Player]
    """All players by their numbers. New ones are added before their results."""
    anchors: Mapping[str, float]
    """The known strengths of house bots in the unit of the fit, by name."""

    @property
    def centre(self) -> float:
        """The expected strength of a bot's first version."""
        return sum(self.anchors.values()) / len(self.anchors) if self.anchors else 0.0

    def known(self, player: int) -> float | None:
        """Return the strength of an anchor; ``None`` for other players."""
        row = self.players[player]
        return self.anchors.get(row.name) if row.house else None

    @property
    def leap(self) -> float:
        """The variance of the difference between a version and the one before."""
        return (self.assumptions.leap / ELO) ** 2

    @property
    def walk(self) -> float:
        """The variance of a player's own change from one slice to the next. House bots do not change."""
        return (self.assumptions.walk / ELO) ** 2

    @property
    def drift(self) -> float:
        """The variance of the common change of all players but house bots from one slice to the next."""
        return (self.assumptions.drift / ELO) ** 2


class History:
    """Live posterior of the strengths of all players on one scale."""

    def __init__(self, priors: Priors) -> None:
        self._priors = priors
        self._slice = 0
        self._last: dict[int, int] = {}
        """The slice of the last match of each player in the joint posterior."""
        self._apart: dict[int, _Apart] = {}
        self._spread = _FIRST_SPREAD / ELO
        self._begun = Posterior.of_nothing()
        self._now = self._begun
        self._results: list[Counted] = []
        self._taken = 0

    @property
    def widest(self) -> float:
        """The variance of the strength of a bot of which nothing is known."""
        return self._spread**2

    def add(self, result: Counted) -> None:
        """Add a result of the open slice."""
        self._results.append(result)

    def close(self, slices: int) -> Posterior:
        """Close the open slice, open the one ``slices`` later, and return the posterior at the end of the former."""
        ended = self._updated(self._begun, self._results)
        self._last |= dict.fromkeys((player for player in self.playing if player in ended.places), self._slice)
        self._results, self._taken = [], 0
        self._slice += slices
        self._spread = self._spread_of(ended)
        self._begun = self._now = self._parted(self._walked(ended, min(slices, _MOST_SLICES)))
        return ended

    @property
    def playing(self) -> Sequence[int]:
        """The players of the open slice, ascending."""
        return sorted({player for result, _ in self._results for player in result.players})

    def posterior(self) -> Posterior:
        """Return the current posterior."""
        batch = self._priors.assumptions.batch
        while len(self._results) - self._taken >= batch:
            self._now = self._updated(self._now, self._results[self._taken : self._taken + batch])
            self._taken += batch
        return self._updated(self._now, self._results[self._taken :])

    def apart(self) -> dict[int, EstimatedStrength]:
        """Return the strengths of absent players. Some may be back in the joint posterior, which then counts."""
        return {player: self._aged(player) for player in self._apart}

    def _updated(self, posterior: Posterior, results: Sequence[Counted]) -> Posterior:
        evidence = evidence_of(meetings(results))
        there: set[Key] = set(posterior.places)
        beginnings = []
        for key in evidence.keys:
            if key not in there:
                there.add(key)
                beginnings.append(self._beginning(key, there) if isinstance(key, int) else _beginning_of_seat(key))
        return posterior.joined(beginnings).after(evidence)

    def _beginning(self, player: int, there: Collection[Key]) -> Beginning:
        """Return the prior of a player: its anchor, its strength before an absence, or near its last known version."""
        known = self._priors.known(player)
        if known is not None:
            return Beginning(player, known, 0.0)
        if player in self._apart:
            return Beginning(player, *self._aged(player))
        leap, ancestor = 0.0, self._priors.players[player].predecessor
        while ancestor is not None:
            leap = min(leap + self._priors.leap, self.widest)
            if ancestor in there:
                return Beginning(player, 0.0, leap, ancestor)
            if ancestor in self._apart:
                mean, variance = self._aged(ancestor)
                return Beginning(player, mean, variance + leap)
            ancestor = self._priors.players[ancestor].predecessor
        return Beginning(player, self._priors.centre, self.widest)

    def _spread_of(self, ended: Posterior) -> float:
        """Return the spread of first versions around their centre that a slice's end makes likely: a step of EM.

        It is the same on every machine: rounding to whole points of Elo is far coarser than errors of the fit.
        """
        players = self._priors.players
        firsts = (key for key in ended.places if isinstance(key, int) and players[key].predecessor is None)
        at = [ended.places[player] for player in firsts if self._priors.known(player) is None]
        squares = (ended.mean[at] - self._priors.centre) ** 2 + np.diag(ended.covariance)[at]
        seen = ELO**2 * float(squares.sum()) + _FIRST_WEIGHT * _FIRST_SPREAD**2
        return min(round(math.sqrt(seen / (_FIRST_WEIGHT + len(at)))), _WIDEST_SPREAD) / ELO

    def _aged(self, player: int) -> EstimatedStrength:
        (mean, variance), since = self._apart[player]
        changed = 0.0 if self._priors.players[player].house else self._priors.walk + self._priors.drift
        return EstimatedStrength(mean, variance + min(self._slice - since, _MOST_SLICES) * changed)

    def _walked(self, posterior: Posterior, slices: int) -> Posterior:
        walk, drift = self._priors.walk, self._priors.drift
        walking = [key for key in posterior.places if isinstance(key, int) and not self._priors.players[key].house]
        return posterior.walked(walking, alone=slices * walk, together=slices * drift)

    def _parted(self, posterior: Posterior) -> Posterior:
        """Return the posterior without players who are absent for long, or too many, and store these on their own."""
        long_ago = self._slice - self._priors.assumptions.absence
        ordered = sorted(self._last, key=lambda player: (-self._last[player], player))
        together = self._priors.assumptions.together
        gone = {player for place, player in enumerate(ordered) if place >= together or self._last[player] < long_ago}
        for player in sorted(gone):
            del self._last[player]
            place = posterior.places[player]
            strength = EstimatedStrength(float(posterior.mean[place]), float(posterior.covariance[place, place]))
            self._apart[player] = _Apart(strength, self._slice)
        return posterior.without(gone) if gone else posterior


def _beginning_of_seat(seat: Key) -> Beginning:
    return Beginning(seat, 0.0, (USUAL.seats / ELO) ** 2)
