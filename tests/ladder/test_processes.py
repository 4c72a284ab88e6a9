"""Entrants who have few processes: none of them sees a deal twice, or two hands of one match."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ordago_ladder.rating.ladder import complete_sets
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.process_slots import processes_at_once, set_size_of, slots_at, slots_needed
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
MakeResults = Callable[..., list]
GAMES = [("trio", 3), ("crowd", 5), ("pairs", 4)]


@pytest.mark.slow
@hypothesis_settings(max_examples=40, deadline=None)
@given(
    game=st.sampled_from(GAMES),
    processes=st.dictionaries(st.sampled_from("abcdef"), st.integers(2, 8), max_size=4),
    terms=st.sampled_from(["", "duplicates = false", "repetitions = 3"]),
)
def test_no_process_sees_a_deal_twice(
    make_event: MakeEvent, game: tuple[str, int], processes: dict[str, int], terms: str
) -> None:
    of_entrants = {name: f"processes = {count}" for name, count in processes.items()}
    event = make_event([game], entrants=6, terms=terms, of_entrants=of_entrants)
    for _, found in itertools.groupby(plan(event).matches, key=lambda match: match.set_key):
        matches = list(found)
        lives = [life for match in matches for life in zip(match.entrants, slots_at(match, event), strict=True)]
        assert len(lives) == len(set(lives))
        assert all(life < processes.get(name, 1_000) for name, life in lives)
        assert {set_size_of(match, event) for match in matches} == {len(matches)}


def test_tables_of_those_who_have_enough_play_duplicates(make_event: MakeEvent) -> None:
    event = make_event([("trio", 3)], entrants=5, of_entrants={"a": "processes = 1", "b": "processes = 6"})
    for match in plan(event).matches:
        assert set_size_of(match, event) == (1 if "a" in match.entrants else 6)


def test_who_plays_and_in_which_seats_is_the_same(make_event: MakeEvent) -> None:
    """Deals are others where duplicates are not possible, and nothing else: no seed of deals comes twice."""
    few = make_event([("trio", 3)], entrants=4, of_entrants={"a": "processes = 1"}, terms="repetitions = 2")
    many = make_event([("trio", 3)], entrants=4, terms="repetitions = 2")
    assert [match.entrants for match in plan(few).matches] == [match.entrants for match in plan(many).matches]
    own = [match.set_key for match in plan(few).matches if "a" in match.entrants]
    assert len(own) == len(set(own))


def test_matches_of_one_who_has_several_processes_are_shared_among_them(make_event: MakeEvent) -> None:
    event = make_event([("trio", 3)], entrants=3, of_entrants={"a": "processes = 4"})
    lives = [slots_at(match, event)[match.entrants.index("a")] for match in plan(event).matches]
    assert lives == [0, 1, 2, 3, 0, 1]


def test_a_set_of_one_match_is_complete_with_it(make_event: MakeEvent, make_results: MakeResults) -> None:
    event = make_event([("trio", 3)], entrants=4, of_entrants={"a": "processes = 1"})
    results = make_results(event, dict.fromkeys("abcd", 0.0))
    assert complete_sets(event, results) == {result.planned.set_key for result in results}
    first = [next(result for result in results if ("a" in result.planned.entrants) == alone) for alone in (True, False)]
    assert complete_sets(event, first) == {first[0].planned.set_key}


@pytest.mark.parametrize(("terms", "expected"), [("", 2 + 3 * 6), ("processes = 3", 2 + 3 * 3)])
def test_how_many_there_are_at_once(make_event: MakeEvent, terms: str, expected: int) -> None:
    event = make_event([("trio", 3)], entrants=4, terms=terms, of_entrants={"a": "processes = 2"})
    assert estimate(event).processes == expected


def test_an_event_that_nobody_has_entered_yet_needs_no_processes(make_event: MakeEvent) -> None:
    settings = make_event().model_copy(update={"entrants": ()})
    assert slots_needed(settings) > 0
    assert processes_at_once(settings) == 0
