"""``ordago entrants``: sections of an event file from a spreadsheet or a folder of bots."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE
from ordago_cli.program import program
from ordago_ladder.event_file.file import parse_event

EVENT = (
    '[event]\nname = "friday"\n\n[[game]]\nname = "mittlere"\n\n'
    '# The house.\n[[entrant]]\nname = "solid"\nhouse = "solid"\n'
)
CSV = "name,author,command,remote,processes,time_odds\nana,Ana,./ana --fast,,2,0.5\nbo,,,yes,,\n\n"


def entrants(*words: object) -> Result:
    return CliRunner().invoke(program, ["entrants", *map(str, words)])


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "friday.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [CSV, CSV.replace(",", ";"), f"\ufeff{CSV}", CSV.replace("\n", "\r\n")])
def test_lines_become_sections_and_nothing_else_changes(tmp_path: Path, event: Path, text: str) -> None:
    source = tmp_path / "bots.csv"
    source.write_text(text, encoding="utf-8", newline="")
    found = entrants(source, "--into", event)
    assert (found.exit_code, found.output) == (0, f"2 entrants added to {event}\n")
    written = event.read_text(encoding="utf-8")
    assert written.startswith(EVENT)
    _, ana, bo = parse_event(written).entrants
    assert (ana.name, ana.author, ana.command) == ("ana", "Ana", ("./ana", "--fast"))
    assert (ana.processes, ana.time_odds) == (2, 0.5)
    assert (bo.name, bo.remote, bo.command) == ("bo", True, None)
    again = entrants(source, "--into", event)
    assert again.output == f"0 entrants added to {event}; 2 were there already\n"
    assert event.read_text(encoding="utf-8") == written


def test_a_folder_of_bots(tmp_path: Path, event: Path) -> None:
    for name, program_name in (("ana", "bot"), ("bo", "bot.py")):
        (tmp_path / "bots" / name).mkdir(parents=True)
        (tmp_path / "bots" / name / program_name).touch()
    (tmp_path / "bots" / ".git").mkdir()
    assert entrants(tmp_path / "bots", "--into", event).exit_code == 0
    _, ana, bo = parse_event(event.read_text(encoding="utf-8")).entrants
    assert (ana.command, ana.folder) == (("./bot",), str(tmp_path / "bots" / "ana"))
    assert (bo.command, bo.folder) == (("python", "bot.py"), str(tmp_path / "bots" / "bo"))
    (tmp_path / "bots" / "cy").mkdir()
    found = entrants(tmp_path / "bots")
    assert found.exit_code == EXIT_USAGE
    assert "cy has no program 'bot' or 'bot.py'" in found.output


def test_without_a_file_they_are_printed(tmp_path: Path) -> None:
    source = tmp_path / "bots.csv"
    source.write_text("name,house\nana,random\n", encoding="utf-8")
    assert entrants(source).output == '[[entrant]]\nname = "ana"\nhouse = "random"\n'
    assert json.loads(entrants(source, "--json").output) == [{"name": "ana", "house": "random"}]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,colour\nana,red\n", "line 1: unknown column 'colour'; the first line names the columns"),
        ("house\nrandom\n", "line 1: there is no column 'name'"),
        ("name,house\n", "holds no entrants"),
        ("name,house\nana,random\nbo,nobody\n", "line 3: there is no house bot 'nobody'"),
        ("name,house\nana,\n", "line 2: an entrant is a house bot, a command or remote, and this one is none of them"),
        ("name,house\nana,random\nana,random\n", "line 3: 'ana' is the name in"),
        ("name,remote\nana,perhaps\n", "line 2: 'remote' takes true or false, not 'perhaps'"),
        ("name,house,time_odds\nana,random,inf\n", "line 2: 'time_odds' takes a"),
        ("name,house,processes\nana,random,few\n", "line 2: 'processes' takes a whole number, not 'few'"),
        ('name,house\n"ana,random\n', "is no CSV in UTF-8"),
    ],
)
def test_each_mistake_is_named_by_its_line(tmp_path: Path, event: Path, text: str, words: str) -> None:
    source = tmp_path / "bots.csv"
    source.write_text(text, encoding="utf-8")
    found = entrants(source, "--into", event)
    assert (found.exit_code, words in found.output) == (EXIT_USAGE, True), found.output
    assert event.read_text(encoding="utf-8") == EVENT


def test_what_does_not_fit_the_event_is_not_written(tmp_path: Path, event: Path) -> None:
    source = tmp_path / "bots.csv"
    source.write_text("name,house,newcomer\nana,random,true\n", encoding="utf-8")
    found = entrants(source, "--into", event)
    assert found.exit_code == EXIT_USAGE
    assert "'newcomer' is for the format gauntlet" in found.output
    assert event.read_text(encoding="utf-8") == EVENT
    assert entrants(tmp_path / "none.csv").exit_code == EXIT_OUTSIDE
