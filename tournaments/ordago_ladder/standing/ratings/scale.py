"""One scale of a standing ladder, one game or all: ratings and their history, from the posterior of strengths."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings.history import EstimatedStrength, History, Priors
from ordago_ladder.standing.ratings.posterior import Posterior
from ordago_ladder.standing.ratings.values import DECIMALS, PROVISIONAL, Counted, Moment, Scale, StandingRating


class _Span(NamedTuple):
    """A rating with its interval in Elo, rounded as published."""

    elo: float
    low: float
    high: float


class ScaleCareers:
    """Live ratings of all players on one scale, with their history."""

    def __init__(self, priors: Priors) -> None:
        self._anchored = bool(priors.anchors)
        self._history = History(priors)
        self._matches: Counter[int] = Counter()
        self._courses: defaultdict[int, list[Moment]] = defaultdict(list)
        self._ended = 0
        self._spans: Mapping[int, _Span] | None = None

    def add(self, counted: Counted) -> None:
        """Add a result of the open slice."""
        result = counted.result
        self._history.add(counted)
        for player in set(result.players):
            self._matches[player] += 1
        self._ended = max(self._ended, result.ended)
        self._spans = None

    def close(self, following: int, *, ended: int) -> None:
        """Close the open slice, which ended at ``ended``, and open the one that is ``following`` slices later."""
        playing = self._history.playing
        spans = self._spans_from(self._history.close(following), {})
        for player in playing:
            if player in spans:
                self._courses[player].append(Moment(ended, *spans[player], self._matches[player]))
        self._spans = None

    def scale(self, *, is_current: Callable[[int], bool]) -> Scale:
        """Return the current ratings."""
        if self._spans is None:
            self._spans = self._spans_from(self._history.posterior(), self._history.apart())
        spans, playing = self._spans, set(self._history.playing)
        ratings = [
            StandingRating(
                player=player,
                elo=span.elo,
                low=span.low,
                high=span.high,
                matches=self._matches[player],
                provisional=span.high - span.low > 2 * PROVISIONAL,
                current=is_current(player),
            )
            for player, span in spans.items()
        ]
        courses = {player: list(self._courses[player]) for player in sorted(spans)}
        for player in playing & spans.keys():
            courses[player].append(Moment(self._ended, *spans[player], self._matches[player]))
        return Scale(
            ratings=tuple(sorted(ratings, key=lambda rating: (-rating.elo, rating.player))),
            courses=tuple((player, tuple(course)) for player, course in courses.items()),
        )

    def _spans_from(self, posterior: Posterior, apart: Mapping[int, EstimatedStrength]) -> dict[int, _Span]:
        """Return the ratings of players, measured from the anchors or, without any, from the mean by information."""
        places = np.array([place for key, place in posterior.places.items() if isinstance(key, int)], dtype=np.int64)
        shares = np.zeros(len(posterior.mean))
        if not self._anchored and posterior.information[places].any():
            shares[places] = posterior.information[places] / posterior.information[places].sum()
        beside = posterior.covariance @ shares
        mean, variance = float(posterior.mean @ shares), float(shares @ beside)
        variances = np.diag(posterior.covariance) - 2 * beside + variance
        # No interval is longer than that of a bot of which nothing is known.
        widest = self._history.widest
        spans = {player: _span(own.mean - mean, own.variance + variance, widest) for player, own in apart.items()}
        for key, place in posterior.places.items():
            if isinstance(key, int):
                spans[key] = _span(float(posterior.mean[place]) - mean, float(variances[place]), widest)
        return spans


def _span(strength: float, variance: float, widest: float) -> _Span:
    elo = ANCHOR + ELO * strength
    half_length = NORMAL_95 * ELO * float(np.sqrt(min(max(variance, 0.0), widest)))
    return _Span(*(round(value, DECIMALS) for value in (elo, elo - half_length, elo + half_length)))
