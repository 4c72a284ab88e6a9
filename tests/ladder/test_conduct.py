from ordago.record import FaultCount, SeatForfeit
from ordago_ladder.conduct import Conduct, Suspension, Suspensions, conduct_of
from ordago_ladder.results import MatchResult, forfeiters

CRASHED = FaultCount("crashed", 20)
LATE = FaultCount("too_late", 2)
TEAMS = MatchResult(
    row=0,
    match_id="00",
    game="pairs",
    set_key="pairs|a,b|0",
    seating=0,
    entrants=("b", "a", "b", "a"),
    scores=(1, 2, 1, 2),
    placings=(2, 1, 2, 1),
    faults=((CRASHED,), (), (CRASHED, LATE), (LATE,)),
    forfeits=(SeatForfeit(0, "crashed"), SeatForfeit(2, "too_late")),
)


def test_the_seats_of_an_entrant_count_together_and_a_match_is_forfeited_once() -> None:
    assert conduct_of("b", [TEAMS, TEAMS._replace(forfeits=())]) == Conduct(
        decisions=(("crashed", 80), ("too_late", 4)), matches=(("crashed", 1),)
    )
    assert conduct_of("a", [TEAMS]) == Conduct((("too_late", 2),), ())
    assert conduct_of("c", [TEAMS]) == Conduct()
    assert (conduct_of("b", [TEAMS]).faults, conduct_of("b", [TEAMS]).forfeits) == (42, 1)


def test_who_forfeited_and_why() -> None:
    assert forfeiters(TEAMS.entrants, TEAMS.forfeits) == {"b": "crashed"}
    assert forfeiters(TEAMS.entrants, ()) == {}


def test_an_entrant_is_suspended_with_so_many_forfeited_matches() -> None:
    """A match counts once, whatever the number of seats, and the fault is that of the last one that counted."""
    suspensions = Suspensions(suspend_after=2)
    suspensions.count(TEAMS.entrants, TEAMS.forfeits)
    suspensions.count(TEAMS.entrants, ())
    suspensions.count(TEAMS.entrants, [SeatForfeit(1, "illegal")])
    assert suspensions.suspended == ()
    suspensions.count(TEAMS.entrants, [SeatForfeit(1, "illegal"), SeatForfeit(2, "too_late")])
    suspensions.count(TEAMS.entrants, TEAMS.forfeits)
    assert suspensions.suspended == (Suspension("a", 2, "illegal"), Suspension("b", 2, "too_late"))
    assert suspensions.suspended[0].sentence == "suspended after 2 forfeited matches"


def test_with_zero_nobody_is_suspended() -> None:
    suspensions = Suspensions(suspend_after=0)
    for _ in range(100):
        suspensions.count(TEAMS.entrants, TEAMS.forfeits)
    assert suspensions.suspended == ()
