"""Leagues: who is in which group, who goes on, who is last, and what organisers are refused."""

import itertools
import json
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

import pytest
from hypothesis import given, reject
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from support.courses import play_course
from support.duels import alphabetical, play_in_order, result_in_order, tied

from ordago.chance import commitment
from ordago.record.ledgers.event import ChangeEntry
from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.event_file.file import EventFileError
from ordago_ladder.matches.due import Progress
from ordago_ladder.publication.exports import ladder_json
from ordago_ladder.publication.terminal import format_lines
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.schedule.counts import fewest_matches, match_count
from ordago_ladder.schedule.groups import groups_of
from ordago_ladder.schedule.league import GroupTable, LeagueTables
from ordago_ladder.schedule.schedule import Schedule, league_of, plan
from ordago_ladder.schedule.stages import Stage
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
GAMES = [("duel", 2), ("trio", 3), ("crowd", 4), ("crowd", 5), ("pairs", 4)]


def terms(keys: str = "", *, groups: int | None = 2, advance: int = 2) -> str:
    drawn = "" if groups is None else f"groups = {groups}\n"
    return f'format = "league"\n{drawn}advance = {advance}\n{keys}'


def members(settings: Settings) -> list[str]:
    return ["".join(entrant.name for entrant in group.settings.entrants) for group in groups_of(settings)]


def order(table: GroupTable) -> str:
    return "".join(line.entrant for line in table.lines)


def going_on(table: GroupTable) -> str:
    return "".join(line.entrant for line in table.lines if line.goes_on)


def finalists(league: LeagueTables) -> set[str]:
    if league.bracket:
        return set(league.bracket.seeds)
    assert league.final
    return {line.entrant for line in league.final.lines}


def played(settings: Settings, first: Callable[[PlannedMatch], Sequence[str]] = alphabetical) -> LeagueTables:
    return league_of(settings, play_in_order(settings, first))


class TestGroups:
    def test_seeds_go_to_and_fro(self, make_event: MakeEvent) -> None:
        assert members(make_event([("duel", 2)], entrants=8, terms=terms())) == ["adeh", "bcfg"]
        assert members(make_event([("duel", 2)], entrants=11, terms=terms(groups=3))) == ["afg", "behk", "cdij"]

    def test_known_ratings_seed_before_the_order_of_the_file(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=6, terms=terms())
        rated = settings.model_copy(update={"anchors": (("e", 1700.0), ("f", 1600.0))})
        assert members(rated) == ["ebc", "fad"]

    def test_entrants_name_theirs(self, make_event: MakeEvent) -> None:
        north = {name: f'group = "{"North" if name in "acf" else "Bay"}"' for name in "abcdefg"}
        settings = make_event([("duel", 2)], entrants=7, terms=terms(groups=None), of_entrants=north)
        assert [group.name for group in groups_of(settings)] == ["Bay", "North"]
        assert members(settings) == ["bdeg", "acf"]

    def test_all_of_a_group_meet_and_no_others(self, make_event: MakeEvent) -> None:
        settings = make_event(
            [("duel", 2), ("trio", 3)], entrants=7, terms=terms('repetitions = 2\nfinal = "round-robin"')
        )
        sets = Counter((match.game, match.entrants) for match in plan(settings).matches if match.seating == 0)
        met = {frozenset(entrants) for _, entrants in sets}
        wanted = {
            frozenset(some)
            for group in ("adeh"[:3], "bcfg")
            for size in (2, 3)
            for some in itertools.combinations(group, size)
        }
        assert met == wanted
        assert sum(sets.values()) == 2 * len(wanted)

    def test_groups_play_by_turns(self, make_event: MakeEvent) -> None:
        sets = [
            match for match in plan(make_event([("duel", 2)], entrants=8, terms=terms())).matches if match.seating == 0
        ]
        assert [match.entrants[0] in "adeh" for match in sets[:4]] == [True, False, True, False]


class TestStandings:
    def test_the_best_go_on_and_the_winner_meets_the_second_of_the_other_group(self, make_event: MakeEvent) -> None:
        league = played(make_event([("duel", 2)], entrants=8, terms=terms()))
        assert [order(table) for table in league.groups] == ["adeh", "bcfg"]
        assert [going_on(table) for table in league.groups] == ["ad", "bc"]
        assert league.bracket
        assert league.bracket.seeds == ("a", "b", "d", "c")
        sat = [{one.entrant for one in contest.contenders} for contest in league.bracket.contests]
        assert sat == [{"a", "c"}, {"b", "d"}, {"a", "b"}]
        assert league.bracket.places[0].entrant == "a"

    def test_points_are_counted_by_sets(self, make_event: MakeEvent) -> None:
        [group, _] = played(make_event([("trio", 3)], entrants=8, terms=terms("repetitions = 2"))).groups
        # Each of four sits at three tables with two others, twice.
        assert [line.points for line in group.lines] == [6, 4, 2, 0]

    def test_sonneborn_berger_then_the_score_then_the_seed_part_equals(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=4, terms=terms(groups=1))
        beats = {"a": "cd", "b": "ad", "c": "b", "d": "c"}

        def first(planned: PlannedMatch) -> Sequence[str]:
            one, other = planned.entrants
            return (one, other) if other in beats[one] else (other, one)

        [group] = played(settings, first).groups
        assert order(group) == "bacd", "b has beaten a, and c has beaten b"
        assert [(line.points, line.sonneborn_berger) for line in group.lines] == [(2, 3), (2, 2), (1, 2), (1, 1)]
        results = play_in_order(settings, tied, rounds=1)
        assert order(league_of(settings, results).groups[0]) == "abcd"
        [group] = league_of(settings, [_with_score(result, "d", 99) for result in results]).groups
        assert order(group) == "dabc"
        assert [line.score for line in group.lines] == [99 * 6, 0, 0, 0]

    def test_a_group_that_plays_shows_its_points_so_far(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=8, terms=terms())
        results = play_in_order(settings, alphabetical, rounds=1)
        league = league_of(settings, results[:4])
        assert sum(line.points for table in league.groups for line in table.lines) == 2
        assert not any(line.goes_on for table in league.groups for line in table.lines)
        assert league.final is league.bracket is None

    def test_those_of_a_group_do_not_meet_in_the_first_stage(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=12, terms=terms(groups=3))
        league = played(settings)
        assert league.bracket
        of = {
            name: group.name for group in groups_of(settings) for name in (one.name for one in group.settings.entrants)
        }
        first = [contest for contest in league.bracket.contests if contest.stage == 1]
        assert len(first) == 2
        assert all(len({of[one.entrant] for one in contest.contenders}) == 2 for contest in first)

    def test_a_final_may_be_a_round_robin_of_several_games(self, make_event: MakeEvent) -> None:
        settings = make_event(
            [("duel", 2), ("trio", 3)], entrants=8, terms=terms('final = "round-robin"\nfinal_repetitions = 2')
        )
        league = played(settings)
        assert league.bracket is None
        assert league.final
        assert (order(league.final), going_on(league.final)) == ("abcd", "a")
        assert league.final.lines[0].points == 2 * (3 + 3)
        assert league.final.lines[0].score is None


def _with_score(result: MatchResult, name: str, score: int) -> MatchResult:
    scores = tuple(score if one == name else 0 for one in result.planned.entrants)
    return result._replace(result=result.result._replace(scores=scores))


@pytest.mark.slow
@hypothesis_settings(max_examples=30, deadline=None)
@given(
    game=st.sampled_from(GAMES),
    groups=st.integers(1, 4),
    more=st.integers(1, 3),
    rest=st.integers(0, 3),
    advance=st.integers(1, 3),
    final=st.sampled_from(["knockout", "double-elimination", "round-robin"]),
    forfeiting=st.sets(st.sampled_from("abcdefgh"), max_size=4),
    seed=st.integers(0, 1_000),
)
def test_any_league_comes_to_its_end(
    make_event: MakeEvent,
    game: tuple[str, int],
    groups: int,
    more: int,
    rest: int,
    advance: int,
    final: str,
    forfeiting: set[str],
    seed: int,
) -> None:
    """Whatever the sizes and whoever forfeits: so many go on from each group, and the order of results is nothing."""
    size = 2 if game[0] == "pairs" else game[1]
    entrants = groups * (size + more) + min(rest, groups - 1)
    try:
        settings = make_event(
            [game],
            entrants=entrants,
            terms=terms(f'final = "{final}"\nsuspend_after = 3', groups=groups, advance=advance),
        )
    except EventFileError:
        reject()
    course = play_course(settings, seed=seed, forfeiting=forfeiting)
    assert course.plan.complete
    assert len(course.results) <= match_count(settings)
    if not forfeiting:
        assert len(course.results) >= fewest_matches(settings)
    league = league_of(settings, course.results)
    assert [len(going_on(table)) for table in league.groups] == [advance] * groups
    assert finalists(league) == {name for table in league.groups for name in going_on(table)}
    for table in league.groups:
        gone = [line.gone for line in table.lines]
        assert gone == sorted(gone), "those who are gone are last"
    shuffled = list(course.results)
    Random(seed).shuffle(shuffled)
    assert league_of(settings, shuffled) == league
    assert Schedule(settings).plan(shuffled) == course.plan


class TestWhoLeaves:
    def test_tables_of_a_suspended_entrant_count_for_nobody(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=8, terms=terms("suspend_after = 4"))

        results = list[MatchResult]()
        for planned in plan(settings).matches:
            # "d" beats all others of its group but forfeits against two of them, four matches in all.
            first = sorted(set(planned.entrants), key=lambda name: (name != "d", name))
            forfeiting = ["d"] if {"a", "e"} & set(first) else []
            results.append(result_in_order(planned, first, forfeiting=forfeiting))
        [group, other] = league_of(settings, results).groups
        assert order(group) == "aehd"
        assert [line.points for line in group.lines] == [2, 1, 0, 0]
        assert [line.gone for line in group.lines] == [False, False, False, True]
        assert [line.points for line in other.lines] == [3, 2, 1, 0]

    def test_a_suspended_entrant_goes_on_where_too_few_others_are_left_and_loses(self, make_event: MakeEvent) -> None:
        settings = make_event([("duel", 2)], entrants=6, terms=terms("suspend_after = 1"))
        course = play_course(settings, forfeiting="df")
        league = league_of(settings, course.results)
        assert course.plan.complete
        assert going_on(league.groups[0])[0] in "ae"
        assert league.bracket
        assert league.bracket.places[0].entrant not in "df"

    @pytest.mark.parametrize("rounds", [1, 2])
    def test_who_withdraws_loses_what_is_left(self, make_event: MakeEvent, rounds: int) -> None:
        """The same results before the withdrawal decide the same, and the bracket goes on without the entrant."""
        settings = make_event([("duel", 2)], entrants=8, terms=terms())
        before = play_in_order(settings, alphabetical, rounds=rounds)
        entrants = [one.model_copy(update={"withdrawn": one.name == "a"}) for one in settings.entrants]
        after = settings.model_copy(update={"entrants": tuple(entrants)})
        issued = len(Schedule(settings).plan(before).matches)
        change = ChangeEntry(
            time="2027-01-31T00:00:00Z", settings_digest="00" * 32, issued=issued, joined=(), withdrawn=("a",), keys=()
        )
        later = [Stage(after, change)]
        schedule, results = Schedule(settings, later), list(before)
        while due := [
            one for one in schedule.plan(results).matches if one not in {result.planned for result in results}
        ]:
            assert not any("a" in planned.entrants for planned in due)
            results += [result_in_order(planned, alphabetical(planned)) for planned in due]
        league = league_of(settings, results, later)
        assert schedule.plan(results).complete
        assert going_on(league.groups[0]) == "ad", "it went on before it withdrew"
        assert league.bracket
        assert league.bracket.places[0].entrant == "b"
        assert Schedule(settings, later).plan(results) == schedule.plan(results)


@pytest.mark.parametrize(
    ("games", "entrants", "text", "problem"),
    [
        ([("duel", 2)], 8, 'format = "league"\nadvance = 1', "write 'groups', or 'group' in every [[entrant]]"),
        ([("duel", 2)], 8, 'format = "league"\ngroups = 2', "write 'advance'"),
        ([("duel", 2)], 8, terms(groups=0), "'groups' takes a number of at least 1, not 0"),
        ([("duel", 2)], 60, terms(groups=27), "'groups' takes a number of at most 26, not 27"),
        ([("duel", 2)], 3, terms(groups=4), "there are only 3 entrants"),
        ([("duel", 2)], 8, terms(advance=4), "group 'A' has 4 entrants, not 4"),
        ([("crowd", 4)], 7, terms(advance=1), "group 'A' has 3 entrants, and a table of crowd takes 4"),
        ([("crowd", 4)], 12, terms(advance=1), "2 entrants go on to the final, and a table of crowd takes 4"),
        ([("duel", 2)], 8, terms('final = "swiss"'), "'final' takes knockout, double-elimination, round-robin"),
        ([("duel", 2), ("trio", 3)], 8, terms(), "in a 'final' with a bracket all games take the same number"),
        (
            [("duel", 2)],
            8,
            terms('final = "round-robin"\nplay_offs = 1'),
            "'play_offs' is for a 'final' with a bracket",
        ),
        ([("crowd", 4)], 8, terms('final = "double-elimination"', groups=1, advance=7), "change 'advance' or 'final'"),
        ([("duel", 2)], 8, terms("rounds = 2"), "'rounds' is for the format swiss, not for league"),
        ([("duel", 2)], 8, 'format = "knockout"\ngroups = 2', "'groups' is for the format league, not for knockout"),
        ([("duel", 2)], 8, terms("repetitions = 1_000_000"), "matches, and at most 100,000 are allowed"),
    ],
)
def test_what_makes_no_league_is_said(
    make_event: MakeEvent, games: list[tuple[str, int]], entrants: int, text: str, problem: str
) -> None:
    with pytest.raises(EventFileError) as caught:
        make_event(games, entrants=entrants, terms=text)
    assert any(problem in sentence for sentence in caught.value.problems)


@pytest.mark.parametrize(
    ("text", "named", "problem"),
    [
        (terms(groups=None), "abc", "[[entrant]] 4: it has no 'group', and others have"),
        (terms(), "abcdef", "'groups' draws groups, and the entrants name theirs"),
        ('format = "knockout"', "a", "[[entrant]] 1: 'group' is for the format league, not for knockout"),
    ],
)
def test_groups_are_drawn_or_named(make_event: MakeEvent, text: str, named: str, problem: str) -> None:
    with pytest.raises(EventFileError) as caught:
        make_event([("duel", 2)], entrants=6, terms=text, of_entrants=dict.fromkeys(named, 'group = "x"'))
    assert any(problem in sentence for sentence in caught.value.problems)


def test_sets_of_a_game_are_refused(make_event: MakeEvent) -> None:
    with pytest.raises(EventFileError, match="'sets' is not for the format league; write 'repetitions'"):
        make_event([("duel", 2)], entrants=8, terms=terms(), of_games="sets = 3")


class TestPublished:
    @pytest.fixture
    def ladder(self, make_event: MakeEvent) -> Ladder:
        settings = make_event([("duel", 2)], entrants=8, terms=terms())
        results = play_in_order(settings, alphabetical)
        progress = Progress(len(results), complete=True, settings_digest=b"")
        return build_ladder(settings, results, secret_digest=commitment(b""), progress=progress)

    def test_the_ladder_for_programs_has_groups_and_bracket(self, ladder: Ladder) -> None:
        found = json.loads(ladder_json(ladder))
        assert [group["group"] for group in found["groups"]] == ["A", "B"]
        assert found["groups"][0]["standings"][0] == {
            "rank": 1,
            "entrant": "a",
            "points": 3.0,
            "sonneborn_berger": 3.0,
            "score": 54,
            "goes_on": True,
            "gone": False,
        }
        assert found["bracket"]["seeds"] == ["a", "b", "d", "c"]

    def test_the_terminal_shows_them(self, ladder: Ladder) -> None:
        lines = list(format_lines(ladder))
        assert lines[0] == "group A"
        assert lines[2].split() == ["1", "a*", "3.00", "3.00", "54"]
        assert "stage 2 (final), table 3: a* 1 – b 0; 1 set" in lines
