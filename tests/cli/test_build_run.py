"""``ordago run`` and ``ordago trial`` with entrants that build."""

import subprocess
import sys
from pathlib import Path

import pytest

from ordago_cli.errors import EXIT_BOT, EXIT_OK
from ordago_ladder.folder import EventFolder

EVENT = """
[event]
name = "built"
decision_ms = 60_000
start_timeout = 120

[[game]]
name = "mitaines"
seats = 2
options = {{ target = 20 }}

[[entrant]]
name = "ana"
command = ["{python}", "bot.py"]
folder = "ana"
build = {build}

[[entrant]]
name = "ben"
house = "default"
"""
BOT = """
import ordago_bot

class Bot(ordago_bot.Bot):
    def choose(self, decision):
        return decision.default_answer

ordago_bot.run(Bot)
"""


def ordago(place: Path, command: str, *options: str, build: str) -> subprocess.CompletedProcess[str]:
    (place / "built.toml").write_text(EVENT.format(python=sys.executable, build=build))
    words = [sys.executable, "-m", "ordago", command, "built.toml", "--out", "out", *options]
    ended = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert "Traceback" not in ended.stderr
    return ended


@pytest.mark.slow
def test_a_bot_is_built_before_it_plays_and_a_run_whose_build_fails_goes_on_later(tmp_path: Path) -> None:
    (tmp_path / "ana").mkdir()
    source = tmp_path / "ana" / "source.py"
    copy = '["sh", "-c", "cp source.py bot.py || exit 1"]'
    failed = ordago(tmp_path, "run", build=copy)
    assert failed.returncode == EXIT_BOT, failed.stderr
    assert "the build of 'ana' ended with code 1; its last line: cp: " in failed.stderr
    tried = ordago(tmp_path, "trial", build=copy)
    assert tried.returncode == EXIT_BOT
    source.write_text(BOT)
    ended = ordago(tmp_path, "run", "--workers", "2", build=copy)
    assert ended.returncode == EXIT_OK, ended.stderr
    assert EventFolder(tmp_path / "out").build_notes.exists()
