"""Knockouts and double eliminations: who meets whom, who goes on, and how many matches that takes."""

import json
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from support.courses import play_course
from support.duels import Order, alphabetical, play_in_order, result_in_order, tied

from ordago.chance import commitment
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.event_file.file import EventFileError
from ordago_ladder.matches.due import Progress
from ordago_ladder.publication.exports import ladder_json
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.run.changes import changes_between
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.bracket import BracketError, stages_of
from ordago_ladder.schedule.counts import match_count
from ordago_ladder.schedule.elimination import Bracket, Contest
from ordago_ladder.schedule.schedule import Schedule, bracket_of, plan
from ordago_ladder.settings.identity import settings_digest
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
GAMES = [("duel", 2), ("trio", 3), ("crowd", 4), ("crowd", 5), ("pairs", 4)]
KNOCKOUT = 'format = "knockout"'
DOUBLE = 'format = "double-elimination"'


def names(contest: Contest) -> str:
    """Return who sits at a table, in the order of their seeds."""
    return "".join(one.entrant for one in sorted(contest.contenders, key=lambda one: one.seed))


def tables(bracket: Bracket) -> list[list[str]]:
    """Return who sits at the tables of each stage."""
    last = bracket.contests[-1].stage
    return [[names(one) for one in bracket.contests if one.stage == stage] for stage in range(1, last + 1)]


def played(settings: Settings, order: Order = alphabetical) -> Bracket:
    return bracket_of(settings, play_in_order(settings, order))


class TestKnockout:
    def test_the_best_seeds_meet_last_and_have_the_byes(self, make_event: MakeEvent) -> None:
        assert tables(played(make_event([("duel", 2)], entrants=8, terms=KNOCKOUT))) == [
            *(["ah", "bg", "cf", "de"], ["ad", "bc"], ["ab"])
        ]
        assert tables(played(make_event([("duel", 2)], entrants=5, terms=KNOCKOUT))) == [["de"], ["ad", "bc"], ["ab"]]

    def test_known_ratings_seed_before_the_order_of_the_file(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=["x", "y", "b", "a"], terms=KNOCKOUT)
        assert bracket_of(settings, ()).seeds == ("x", "y", "b", "a")
        rated = settings.model_copy(update={"anchors": (("a", 1500.0), ("y", 1600.0))})
        assert bracket_of(rated, ()).seeds == ("y", "a", "x", "b")

    def test_the_winner_takes_the_place_of_the_better_seed(self, make_event: MakeEvent) -> None:
        def h_is_best(planned: PlannedMatch) -> Sequence[str]:
            return sorted(set(planned.entrants), key=lambda name: (name != "h", name))

        bracket = played(make_event([("duel", 2)], entrants=8, terms=KNOCKOUT), h_is_best)
        assert tables(bracket) == [["ah", "bg", "cf", "de"], ["dh", "bc"], ["bh"]]
        assert [(place.rank, place.entrant) for place in bracket.places] == [
            *((1, "h"), (2, "b"), (3, "c"), (3, "d"), (5, "a"), (5, "e"), (5, "f"), (5, "g"))
        ]

    def test_the_best_of_larger_tables_go_on(self, make_event: MakeEvent) -> None:
        bracket = played(make_event([("crowd", 4)], entrants=16, terms=KNOCKOUT))
        assert [len(stage.upper) for stage in bracket.stages] == [4, 2, 1]
        assert tables(bracket)[0] == ["ahip", "bgjo", "cfkn", "delm"]
        assert sorted("".join(tables(bracket)[1])) == list("abcdefgh")
        assert tables(bracket)[2] == ["abcd"]
        assert [place.rank for place in bracket.places] == [1, 2, 3, 4, *[5] * 4, *[9] * 8]

    def test_those_who_come_from_one_table_are_parted_if_they_can_be(self, make_event: MakeEvent) -> None:
        bracket = played(make_event([("crowd", 4)], entrants=16, terms=KNOCKOUT))
        first, second = tables(bracket)[:2]
        together = [{one for one in table if one in after} for table in first for after in second]
        assert max(map(len, together)) == 1

    def test_more_go_on_where_a_table_could_not_be_filled(self, make_event: MakeEvent) -> None:
        bracket = played(make_event([("crowd", 4)], entrants=7, terms=KNOCKOUT))
        assert [(one.advance, names(one)) for one in bracket.contests] == [(2, "defg"), (3, "bcde"), (1, "abcd")]
        assert [stage.upper for stage in bracket.stages] == [(2,), (3,), (1,)]

    def test_a_partnership_is_one_entrant(self, make_event: MakeEvent) -> None:
        bracket = played(make_event([("pairs", 4)], entrants=4, terms=KNOCKOUT))
        assert tables(bracket) == [["ad", "bc"], ["ab"]]

    def test_all_games_count_together(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2), ("pairs", 4)], entrants=4, terms=KNOCKOUT + "\nplay_offs = 0")

        def by_game(planned: PlannedMatch) -> Sequence[str]:
            return sorted(set(planned.entrants), reverse=planned.game == "duel")

        bracket = played(settings, by_game)
        assert [one.points for one in bracket.contests[0].contenders] == [1, 1]
        assert bracket.places[0].entrant == "a", "tied after all sets: the better seed goes on"


class TestDoubleElimination:
    def test_who_lost_once_plays_on(self, make_event: MakeEvent) -> None:
        bracket = played(make_event([("duel", 2)], entrants=8, terms=DOUBLE))
        upper, lower = (
            [
                [names(one) for one in bracket.contests if (one.stage, one.part) == (stage, part)]
                for stage in range(1, 6)
            ]
            for part in ("upper", "lower")
        )
        assert upper == [["ah", "bg", "cf", "de"], ["ad", "bc"], ["ab"], [], []]
        # c and f met before, so c meets e.
        assert lower == [[], ["eh", "fg"], ["ce", "df"], ["cd"], ["bc"]]
        assert [(place.rank, place.entrant) for place in bracket.places] == [
            *((1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e"), (5, "f"), (7, "g"), (7, "h"))
        ]

    def test_the_finalist_without_a_loss_has_to_be_beaten_twice(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=4, terms=DOUBLE)

        def b_wins(finals: int) -> Order:
            def order(planned: PlannedMatch) -> Sequence[str]:
                late = planned.row >= 10 and planned.row < 10 + 2 * finals
                return sorted(set(planned.entrants), reverse=late)

            return order

        for finals, winner, contests in ((0, "a", 6), (1, "a", 7), (2, "b", 7)):
            bracket = played(settings, b_wins(finals))
            assert (bracket.places[0].entrant, len(bracket.contests)) == (winner, contests)
            assert [one.part for one in bracket.contests[5:]] == ["final"] * (contests - 5)

    @pytest.mark.slow
    @hypothesis_settings(max_examples=60, deadline=None)
    @given(entrants=st.integers(2, 40), seed=st.integers(0, 1_000))
    def test_everybody_but_the_winner_loses_twice(self, make_event: MakeEvent, entrants: int, seed: int) -> None:
        settings = make_event([("duel", 2)], entrants=entrants, terms=DOUBLE)
        bracket = bracket_of(settings, play_course(settings, seed=seed).results)
        lost = Counter(one.contenders[1].entrant for one in bracket.contests)
        assert all(lost[place.entrant] == 2 for place in bracket.places[1:])
        assert lost[bracket.places[0].entrant] <= 1


class TestSets:
    def test_a_tied_table_plays_on_until_it_is_decided(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=2, terms=KNOCKOUT)

        def tied_at_first(planned: PlannedMatch) -> Sequence[str]:
            return () if planned.row < 4 else ("b", "a")

        [final] = played(settings, tied_at_first).contests
        assert (final.sets, final.play_offs, names(final), final.contenders[0].entrant) == (3, 2, "ab", "b")

    @pytest.mark.parametrize(("terms", "sets"), [("", 4), ("play_offs = 0", 1), ("repetitions = 2\nplay_offs = 1", 3)])
    def test_where_all_are_tied_to_the_end_the_seeds_decide(self, make_event: MakeEvent, terms: str, sets: int) -> None:
        bracket = played(make_event([("duel", 2)], entrants=4, terms=f"{KNOCKOUT}\n{terms}"), tied)
        assert {one.sets for one in bracket.contests} == {sets}
        assert {one.decided_by for one in bracket.contests} == {"seed"}
        assert [place.entrant for place in bracket.places] == ["a", "b", "c", "d"]

    def test_decided_sets_can_be_skipped(self, make_event: MakeEvent) -> None:
        terms = f"{KNOCKOUT}\nrepetitions = 5"
        for skip, sets in (("", 5), ("\nskip_decided = true", 3)):
            bracket = played(make_event([("duel", 2)], entrants=2, terms=terms + skip))
            assert [one.sets for one in bracket.contests] == [sets]

    def test_a_lead_that_can_be_made_up_decides_nothing(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=2, terms=f"{KNOCKOUT}\nrepetitions = 3\nskip_decided = true")

        def a_first(planned: PlannedMatch) -> Sequence[str]:
            return ("a", "b") if planned.row < 2 else ("b", "a")

        [final] = played(settings, a_first).contests
        assert (final.sets, [one.points for one in final.contenders]) == (3, [2, 1])

    def test_who_forfeits_is_out(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=8, terms=KNOCKOUT)
        for seed in range(5):
            bracket = bracket_of(settings, play_course(settings, seed=seed, forfeiting=["a"]).results)
            assert bracket.contests[0].contenders[1].entrant == "a"
            assert next(place.rank for place in bracket.places if place.entrant == "a") == 5

    def test_a_suspended_entrant_is_out_and_its_table_plays_no_more_sets(self, make_event: MakeEvent) -> None:
        terms = f"{KNOCKOUT}\nrepetitions = 5\nskip_decided = true\nsuspend_after = 4"
        settings = make_event([("duel", 2)], entrants=4, terms=terms)
        schedule, results = Schedule(settings), list[MatchResult]()
        while due := schedule.plan(results).matches[len(results) :]:
            # a is ahead when it is suspended: it has won, and yet forfeited, two sets.
            results += [result_in_order(planned, alphabetical(planned), forfeiting="a") for planned in due]
        bracket = bracket_of(settings, results)
        first = bracket.contests[0]
        assert (names(first), first.sets, first.decided_by) == ("ad", 2, "absence")
        assert [place.entrant for place in bracket.places] == ["b", "d", "a", "c"]

    def test_one_who_is_gone_since_the_second_round_loses_there(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=8, terms=DOUBLE)
        first = play_in_order(settings, alphabetical, rounds=1)

        def without_a(planned: PlannedMatch) -> Sequence[str]:
            gone = "a" if planned.row >= len(first) else ""
            return sorted(set(planned.entrants), key=lambda name: (name == gone, name))

        bracket = played(settings, without_a)
        assert [(place.rank, place.entrant) for place in bracket.places][-4:] == [
            (5, "a"),
            (5, "e"),
            (7, "g"),
            (7, "h"),
        ]


class TestSchedule:
    @pytest.mark.slow
    @hypothesis_settings(max_examples=80, deadline=None)
    @given(
        entrants=st.integers(5, 40),
        game=st.sampled_from(GAMES),
        form=st.sampled_from([KNOCKOUT, DOUBLE]),
        terms=st.sampled_from(["", "repetitions = 3\nskip_decided = true", "repetitions = 2\nplay_offs = 1"]),
        seed=st.integers(0, 1_000),
    )
    def test_it_comes_to_an_end_within_its_bounds(
        self, make_event: MakeEvent, entrants: int, game: tuple[str, int], form: str, terms: str, seed: int
    ) -> None:
        settings = make_event([game], entrants=entrants, terms=f"{form}\nadvance = 1\n{terms}")
        found = play_course(settings, seed=seed)
        figures = estimate(settings)
        assert found.plan.complete
        assert figures.fewest_matches <= len(found.plan.matches) <= figures.matches == match_count(settings)
        bracket = bracket_of(settings, found.results)
        assert sorted(place.entrant for place in bracket.places) == sorted(bracket.seeds)
        assert all(one.decided for one in bracket.contests)

    def test_the_bounds_are_reached(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=6, terms=f"{KNOCKOUT}\nrepetitions = 3\nskip_decided = true")
        assert len(play_in_order(settings, alphabetical)) == estimate(settings).fewest_matches == 5 * 2 * 2
        assert len(play_in_order(settings, tied)) == estimate(settings).matches == 5 * 6 * 2

    @pytest.mark.parametrize("form", [KNOCKOUT, DOUBLE])
    def test_it_is_the_same_in_whatever_order_results_come(self, make_event: MakeEvent, form: str) -> None:
        settings = make_event([("trio", 3)], entrants=9, terms=form)
        found = play_course(settings, seed=5)
        assert plan(settings, found.results[::-1]) == found.plan
        assert bracket_of(settings, found.results[::-1]) == bracket_of(settings, found.results)
        schedule = Schedule(settings)
        for count in (0, 3, found.rounds[0], found.rounds[0] + 1, len(found.results)):
            assert schedule.plan(found.results[:count]) == plan(settings, found.results[:count])

    def test_what_is_not_played_yet_has_no_place(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=8, terms=KNOCKOUT)
        results = play_in_order(settings, alphabetical, rounds=1)
        bracket = bracket_of(settings, results[:-1])
        assert (len(bracket.contests), bracket.places) == (4, ())
        assert not any(one.decided for one in bracket.contests)
        bracket = bracket_of(settings, results)
        assert [place.rank for place in bracket.places] == [5, 5, 5, 5]
        assert [one.decided for one in bracket.contests] == [True] * 4 + [False] * 2

    def test_known_ratings_decide_who_plays_and_so_belong_to_the_event(self, make_event: MakeEvent) -> None:
        for form, same in ((KNOCKOUT, False), ("", True)):
            settings = make_event([("duel", 2)], entrants=4, terms=form)
            rated = settings.model_copy(update={"anchors": (("c", 1500.0),)})
            assert (settings_digest(settings) == settings_digest(rated)) is same
            assert bool(list(changes_between(settings, rated))) is not same

    @pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
    def test_every_number_of_entrants_has_a_bracket_from_which_one_goes_on(self, size: int) -> None:
        for entrants in range(size, 300):
            for double in (False, True):
                assert stages_of(entrants, size=size, advance=1, double=double)[-1].upper == (1,)

    def test_numbers_that_make_no_bracket_are_refused(self) -> None:
        with pytest.raises(BracketError, match="comes down to 3 entrants, too few for a table of 4"):
            stages_of(7, size=4, advance=2, double=True)


@pytest.mark.parametrize(
    ("games", "entrants", "terms", "problem"),
    [
        (
            [("duel", 2)],
            4,
            "advance = 2",
            "[event]: 'advance' takes less than the 2 entrants at a table of duel, not 2",
        ),
        ([("crowd", 4)], 8, "advance = 0", "'advance' takes a number of at least 1, not 0"),
        ([("duel", 2)], 4, "play_offs = 101", "'play_offs' takes"),
        ([("duel", 2)], 4, "rounds = 3", "'rounds' is for the format swiss, not for knockout"),
        ([("duel", 2), ("trio", 3)], 4, "", "take the same number of entrants at a table, not duel 2, trio 3"),
        ([("crowd", 5)], 4, "", "takes 5 entrants a table, and there are 4"),
        ([("duel", 2)], 4, "repetitions = 1_000_000", "matches, and at most 100,000 are allowed"),
    ],
)
def test_what_makes_no_knockout_is_said(
    make_event: MakeEvent, games: list[tuple[str, int]], entrants: int, terms: str, problem: str
) -> None:
    with pytest.raises(EventFileError) as caught:
        make_event(games, entrants=entrants, terms=f"{KNOCKOUT}\n{terms}")
    assert any(problem in sentence for sentence in caught.value.problems)


def test_numbers_that_make_no_double_elimination_are_said(make_event: MakeEvent) -> None:
    with pytest.raises(EventFileError, match=r"write advance = 1, or take one entrant more or fewer"):
        make_event([("crowd", 4)], entrants=7, terms=DOUBLE)


@pytest.mark.parametrize("key", ["advance = 1", "play_offs = 2", "skip_decided = true"])
def test_keys_of_a_bracket_are_refused_elsewhere(make_event: MakeEvent, key: str) -> None:
    with pytest.raises(EventFileError, match=r"is for the format knockout, .* and league, not for swiss"):
        make_event(terms=f'format = "swiss"\nrounds = 2\n{key}')


def test_the_ladder_for_programs_has_the_bracket(make_event: MakeEvent) -> None:
    settings = make_event([("duel", 2)], entrants=4, terms=KNOCKOUT)
    results: list[MatchResult] = play_in_order(settings, alphabetical)
    progress = Progress(len(results), complete=True, settings_digest=b"")
    ladder = build_ladder(settings, results, secret_digest=commitment(b""), progress=progress)
    found = json.loads(ladder_json(ladder))["bracket"]
    assert found["seeds"] == ["a", "b", "c", "d"]
    assert [stage["upper"] for stage in found["stages"]] == [[1, 1], [1]]
    assert found["contests"][-1] == {
        "number": 3,
        "stage": 2,
        "part": "final",
        "advance": 1,
        "sets": 1,
        "play_offs": 0,
        "decided_by": "points",
        "entrants": [
            {"entrant": "a", "seed": 1, "points": 1.0, "goes_on": True},
            {"entrant": "b", "seed": 2, "points": 0.0, "goes_on": False},
        ],
    }
    assert found["places"][0] == {"rank": 1, "entrant": "a"}
