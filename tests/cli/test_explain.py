"""``ordago explain``, and what ``ordago plan`` and ``ordago run`` say of Swiss events and brackets."""

import json
from pathlib import Path

import pytest
from support.commands import assert_told, ordago

TERMS = {
    "swiss": 'format = "swiss"\nrounds = 2',
    "knockout": 'format = "knockout"\nrepetitions = 2\nplay_offs = 1',
    "league": 'format = "league"\ngroups = 1\nadvance = 2',
    "round-robin": "",
}


def event_of(form: str) -> str:
    entrants = "".join(f'[[entrant]]\nname = "{name}"\nhouse = "random"\n' for name in ("ana", "ben", "cleo"))
    head = f'[event]\nname = "cup"\nisolation = "none"\ndecision_ms = 60_000\nstart_timeout = 120\n{TERMS[form]}\n'
    return f'{head}[[game]]\nname = "mitaines"\nseats = 2\noptions = {{ target = 10 }}\n{entrants}'


def event_file(folder: Path, form: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(event_of(form), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=["swiss", "knockout", "league"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, str]:
    """A format, the folder of an event of it, and what the run printed."""
    folder = tmp_path_factory.mktemp(request.param)
    told = ordago("run", event_file(folder, request.param), "--out", folder / "out")
    assert_told(told, 0, "verified")
    return request.param, folder / "out", told.output


@pytest.mark.slow
def test_the_run_shows_what_decides(played: tuple[str, Path, str]) -> None:
    form, _, printed = played
    words = {
        "swiss": ("standings after round 2", "Buchholz"),
        "knockout": ("(final), table 2:", "1. "),
        "league": ("group A", "(final), table 1:", "1. "),
    }
    for word in words[form]:
        assert word in printed


@pytest.mark.slow
def test_it_says_who_met_whom(played: tuple[str, Path, str]) -> None:
    form, folder, _ = played
    if form == "swiss":
        assert_told(ordago("explain", folder, "--round", 1), 0, "Round 1", "All have the same points, 0.", "has a bye")
        told = ordago("explain", folder, "--round", 2, "--entrant", "cleo")
        assert_told(told, 0, "Round 2", "cleo")
        assert "Round 1" not in told.output
    elif form == "league":
        assert_told(ordago("explain", folder), 0, "group A", "Sonneborn–Berger", "(final), table 1:", "its first table")
        told = ordago("explain", folder, "--round", 1)
        assert_told(told, 0, "(final), table 1:")
        assert "group A" not in told.output
    else:
        assert_told(ordago("explain", folder), 0, "stage 1, table 1:", "cleo: seed 3, its first table", "ana: seed 1")
        told = ordago("explain", folder, "--round", 2)
        assert_told(told, 0, "stage 2 (final), table 2:", "went on from table 1")
        assert "stage 1" not in told.output


@pytest.mark.slow
def test_programs_get_what_is_published(played: tuple[str, Path, str]) -> None:
    form, folder, _ = played
    published = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))
    shown = json.loads(ordago("explain", folder, "--json").output)
    if form == "league":
        assert shown == {key: published[key] for key in ("groups", "bracket")}
    else:
        assert shown == published[{"swiss": "swiss", "knockout": "bracket"}[form]]
    assert_told(ordago("explain", folder, "--json", "--round", 1), 2, "leave out --round")


def test_other_formats_and_unknown_names_are_refused(tmp_path: Path) -> None:
    event = event_file(tmp_path, "round-robin")
    assert_told(ordago("explain", event), 2, "only a Swiss event, a knockout, a double elimination or a league")
    event = event_file(tmp_path, "swiss")
    assert_told(ordago("explain", event, "--entrant", "zoe"), 2, "there is no entrant 'zoe'; there are: ana, ben, cleo")


def test_plan_says_how_many_matches_there_are_at_least_and_at_most(tmp_path: Path) -> None:
    event = event_file(tmp_path, "knockout")
    assert "8 to 12" in ordago("plan", event).output
    figures = json.loads(ordago("plan", event, "--json").output)
    assert (figures["fewest_matches"], figures["matches"]) == (8, 12)
    swiss = ordago("plan", event_file(tmp_path, "swiss")).output
    assert " to " not in swiss.splitlines()[0]
