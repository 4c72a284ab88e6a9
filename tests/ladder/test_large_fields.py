"""Large fields: what is planned is what is played, spread over everybody and over the games together."""

import itertools
import math
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from support.courses import play_course

from ordago_ladder.schedule import grouping, tables
from ordago_ladder.schedule.balance import balance
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
FIVE = [("duel", 2), ("trio", 3), ("crowd", 5), ("pairs", 4)]


def never_met(event: Settings) -> int:
    """Return how many pairs of entrants are at no table together."""
    found = balance(event, plan(event).matches)
    return sum(count == 0 for row, met in enumerate(found.meetings) for count in met[:row])


@pytest.mark.slow
@pytest.mark.parametrize("sets", [100, 1_000])
def test_two_hundred_entrants_are_planned_in_a_moment(make_event: MakeEvent, sets: int) -> None:
    event = make_event(FIVE, entrants=200, of_games=f"sets = {sets}")
    began = time.process_time()
    matches = plan(event).matches
    assert time.process_time() - began < 10  # It takes less than one; other machines are slower.
    assert len({match.set_key for match in matches}) == sets * len(FIVE)


@pytest.mark.slow
def test_a_round_of_an_open_event_of_three_hundred_is_found_in_seconds(make_event: MakeEvent) -> None:
    event = make_event([("duel", 2), ("trio", 3)], entrants=300, terms='format = "open"\nsets_wanted = 10_000')
    began = time.process_time()
    played = play_course(event, most_rounds=3)
    assert len(played.rounds) == 3
    assert time.process_time() - began < 30  # It takes a tenth of that a round; other machines are slower.


def test_no_more_is_looked_at_than_is_played(make_event: MakeEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted: of 658,008 tables those are made that play, and few exchanges are tried."""
    made, tried = [], []
    table, best = tables.Table.__new__, grouping._best_exchange
    monkeypatch.setattr(tables.Table, "__new__", lambda *args: made.append(1) or table(*args))
    monkeypatch.setattr(grouping, "_best_exchange", lambda *args: tried.append(1) or best(*args))
    plan(make_event([("crowd", 5)], entrants=40, of_games="sets = 50"))
    assert math.comb(40, 5) == 658_008
    assert len(made) == 50
    assert len(tried) <= 5 * 50


@pytest.mark.parametrize(
    ("games", "entrants", "sets", "spare"),
    [
        pytest.param([("crowd", 5)], 40, 40, 4, id="single game"),
        pytest.param([("duel", 2), ("trio", 3), ("crowd", 4), ("pairs", 4)], 40, 20, 0, id="several games"),
        pytest.param(FIVE, 40, 20, 8, id="nearly as many meetings as pairs"),
        pytest.param([("trio", 3)], 60, 100, 0, id="sixty in one game"),
        pytest.param([("trio", 3)], 13, 26, 14, id="exactly as many meetings as pairs"),
    ],
)
def test_hardly_anybody_meets_twice_while_others_have_never_met(
    make_event: MakeEvent, games: list[tuple[str, int]], entrants: int, sets: int, spare: int
) -> None:
    event = make_event(games, entrants=entrants, of_games=f"sets = {sets}")
    meetings = sets * sum(math.comb(game.table_size, 2) for game in event.games)
    assert never_met(event) <= max(0, math.comb(entrants, 2) - meetings) + spare


@pytest.mark.slow
@hypothesis_settings(max_examples=20, deadline=None)
@given(
    entrants=st.integers(5, 24),
    games=st.lists(st.sampled_from([*FIVE, ("crowd", 4)]), min_size=1, max_size=4, unique_by=lambda game: game[0]),
    sets=st.integers(1, 60),
)
def test_every_prefix_is_balanced(
    make_event: MakeEvent, entrants: int, games: list[tuple[str, int]], sets: int
) -> None:
    """After every set: seats are alike, sets of a game differ little, and all sets by two for each game."""
    event = make_event(games, entrants=entrants, of_games=f"sets = {sets}")
    names = [entrant.name for entrant in event.entrants]
    played = {game.name: Counter(dict.fromkeys(names, 0)) for game in event.games}
    whole = {game.name: math.comb(entrants, game.table_size) <= sets for game in event.games}
    for _, found in itertools.groupby(plan(event).matches, key=lambda match: match.set_key):
        matches = list(found)
        seats = Counter((name, seat) for match in matches for seat, name in enumerate(match.entrants))
        assert len(set(seats.values())) == 1
        played[matches[0].game].update(set(matches[0].entrants))
        for game, counts in played.items():
            assert max(counts.values()) - min(counts.values()) <= (3 if whole[game] else 2)
        overall = [sum(counts[name] for counts in played.values()) for name in names]
        assert max(overall) - min(overall) <= 2 * len(games)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_opponents_are_spread(make_event: MakeEvent, seats: int) -> None:
    """Nobody meets one opponent much more often than another, whenever it ends: all fields of 8 to 40 entrants."""
    name = {2: "duel", 3: "trio"}.get(seats, "crowd")
    for entrants in range(8, 41):
        event = make_event([(name, seats)], entrants=entrants, of_games="sets = 120")
        # At two or three tables that seat nearly everybody, whoever does not sit here sits there: little can be chosen.
        assert widest_spread(event) <= (3 if entrants > 3.2 * seats else seats + 1), entrants


def widest_spread(event: Settings) -> int:
    """Return by how much two pairs differed most in how often they had met, after any set."""
    numbers = {entrant.name: number for number, entrant in enumerate(event.entrants)}
    met = np.zeros((len(numbers), len(numbers)), dtype=int)
    pairs = np.triu_indices(len(numbers), 1)
    widest = 0
    for _, matches in itertools.groupby(plan(event).matches, key=lambda match: match.set_key):
        members = [numbers[name] for name in next(matches).entrants]
        met[np.ix_(members, members)] += 1
        widest = max(widest, int(np.ptp(met[pairs])))
    return widest


def test_the_same_file_gives_the_same_schedule(make_event: MakeEvent) -> None:
    names = [f"bot {number}" for number in range(30)]
    one = make_event(FIVE, entrants=names, of_games="sets = 30")
    other = make_event(FIVE[::-1], entrants=names[::-1], of_games="sets = 30")
    assert plan(one) == plan(other)


def test_sets_of_a_table_are_never_the_same(make_event: MakeEvent) -> None:
    """Also where few entrants meet again and again: no name of a set comes twice, nor its deals."""
    event = make_event([("trio", 3), ("pairs", 4)], entrants=4, of_games="sets = 50")
    keys = Counter((match.set_key, match.seating) for match in plan(event).matches)
    assert set(keys.values()) == {1}
