"""Standings and reasons of Swiss events: the figures are worked out by hand, as FIDE defines them."""

import json
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from support.courses import play_course
from support.duels import alphabetical, play_in_order, result_in_order, tied

from ordago.chance import commitment
from ordago.store import PlannedMatch
from ordago_ladder.matches.due import Progress
from ordago_ladder.publication.exports import ladder_json
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.schedule.swiss_reasons import reasons_of
from ordago_ladder.schedule.swiss_standings import SwissRound, complete_rounds, swiss_rounds
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
ROUNDS = (("a>b", "c>d"), ("a>c", "b=d"), ("a=d", "c>b"))
"""Three rounds of four: each two meet once. Points: a 2.5, c 2, d 1, b 0.5."""


def swiss(
    make_event: MakeEvent, rounds: int, *, entrants: int | str = 4, game: tuple[str, int] = ("duel", 2)
) -> Settings:
    return make_event([game], entrants=entrants, terms=f'format = "swiss"\nrounds = {rounds}')


def told(settings: Settings, rounds: Sequence[Sequence[str]]) -> tuple[SwissRound, ...]:
    """Return the rounds of duels that are written as ``a>b`` or ``a=b``, both seatings with the same result."""
    results, ends = [], []
    for number, duels in enumerate(rounds):
        for one, sign, other in duels:
            for seating in range(2):
                seats = (one, other)[:: -1 if seating else 1]
                planned = PlannedMatch(len(results), "duel", f"duel|{one},{other}|{number}", seating, number, seats)
                results.append(result_in_order(planned, (one, other) if sign == ">" else ()))
        ends.append(len(results))
    return swiss_rounds(settings, [result.planned for result in results], ends, results)


class TestStandings:
    def test_tie_breaks_are_those_of_the_definitions(self, make_event: MakeEvent) -> None:
        lines = told(swiss(make_event, 3), ROUNDS)[-1].standings
        # Everybody has met everybody: Buchholz is the 6 points of all less the own ones.
        assert [line[:4] for line in lines] == [
            (1, "a", Fraction(5, 2), Fraction(7, 2)),
            (2, "c", Fraction(2), Fraction(4)),
            (3, "d", Fraction(1), Fraction(5)),
            (4, "b", Fraction(1, 2), Fraction(11, 2)),
        ]
        # a beat b (1/2) and c (2), and drew with d (1); c beat d (1) and b (1/2); d drew with b and a; b drew with d.
        assert [line.sonneborn_berger for line in lines] == [
            Fraction(3),
            Fraction(3, 2),
            Fraction(3, 2),
            Fraction(1, 2),
        ]
        # Of the opponents of a, with 1/2, 1 and 2 points, the one with 1 is left.
        assert [line.median_buchholz for line in lines] == [Fraction(1), Fraction(1), Fraction(2), Fraction(2)]

    def test_there_are_some_after_each_round(self, make_event: MakeEvent) -> None:
        rounds = told(swiss(make_event, 3), ROUNDS)
        assert [one.standings[0].entrant for one in rounds] == ["a", "a", "a"]
        assert rounds[0].before == dict.fromkeys("abcd", 0)
        assert rounds[1].before == {"a": 1, "b": 0, "c": 1, "d": 0}
        assert rounds[1].tables[0].points == {"a": 1, "c": 0}

    def test_a_bye_is_a_tie_with_one_who_has_as_many_points(self, make_event: MakeEvent) -> None:
        [found] = told(swiss(make_event, 1, entrants=3), [("a>b",)])
        assert found.byes == (("duel", "c"),)
        by_name = {line.entrant: line for line in found.standings}
        assert (by_name["c"].points, by_name["c"].buchholz, by_name["c"].sonneborn_berger) == (
            Fraction(1, 2),
            Fraction(1, 2),
            Fraction(1, 4),
        )

    def test_those_who_are_equal_in_everything_share_a_rank(self, make_event: MakeEvent) -> None:
        settings = swiss(make_event, 2, entrants=6)
        known = plan(settings, play_in_order(settings, tied))
        found = swiss_rounds(settings, known.matches, known.rounds, play_in_order(settings, tied))
        assert {(line.rank, line.points) for line in found[-1].standings} == {(1, Fraction(1))}

    @pytest.mark.parametrize("game", [("trio", 3), ("crowd", 4), ("pairs", 4)])
    def test_points_are_those_of_the_pairing_at_larger_tables(
        self, make_event: MakeEvent, game: tuple[str, int]
    ) -> None:
        """A round brings a table half as many points as it has entrants, and a bye half a point."""
        settings = swiss(make_event, 3, entrants=13, game=game)
        played = play_course(settings, seed=3)
        found = swiss_rounds(settings, played.plan.matches, played.plan.rounds, played.results)
        assert [sum(line.points for line in one.standings) for one in found] == [
            Fraction(13, 2),
            Fraction(13),
            Fraction(39, 2),
        ]
        assert all(len(one.byes) == 13 % settings.games[0].table_size for one in found)

    def test_the_table_of_three_adds_the_mean_of_both_opponents(self, make_event: MakeEvent) -> None:
        settings = swiss(make_event, 1, entrants=3, game=("trio", 3))
        known = plan(settings)
        [found] = swiss_rounds(settings, known.matches, known.rounds, play_in_order(settings, alphabetical))
        assert [line[1:5] for line in found.standings] == [
            ("a", Fraction(1), Fraction(1, 4), Fraction(1, 4)),
            ("b", Fraction(1, 2), Fraction(1, 2), Fraction(0)),
            ("c", Fraction(0), Fraction(3, 4), Fraction(0)),
        ]

    def test_a_round_that_is_being_played_has_tables_alone(self, make_event: MakeEvent) -> None:
        settings = swiss(make_event, 3, entrants=6)
        results = play_course(settings).results
        known = plan(settings, results[:9])
        for some in (results[:9], (*results[:8], results[9])):
            found = swiss_rounds(settings, known.matches, known.rounds, some)
            assert [bool(one.standings) for one in found] == [True, False]
            assert found[1].before == {line.entrant: line.points for line in found[0].standings}
            assert len(complete_rounds(settings, known.rounds, some, over=False)) == 1


class TestReasons:
    def test_it_says_who_floats_and_whom_it_had_met(self, make_event: MakeEvent) -> None:
        rounds = told(swiss(make_event, 3, entrants=5), [("a>b", "c>d"), ("a=c", "b>e"), ("a>d", "c=b")])
        # Before round 3: a and c have 3/2, b 1, e 1/2 (a bye), d 1/2 (a bye).
        first, second = reasons_of(rounds, 3)
        [down, up] = first.floaters
        assert (down.entrant, down.way, down.met, down.elsewhere) == ("a", "down", (("c", (2,)),), ())
        assert (up.entrant, up.way, up.elsewhere) == ("d", "up", ("e",))
        assert [one.entrant for one in second.floaters] == ["c", "b"]
        assert first.again == second.again == ()

    def test_it_says_who_meets_again(self, make_event: MakeEvent) -> None:
        rounds = told(swiss(make_event, 2, entrants=2), [("a>b",), ("a=b",)])
        [reason] = reasons_of(rounds, 2)
        assert reason.again == (("a", "b", (1,)),)

    def test_nobody_floats_in_the_first_round(self, make_event: MakeEvent) -> None:
        rounds = told(swiss(make_event, 3), ROUNDS)
        assert [reason.floaters for reason in reasons_of(rounds, 1)] == [(), ()]


def ladder_of(settings: Settings, results: Sequence[object], rounds: tuple[int, ...]) -> Ladder:
    progress = Progress(rounds[-1] if rounds else 0, complete=True, settings_digest=b"", rounds=rounds)
    return build_ladder(settings, results, secret_digest=commitment(b""), progress=progress)  # type: ignore[arg-type]


def test_the_ladder_for_programs_has_all_complete_rounds(make_event: MakeEvent) -> None:
    settings = swiss(make_event, 3, entrants=5)
    played = play_course(settings)
    found = json.loads(ladder_json(ladder_of(settings, played.results[:-1], played.rounds)))["swiss"]
    assert [one["round"] for one in found] == [1, 2]
    assert all(len(one["byes"]) == 1 and len(one["tables"]) == 2 for one in found)
    assert found[0]["standings"][0].keys() == {
        *("rank", "entrant", "points", "buchholz", "sonneborn_berger", "median_buchholz")
    }
    assert {entrant["before"] for table in found[1]["tables"] for entrant in table["entrants"]} <= {
        0,
        0.25,
        0.5,
        0.75,
        1,
    }


def test_the_ladder_of_another_format_has_no_rounds(make_event: MakeEvent) -> None:
    assert not {"swiss", "bracket"} & json.loads(ladder_json(ladder_of(make_event(), [], ()))).keys()
