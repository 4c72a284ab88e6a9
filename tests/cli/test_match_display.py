"""What is seen of a comparison while it goes on."""

from io import StringIO

import pytest
from rich.console import Console

from ordago.record import Result
from ordago_cli.match.display import Display, display_for
from ordago_ladder.sequential.hypotheses import Hypotheses
from ordago_ladder.sequential.set_sequence import Finished, SetSequence


def play_some(display: Display) -> None:
    """Let the candidate win one set of three."""
    display.seconds = 0
    won, lost = (Result((0, 0), placings, ((), ()), (), ((), ())) for placings in ((1, 2), (2, 1)))
    with display.shown():
        display.checked_in()
        for number in range(30):
            display.began()
            for played in display.course.add(number, Finished(("new", "old"), lost if number % 3 else won)):
                display.counted(played, [])
        display.began()
        display.warned("old crashed")


@pytest.fixture
def course() -> SetSequence:
    return SetSequence(("new", "old"), matches_in_set=1, most_sets=900, hypotheses=Hypotheses(0, 20))


def test_a_terminal_shows_a_table_that_changes(course: SetSequence) -> None:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    display = display_for(course, console, json_lines=False, out=None)
    play_some(display)
    told = screen.getvalue()
    for text in (
        "connecting the bots",
        "new against old",
        "30 of at most 900, 30 matches",
        "LLR",
        "sets to come",
        "sets/s",
    ):
        assert text in told
    assert "warning: old crashed" in told
    assert (display.warnings, display.thrown_away) == (1, 1)


def test_elsewhere_there_are_lines(course: SetSequence, capsys: pytest.CaptureFixture[str]) -> None:
    play_some(display_for(course, Console(file=StringIO()), json_lines=False, out=None))
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert lines[0] == "the bots are connected: new against old"
    assert lines[-1] == "warning: old crashed"
    assert lines[-2].startswith("sets 30, ")
    assert " to come; Elo " in lines[-2]
