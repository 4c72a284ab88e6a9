"""Records that were played once and must verify for ever.

A change of the rules that breaks one of them has to raise the version of its rules, and to keep the old ones readable.
A record is added with ``ordago play GAME --bot … --seed HEX --record tests/corpus/GAME-SEATS.record``.
"""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from ordago.games import find_game, game_names
from ordago.record import FORMAT_VERSION, read_record, tell, verify
from ordago_cli.program import program

RECORDS = sorted(Path(__file__).parent.glob("*.record"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_verifies_for_ever(path: Path):
    record = read_record(path.read_bytes())
    assert record.secret, "a record of the corpus reveals its secret, so that its deals are proved too"
    assert verify(record) == []
    assert list(tell(record))


def test_every_game_and_number_of_players_is_in_the_corpus():
    records = [read_record(path.read_bytes()) for path in RECORDS]
    played = {(record.game, len(record.seats)) for record in records}
    assert {record.format_version for record in records} == {FORMAT_VERSION}
    assert played == {(name, seats) for name in game_names() for seats in find_game(name).rules.seat_counts}


def test_a_folder_of_records_is_verified(tmp_path: Path):
    for path in RECORDS:
        shutil.copy(path, tmp_path)
    told = CliRunner().invoke(program, ["verify", str(tmp_path)])
    assert told.output.splitlines() == [f"clean: {len(RECORDS)} records replayed; proved: deals, games and results"]
    assert told.exit_code == 0
