"""``ordago rerun``: a recorded match once more, with its deals, for an author who wants to see what happened."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago import v1
from ordago.record import read_record
from ordago_cli.errors import EXIT_WRONG
from ordago_cli.program import program

EVENT = Path(__file__).parents[1] / "corpus" / "event"
OF_EVENT = min((EVENT / "records").iterdir())
THREE = [word for _ in range(3) for word in ("--bot", "house:random")]


def ordago(*arguments: object) -> Result:
    return CliRunner().invoke(program, list(map(str, arguments)))


def shuffles(record: v1.MatchRecord) -> list[bytes]:
    return [entry.shuffle.SerializeToString() for entry in record.entries if entry.HasField("shuffle")]


@pytest.mark.slow
def test_the_same_bots_play_the_same_match(tmp_path: Path):
    first, again = tmp_path / "first.record", tmp_path / "again.record"
    ordago("play", "mittlere", *THREE, "--option", "deals=3", "--record", first)
    assert ordago("rerun", first, *THREE, "--record", again).exit_code == 0
    one, other = read_record(first.read_bytes()), read_record(again.read_bytes())
    assert [entry.choice.action for entry in one.entries] == [entry.choice.action for entry in other.entries]
    assert (one.match_id, one.clock, one.faults) == (other.match_id, other.clock, other.faults)
    assert ordago("verify", again).exit_code == 0


@pytest.mark.slow
def test_a_match_of_an_event_has_its_deals(tmp_path: Path):
    again = tmp_path / "again.record"
    assert ordago("rerun", OF_EVENT, *THREE, "--record", again).exit_code == 0
    assert shuffles(read_record(again.read_bytes())) == shuffles(read_record(OF_EVENT.read_bytes()))


def test_without_the_secret_it_says_where_to_find_it(tmp_path: Path):
    alone = Path(shutil.copy(OF_EVENT, tmp_path))
    result = ordago("rerun", alone, *THREE)
    assert (result.exit_code, "--secret" in result.output) == (3, True)
    wrong = ('{"secret": 1}', "no json", '{"secret": "zz"}', "[]", f'{{"secret": "{"00" * 32}"}}')
    (tmp_path / "ledger.jsonl").write_text("\n".join(wrong))
    assert ordago("rerun", alone, *THREE).exit_code == 3


@pytest.mark.parametrize("secret", ["zz", "00", "00" * 32])
def test_another_secret_is_refused(secret: str):
    assert ordago("rerun", OF_EVENT, *THREE, "--secret", secret).exit_code == 2


def test_a_bot_for_each_seat():
    assert ordago("rerun", OF_EVENT, "--bot", "house:random").exit_code == 2


def test_what_is_no_record_is_said(tmp_path: Path):
    path = tmp_path / "x.record"
    assert ordago("rerun", path, *THREE).exit_code == 3
    path.write_bytes(b"x")
    result = ordago("rerun", path, *THREE)
    assert result.exit_code == EXIT_WRONG
    assert str(path) in result.output
