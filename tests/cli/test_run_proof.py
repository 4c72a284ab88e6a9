"""What ``ordago run`` says at its end, and over a folder or a store that is not what it was."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.commands import ordago

from ordago_cli.errors import EXIT_OK, EXIT_OUTSIDE, EXIT_UNFINISHED, EXIT_USAGE, EXIT_WRONG
from ordago_ladder.folder import EventFolder

EVENT = """
[event]
name = "cup"
decision_ms = 60_000
start_timeout = 120
{terms}
[[game]]
name = "mittlere"
options = {{ deals = 3 }}
[[entrant]]
name = "ana"
house = "default"
[[entrant]]
name = "ben"
house = "default"
[[entrant]]
name = "cleo"
house = "default"
"""


def run(place: Path, *options: str, terms: str = "") -> tuple[int, str]:
    """Run the event and return the exit code and what was said."""
    (place / "cup.toml").write_text(EVENT.format(terms=terms), encoding="utf-8")
    ended = ordago("run", place / "cup.toml", "--out", place / "out", *options)
    assert ended.exception is None or isinstance(ended.exception, SystemExit)
    assert "Traceback" not in ended.stderr
    return ended.exit_code, ended.stderr


@pytest.mark.slow
def test_a_run_is_verified_at_its_end_and_refuses_a_store_that_was_changed(tmp_path: Path) -> None:
    folder = EventFolder(tmp_path / "out")
    code, said = run(tmp_path)
    assert (code, said.splitlines()[-1]) == (EXIT_OK, "verified: 6 records, no findings")
    stray = folder.path / "of-another-event.record"
    stray.touch()
    code, said = run(tmp_path)
    assert code == EXIT_WRONG
    assert said.splitlines()[-1].startswith(f"ordago: {folder.path} does not verify, ")
    stray.unlink()
    with closing(sqlite3.connect(folder.store)) as connection, connection:
        connection.execute('UPDATE ledger SET line = replace(line, \'"commitment":"\', \'"commitment":"0\')')
    connection.close()
    code, said = run(tmp_path)
    assert code == EXIT_OUTSIDE
    assert said.splitlines()[-1].startswith("ordago: The store of the event was changed from outside: Line 1 of")


@pytest.mark.slow
def test_an_event_with_a_beacon_stops_until_its_value_is_given(tmp_path: Path) -> None:
    terms = 'beacon = { source = "drand quicknet", round = 7 }'
    code, said = run(tmp_path, terms=terms)
    assert code == EXIT_UNFINISHED
    assert "run again with --beacon HEX, the value of round 7 of drand quicknet, once that is public" in said
    assert len(EventFolder(tmp_path / "out").ledger.read_text().splitlines()) == 2


@pytest.mark.parametrize("value", ["b0", "b0" * 65, "xy" * 32, ""])
def test_what_is_no_value_of_a_beacon_is_refused(tmp_path: Path, value: str) -> None:
    code, said = run(tmp_path, "--beacon", value)
    assert code == EXIT_USAGE
    assert "takes 16 to 64 bytes in hexadecimal" in said
