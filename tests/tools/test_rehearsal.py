"""A rehearsal stops at a step that ends in another way than it should."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from rehearsal.registry import publish
from rehearsal.steps import StepError, Stranger

# It says more than a pipe holds, before the signal and after it.
SERVER = """
import os, signal, sys
def stop(*_):
    os.write(1, b"x" * 200_000)  # printing would collide with a print that is under way
    sys.exit({code})
signal.signal(signal.SIGINT, stop)
for number in range(3):
    print("ready", number, flush=True)
signal.pause()
"""


@pytest.fixture
def stranger(tmp_path: Path) -> Stranger:
    return Stranger("somebody", tmp_path, {}, programs=Path(sys.executable).parent)


def test_a_command_is_interrupted_after_its_line(stranger: Stranger) -> None:
    with stranger.runs(sys.executable, "-c", SERVER.format(code=130), until="ready", times=2) as line:
        assert line == "ready 1\n"


def test_a_command_that_ends_too_early_or_badly_stops_the_rehearsal(stranger: Stranger) -> None:
    with (
        pytest.raises(StepError, match="ended before 'ready' came"),
        stranger.runs(sys.executable, "-c", "print('set')", until="ready"),
    ):
        pytest.fail("it never came")
    with (
        pytest.raises(StepError, match="ended with 3"),
        stranger.runs(sys.executable, "-c", SERVER.format(code=3), until="ready"),
    ):
        pass


def test_a_step_that_should_fail_and_does_not_stops_the_rehearsal(stranger: Stranger) -> None:
    stranger.does("sh", "-c", "echo needs an extra; exit 2", fails_with="extra")
    for line in ("echo needs an extra", "exit 2"):
        with pytest.raises(StepError):
            stranger.does("sh", "-c", line, fails_with="extra")


def test_distributions_of_two_versions_are_in_the_folder_of_their_name(tmp_path: Path) -> None:
    names = ("ordago_server-0.1.0.tar.gz", "ordago_server-0.1.1.tar.gz", "ordago-0.1.1-py3-none-any.whl")
    for name in names:
        (tmp_path / name).touch()
    publish([tmp_path / name for name in names], tmp_path / "pypi")
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*-*") if path.is_file()}
    assert found == {f"pypi/ordago-server/{name}" for name in names[:2]} | {f"pypi/ordago/{names[2]}"}
