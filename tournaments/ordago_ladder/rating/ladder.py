"""The ladder of an event: a value that is a pure function of the event and its results.

Nothing in it depends on time: no dates, no charged times, no digests of records. Two runs of the same event in which
the bots did the same have the same ladder.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ordago import chance
from ordago.store import MatchResult
from ordago_ladder.matches.due import Progress, unaltered
from ordago_ladder.rating.intervals import Interval
from ordago_ladder.rating.known import Known, Note
from ordago_ladder.rating.points import deals_of, points_per_match
from ordago_ladder.rating.rating import Connectivity, Matrix, Rating, SeatEffect, rate
from ordago_ladder.rating.results import Pairing, pairings
from ordago_ladder.rating.spreads import Spreads
from ordago_ladder.schedule.conduct import Conduct, conduct_of, suspended_by
from ordago_ladder.schedule.process_slots import set_size_of
from ordago_ladder.schedule.stages import Stage
from ordago_ladder.settings.sections import EventSettings, GameSettings
from ordago_ladder.settings.settings import Settings

ELO_DECIMALS = 1
"""Decimals of a published rating. Ratings that are equal after rounding share a rank."""


class Tally(NamedTuple):
    """Numbers of pairings by their outcome for one of the two."""

    wins: int = 0
    ties: int = 0
    losses: int = 0

    @property
    def pairings(self) -> int:
        """The number of pairings."""
        return self.wins + self.ties + self.losses

    @property
    def score(self) -> float | None:
        """The share of the pairings that was won, ties as halves, from 0 to 1; ``None`` without pairings."""
        return (self.wins + self.ties / 2) / self.pairings if self.pairings else None


class LadderEntrant(NamedTuple):
    """An entrant of the event."""

    name: str
    version: str
    """The version of the bot; empty where it is unknown."""
    suspended: bool = False
    """True if the entrant is suspended from the event after too many forfeited matches."""
    withdrawn: bool = False
    """True if the entrant withdrew from the event."""
    author: str = ""
    """The author of the bot; empty where the event file names none."""
    language: str = ""
    """The programming language of the bot; empty where the event file names none."""
    time_odds: float = 1.0
    """The factor of its time to think."""


class Standing(NamedTuple):
    """A line of a ladder."""

    rank: int
    rating: Rating
    matches: int
    tally: Tally
    """The outcomes of all pairings, including those that are not rated."""
    mean_score: float | None
    """The mean score of a match; ``None`` for several games, whose scores do not compare, and without matches."""
    points_per_match: Interval | None
    """The mean score with its interval; ``None`` also with too few sets for an interval."""
    points_per_deal: Interval | None
    """The mean score of a deal with its interval; ``None`` also where matches have no fixed number of deals."""
    placings: tuple[int, ...]
    """The number of matches with placing 1, 2 and so on."""
    conduct: Conduct
    """Faults, forfeits and broken rules in these matches."""
    rated: int
    """The number of these matches that nobody at the table forfeited: all of their pairings are rated."""

    @property
    def entrant(self) -> str:
        """The name of the entrant."""
        return self.rating.entrant


class Standings(NamedTuple):
    """The standings in a game, or in all games together."""

    games: tuple[str, ...]
    """The short names of the games whose results count."""
    lines: tuple[Standing, ...]
    """Best first."""
    seat_effects: tuple[SeatEffect, ...]
    """The advantage of each seat."""
    connectivity: Connectivity
    """The groups of entrants whose ratings can be compared."""
    crosstable: tuple[tuple[Tally | None, ...], ...]
    """The tally of each entrant against each other, both in the order of the lines; ``None`` on the diagonal. Each
    partner counts as having met each opponent."""
    superiority: Matrix
    """The likelihood that each entrant is better than each other, both in the order of the lines; ``None`` on the
    diagonal, for entrants that cannot be compared, and where nothing is known of the rating of one."""
    likelihoods: Matrix
    """The same where the rating of one is not known, too: an entrant that won everything is better, if not by how much.
    """
    spreads: Spreads
    """The spreads of strengths and seat effects that the ratings assume."""

    @property
    def game(self) -> str | None:
        """The short name of the game; ``None`` for several."""
        return self.games[0] if len(self.games) == 1 else None


class Ladder(NamedTuple):
    """The ladder of an event."""

    settings: Settings
    """The event."""
    entrants: tuple[LadderEntrant, ...]
    """In the order of the event file."""
    secret_digest: bytes
    """The SHA-256 of the secret that the deals come from, in the last part of an event with several."""
    settings_digest: bytes
    """The digest of the settings that the event, or its last part, began with."""
    secret: bytes | None
    """The secret; ``None`` until the last match is played."""
    planned: int
    """The number of matches that are due so far."""
    complete: bool
    """True once no more matches will come due."""
    results: tuple[MatchResult, ...]
    """The results so far, in the order of the schedule."""
    overall: Standings
    equal_games: Standings | None
    """Standings that weigh all games the same; ``None`` with one game, or where ``overall`` already does so."""
    by_game: tuple[Standings, ...]
    """The standings in each game, in the order of the event file. With one game these are ``overall``."""
    complete_sets: frozenset[str]
    """The keys of the duplicate sets that are over; their records are public."""
    rounds: tuple[int, ...]
    """The number of matches after each round that is known, in the formats in which results decide who plays next."""
    stages: tuple[Stage, ...]
    """The event from one change of its file to the next."""

    @property
    def event(self) -> EventSettings:
        """The section ``[event]``."""
        return self.settings.event

    @property
    def games(self) -> tuple[GameSettings, ...]:
        """The games, in the order of the event file."""
        return self.settings.games

    @property
    def anchors(self) -> tuple[tuple[str, float], ...]:
        """The entrants with known ratings, each with its rating in Elo."""
        return self.settings.anchors

    @property
    def commitment(self) -> bytes:
        """The commitment to secret and settings, made before any entrant checked in."""
        return chance.event_commitment(self.secret_digest, self.settings_digest)

    @property
    def finished(self) -> bool:
        """True once the last match is played."""
        return self.complete and len(self.results) == self.planned


def complete_sets(settings: Settings, results: Collection[MatchResult]) -> frozenset[str]:
    """Return the keys of the duplicate sets that are over: all matches are played, or the others will never be."""
    counts = Counter(played.planned.set_key for played in results)
    one_of_each = {played.planned.set_key: played.planned for played in results}
    gone = settings.withdrawn | suspended_by(results, suspend_after=settings.event.suspend_after)
    return frozenset(
        key
        for key, planned in one_of_each.items()
        if counts[key] == set_size_of(planned, settings) or not gone.isdisjoint(planned.entrants)
    )


class SecretError(ValueError):
    """A secret that does not match the commitment: the runner's folder was altered or mixed up."""


def build_ladder(
    settings: Settings,
    results: Iterable[MatchResult],
    *,
    secret_digest: bytes,
    secret: bytes | None = None,
    versions: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Ladder:
    """Return the ladder of an event.

    Args:
        settings: the event.
        results: the results so far, in any order.
        secret_digest: the SHA-256 of the secret, in the last part of an event with several.
        secret: that secret, where it is known. The ladder holds it only once the last match is played.
        versions: the versions that bots reported, for entrants without one in the event file.
        progress: the number of matches due; ``None`` where that follows from the event file alone.

    Raises:
        SecretError: the commitment is to another secret.
    """
    if secret is not None and chance.commitment(secret) != secret_digest:
        raise SecretError("the secret of this event is not the one that was committed to before it began")
    ordered = tuple(sorted(results))
    progress = progress or unaltered(settings)
    games = [game.name for game in settings.games]
    several = len(games) > 1
    by_pairings = settings.event.overall == "pairings"
    overall = _standings(settings, ordered, games=games, equal_games=not by_pairings)
    return Ladder(
        settings=settings,
        entrants=_entrants(settings, versions or {}, ordered),
        secret_digest=secret_digest,
        settings_digest=progress.settings_digest,
        secret=secret if progress.complete and len(ordered) == progress.planned else None,
        planned=progress.planned,
        complete=progress.complete,
        results=ordered,
        overall=overall,
        equal_games=_standings(settings, ordered, games=games, equal_games=True) if several and by_pairings else None,
        # With one game its standings are the overall ones.
        by_game=tuple(_standings(settings, ordered, games=[game]) for game in games) if several else (overall,),
        complete_sets=complete_sets(settings, ordered),
        rounds=progress.rounds,
        stages=progress.stages or (Stage(settings, None),),
    )


def _entrants(
    settings: Settings, versions: Mapping[str, str], results: Sequence[MatchResult]
) -> tuple[LadderEntrant, ...]:
    suspended = suspended_by(results, suspend_after=settings.event.suspend_after)
    return tuple(
        LadderEntrant(
            name=entrant.name,
            version=entrant.version or versions.get(entrant.name, ""),
            suspended=entrant.name in suspended,
            withdrawn=entrant.withdrawn,
            author=entrant.author,
            language=entrant.language,
            time_odds=entrant.time_odds,
        )
        for entrant in settings.entrants
    )


def _standings(
    settings: Settings, results: Sequence[MatchResult], *, games: Sequence[str], equal_games: bool = False
) -> Standings:
    chosen = [played for played in results if played.planned.game in games]
    found = list(pairings(chosen))
    names = [entrant.name for entrant in settings.entrants]
    rated = rate(found, entrants=names, anchors=dict(settings.anchors), equal_games=equal_games)
    lines = _lines(settings, chosen, rated.ratings, _tallies(found), games=games)
    superiority = _superiority(rated.superiority, [line.rating.known for line in lines])
    return Standings(
        games=tuple(games),
        lines=tuple(
            line._replace(rating=line.rating._replace(above_next=next(iter(row[place:]), None)))
            for place, (line, row) in enumerate(zip(lines, superiority, strict=True), 1)
        ),
        seat_effects=rated.seat_effects,
        connectivity=rated.connectivity,
        crosstable=_crosstable(found, [rating.entrant for rating in rated.ratings]),
        superiority=superiority,
        likelihoods=rated.superiority,
        spreads=rated.spreads,
    )


def _superiority(likelihoods: Matrix, ratings: Sequence[Known]) -> Matrix:
    return tuple(
        tuple(one.against(other, share) for other, share in zip(ratings, row, strict=True))
        for one, row in zip(ratings, likelihoods, strict=True)
    )


def _crosstable(found: Iterable[Pairing], names: Sequence[str]) -> tuple[tuple[Tally | None, ...], ...]:
    counted: Counter[tuple[str, str, int]] = Counter()
    for pairing in found:
        for first, second in itertools.product(pairing.kind.first, pairing.kind.second):
            counted[first, second, pairing.half_points] += 1
            counted[second, first, 2 - pairing.half_points] += 1
    return tuple(
        tuple(
            None if name == other else Tally(*(counted[name, other, half_points] for half_points in (2, 1, 0)))
            for other in names
        )
        for name in names
    )


def _tallies(found: Iterable[Pairing]) -> dict[str, Tally]:
    """Return the tally of each entrant. A pairing against two partners counts once."""
    counted: Counter[tuple[str, int]] = Counter()
    for pairing in found:
        counted.update((name, pairing.half_points) for name in pairing.kind.first)
        counted.update((name, 2 - pairing.half_points) for name in pairing.kind.second)
    names = {name for name, _ in counted}
    return {name: Tally(*(counted[name, half_points] for half_points in (2, 1, 0))) for name in names}


def _lines(
    settings: Settings,
    results: Sequence[MatchResult],
    ratings: Sequence[Rating],
    tallies: Mapping[str, Tally],
    *,
    games: Sequence[str],
) -> tuple[Standing, ...]:
    elos = [round(rating.elo, ELO_DECIMALS) for rating in ratings]
    played_by: dict[str, list[MatchResult]] = {rating.entrant: [] for rating in ratings}
    for played in results:
        for name in set(played.planned.entrants):
            played_by[name].append(played)
    return tuple(
        _line(
            played_by[rating.entrant],
            rating,
            rank=1 + elos.index(elo),
            tally=tallies.get(rating.entrant, Tally()),
            games=[settings.game_named(name) for name in games],
        )
        for rating, elo in zip(ratings, elos, strict=True)
    )


def _line(
    results: Sequence[MatchResult], rating: Rating, *, rank: int, tally: Tally, games: Sequence[GameSettings]
) -> Standing:
    name = rating.entrant
    placings = Counter(played.placing(name) for played in results)
    places = {game.name: len(set(game.sides)) for game in games}
    with_points = len(games) == 1 and len(results) > 0
    points = points_per_match(name, results) if with_points else None
    deals = deals_of(dict(games[0].options))
    conduct = conduct_of(name, results)
    if conduct.forfeits and conduct.forfeits == len(results):
        rating = rating._replace(known=Known(Note.FORFEITED))
    return Standing(
        rank=rank,
        rating=rating,
        matches=len(results),
        tally=tally,
        mean_score=sum(played.score(name) for played in results) / len(results) if with_points else None,
        points_per_match=points,
        points_per_deal=Interval(*(end / deals for end in points)) if points and deals else None,
        placings=tuple(
            placings[place]
            for place in range(1, 1 + max((places[played.planned.game] for played in results), default=0))
        ),
        conduct=conduct,
        rated=sum(not played.result.forfeits for played in results),
    )
