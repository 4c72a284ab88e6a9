"""The form for an event writes into its file what changed, and nothing else."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tomlkit.exceptions import TOMLKitError

import ordago_web.organise.form as form_module
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.hosted.events_api import EventRefusedError
from ordago_ladder.hosted.permissions import hosted_settings
from ordago_ladder.settings.sections import EventSettings, GameSettings
from ordago_web.organise.form import groups_of, problems_of, with_fields
from ordago_web.organise.new_pages import BEGINNINGS

FOLDER = Path(form_module.__file__).parent / "beginnings"
CUP = """# The cup.
[event]
name = "cup"     # short
[[game]]
name = "mus"
[[entrant]]
name = "a"
house = "solid"
"""


def values(text: str) -> dict[str, str]:
    return {field.place: field.value for fields in groups_of(text).values() for field in fields if field.value}


def places(text: str) -> set[str]:
    return {field.place for fields in groups_of(text).values() for field in fields}


def refused(text: str) -> str:
    with pytest.raises(EventRefusedError) as error:
        hosted_settings(text)
    return "; ".join(str(error.value).splitlines())


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_server_opens_each_file_to_begin_from(name: str) -> None:
    hosted_settings((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def test_every_key_that_is_written_plainly_is_a_field_and_those_of_a_secret_are_not() -> None:
    found = places(CUP)
    assert {f"event.1.{key}" for key in EventSettings.model_fields} - found == {"event.1.secret", "event.1.beacon"}
    assert {f"game.1.{key}" for key in GameSettings.model_fields} - found == {"game.1.options"}
    assert "game.1.options.target" in found


def test_every_field_explains_itself() -> None:
    assert [field.place for fields in groups_of(CUP).values() for field in fields if not field.help] == []


def test_changed_fields_go_into_the_file_and_the_rest_stays_as_it_is() -> None:
    now = values(CUP) | {
        "event.1.repetitions": "3",
        "event.1.half_width": "2.5",
        "event.1.conceding": "true",
        "event.1.until": "2030-01-01T20:00:00Z",
        "event.1.format": "open",
        "event.1.title": 'The "cup"',
        "game.1.options.target": "30",
        "game.1.options.ruleset": "federation",
    }
    text = with_fields(CUP, values(CUP), now)
    assert text.startswith('# The cup.\n[event]\nname = "cup"     # short\n')
    settings = parse_event(text.replace("repetitions = 3\n", "") + '[[entrant]]\nname = "b"\nhouse = "random"\n')
    assert settings.event.until == datetime(2030, 1, 1, 20, tzinfo=UTC)
    assert (settings.event.half_width, settings.event.conceding, settings.event.title) == (2.5, True, 'The "cup"')
    assert dict(settings.games[0].options)["target"] == 30
    assert dict(settings.games[0].options)["ruleset"] == "federation"
    assert with_fields(text, now, values(text)) == text


def test_an_emptied_field_leaves_its_key_out() -> None:
    text = with_fields(CUP, values(CUP), {"event.1.rounds": "3"})
    assert "rounds = 3" in text
    assert "rounds" not in with_fields(text, values(text), {"event.1.rounds": ""})


def test_what_was_changed_by_hand_since_is_not_undone_by_the_form() -> None:
    text = CUP.replace("cup", "hand")
    assert with_fields(text, values(CUP), values(CUP)) == text


def test_sections_are_added_with_names_that_are_free() -> None:
    text = CUP
    for what in ({"add.house": "solid"}, {"add.house": "solid"}, {"add.remote": "ana"}, {"add.game": "mitaines"}):
        text = with_fields(text, {}, what)
    text = with_fields(text, {}, {"event.1.processes": "2"}).replace("remote = true", "remote = true\nprocesses = 2")
    settings = parse_event(with_fields(text, {}, {"add.announce": "https://example.org/"}))
    assert [entrant.name for entrant in settings.entrants] == ["a", "solid", "solid-2", "ana"]
    assert settings.entrants[3].account == "ana"
    assert [game.name for game in settings.games] == ["mus", "mitaines"]
    assert settings.announce[0].url == "https://example.org/"


@pytest.mark.parametrize("value", ["1\n[limits]\nmemory_mib = 1", "abc", "{ a = 1 }", '"', "[", "1 2", "\0"])
def test_no_value_of_a_field_becomes_more_than_a_value(value: str) -> None:
    text = with_fields(CUP, {}, {"event.1.rounds": value, "event.1.title": value})
    assert set(values(text)) <= places(CUP)
    assert "[limits]\n" not in text
    assert "'rounds'" in refused(text)


@pytest.mark.parametrize(
    "text",
    ["[[event]]\nname = 1", "[[game]]\noptions = 3", "[event.rounds]\na = 1", "", "[event]\nrounds = [1]"],
)
def test_odd_files_are_shown_and_changed(text: str) -> None:
    groups_of(text)
    changed = with_fields(text, {}, {"event.1.name": "x", "game.1.options.target": "3", "add.game": "mus"})
    assert "mus" in values(changed).values()


@pytest.mark.parametrize("text", ["event = 3\ngame = 4", "game = [1, 2]", "[game]\nname = 2"])
def test_games_that_are_written_in_another_way_are_left_to_the_hand(text: str) -> None:
    groups_of(text)
    with pytest.raises(TOMLKitError, match=r"the form adds to .*game.* alone"):
        with_fields(text, {}, {"add.game": "mus"})


def test_each_complaint_of_the_server_has_its_line_and_its_field() -> None:
    text = CUP.replace('"mus"', '"mus"\nseats = 9').replace("cup", "C u p") + 'command = "rm"\nprocesses = 0\n'
    found = {(problem.place, problem.line) for problem in problems_of(text, refused(text))}
    assert {("event.1.name", 3), ("game.1.seats", 6), ("entrant.1.processes", 11)} <= found
    broken = CUP + "x ="
    (problem,) = problems_of(broken, refused(broken))
    assert (problem.place, problem.line) == ("text", 9)
    (problem,) = problems_of("", "no answer from the server")
    assert (problem.text, problem.line) == ("no answer from the server", 0)
