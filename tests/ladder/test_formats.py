"""What the formats of events promise, whatever the results are."""

import itertools
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from support.courses import Played, play_course

from ordago.chance import commitment
from ordago_ladder.event_file.file import EventFileError
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.counts import MOST_MATCHES, match_count
from ordago_ladder.schedule.schedule import Schedule, plan
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
GAMES = [("duel", 2), ("trio", 3), ("crowd", 4), ("crowd", 5), ("pairs", 4)]


def pairs_of(played: Played) -> Counter[tuple[str, str]]:
    return Counter(pair for match in played.tables for pair in itertools.combinations(sorted(set(match.entrants)), 2))


class TestGauntlet:
    @pytest.fixture(params=["", "sets = 40"], ids=["every table", "some tables"])
    def event(self, make_event: MakeEvent, request: pytest.FixtureRequest) -> Settings:
        new = dict.fromkeys("cf", "newcomer = true")
        games = [("trio", 3), ("pairs", 4)]
        return make_event(games, entrants=9, terms='format = "gauntlet"', of_games=request.param, of_entrants=new)

    def test_every_table_has_one_newcomer(self, event: Settings) -> None:
        known = plan(event)
        assert known.complete
        assert all(len({"c", "f"} & set(match.entrants)) == 1 for match in known.matches)
        assert match_count(event) == len(known.matches)

    @pytest.mark.slow
    def test_newcomers_play_alike_and_so_does_the_field(self, event: Settings) -> None:
        for game in event.games:
            sets = Counter(
                name
                for match in plan(event).matches
                if match.game == game.name and match.seating == 0
                for name in set(match.entrants)
            )
            assert abs(sets["c"] - sets["f"]) <= 1
            field = [sets[name] for name in "abdeghi"]
            assert max(field) - min(field) <= 1


class TestSwiss:
    @pytest.mark.slow
    @hypothesis_settings(max_examples=15, deadline=None)
    @given(
        entrants=st.integers(5, 26), game=st.sampled_from(GAMES), rounds=st.integers(1, 6), seed=st.integers(0, 1_000)
    )
    def test_everybody_plays_and_byes_are_spread(
        self, make_event: MakeEvent, entrants: int, game: tuple[str, int], rounds: int, seed: int
    ) -> None:
        event = make_event([game], entrants=entrants, terms=f'format = "swiss"\nrounds = {rounds}')
        played = play_course(event, seed=seed)
        size = event.games[0].table_size
        assert played.plan.complete
        assert len(played.rounds) == rounds
        assert len(played.plan.matches) == match_count(event)
        names = [entrant.name for entrant in event.entrants]
        sets: Counter[str] = Counter(dict.fromkeys(names, 0))
        tables = iter(played.tables)
        for _ in range(rounds):
            in_round = Counter(
                name for match in itertools.islice(tables, entrants // size) for name in set(match.entrants)
            )
            assert set(in_round.values()) == {1}
            sets.update(in_round)
            assert max(sets.values()) - min(sets[name] for name in names) <= 1

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("game", "entrants", "rounds"),
        [
            *((("pairs", 4), 24, 11), (("duel", 2), 8, 5), (("trio", 3), 24, 5)),
            *((("crowd", 4), 32, 4), (("crowd", 5), 50, 4)),
        ],
    )
    @pytest.mark.parametrize("seed", [1, 2])
    def test_nobody_meets_twice(
        self, make_event: MakeEvent, game: tuple[str, int], entrants: int, rounds: int, seed: int
    ) -> None:
        event = make_event([game], entrants=entrants, terms=f'format = "swiss"\nrounds = {rounds}')
        assert max(pairs_of(play_course(event, seed=seed)).values()) == 1

    def test_those_meet_who_have_come_equally_far(self, make_event: MakeEvent) -> None:
        """Names stand in the order of strength: the opponents of late rounds are nearer than two by chance."""
        event = make_event([("duel", 2)], entrants=24, terms='format = "swiss"\nrounds = 6')
        late = [match.entrants for seed in range(5) for match in play_course(event, seed=seed).tables[36:]]
        apart = [abs(ord(one) - ord(other)) for one, other in late]
        by_chance = (24 + 1) / 3
        assert sum(apart) / len(apart) < 0.8 * by_chance

    def test_games_of_a_round_have_other_opponents(self, make_event: MakeEvent) -> None:
        event = make_event([("trio", 3), ("pairs", 4)], entrants=24, terms='format = "swiss"\nrounds = 4')
        assert max(pairs_of(play_course(event)).values()) == 1

    def test_repetitions_are_played_by_every_table_of_a_round(self, make_event: MakeEvent) -> None:
        event = make_event([("duel", 2)], entrants=6, terms='format = "swiss"\nrounds = 2\nrepetitions = 3')
        played = play_course(event)
        assert len(played.plan.matches) == match_count(event) == 2 * 3 * 3 * 2
        assert set(pairs_of(played).values()) == {3}


class TestOpen:
    @pytest.mark.slow
    @hypothesis_settings(max_examples=12, deadline=None)
    @given(
        entrants=st.integers(6, 24),
        games=st.lists(st.sampled_from(GAMES), min_size=1, max_size=3, unique_by=lambda game: game[0]),
        sets=st.integers(1, 120),
        seed=st.integers(0, 1_000),
    )
    def test_it_ends_with_its_sets_and_nobody_starves(
        self, make_event: MakeEvent, entrants: int, games: list[tuple[str, int]], sets: int, seed: int
    ) -> None:
        """Also where some lose everything, so that their intervals stay wide."""
        event = make_event(games, entrants=entrants, terms=f'format = "open"\nsets_wanted = {sets}')
        played = play_course(event, seed=seed)
        assert played.plan.complete
        assert len(played.tables) == sets
        assert len(played.plan.matches) == match_count(event) == estimate(event).matches
        for game in event.games:
            counts = Counter(name for match in played.tables if match.game == game.name for name in set(match.entrants))
            fewest = min(counts[entrant.name] for entrant in event.entrants)
            assert max(counts.values(), default=0) <= 3 * (fewest + 1) + 4

    def test_those_play_who_are_close(self, make_event: MakeEvent) -> None:
        event = make_event([("duel", 2)], entrants=16, terms='format = "open"\nsets_wanted = 400')
        met = pairs_of(play_course(event))
        near = sum(count for (one, other), count in met.items() if abs(ord(one) - ord(other)) <= 5)
        far = sum(count for (one, other), count in met.items() if abs(ord(one) - ord(other)) >= 10)
        # There are 65 pairs of the one kind and 21 of the other.
        assert near / 65 > 1.5 * far / 21

    def test_who_is_clearly_last_hardly_plays_and_does_not_keep_it_going(self, make_event: MakeEvent) -> None:
        """A hopeless entrant, or one that loses on purpose, forfeits nothing here: it is only last every time."""
        event = make_event([("duel", 2)], entrants=8, terms='format = "open"\nhalf_width = 60\nsuspend_after = 0')
        played = play_course(event, forfeiting="d")
        assert played.plan.complete
        counts = Counter(name for match in played.tables for name in match.entrants)
        assert counts["d"] == min(counts.values())
        assert 3 * counts["d"] + 6 >= max(counts.values()), "the floor, by which it could come back"
        assert 2 * counts["d"] < max(counts.values())

    def test_two_equals_do_not_go_on_between_themselves(self, make_event: MakeEvent) -> None:
        event = make_event([("duel", 2)], entrants=8, terms='format = "open"\nsets_wanted = 400')
        played = play_course(event)
        sets = Counter(name for match in played.tables for name in match.entrants)
        for (one, other), met in Counter(tuple(sorted(match.entrants)) for match in played.tables).items():
            assert met <= 0.6 * min(sets[one], sets[other]) + 2

    def test_it_ends_when_all_is_known_well_enough(self, make_event: MakeEvent) -> None:
        terms = 'format = "open"\nhalf_width = {}'
        exact, rough = (
            play_course(make_event([("trio", 3)], entrants=6, terms=terms.format(width))) for width in (80, 160)
        )
        assert exact.plan.complete
        assert rough.plan.complete
        assert rough.plan.matches == exact.plan.matches[: len(rough.plan.matches)]
        assert 2 * len(rough.plan.matches) < len(exact.plan.matches)

    def test_it_has_an_end_though_one_loses_everything_on_purpose(self, make_event: MakeEvent) -> None:
        """What an entrant does cannot make it longer than what can be verified."""
        event = make_event(entrants=6, terms='format = "open"\nhalf_width = 0.5')
        assert match_count(event) <= MOST_MATCHES
        assert not play_course(event, most_rounds=5).plan.complete

    @pytest.mark.parametrize("game", [("trio", 3), ("pairs", 4)])
    def test_who_is_suspended_is_not_waited_for(self, make_event: MakeEvent, game: tuple[str, int]) -> None:
        """A bot that crashes in every match would keep the event going to the last match that there may be."""
        event = make_event([game], entrants=6, terms='format = "open"\nhalf_width = 120\nsuspend_after = 10')
        played = play_course(event, forfeiting=["c"], most_rounds=900)
        assert played.plan.complete
        counts = Counter(name for match in played.plan.matches for name in set(match.entrants))
        assert counts["c"] == 10
        assert min(counts[name] for name in "abdef") > 2 * counts["c"]

    def test_it_is_over_where_nobody_is_left(self, make_event: MakeEvent) -> None:
        for forfeiting, terms in (("abc", "sets_wanted = 30"), ("bc", "half_width = 1")):
            event = make_event(entrants=3, terms=f'format = "open"\n{terms}\nsuspend_after = 20')
            played = play_course(event, forfeiting=forfeiting)
            assert (played.plan.complete, len(played.results)) == (True, 20)

    def test_its_ladder_is_not_finished_before_it_is_over(self, make_event: MakeEvent) -> None:
        event = make_event(entrants=6, terms='format = "open"\nsets_wanted = 6')
        results = play_course(event).results
        secret = bytes(32)
        for played in (len(results), len(results) - 1, 6):
            ladder = build_ladder(event, results[:played], secret_digest=commitment(secret), secret=secret)
            assert ladder.finished == (ladder.secret is not None) == (played == len(results))


@pytest.mark.parametrize(
    ("terms", "matches"),
    [("repetitions = 2", 144), ('format = "swiss"\nrounds = 18', 144), ('format = "open"\nsets_wanted = 72', 144)],
)
def test_one_of_nine_that_always_forfeits_spoils_few_matches(make_event: MakeEvent, terms: str, matches: int) -> None:
    """It leaves when it is suspended: 10 matches have forfeits, and all others are played without it."""
    event = make_event([("duel", 2)], entrants=9, terms=f"{terms}\nsuspend_after = 10")
    played = play_course(event, forfeiting="e")
    assert played.plan.complete
    spoilt = [result for result in played.results if result.result.forfeits]
    assert len(spoilt) == 10
    assert {result.planned for result in played.results} == set(played.plan.matches)
    with_it = 2 * 2 * 8 if terms.startswith("rep") else 10
    assert len(played.results) >= matches - with_it
    counts = Counter(name for result in played.results for name in result.planned.entrants)
    assert counts["e"] == 10
    # An open event may give those whose order is clear a third of the matches of others.
    assert min(counts[name] for name in "abcdfghi") >= (10 if "open" in terms else 2 * 2 * 7)


@pytest.mark.parametrize("terms", ['format = "swiss"\nrounds = 4', 'format = "open"\nsets_wanted = 12'])
class TestRounds:
    @pytest.fixture
    def event(self, make_event: MakeEvent, terms: str) -> Settings:
        return make_event([("trio", 3), ("pairs", 4)], entrants=7, terms=terms)

    def test_a_round_is_known_when_the_one_before_it_is_played(self, event: Settings) -> None:
        played = play_course(event)
        for before, end in zip((0, *played.rounds), played.rounds, strict=False):
            for count in (before, end - 1):
                known = plan(event, played.results[:count])
                assert known.matches == played.plan.matches[:end]
                assert not known.complete

    def test_it_is_the_same_in_whatever_order_results_come(self, event: Settings) -> None:
        played = play_course(event, seed=5)
        assert plan(event, played.results[::-1]) == played.plan
        schedule = Schedule(event)
        assert schedule.plan(played.results[:3]) == plan(event, played.results[:3])
        assert schedule.plan(played.results) == played.plan

    def test_a_result_of_no_match_of_it_does_not_count(self, event: Settings) -> None:
        """A store that was changed makes no other schedule: who sits elsewhere has not played this match."""
        played = play_course(event)
        wrong = [
            result._replace(match=result.match._replace(planned=result.planned._replace(entrants=("x", "y", "z"))))
            for result in played.results
        ]
        assert plan(event, wrong) == plan(event)


def terms_of(terms: str, games: str = "", entrants: str = "") -> dict[str, object]:
    return {"terms": terms, "of_games": games, "of_entrants": {"c": entrants}}


@pytest.mark.parametrize(
    ("event", "problem"),
    [
        (
            terms_of('format = "cup"'),
            "'format' takes round-robin, gauntlet, swiss, open, knockout, double-elimination, league, not 'cup'",
        ),
        (terms_of('format = "gauntlet"'), "a gauntlet needs a newcomer"),
        (terms_of("", entrants="newcomer = true"), "[[entrant]] 3: 'newcomer' is for the format gauntlet, not for"),
        (terms_of('format = "swiss"'), "the format swiss needs a number of rounds; write 'rounds'"),
        (terms_of("rounds = 3"), "'rounds' is for the format swiss, not for round-robin"),
        (terms_of("half_width = 20.0"), "'half_width' is for the format open, not for round-robin"),
        (terms_of('format = "open"'), "the format open needs an end"),
        (terms_of('format = "open"\nhalf_width = 0'), "'half_width' takes a number above 0"),
        (terms_of('format = "open"\nuntil = 2027-01-31T18:00:00'), "'until' takes a time with its zone, for instance"),
        (terms_of('format = "open"\nuntil = "tomorrow"'), "not 'tomorrow'"),
        (terms_of('format = "open"\nsets_wanted = 9\nrepetitions = 2'), "'repetitions' is not for the format open"),
        (terms_of('format = "swiss"\nrounds = 3', "sets = 5"), "[[game]] 1: 'sets' is not for the format swiss"),
        (terms_of('format = "knockout"', "sets = 5"), "'sets' is not for the format knockout; write 'repetitions'"),
        (terms_of("", 'partners = "mixed"'), "[[game]] 1: trio with 3 seats has no partners to mix"),
        (terms_of("", 'partners = "both"'), "'partners' takes \"one\" or \"mixed\", not 'both'"),
        (terms_of("", entrants="processes = 0"), "'processes' takes a number of at least 1, not 0"),
        (terms_of('format = "swiss"\nrounds = 1_000_000_000_000_000_000'), "far too many matches"),
        (terms_of("repetitions = 1_000_000_000_000_000_000"), "far too many matches"),
        (terms_of("", "sets = 1_000_000_000_000_000_000"), "far too many matches"),
    ],
)
def test_what_does_not_fit_together_is_said(make_event: MakeEvent, event: dict[str, object], problem: str) -> None:
    with pytest.raises(EventFileError) as caught:
        make_event(**event)
    [sentence] = caught.value.problems
    assert problem in sentence


@pytest.mark.parametrize(
    ("games", "entrants", "of_entrants", "terms", "problem"),
    [
        ([("crowd", 5)], 4, {}, 'format = "swiss"\nrounds = 1', "takes 5 entrants a table, and there are 4"),
        (
            *([("trio", 3)], 3, {"a": "newcomer = true", "b": "newcomer = true"}, 'format = "gauntlet"'),
            "takes 2 of the field at the table of a newcomer, and there are 1",
        ),
        ([("pairs", 4)], 4, {"a": "processes = 1"}, "", "[[entrant]] 1: it has 2 seats at a table of pairs"),
        ([("pairs", 4)], 4, {}, "processes = 1", "[event]: an entrant has 2 seats at a table of pairs"),
        ([("duel", 2)], 1_001, {}, 'format = "swiss"\nrounds = 2', "has 1,001 entrants, and at most 1,000 are allowed"),
    ],
)
def test_what_there_is_too_little_or_too_much_of_is_said(
    make_event: MakeEvent,
    games: list[tuple[str, int]],
    entrants: int,
    of_entrants: dict[str, str],
    terms: str,
    problem: str,
) -> None:
    with pytest.raises(EventFileError) as caught:
        make_event(games, entrants=entrants, terms=terms, of_entrants=of_entrants)
    assert any(problem in sentence for sentence in caught.value.problems)
