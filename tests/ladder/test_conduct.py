from ordago.record import FaultCount, Result, SeatForfeit, StrikeCount
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.schedule.conduct import Conduct, Suspension, Suspensions, conduct_of

CRASHED = FaultCount("crashed", 20)
LATE = FaultCount("too_late", 2)
ENTRANTS = ("b", "a", "b", "a")
TEAMS = Result(
    scores=(1, 2, 1, 2),
    placings=(2, 1, 2, 1),
    faults=((CRASHED,), (), (CRASHED, LATE), (LATE,)),
    forfeits=(SeatForfeit(0, "crashed"), SeatForfeit(2, "too_late")),
    strikes=((StrikeCount("follow_suit", 2),), (), (StrikeCount("answer", 1), StrikeCount("follow_suit", 3)), ()),
)


def played(result: Result) -> MatchResult:
    return MatchResult(IssuedMatch(PlannedMatch(0, "pairs", "pairs|a,b|0", 0, 0, ENTRANTS), "00"), result)


def forfeited(*forfeits: SeatForfeit) -> Result:
    return TEAMS._replace(forfeits=forfeits)


def test_the_seats_of_an_entrant_count_together_and_a_match_is_forfeited_once() -> None:
    assert conduct_of("b", [played(TEAMS), played(forfeited())]) == Conduct(
        decisions=(("crashed", 80), ("too_late", 4)),
        matches=(("crashed", 1),),
        broken_rules=(("answer", 2), ("follow_suit", 10)),
    )
    assert conduct_of("a", [played(TEAMS)]) == Conduct((("too_late", 2),), ())
    assert conduct_of("c", [played(TEAMS)]) == Conduct()
    conduct = conduct_of("b", [played(TEAMS)])
    assert (conduct.faults, conduct.forfeits, conduct.strikes) == (42, 1, 6)


def test_who_forfeited_and_why() -> None:
    assert TEAMS.forfeiters(ENTRANTS) == {"b": "crashed"}
    assert forfeited().forfeiters(ENTRANTS) == {}


def test_an_entrant_is_suspended_with_so_many_forfeited_matches() -> None:
    """A match counts once, whatever the number of seats, and the fault is that of the last one that counted."""
    suspensions = Suspensions(suspend_after=2)
    suspensions.count(ENTRANTS, TEAMS)
    suspensions.count(ENTRANTS, forfeited())
    suspensions.count(ENTRANTS, forfeited(SeatForfeit(1, "illegal")))
    assert suspensions.suspended == ()
    suspensions.count(ENTRANTS, forfeited(SeatForfeit(1, "illegal"), SeatForfeit(2, "too_late")))
    suspensions.count(ENTRANTS, TEAMS)
    assert suspensions.suspended == (Suspension("a", 2, "illegal"), Suspension("b", 2, "too_late"))
    assert suspensions.suspended[0].sentence == "suspended after 2 forfeited matches"


def test_with_zero_nobody_is_suspended() -> None:
    suspensions = Suspensions(suspend_after=0)
    for _ in range(100):
        suspensions.count(ENTRANTS, TEAMS)
    assert suspensions.suspended == ()
