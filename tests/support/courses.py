"""Events that are played to their end in memory, for schedules that depend on results."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from ordago.record import Result
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.schedule import Plan, Schedule
from ordago_ladder.settings import Settings


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


def play_course(settings: Settings, *, seed: int = 0, most_rounds: int = 1_000) -> Played:
    """Play an event. The earlier a name in the alphabet, the better the entrant, if chance does not decide."""
    rng, schedule = Random(seed), Schedule(settings)
    results: list[MatchResult] = []
    rounds: list[int] = []
    for _ in range(most_rounds):
        known = schedule.plan(results)
        if len(known.matches) == len(results):
            return Played(known, tuple(results), tuple(rounds))
        results += [_played(settings, match, rng) for match in known.matches[len(results) :]]
        rounds.append(len(results))
    return Played(schedule.plan(results), tuple(results), tuple(rounds))


def _played(settings: Settings, match: PlannedMatch, rng: Random) -> MatchResult:
    sides = settings.game_named(match.game).sides
    names = sorted(entrant.name for entrant in settings.entrants)
    luck = {side: rng.random() * len(names) for side in set(sides)}
    for side, name in zip(sides, match.entrants, strict=True):
        luck[side] += names.index(name)
    placings = tuple(_placings(sides, luck))
    nothing = ((),) * len(sides)
    result = Result(scores=(0,) * len(sides), placings=placings, faults=nothing, forfeits=(), strikes=nothing)
    return MatchResult(IssuedMatch(match, f"{match.row:032x}"), result)


def _placings(sides: Sequence[int], luck: dict[int, float]) -> Iterator[int]:
    return (1 + sum(luck[other] < luck[side] for other in luck) for side in sides)
