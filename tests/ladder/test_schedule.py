import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from ordago.store import PlannedMatch
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.process_slots import set_size_of, slots_at, slots_needed
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

SINGLES = [("duel", 2), ("trio", 3), ("crowd", 4), ("crowd", 5)]
GAMES = [*SINGLES, ("pairs", 4)]
SEATINGS = {("duel", 2): 2, ("pairs", 4): 2, ("trio", 3): 6, ("crowd", 4): 4, ("crowd", 5): 5}
SIDES = {"pairs": 2}


def side_count(game: tuple[str, int]) -> int:
    return SIDES.get(game[0], game[1])


def by_set(matches: Sequence[PlannedMatch]) -> dict[str, list[PlannedMatch]]:
    sets: dict[str, list[PlannedMatch]] = defaultdict(list)
    for match in matches:
        sets[match.set_key].append(match)
    return sets


@pytest.fixture(scope="session", params=GAMES, ids=lambda game: f"{game[0]}-{game[1]}")
def game(request: pytest.FixtureRequest) -> tuple[str, int]:
    chosen: tuple[str, int] = request.param
    return chosen


class TestOneGame:
    @pytest.fixture
    def event(self, make_event: Callable[..., Settings], game: tuple[str, int]) -> Settings:
        return make_event([game], entrants=6, terms="repetitions = 2")

    def test_every_table_plays_every_repetition(self, event: Settings, game: tuple[str, int]) -> None:
        sets = by_set(plan(event).matches)
        tables = Counter(tuple(sorted(set(matches[0].entrants))) for matches in sets.values())
        names = [entrant.name for entrant in event.entrants]
        assert tables == dict.fromkeys(itertools.combinations(names, side_count(game)), 2)

    def test_the_matches_of_a_set_are_neighbours_in_different_seatings(
        self, event: Settings, game: tuple[str, int]
    ) -> None:
        matches = plan(event).matches
        assert [match.row for match in matches] == list(range(len(matches)))
        for found in by_set(matches).values():
            assert [match.seating for match in found] == list(range(SEATINGS[game]))
            assert found[-1].row - found[0].row == SEATINGS[game] - 1
            assert len({match.entrants for match in found}) == SEATINGS[game]

    def test_every_entrant_of_a_set_plays_every_side_equally_often(
        self, event: Settings, game: tuple[str, int]
    ) -> None:
        for found in by_set(plan(event).matches).values():
            on_side = Counter((match.entrants[seat], seat) for match in found for seat in range(game[1]))
            assert set(on_side.values()) == {SEATINGS[game] // side_count(game)}

    def test_partners_are_of_one_entrant(self, event: Settings) -> None:
        sides = event.games[0].sides
        for match in plan(event).matches:
            assert len(set(zip(sides, match.entrants, strict=True))) == len(set(sides)) == len(set(match.entrants))

    def test_a_life_plays_one_seating_of_a_set_and_one_seat_of_a_match(self, event: Settings) -> None:
        for found in by_set(plan(event).matches).values():
            played = [life for match in found for life in zip(match.entrants, slots_at(match, event), strict=True)]
            assert len(played) == len(set(played))

    def test_each_entrant_needs_as_many_lives_as_are_used(self, event: Settings) -> None:
        used = {life for match in plan(event).matches for life in slots_at(match, event)}
        assert used == set(range(slots_needed(event)))

    def test_without_duplicates_each_match_is_a_set(self, make_event: Callable[..., Settings], event: Settings) -> None:
        game = (event.games[0].name, event.games[0].seats)
        apart = make_event([game], entrants=6, terms="repetitions = 2\nduplicates = false")
        with_duplicates, without = plan(event).matches, plan(apart).matches
        assert [match.entrants for match in without] == [match.entrants for match in with_duplicates]
        assert len({match.set_key for match in without}) == len(without)
        assert {(match.set_key, match.repetition) for match in without} == {
            (match.set_key, int(match.set_key.rpartition("|")[2])) for match in without
        }
        assert slots_needed(apart) == (2 if game[0] == "pairs" else 1)


@pytest.mark.parametrize(
    ("of_event", "of_games", "expected"),
    [
        ("", "", [6, 1]),
        ("duplicates = true", "", [6, 6]),
        ("duplicates = false", "", [1, 1]),
        ("duplicates = false", "duplicates = true", [6, 6]),
        ("", "duplicates = false", [1, 1]),
    ],
)
def test_a_game_decides_of_duplicates_where_nobody_else_does(
    make_event: Callable[..., Settings], of_event: str, of_games: str, expected: list[int]
) -> None:
    """The file says it for a game, or for the event; otherwise what tells more in the game is done."""
    event = make_event([("trio", 3), ("lone", 3)], entrants=3, terms=of_event, of_games=of_games)
    sizes = {match.game: set_size_of(match, event) for match in plan(event).matches}
    assert [sizes["trio"], sizes["lone"]] == expected
    assert {game.name for game in event.duplicate_games} == {game for game, size in sizes.items() if size > 1}
    assert estimate(event).sets == len({match.set_key for match in plan(event).matches})


def test_three_sides_play_all_six_seatings(make_event: Callable[..., Settings]) -> None:
    matches = plan(make_event([("trio", 3)], entrants=3)).matches
    assert {match.entrants for match in matches} == set(itertools.permutations("abc"))


@pytest.mark.parametrize("seats", [4, 5])
def test_the_circles_alternate(make_event: Callable[..., Settings], seats: int) -> None:
    """Two successive sets of a table have different circles, and all circles come before one comes again."""
    circles = {4: 6, 5: 24}[seats]
    event = make_event([("crowd", seats)], entrants=seats, terms=f"repetitions = {circles + 1}")
    firsts = [found[0].entrants for found in by_set(plan(event).matches).values()]
    assert len(set(firsts[:-1])) == circles
    assert firsts[-1] == firsts[0]


def test_the_sets_of_others_do_not_change_with_an_entrant_more(make_event: Callable[..., Settings]) -> None:
    games = [("trio", 3), ("crowd", 4), ("pairs", 4)]
    few = {match[2:] for match in plan(make_event(games, entrants=["b", "d", "e", "f"])).matches}
    many = {match[2:] for match in plan(make_event(games, entrants=["a", "b", "c", "d", "e", "f"])).matches}
    assert few < many


def test_the_order_of_the_file_does_not_matter(make_event: Callable[..., Settings]) -> None:
    games = [("trio", 3), ("pairs", 4)]
    assert plan(make_event(games, entrants="abcde")) == plan(make_event(games[::-1], entrants="edcba"))


@pytest.mark.slow
@hypothesis_settings(max_examples=60, deadline=None)
@given(entrants=st.integers(3, 12), game=st.sampled_from(GAMES), repetitions=st.integers(1, 3))
def test_what_the_order_of_one_game_promises(
    make_event: Callable[..., Settings], entrants: int, game: tuple[str, int], repetitions: int
) -> None:
    """After every match sides differ by at most 1 for an entrant; after every set matches differ by at most 2 sets."""
    entrants = max(entrants, side_count(game))
    event = make_event([game], entrants=entrants, terms=f"repetitions = {repetitions}")
    sides = event.games[0].sides
    played = Counter({entrant.name: 0 for entrant in event.entrants})
    on_side: dict[str, list[int]] = {name: [0] * side_count(game) for name in played}
    for match in plan(event).matches:
        for side, name in set(zip(sides, match.entrants, strict=True)):
            on_side[name][side] += 1
            played[name] += 1
        assert all(max(counts) - min(counts) <= 1 for counts in on_side.values())
        if match.seating == SEATINGS[game] - 1:
            assert max(played.values()) - min(played.values()) <= 2 * SEATINGS[game]


@pytest.mark.slow
@hypothesis_settings(max_examples=30, deadline=None)
@given(
    entrants=st.integers(5, 9), games=st.lists(st.sampled_from(GAMES), min_size=2, max_size=4, unique_by=lambda g: g[0])
)
def test_several_games_are_interleaved(
    make_event: Callable[..., Settings], entrants: int, games: list[tuple[str, int]]
) -> None:
    """After every set the numbers of matches differ by at most twice the largest set."""
    largest = max(SEATINGS[game] for game in games)
    played = Counter(dict.fromkeys("abcdefghi"[:entrants], 0))
    for found in by_set(plan(make_event(games, entrants=entrants)).matches).values():
        for match in found:
            played.update(set(match.entrants))
        assert max(played.values()) - min(played.values()) <= 2 * largest


@pytest.mark.slow
@hypothesis_settings(max_examples=30, deadline=None)
@given(entrants=st.integers(5, 9), games=st.lists(st.sampled_from(GAMES), min_size=1, max_size=3, unique=True))
def test_a_game_plays_as_many_sets_as_it_is_told_to(
    make_event: Callable[..., Settings], entrants: int, games: list[tuple[str, int]]
) -> None:
    """More than one repetition or less, and its entrants still play nearly as often as each other in it."""
    games = list(dict(games).items())
    event = make_event(games, entrants=entrants)
    numbers = [7 + 30 * place for place in range(len(games))]
    told = tuple(game.model_copy(update={"sets": sets}) for game, sets in zip(event.games, numbers, strict=True))
    found = by_set(plan(event.model_copy(update={"games": told})).matches)
    for (name, _), sets in zip(games, numbers, strict=True):
        firsts = [matches[0] for matches in found.values() if matches[0].game == name]
        assert len(firsts) == sets
        played = Counter(dict.fromkeys("abcdefghi"[:entrants], 0))
        for match in firsts:
            played.update(set(match.entrants))
        assert max(played.values()) - min(played.values()) <= 2


@hypothesis_settings(max_examples=20, deadline=None)
@given(entrants=st.integers(3, 12), game=st.sampled_from(GAMES))
def test_opponents_are_spread(make_event: Callable[..., Settings], entrants: int, game: tuple[str, int]) -> None:
    """In the first third of a repetition nobody meets one opponent much more often than another."""
    entrants = max(entrants, side_count(game))
    sets = list(by_set(plan(make_event([game], entrants=entrants)).matches).values())
    met = Counter(dict.fromkeys(itertools.combinations("abcdefghijkl"[:entrants], 2), 0))
    for found in sets[: len(sets) // 3]:
        met.update(itertools.combinations(sorted(set(found[0].entrants)), 2))
    assert max(met.values()) - min(met.values()) <= 3
