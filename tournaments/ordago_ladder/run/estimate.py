"""Estimates of an event before it is played: its size, duration and precision."""

import math
from collections.abc import Mapping
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from ordago_ladder.event_file.written_file import first_problem
from ordago_ladder.rating.fit import ELO, Floats, logistic
from ordago_ladder.rating.intervals import NORMAL_95, student_95
from ordago_ladder.rating.spreads import USUAL
from ordago_ladder.rating.uncertainty import PRIOR_SETS
from ordago_ladder.schedule.counts import fewest_matches, match_count, set_counts
from ordago_ladder.schedule.process_slots import duplicates_share, processes_at_once, slots_needed
from ordago_ladder.schedule.tables import seating_count
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings


class SpreadRange(NamedTuple):
    """The least and the greatest spread of strengths that is to be expected in a game, in Elo."""

    least: float
    most: float


USUAL_RANGE = SpreadRange(0.0, USUAL.wide)
"""From equals to a spread that one game in six exceeds."""


class Estimate(NamedTuple):
    """The figures of a planned event: upper bounds if results decide when it ends."""

    matches: int
    fewest_matches: int
    """The number of matches at least; the same unless results decide when the event ends."""
    sets: int
    """The number of duplicate sets. Without duplicates each match counts as one. Expected, if not all tables play."""
    process_slots: int
    """The number of process slots of each entrant."""
    processes: int
    """The number of processes of all entrants that run at once."""
    least_elo_error: float
    """Half the length of the 95 % interval of an overall rating, in Elo, the mean over all entrants, with the least
    spread of strengths that is to be expected."""
    elo_error: float
    """The same with the greatest such spread."""
    seconds: float | None
    """The duration of the event; ``None`` if no speed was given."""


def estimate(
    settings: Settings,
    *,
    matches_per_second: float | None = None,
    spreads: Mapping[str, SpreadRange] | None = None,
) -> Estimate:
    """Return the figures of an event.

    Args:
        settings: the event.
        matches_per_second: the number of matches completed in a second, all parallel ones together.
        spreads: the spreads of strengths by game; the usual ones for other games.
    """
    matches = match_count(settings)
    ranges = {game.name: (spreads or {}).get(game.name, USUAL_RANGE) for game in settings.games}
    return Estimate(
        matches=matches,
        fewest_matches=fewest_matches(settings),
        sets=sum(_sets(settings, game) for game in settings.games),
        process_slots=slots_needed(settings),
        processes=processes_at_once(settings),
        least_elo_error=_elo_error(settings, {game: found.least for game, found in ranges.items()}),
        elo_error=_elo_error(settings, {game: found.most for game, found in ranges.items()}),
        seconds=None if matches_per_second is None else matches / matches_per_second,
    )


def _sets(settings: Settings, game: GameSettings) -> int:
    """Return the number of duplicate sets of a game. Without duplicates each match counts as one."""
    count = set_counts(settings)[game.name]
    together = round(count * duplicates_share(settings, game))
    return together + (count - together) * seating_count(game.table_size)


def _elo_error(settings: Settings, spreads: Mapping[str, float]) -> float:
    """Return the mean over all entrants of half the length of the 95 % interval of an overall rating, in Elo.

    Strengths lie at the quantiles of a normal distribution, in all games in the same order. Any two entrants meet
    equally often, and a pairing carries the information p (1 - p): 1/4 between equals, little between unequals. Among
    n equal sides, the number of sides that one of them beats has (n + 1) / 3 times the variance of as many independent
    pairings. A mixed pair tells half as much about each partner as about the pair. The gain from duplicates depends on
    the game and is ignored, and so are ties; both make the error smaller. In a gauntlet the ratings of newcomers are
    more precise than this, and those of the field less.
    """
    entrants = len(settings.entrants)
    information, sets = np.zeros((entrants, entrants)), np.zeros(entrants)
    for game in settings.games:
        borne = _borne(entrants, spreads[game.name])
        sides, count = len(set(game.sides)), set_counts(settings)[game.name]
        met = count * seating_count(game.table_size) * math.comb(sides, 2) / math.comb(entrants, 2)
        independent = met * 3 / (sides + 1) / (2 if game.mixed else 1)
        information += independent * (np.diag(borne.sum(axis=1)) - borne)
        sets += _sets(settings, game) * game.table_size / entrants * 4 * borne.sum(axis=1) / (entrants - 1)
    wide = max(USUAL.strengths, *spreads.values())
    precision = np.eye(entrants) * (ELO / wide) ** 2
    inverse = np.linalg.inv(information + precision)
    references = np.eye(entrants) - np.diag(information) / np.trace(information)
    own = np.diag(references @ inverse @ references.T)
    lengths = student_95(PRIOR_SETS + np.maximum(sets - 1, 0)) * ELO * np.sqrt(own)
    return float(np.minimum(lengths, NORMAL_95 * wide).mean())


def _borne(entrants: int, spread: float) -> Floats:
    """Return the information that a pairing of each two carries; none on the diagonal."""
    quantiles = [NormalDist().inv_cdf((number + 0.5) / entrants) for number in range(entrants)]
    strengths = np.array(quantiles) * spread / ELO
    expected = logistic(strengths[:, np.newaxis] - strengths)
    borne: Floats = expected * (1 - expected) * (1 - np.eye(entrants))
    return borne


class LikeError(ValueError):
    """A ladder without spreads of its games. The message is a clause about the file, "it"."""


class _Spreads(BaseModel):
    strengths: FiniteFloat = Field(gt=0)
    wide: FiniteFloat = Field(gt=0)


class _Standings(BaseModel):
    spreads: _Spreads


class _Ladder(BaseModel):
    by_game: dict[str, _Standings]


def published_spreads(content: bytes) -> dict[str, SpreadRange]:
    """Return the spreads that the games of an earlier event showed, one standard error to either side.

    Args:
        content: the ``ladder.json`` of that event.

    Raises:
        LikeError: it has none.
    """
    try:
        by_game = _Ladder.model_validate_json(content).by_game
    except ValidationError as error:
        raise LikeError(f"it has no spreads of games: {first_problem(error)}") from None
    return {
        game: SpreadRange(of.spreads.strengths**2 / of.spreads.wide, of.spreads.wide) for game, of in by_game.items()
    }
