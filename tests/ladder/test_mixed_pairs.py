"""Mixed pairs: an entrant for each seat, with everybody as partner and as opponent."""

import itertools
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ordago_ladder.schedule.balance import balance
from ordago_ladder.schedule.process_slots import slots_at, slots_needed
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
MIXED = 'partners = "mixed"'


def test_every_table_has_an_entrant_for_each_seat(make_event: MakeEvent) -> None:
    event = make_event([("pairs", 4)], entrants=6, of_games=MIXED)
    matches = plan(event).matches
    assert all(len(set(match.entrants)) == 4 for match in matches)
    tables = {tuple(sorted(match.entrants)) for match in matches}
    assert tables == set(itertools.combinations("abcdef", 4))


def test_in_a_set_everybody_has_every_seat_and_one_partner(make_event: MakeEvent) -> None:
    event = make_event([("pairs", 4)], entrants=6, of_games=MIXED)
    for _, found in itertools.groupby(plan(event).matches, key=lambda match: match.set_key):
        matches = list(found)
        assert len(matches) == 4
        seats = Counter((name, seat) for match in matches for seat, name in enumerate(match.entrants))
        assert set(seats.values()) == {1}
        assert len({frozenset(match.entrants[side::2]) for match in matches for side in (0, 1)}) == 2


def test_a_table_has_all_partnerships_before_one_comes_again(make_event: MakeEvent) -> None:
    event = make_event([("pairs", 4)], entrants=4, of_games=MIXED, terms="repetitions = 6")
    partners = [frozenset({match.entrants[0], match.entrants[2]}) for match in plan(event).matches if not match.seating]
    for three in (partners[:3], partners[3:]):
        assert len({frozenset({pair, frozenset("abcd") - pair}) for pair in three}) == 3
    assert len({match.entrants for match in plan(event).matches}) == 24


@pytest.mark.slow
@hypothesis_settings(max_examples=15, deadline=None)
@given(entrants=st.integers(4, 16), sets=st.integers(1, 60))
def test_partners_are_spread_in_every_prefix(make_event: MakeEvent, entrants: int, sets: int) -> None:
    """Nobody is the partner of one much more often than of another: by three sets at most."""
    event = make_event([("pairs", 4)], entrants=entrants, of_games=f"{MIXED}\nsets = {sets}")
    matches = plan(event).matches
    for count in {len(matches), 4 * (sets // 2)}:
        [game] = balance(event, matches[:count]).games
        counts = [number for row, line in enumerate(game.partners) for number in line[:row]]
        assert max(counts) - min(counts) <= 3 * 4
        assert all(game.partners[number][number] == 0 for number in range(entrants))


def test_one_process_for_each_seating_is_enough(make_event: MakeEvent) -> None:
    event = make_event([("pairs", 4)], entrants=5, of_games=MIXED)
    assert slots_needed(event) == 4
    assert {life for match in plan(event).matches for life in slots_at(match, event)} == set(range(4))


@pytest.mark.parametrize("terms", ['format = "swiss"\nrounds = 2', 'format = "open"\nsets_wanted = 4'])
def test_other_formats_mix_partners_too(make_event: MakeEvent, terms: str) -> None:
    event = make_event([("pairs", 4)], entrants=9, of_games=MIXED, terms=terms)
    assert all(len(set(match.entrants)) == 4 for match in plan(event).matches)
