"""What programs read of a run while it goes on."""

import io
import json
import os
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.organiser import Organiser

from ordago_cli.program import program
from ordago_cli.terminal.json_lines import json_lines
from ordago_cli.terminal.streams import Output, text_to
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.rating.ladder import build_ladder

EVENT = """
[event]
name = "small"
[[game]]
name = "mitaines"
seats = 2
options = { target = 20 }
[[entrant]]
name = "Jürg"
house = "random"
[[entrant]]
name = "beta"
house = "default"
"""


@pytest.mark.slow
def test_a_run_is_told_line_by_line_and_status_tells_the_same(tmp_path: Path) -> None:
    event, out = tmp_path / "event.toml", ["--out", str(tmp_path / "out")]
    event.write_text(EVENT, encoding="utf-8")
    result = CliRunner().invoke(program, ["run", str(event), "--json-lines", *out])
    assert result.exit_code == 0, result.output
    told = [json.loads(line) for line in result.stdout.splitlines()]
    status = json.loads(CliRunner().invoke(program, ["status", str(event), "--json", *out]).stdout)
    kinds = [line["type"] for line in told]
    # A run as short as this one may be over before its ladder is told for the first time.
    assert (kinds[-1], set(kinds) - {"standings"}) == ("finished", {"noted", "began", "played", "finished"})
    assert next(line for line in told if line["type"] == "began") == {"type": "began", "played": 0, "planned": 2}
    assert [line for line in told if line["type"] == "played"][-1] | {"number": 0} == {
        "type": "played",
        "number": 0,
        "played": 2,
        "planned": 2,
    }
    assert {line["entrant"] for line in told[-1]["ladder"]} == {"Jürg", "beta"}
    assert (status["played"], status["planned"], status["finished"]) == (2, 2, True)
    assert (status["suspended"], status["faults"], status["forfeits"]) == ([], {}, {})


def test_standings_are_told_in_a_line() -> None:
    stream = io.StringIO()
    with json_lines(stream) as lines:
        lines.standings(build_ladder(parse_event(EVENT), [], secret_digest=b""))
    told = json.loads(stream.getvalue())
    assert (told["type"], told["played"], told["planned"]) == ("standings", 0, 2)
    assert [line["entrant"] for line in told["ladder"]] == ["Jürg", "beta"]
    assert set(told["ladder"][0]) == {"rank", "entrant", "elo", "low", "high", "rating_note", "matches"}


def test_the_two_forms_for_programs_exclude_each_other() -> None:
    result = CliRunner().invoke(program, ["run", "event.toml", "--json", "--json-lines"])
    assert (result.exit_code, "cannot be combined" in result.output) == (2, True)


def test_a_reader_who_goes_away_ends_no_run() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    output = Output(writing)
    with text_to(output) as stream, json_lines(stream) as lines:
        for _ in range(100):
            lines.played(1)
    assert output.has_no_reader
    os.close(writing)


def test_a_reader_who_reads_nothing_holds_up_nobody() -> None:
    """A pipe takes 64 KiB; whoever writes more waits for its reader. Here only the end waits."""
    reading, writing = os.pipe()
    with open(writing, "w", encoding="utf-8") as stream:  # noqa: PTH123 - no path
        drained = threading.Thread(target=lambda: _drain(reading))
        with json_lines(stream) as lines:
            for _ in range(20_000):
                lines.warned("something that takes a while to read")
            drained.start()
    drained.join()


def _drain(descriptor: int) -> None:
    with open(descriptor, "rb") as reader:
        while reader.read(1 << 16):
            pass


def test_a_name_or_a_sentence_never_ends_its_line() -> None:
    text = io.StringIO()
    with json_lines(text) as lines:
        lines.warned("a\nb\u2028c\x00")
    [line] = text.getvalue().splitlines()
    assert json.loads(line) == {"type": "warned", "sentence": "a\nb\u2028c\x00"}


@pytest.mark.parametrize("played", [0, 12])
def test_standings_are_those_of_the_ladder(played: int) -> None:
    settings, text = Organiser().settings, io.StringIO()
    ladder = build_ladder(settings, [], secret_digest=b"")
    with json_lines(text) as lines:
        lines.began(played=played, planned=12)
        lines.standings(ladder)
    told = [json.loads(line) for line in text.getvalue().splitlines()]
    assert told[0] == {"type": "began", "played": played, "planned": 12}
    assert [(line["elo"], line["rating_note"]) for line in told[1]["ladder"]] == [(None, "too few matches")] * 4
