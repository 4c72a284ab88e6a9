"""Ladder files: what they say, what of it an epoch is committed to, and clear words for what is wrong in them."""

from pathlib import Path

import pytest
from support.ladder_halls import LADDER

from ordago.games import find_game, game_names
from ordago_ladder.event_file.file import read_event
from ordago_ladder.settings import common as common_settings
from ordago_ladder.standing.settings import LadderFileError, parse_ladder, read_ladder

EVENTS = Path(__file__).parents[3] / "tournaments" / "events"


@pytest.fixture(autouse=True)
def _real_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common_settings, "find_game", find_game)


def with_lines(lines: str) -> str:
    return LADDER.replace("epoch_hours = 1\n", f"epoch_hours = 1\n{lines}\n")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "there is no [ladder]; add one"),
        (with_lines("epoch_hour = 2"), "[ladder]: unknown key 'epoch_hour'; did you mean 'epoch_hours'?"),
        (LADDER.replace("epoch_hours = 1", "epoch_hours = 0"), "[ladder]: 'epoch_hours' takes a number of at least"),
        (LADDER.replace("epoch_hours = 1", "epoch_hours = nan"), "[ladder]: 'epoch_hours' takes a finite number"),
        (with_lines("epoch_matches = 5"), "[ladder]: 'epoch_matches' takes a number of at least 100, not 5"),
        (with_lines("epoch_matches = 1_000_000"), "[ladder]: 'epoch_matches' takes a number of at most 100000, not"),
        (with_lines("keep_records_days = -1"), "[ladder]: 'keep_records_days' takes a number of at least 0"),
        (with_lines("keep_records_bytes = 'all'"), "[ladder]: 'keep_records_bytes' takes a"),
        (with_lines("keep_archive_days = 9"), "'keep_archive_days' needs 'keep_records_days' or"),
        (with_lines("keep_archive_bytes = 9"), "'keep_archive_bytes' needs 'keep_records_days' or"),
        (with_lines("lone_seconds = 0"), "[ladder]: 'lone_seconds' takes a number of at least 0.1, not 0"),
        (with_lines("delay = -1"), "[ladder]: 'delay' takes a number of at least 0, not -1"),
        (LADDER.replace('"mittlere"', '"bridge"'), "[[game]] 1: there is no game 'bridge'"),
        (f"{LADDER}\n[[game]]\nname = 'mittlere'", "[[game]] 2: 'mittlere' is a second time here"),
        (f"{LADDER}\n[[house]]\nname = 'h'\nhouse = 'nobody'", "[[house]] 1: there is no house bot 'nobody'"),
        (f"{LADDER}\n[[house]]\nname = 'a|b'\nhouse = 'random'", "[[house]] 1: 'name' takes letters"),
        (
            f"{LADDER}\n[[house]]\nname = 'h'\nhouse = 'random'\n[[house]]\nname = 'H'\nhouse = 'random'",
            "[[house]] 2: the name 'H' is taken",
        ),
        (f"{LADDER}\n[[entrant]]\nname = 'ana'", "unknown section [entrant]; the sections are [ladder], [[game]]"),
        ("name = 'x'\n[ladder]", "'name' is before the first section; put it below the line [ladder]"),
    ],
)
def test_what_is_wrong_in_a_ladder_file_is_said_in_a_sentence(text: str, problem: str) -> None:
    with pytest.raises(LadderFileError) as caught:
        parse_ladder(text)
    assert any(line.startswith(problem) for line in caught.value.problems), caught.value.problems


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("title = 'another'", False),
        ("delay = 30", False),
        ("lone_seconds = 5", False),
        ("epoch_matches = 500", False),
        ("keep_records_days = 1", False),
        ("strikes = 2", True),
        ("bank_ms = 100", True),
    ],
)
def test_an_epoch_is_committed_to_what_determines_its_matches(line: str, *, other: bool) -> None:
    digests = {parse_ladder(text).of_epoch().digest for text in (LADDER, with_lines(line))}
    assert len(digests) == (2 if other else 1)


def test_the_ladder_that_comes_with_ordago_has_all_games_and_bots_enough_for_a_lone_one() -> None:
    ladder = read_ladder("demo")
    assert sorted(game.name for game in ladder.games) == sorted(game_names())
    assert len(ladder.houses) >= max(game.seats for game in ladder.games) - 1


def test_the_event_that_measures_the_house_plays_the_bots_and_the_games_of_the_ladder() -> None:
    ladder, event = read_ladder("demo"), read_event(EVENTS / "demo-house.toml")
    assert [(game.name, game.seats, game.options) for game in ladder.games] == [
        (game.name, game.seats, game.options) for game in event.games
    ]
    assert [(house.name, house.house, house.settings) for house in ladder.houses] == [
        (entrant.name, entrant.house, entrant.settings) for entrant in event.entrants
    ]
    told = (EVENTS.parents[1] / "docs" / "house.md").read_text()
    assert len(ladder.anchors) == 3
    for name, elo in ladder.anchors.items():
        [line] = [line for line in told.splitlines() if line.startswith(f"| `{name}`")]
        assert f"| {elo:.0f} ±" in line


def test_a_house_bot_with_other_settings_is_another_version() -> None:
    house = "\n[[house]]\nname = 'h'\nhouse = 'solid'\nsettings = { worlds = %d }"
    versions = {parse_ladder(LADDER + house % worlds).houses[0].version for worlds in (1, 2)}
    assert versions == {"solid worlds=1", "solid worlds=2"}
