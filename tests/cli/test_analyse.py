"""``ordago analyse``: what is told of a match, and of a file that is none."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago.record import read_record, to_file_bytes
from ordago_cli.program import program

RECORD = Path(__file__).parents[1] / "corpus" / "mitigati-3.record"


def analyse(path: Path | str, *arguments: str) -> Result:
    return CliRunner().invoke(program, ["analyse", str(path), "--worlds", "4", *arguments])


@pytest.mark.slow
def test_the_dearest_choices_and_a_line_for_each_seat_are_told():
    lines = analyse(RECORD).output.splitlines()
    assert lines[0] == "Costliest choices:"
    assert sum(line.startswith("  deal ") and "; the house: " in line for line in lines) == 3
    for name in ("solid:worlds=2", "random", "default"):
        assert any(line.startswith(f"{name}: ") and "Cost a deal: " in line and "chips" in line for line in lines)
    assert lines[-1] == "Each choice was evaluated on 4 sampled deals or more, and its cost measured on as many others."


def test_a_program_reads_what_is_said_of_every_choice_of_a_seat():
    told = json.loads(analyse(RECORD, "--json", "--seat", "2").output)
    assert [seat["seat"] for seat in told["seats"]] == [1]
    assert told["seats"][0]["choices"] == len(told["choices"])
    entries = read_record(RECORD.read_bytes()).entries
    assert all(entries[int(entry)].choice.seat == 1 for entry in told["choices"])
    other = [choice for choice in told["choices"].values() if "better" in choice]
    assert other
    assert all(choice["best"] == choice["better"][0]["words"] != choice["taken"]["words"] for choice in other)
    costs = [choice["cost"] for choice in told["dearest"]]
    assert costs == sorted(costs, reverse=True)
    assert all(
        choice["dear"] and choice == {**choice, **told["choices"][str(choice["entry"])]} for choice in told["dearest"]
    )


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [(("--seat", "4"), 2, "the match has the seats 1 to 3, not 4"), (("--worlds", "1"), 2, "1 is not in the range")],
)
def test_a_mistake_is_told_in_a_sentence(arguments: tuple[str, ...], code: int, sentence: str):
    result = analyse(RECORD, *arguments)
    assert (result.exit_code, sentence in result.output) == (code, True)


def test_a_record_that_cannot_be_analysed_is_refused_in_a_sentence(tmp_path: Path):
    record = read_record(RECORD.read_bytes())
    del record.entries[-1]
    path = tmp_path / "torn.record"
    path.write_bytes(to_file_bytes(record))
    for file, code, sentence in ((path, 1, "not as the rules say"), (__file__, 1, "not a record"), ("none", 3, "none")):
        result = analyse(file)
        assert (result.exit_code, sentence in result.output) == (code, True)
        assert "Traceback" not in result.output
