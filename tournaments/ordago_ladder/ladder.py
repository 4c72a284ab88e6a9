"""The ladder of an event: a value that is a pure function of the event and its results.

Nothing in it depends on time: no dates, no charged times, no digests of records. Two runs of the same event in which
the bots did the same have the same ladder.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ordago import chance
from ordago.store import MatchResult
from ordago_ladder.conduct import Conduct, Suspensions, conduct_of
from ordago_ladder.connectivity import Connectivity
from ordago_ladder.identity import settings_digest
from ordago_ladder.rating import Rating, SeatEffect, rate
from ordago_ladder.results import Pairing, pairings
from ordago_ladder.schedule import plan
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.schedule.lives import set_size_of
from ordago_ladder.settings import EventSettings, GameSettings, Settings

ELO_DECIMALS = 1
"""How many decimals of a rating are published. Ratings that are the same to them share a rank."""


class Tally(NamedTuple):
    """Pairings by how they ended for one of the two."""

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
    """Empty: unknown."""
    suspended: bool = False
    """Whether the entrant has forfeited so many matches that he is suspended from the event."""


class Standing(NamedTuple):
    """A line of a ladder."""

    rank: int
    rating: Rating
    matches: int
    tally: Tally
    """All pairings, also those that are not rated."""
    mean_score: float | None
    """The mean score; ``None`` for several games, whose scores have nothing in common, and without matches."""
    placings: tuple[int, ...]
    """How many matches ended with placing 1, 2 and so on."""
    conduct: Conduct
    """What went wrong in these matches."""

    @property
    def entrant(self) -> str:
        """The name of the entrant."""
        return self.rating.entrant


class Standings(NamedTuple):
    """The ladder of a game, or of all games together."""

    games: tuple[str, ...]
    """The short names of the games whose results count."""
    lines: tuple[Standing, ...]
    """Best first."""
    seat_effects: tuple[SeatEffect, ...]
    """What the seats are worth."""
    connectivity: Connectivity
    """Which ratings can be compared."""
    crosstable: tuple[tuple[Tally | None, ...], ...]
    """What each entrant has made of each other, both in the order of the lines; ``None`` on the diagonal."""

    @property
    def game(self) -> str | None:
        """The short name of the game; ``None`` for several."""
        return self.games[0] if len(self.games) == 1 else None


class Ladder(NamedTuple):
    """The ladder of an event."""

    event: EventSettings
    games: tuple[GameSettings, ...]
    entrants: tuple[LadderEntrant, ...]
    """In the order of the event file."""
    secret_digest: bytes
    """The SHA-256 of the secret that the deals come from."""
    settings_digest: bytes
    """The digest of the settings."""
    secret: bytes | None
    """The secret; ``None`` until the last match is played."""
    planned: int
    """The number of matches of the event; of an open one, as far as that is known."""
    results: tuple[MatchResult, ...]
    """The results so far, in the order of the schedule."""
    overall: Standings
    by_game: tuple[Standings, ...]
    """For each game, in the order of the event file. With a single game it is the overall one."""
    complete_sets: frozenset[str]
    """The duplicate sets of which all matches are played, so that their records are open to everybody."""

    @property
    def commitment(self) -> bytes:
        """What secret and settings were committed to by, before anybody checked in."""
        return chance.event_commitment(self.secret_digest, self.settings_digest)

    @property
    def finished(self) -> bool:
        """Whether the last match is played."""
        return len(self.results) == self.planned


def complete_sets(settings: Settings, results: Collection[MatchResult]) -> frozenset[str]:
    """Return the duplicate sets of which all matches are played."""
    counts = Counter(played.planned.set_key for played in results)
    one_of_each = {played.planned.set_key: played.planned for played in results}
    return frozenset(key for key, planned in one_of_each.items() if counts[key] == set_size_of(planned, settings))


class SecretError(ValueError):
    """A secret that is not the one committed to. The runner's folder was tampered with, or mixed up."""


def build_ladder(
    settings: Settings,
    results: Iterable[MatchResult],
    *,
    secret_digest: bytes,
    secret: bytes | None = None,
    versions: Mapping[str, str] | None = None,
) -> Ladder:
    """Return the ladder of an event.

    Args:
        settings: the event.
        results: the results so far, in any order.
        secret_digest: the SHA-256 of the secret.
        secret: the secret, where it is known. It becomes part of the ladder with the last match and not before.
        versions: the versions that bots gave, for entrants of whom the event file gives none.

    Raises:
        SecretError: the commitment is to another secret.
    """
    if secret is not None and chance.commitment(secret) != secret_digest:
        raise SecretError("the secret of this event is not the one that was committed to before it began")
    ordered = tuple(sorted(results))
    planned = len(plan(settings, ordered).matches) if settings.event.format == "open" else match_count(settings)
    games = [game.name for game in settings.games]
    overall = _standings(settings, ordered, games=games)
    return Ladder(
        event=settings.event,
        games=settings.games,
        entrants=_entrants(settings, versions or {}, ordered),
        secret_digest=secret_digest,
        settings_digest=settings_digest(settings),
        secret=secret if len(ordered) == planned else None,
        planned=planned,
        results=ordered,
        overall=overall,
        # The fit of a large event takes long, and with one game there is only one.
        by_game=(overall,) if len(games) == 1 else tuple(_standings(settings, ordered, games=[game]) for game in games),
        complete_sets=complete_sets(settings, ordered),
    )


def _entrants(
    settings: Settings, versions: Mapping[str, str], results: Sequence[MatchResult]
) -> tuple[LadderEntrant, ...]:
    suspensions = Suspensions(suspend_after=settings.event.suspend_after)
    for played in results:
        suspensions.count(played.planned.entrants, played.result)
    suspended = {suspension.entrant for suspension in suspensions.suspended}
    return tuple(
        LadderEntrant(entrant.name, entrant.version or versions.get(entrant.name, ""), entrant.name in suspended)
        for entrant in settings.entrants
    )


def _standings(settings: Settings, results: Sequence[MatchResult], *, games: Sequence[str]) -> Standings:
    chosen = [played for played in results if played.planned.game in games]
    found = list(pairings(chosen))
    names = [entrant.name for entrant in settings.entrants]
    rated = rate(found, entrants=names, resamplings=settings.event.bootstrap)
    crosstable = _crosstable(found, [rating.entrant for rating in rated.ratings])
    return Standings(
        games=tuple(games),
        lines=_lines(chosen, rated.ratings, crosstable, with_scores=len(games) == 1),
        seat_effects=rated.seat_effects,
        connectivity=rated.connectivity,
        crosstable=crosstable,
    )


def _crosstable(found: Iterable[Pairing], names: Sequence[str]) -> tuple[tuple[Tally | None, ...], ...]:
    counted: Counter[tuple[str, str, int]] = Counter()
    for pairing in found:
        counted[pairing.first, pairing.second, pairing.half_points] += 1
        counted[pairing.second, pairing.first, 2 - pairing.half_points] += 1
    return tuple(
        tuple(
            None if name == other else Tally(*(counted[name, other, half_points] for half_points in (2, 1, 0)))
            for other in names
        )
        for name in names
    )


def _lines(
    results: Sequence[MatchResult],
    ratings: Sequence[Rating],
    crosstable: Sequence[Sequence[Tally | None]],
    *,
    with_scores: bool,
) -> tuple[Standing, ...]:
    elos = [round(rating.elo, ELO_DECIMALS) for rating in ratings]
    return tuple(
        _line(
            [played for played in results if rating.entrant in played.planned.entrants],
            rating,
            rank=1 + elos.index(elo),
            tally=_sum(row),
            with_scores=with_scores,
        )
        for rating, elo, row in zip(ratings, elos, crosstable, strict=True)
    )


def _line(results: Sequence[MatchResult], rating: Rating, *, rank: int, tally: Tally, with_scores: bool) -> Standing:
    name = rating.entrant
    placings = Counter(played.placing(name) for played in results)
    total = sum(played.score(name) for played in results)
    return Standing(
        rank=rank,
        rating=rating,
        matches=len(results),
        tally=tally,
        mean_score=total / len(results) if with_scores and results else None,
        placings=tuple(
            placings[place] for place in range(1, 1 + max((len(played.sides) for played in results), default=0))
        ),
        conduct=conduct_of(name, results),
    )


def _sum(tallies: Iterable[Tally | None]) -> Tally:
    return Tally(*(sum(column) for column in zip(*filter(None, tallies), strict=True)))
