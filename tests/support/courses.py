"""Events that are played to their end in memory, for schedules that depend on results."""

from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import NamedTuple

from ordago.record import Result, SeatForfeit
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.schedule.conduct import Suspensions
from ordago_ladder.schedule.schedule import Plan, Schedule
from ordago_ladder.settings.settings import Settings


class Played(NamedTuple):
    """An event that was played."""

    plan: Plan
    results: tuple[MatchResult, ...]
    rounds: tuple[int, ...]
    """The number of matches that were known after each round."""

    @property
    def tables(self) -> list[PlannedMatch]:
        """The first match of each set, in order."""
        return [match for match in self.plan.matches if match.seating == 0]


def play_course(
    settings: Settings, *, seed: int = 0, most_rounds: int = 1_000, forfeiting: Collection[str] = ()
) -> Played:
    """Play an event. The earlier a name in the alphabet, the better the entrant, if chance does not decide.

    An entrant that forfeits does so in each of its matches, and is last in it, until it is suspended.
    """
    rng, schedule = Random(seed), Schedule(settings)
    results: list[MatchResult] = []
    rounds: list[int] = []
    for _ in range(most_rounds):
        known = schedule.plan(results)
        due = known.matches[len(results) :]
        if not due:
            return Played(known, tuple(results), tuple(rounds))
        suspensions = Suspensions(suspend_after=settings.event.suspend_after)
        for result in results:
            suspensions.count(result.planned.entrants, result.result)
        for match in due:
            if suspensions.names.isdisjoint(match.entrants):
                results.append(_played(settings, match, rng, forfeiting))
                suspensions.count(match.entrants, results[-1].result)
        rounds.append(len(results))
    return Played(schedule.plan(results), tuple(results), tuple(rounds))


def _played(settings: Settings, match: PlannedMatch, rng: Random, forfeiting: Collection[str]) -> MatchResult:
    sides = settings.game_named(match.game).sides
    names = sorted(entrant.name for entrant in settings.entrants)
    luck = {side: rng.random() * len(names) for side in set(sides)}
    for side, name in zip(sides, match.entrants, strict=True):
        luck[side] += names.index(name) + (2 * len(names) if name in forfeiting else 0)
    placings = tuple(_placings(sides, luck))
    nothing = ((),) * len(sides)
    seats = [seat for seat, name in enumerate(match.entrants) if name in forfeiting]
    forfeits = tuple(SeatForfeit(seat, "crashed") for seat in seats)
    result = Result(scores=(0,) * len(sides), placings=placings, faults=nothing, forfeits=forfeits, strikes=nothing)
    return MatchResult(IssuedMatch(match, f"{match.row:032x}"), result)


def _placings(sides: Sequence[int], luck: dict[int, float]) -> Iterator[int]:
    return (1 + sum(luck[other] < luck[side] for other in luck) for side in sides)
