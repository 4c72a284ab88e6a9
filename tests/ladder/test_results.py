from ordago.record import Result, SeatForfeit
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.rating.results import pairings


def match(entrants: str, scores: tuple[int, ...], placings: tuple[int, ...], *, game: str = "trio") -> MatchResult:
    planned = PlannedMatch(0, game, f"{game}|a,b,c|0", seating=0, repetition=0, entrants=tuple(entrants))
    nothing = ((),) * len(entrants)
    return MatchResult(IssuedMatch(planned, "00"), Result(scores, placings, nothing, forfeits=(), strikes=nothing))


def forfeited(played: MatchResult, *forfeits: SeatForfeit) -> MatchResult:
    return played._replace(result=played.result._replace(forfeits=forfeits))


THREE = match("bac", scores=(3, 5, 3), placings=(2, 1, 2))
TEAMS = match("baba", scores=(1, 2, 1, 2), placings=(2, 1, 2, 1), game="pairs")
MIXED = match("abcd", scores=(1, 2, 1, 2), placings=(2, 1, 2, 1), game="pairs")


def outcomes(played: MatchResult) -> list[tuple[str, str, int, bool]]:
    return [
        ("".join(found.kind.first), "".join(found.kind.second), found.half_points, found.rated)
        for found in pairings([played])
    ]


def test_every_two_at_a_table_are_a_pairing() -> None:
    assert outcomes(THREE) == [("b", "a", 0, True), ("b", "c", 1, True), ("a", "c", 2, True)]
    assert [(found.kind.first_side, found.kind.second_side) for found in pairings([THREE])] == [(0, 1), (0, 2), (1, 2)]


def test_partners_count_once() -> None:
    assert outcomes(TEAMS) == [("b", "a", 0, True)]


def test_who_forfeits_has_lost_whatever_the_score() -> None:
    """The others among themselves are not rated; nor are two who both forfeited."""
    assert outcomes(forfeited(THREE, SeatForfeit(1, "crashed"))) == [
        ("b", "a", 2, True),
        ("b", "c", 1, False),
        ("a", "c", 0, True),
    ]
    assert outcomes(forfeited(THREE, SeatForfeit(0, "crashed"), SeatForfeit(1, "too_late"))) == [
        ("b", "a", 0, False),
        ("b", "c", 0, True),
        ("a", "c", 0, True),
    ]


def test_a_partner_forfeits_for_both() -> None:
    assert outcomes(forfeited(TEAMS, SeatForfeit(3, "crashed"))) == [("b", "a", 2, True)]


def test_partners_who_are_different_entrants_play_together() -> None:
    assert outcomes(MIXED) == [("ac", "bd", 0, True)]
    assert outcomes(match("cbad", scores=(1, 1, 1, 1), placings=(1, 1, 1, 1), game="pairs")) == [("ac", "bd", 1, True)]


def test_a_partner_of_another_entrant_inherits_no_blame() -> None:
    """a forfeits and has lost to b and d, who have not won against his partner c."""
    assert outcomes(forfeited(MIXED, SeatForfeit(0, "crashed"))) == [("c", "bd", 0, False), ("a", "bd", 0, True)]
    assert outcomes(forfeited(MIXED, SeatForfeit(3, "crashed"))) == [("ac", "b", 0, False), ("ac", "d", 2, True)]
    assert outcomes(forfeited(MIXED, SeatForfeit(0, "crashed"), SeatForfeit(1, "crashed"))) == [
        ("c", "d", 0, False),
        ("c", "b", 2, True),
        ("a", "d", 0, True),
        ("a", "b", 0, False),
    ]
    assert [forfeited(MIXED, SeatForfeit(0, "crashed")).forfeit_of(name) for name in "abcd"] == ["crashed", *[None] * 3]


def test_a_team_forfeits_once_whichever_of_its_seats_it_was() -> None:
    both = forfeited(TEAMS, SeatForfeit(1, "crashed"), SeatForfeit(3, "too_late"))
    assert outcomes(both) == [("b", "a", 2, True)]
    assert both.forfeit_of("a") == "crashed"
    assert outcomes(forfeited(TEAMS, SeatForfeit(0, "crashed"), SeatForfeit(1, "crashed"))) == [("b", "a", 0, False)], (
        "two who both forfeited are not rated, but their scores count"
    )


def test_what_an_entrant_got() -> None:
    assert (THREE.placing("c"), THREE.score("c"), THREE.forfeit_of("c")) == (2, 3, None)
