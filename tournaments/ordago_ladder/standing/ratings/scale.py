"""One scale of a standing ladder, one game or all: ratings and their history, from the posterior of strengths."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from math import ceil
from typing import Final, NamedTuple

import numpy as np

from ordago_ladder.rating.fit import ELO
from ordago_ladder.rating.intervals import NORMAL_95
from ordago_ladder.rating.rating import ANCHOR
from ordago_ladder.standing.ratings.history import EstimatedStrength, History, Priors
from ordago_ladder.standing.ratings.posterior import Posterior
from ordago_ladder.standing.ratings.values import DECIMALS, PROVISIONAL, Counted, Moment, Scale, StandingRating

_FIRST_LOOK: Final = 16
"""The number of results in a slice after which its first moments are taken."""
_GROWTH: Final = 1.25
"""The growth of results, and of a player's matches, from one moment to the next within a slice: a newcomer has its
curve on its first day, and after 100,000 matches 40 moments more than its slices."""


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
        self._results = 0
        """The number of results of the open slice."""
        self._next_look = _FIRST_LOOK
        self._spans: Mapping[int, _Span] | None = None

    def add(self, counted: Counted) -> None:
        """Add a result of the open slice."""
        result = counted.result
        self._history.add(counted)
        for player in set(result.players):
            self._matches[player] += 1
        self._ended = max(self._ended, result.ended)
        self._spans = None
        self._results += 1
        if self._results >= self._next_look:
            self._look()

    def _look(self) -> None:
        """Take a moment of each player that has played a quarter more since its last one."""
        self._next_look = ceil(_GROWTH * self._results)
        due = [player for player in self._history.playing if self._is_due(player)]
        # Without newcomers nobody is due, and no fit is needed.
        spans = self._current_spans() if due else {}
        for player in due:
            if player in spans:
                self._take_moment(self._courses[player], player, spans[player], self._ended)

    def _is_due(self, player: int) -> bool:
        course = self._courses[player]
        return not course or self._matches[player] >= _GROWTH * course[-1].matches

    def _take_moment(self, course: list[Moment], player: int, span: _Span, ended: int) -> None:
        """Add a moment, in place of one since which the player has not played."""
        if course and course[-1].matches == self._matches[player]:
            course.pop()
        course.append(Moment(ended, *span, self._matches[player]))

    def close(self, following: int, *, ended: int) -> None:
        """Close the open slice, which ended at ``ended``, and open the one that is ``following`` slices later."""
        playing = self._history.playing
        spans = self._spans_from(self._history.close(following), {})
        for player in playing:
            if player in spans:
                self._take_moment(self._courses[player], player, spans[player], ended)
        self._spans = None
        self._results, self._next_look = 0, _FIRST_LOOK

    def scale(self, *, is_current: Callable[[int], bool]) -> Scale:
        """Return the current ratings."""
        spans, playing = self._current_spans(), set(self._history.playing)
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
            self._take_moment(courses[player], player, spans[player], self._ended)
        return Scale(
            ratings=tuple(sorted(ratings, key=lambda rating: rating.place)),
            courses=tuple((player, tuple(course)) for player, course in courses.items()),
        )

    def _current_spans(self) -> Mapping[int, _Span]:
        if self._spans is None:
            self._spans = self._spans_from(self._history.posterior(), self._history.apart())
        return self._spans

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
