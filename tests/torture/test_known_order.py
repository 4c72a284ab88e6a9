"""House bots of known order: the ladder finds the order in all five games."""

from pathlib import Path

import pytest
from support.figures import Note, Size
from support.in_memory import play_event

from ordago.games import game_names
from ordago.store import MatchResult
from ordago_ladder.event_file.file import read_event
from ordago_ladder.rating.rating import rate
from ordago_ladder.rating.results import pairings
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

KNOWN_ORDER = Path(__file__).parents[2] / "tournaments" / "events" / "known-order.toml"
SOME = ("noise-0", "noise-57", "noise-100")
SETS_OF_SOME = {"mitaines": 9, "mus": 30}


def of_game(game: str, *, some: bool) -> Settings:
    """Return what the event file says of one game, with all entrants and sets, or with a few."""
    settings = read_event(KNOWN_ORDER)
    (of_it,) = (each for each in settings.games if each.name == game)
    if not some:
        return settings.model_copy(update={"games": (of_it,)})
    entrants = tuple(entrant for entrant in settings.entrants if entrant.name in SOME)
    fewer = of_it.model_copy(update={"sets": SETS_OF_SOME.get(game, 3)})
    return settings.model_copy(update={"games": (fewer,), "entrants": entrants})


def order_of(settings: Settings, results: list[MatchResult]) -> list[tuple[str, float]]:
    """Return the entrants and their ratings, best first."""
    names = [entrant.name for entrant in settings.entrants]
    ratings = rate(pairings(results), entrants=names).ratings
    return [(rating.entrant, rating.elo) for rating in ratings]


@pytest.mark.parametrize("game", game_names())
def test_the_ladder_finds_the_order(game: str, size: Size, note: Note) -> None:
    settings = of_game(game, some=bool(size(1, 0)))
    found = order_of(settings, play_event(settings, plan(settings).matches))
    note(f"ratings in {game}, least noise first", ", ".join(f"{elo:.0f}" for _, elo in found))
    assert [name for name, _ in found] == [entrant.name for entrant in settings.entrants]


def test_the_game_that_is_played_is_that_of_the_file() -> None:
    assert {game.name for game in read_event(KNOWN_ORDER).games} == set(game_names())
