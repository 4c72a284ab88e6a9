"""Statistics that supplement the ladder of an event: ratings over time, and head-to-head results."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from ordago.store import MatchResult
from ordago_ladder.rating.intervals import Interval
from ordago_ladder.rating.known import known
from ordago_ladder.rating.ladder import Tally
from ordago_ladder.rating.rating import Rating, rate
from ordago_ladder.rating.results import pairings
from ordago_ladder.settings.settings import Settings

_PARTS: Final = 10


class Stage(NamedTuple):
    """The ratings of an event after a part of its sets."""

    sets: int
    """The number of duplicate sets that count: the first ones of the schedule."""
    ratings: tuple[Rating, ...]
    """Best first."""


def stages(settings: Settings, results: Iterable[MatchResult], *, parts: int = _PARTS) -> tuple[Stage, ...]:
    """Split the played sets into parts, in the order of the schedule, and return the ratings after each part.

    With fewer sets than parts there is a stage for each set. The last stage has all sets, and the overall ratings.
    """
    ordered = sorted(results)
    place = {key: number for number, key in enumerate(dict.fromkeys(played.planned.set_key for played in ordered), 1)}
    ends = sorted({-(-len(place) * part // parts) for part in range(1, parts + 1)} - {0})
    found = list(pairings(ordered))
    rated = partial(
        rate,
        entrants=[entrant.name for entrant in settings.entrants],
        anchors=dict(settings.anchors),
        equal_games=settings.event.overall == "games",
    )
    return tuple(
        Stage(
            sets=end,
            ratings=rated(pairing for pairing in found if place[pairing.set_key] <= end).ratings,
        )
        for end in ends
    )


class HeadToHead(NamedTuple):
    """Results of two entrants against each other."""

    by_game: tuple[tuple[str, Tally], ...]
    """The tally of the first against the second, for each game in which they met, ascending."""
    difference: Interval | None
    """The lead of the first by these pairings alone, in Elo; ``None`` where they say too little for a number."""
    likelihood: float | None
    """The likelihood that the first is better, by these pairings alone; ``None`` where they say too little."""


def head_to_head(results: Iterable[MatchResult], one: str, other: str) -> HeadToHead:
    """Return the results of two entrants against each other. Everyone else is ignored, even their partners."""
    met = []
    for pairing in pairings(sorted(results)):
        kind = pairing.kind
        if one in kind.first and other in kind.second:
            met.append(pairing._replace(kind=kind._replace(first=(one,), second=(other,))))
        elif other in kind.first and one in kind.second:
            met.append(pairing._replace(kind=kind._replace(first=(other,), second=(one,))))
    counted = Counter(
        (found.kind.game, found.half_points if found.kind.first == (one,) else 2 - found.half_points) for found in met
    )
    rated = rate(met, entrants=(one, other))
    row = [rating.entrant for rating in rated.ratings].index(one)
    of_one, of_other = rated.ratings[row].known, rated.ratings[1 - row].known
    difference = rated.difference(one, other)
    return HeadToHead(
        by_game=tuple(
            (game, Tally(*(counted[game, half_points] for half_points in (2, 1, 0))))
            for game in sorted({game for game, _ in counted})
        ),
        difference=difference if difference and known(*difference).elo is not None else None,
        likelihood=of_one.against(of_other, rated.superiority[row][1 - row]),
    )


class Meeting(NamedTuple):
    """Two entrants that met, with their results against each other."""

    one: str
    other: str
    found: HeadToHead


def meetings(results: Iterable[MatchResult], names: Sequence[str]) -> Iterator[Meeting]:
    """Yield the results of each pair of entrants that met, in the order of these names."""
    together: defaultdict[frozenset[str], list[MatchResult]] = defaultdict(list)
    for played in results:
        for one, other in combinations(set(played.planned.entrants), 2):
            together[frozenset((one, other))].append(played)
    for one, other in combinations(names, 2):
        found = head_to_head(together[frozenset((one, other))], one, other)
        if found.by_game:
            yield Meeting(one, other, found)
