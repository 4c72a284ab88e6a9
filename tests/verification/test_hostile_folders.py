"""Whatever somebody has put into a folder, whoever verifies it is told a sentence, soon."""

import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result
from verification.changed_folders import records
from verification.hostile_folders import HOSTILE

from ordago.record import read_record, to_file_bytes, to_json
from ordago_cli.program import program

_SECONDS: Final = 30
"""A quarter of a second for nearly all of them, on a machine that has nothing else to do."""
_MEGABYTES: Final = 600


def ordago(*arguments: object) -> Result:
    return CliRunner().invoke(program, [str(argument) for argument in arguments])


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_folder_is_told_in_sentences(folder: Path, name: str) -> None:
    hostile = HOSTILE[name]
    hostile.change(folder)
    began = time.monotonic()
    result = ordago("verify", folder)
    assert time.monotonic() - began < _SECONDS
    assert result.exit_code == hostile.exit_code, result.output
    assert isinstance(result.exception, SystemExit)
    assert hostile.words in result.output
    assert "Traceback" not in result.output
    assert all(line.isprintable() for line in result.output.splitlines())
    assert len(result.output) < 20_000
    json.loads(ordago("verify", folder, "--json").output)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["a record of many seats", "gigabytes for a ledger", "a ledger of millions of lines", "10^9 repetitions"]
)
def test_a_hostile_folder_takes_no_memory(folder: Path, name: str) -> None:
    HOSTILE[name].change(folder)
    # The greatest memory that a process has had by its resources is at least what its parent had when it was started.
    code = (
        "import pathlib, re, sys\nfrom ordago_cli.program import program\n"
        "try:\n    program(['verify', sys.argv[1]])\n"
        "finally:\n    status = pathlib.Path('/proc/self/status').read_text()\n"
        "    print(int(re.search('VmHWM: *(.*) kB', status)[1]) // 1024, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert HOSTILE[name].words in ran.stdout
    assert int(ran.stderr.split()[-1]) < _MEGABYTES


@pytest.mark.slow
def test_a_device_is_not_read(folder: Path) -> None:
    path = records(folder)[0]
    path.unlink()
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")
    assert "it is a device" in ordago("verify", folder).output


@pytest.mark.parametrize("file", ["/dev/zero", "."])
@pytest.mark.parametrize("command", ["record", "verify"])
def test_what_is_no_plain_file_is_no_record(command: str, file: str, folder: Path) -> None:
    if file == ".":
        file = str(folder / "pipe.record")
        os.mkfifo(file)
    result = ordago(command, file)
    assert result.exit_code == 3
    assert "not a plain file" in result.output


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "plan", "run", "status", "report"])
@pytest.mark.parametrize("name", ["10^9 repetitions", "thousands of entrants", "deep TOML", "large TOML"])
def test_a_hostile_event_file_is_told_in_a_sentence(folder: Path, command: str, name: str) -> None:
    HOSTILE[name].change(folder)
    result = ordago(command, folder / "event.toml")
    assert (result.exit_code, "Traceback" in result.output) == (2, False)
    assert HOSTILE[name].words in result.output
    assert len(result.output.splitlines()) == 1


def test_an_event_file_that_is_none_is_not_read_for_ever() -> None:
    result = ordago("check", "/dev/zero")
    assert result.exit_code == 3
    assert "not a plain file" in result.output


def test_a_folder_of_records_bears_the_same(folder: Path, tmp_path: Path) -> None:
    """Such a folder has no event file and no ledger; the others are none the worse for what lies beside them."""
    alone = tmp_path / "alone"
    alone.mkdir()
    source = read_record(records(folder)[0].read_bytes())
    (alone / "good.record").write_bytes(to_file_bytes(source))
    (alone / "json.record").write_text(to_json(source), encoding="utf-8")
    (alone / "folder.record").mkdir()
    (alone / "link.record").symlink_to("good.record")
    os.mkfifo(alone / "pipe.record")
    result = ordago("verify", alone)
    assert result.exit_code == 1
    told = result.output.splitlines()
    assert [line.partition(":")[0] for line in told] == ["folder.record", "link.record", "pipe.record", "not clean"]
    assert told[-1] == "not clean: 3 findings in 2 records"
