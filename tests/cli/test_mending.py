"""Events that are mended after a run that failed, and times that are over: what organisers are told, and do."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ordago_cli.program import program
from ordago_ladder.verification.event import verify_folder

EVENT = f"""
[event]
name = "cup"
isolation = "none"
duplicates = false
decision_ms = 60_000
start_timeout = 120
[[game]]
name = "mitaines"
options = {{ target = 10 }}
[[entrant]]
name = "ana"
folder = "ana"
build = ["false"]
command = ["{sys.executable}", "-m", "ordago_bot", "default"]
env = {{ KEY = "sesame" }}
[[entrant]]
name = "ben"
house = "default"
"""


@pytest.fixture
def event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ana").mkdir()
    return tmp_path / "cup.toml"


def ordago(*arguments: object) -> Result:
    return CliRunner().invoke(program, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_after_a_build_that_failed_the_event_is_mended_and_run_again(event: Path) -> None:
    """As the message says; and when somebody has checked in it says what was changed, whatever command asks."""
    event.write_text(EVENT, encoding="utf-8")
    failed = ordago("run", event)
    assert failed.exit_code == 4, failed.output
    assert "fix it and run again" in failed.output
    mended = EVENT.replace('["false"]', '["true"]').replace("target = 10", "target = 11")
    event.write_text(mended, encoding="utf-8")
    assert ordago("run", event).exit_code == 0
    assert verify_folder(Path("out/cup")).findings == ()
    event.write_text(mended.replace("target = 11", "target = 12").replace("sesame", "tahini"), encoding="utf-8")
    for command in ("run", "status", "report"):
        refused = ordago(command, event)
        assert refused.exit_code == 3
        assert "'target', 11" in refused.output
        assert "'target', 12" in refused.output
        assert "'KEY' of 'env' has another value" in refused.output
        assert "You can always change" in refused.output
        assert "sesame" not in refused.output
        assert "tahini" not in refused.output


def test_a_time_that_is_over_is_told_by_check(event: Path) -> None:
    text = EVENT.replace('name = "cup"', 'name = "cup"\nformat = "open"\nuntil = 2020-01-01T12:00:00Z', 1)
    event.write_text(text, encoding="utf-8")
    checked = ordago("check", event)
    assert checked.exit_code == 0
    assert "warning: [event]: 'until' is in the past, 2020-01-01T12:00:00+00:00" in checked.output
    [told] = json.loads(ordago("check", event, "--json").stdout)["times"]
    assert "'until' is in the past" in told
