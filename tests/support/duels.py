"""Results of matches of which a test says who came first."""

from collections.abc import Callable, Sequence

from ordago.record import Result, SeatForfeit
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.schedule.schedule import Schedule
from ordago_ladder.settings.settings import Settings

Order = Callable[[PlannedMatch], Sequence[str]]
"""Says of a match who came first, second and so on; those that it leaves out share the first place."""


def result_in_order(planned: PlannedMatch, order: Sequence[str], *, forfeiting: Sequence[str] = ()) -> MatchResult:
    """Return the result of a match with entrants that came in like this."""
    places = {name: place for place, name in enumerate(order, start=1)}
    placings = tuple(places.get(name, 1) for name in planned.entrants)
    nothing = ((),) * len(placings)
    forfeits = tuple(SeatForfeit(seat, "crashed") for seat, name in enumerate(planned.entrants) if name in forfeiting)
    scores = tuple(10 - placing for placing in placings)
    result = Result(scores=scores, placings=placings, faults=nothing, forfeits=forfeits, strikes=nothing)
    return MatchResult(IssuedMatch(planned, f"{planned.row:032x}"), result)


def play_in_order(settings: Settings, order: Order, *, rounds: int = 1_000) -> list[MatchResult]:
    """Play an event in which a test says of each match who came first."""
    schedule, results = Schedule(settings), list[MatchResult]()
    for _ in range(rounds):
        due = schedule.plan(results).matches[len(results) :]
        results += [result_in_order(planned, order(planned)) for planned in due]
    return results


def alphabetical(planned: PlannedMatch) -> Sequence[str]:
    """The earlier a name in the alphabet, the better the entrant."""
    return sorted(set(planned.entrants))


def tied(_planned: PlannedMatch) -> Sequence[str]:
    """All share the first place."""
    return ()
