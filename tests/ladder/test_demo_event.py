from pathlib import Path

import pytest

from ordago.games import find_game
from ordago_ladder.event_file.file import read_event
from ordago_ladder.run.estimate import estimate
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings import common as common_settings

DEMO = Path(__file__).parents[2] / "tournaments" / "events" / "demo.toml"


def test_the_demonstration_is_a_full_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """At least five entrants, all six seatings of each table, at least 200 matches, with the real rules of the game."""
    monkeypatch.setattr(common_settings, "find_game", find_game)
    settings = read_event(DEMO)
    assert len(settings.entrants) >= 5
    assert settings.games[0].title == "Mittlere Jass"
    assert estimate(settings).matches == len(plan(settings).matches) >= 200
    assert {match.seating for match in plan(settings).matches} == set(range(6))
