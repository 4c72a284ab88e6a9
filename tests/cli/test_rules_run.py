"""``ordago run`` with an entrant that searches by the rules beside each of its processes."""

import subprocess
import sys
from pathlib import Path

import pytest

from ordago_cli.errors import EXIT_OK, EXIT_USAGE
from ordago_ladder.verification.event import verify_folder

EVENT = """
[event]
name = "beside"
{terms}
decision_ms = 60_000
start_timeout = 120

[[game]]
name = "mittlere"
options = {{ deals = 3 }}
sets = 1

[[entrant]]
name = "ana"
command = ["{python}", "bot.py", "--matches", "1"]
folder = "ana"
rules = true

[[entrant]]
name = "ben"
house = "random"

[[entrant]]
name = "cleo"
house = "random"

{limits}
"""
# Its options end a process after one match, so that several are started.
BOT = """
import os
import grpc
import ordago_bot
from ordago import v1
from ordago.v1.rules_service_pb2_grpc import RulesServiceStub

rules = RulesServiceStub(grpc.insecure_channel(os.environ["ORDAGO_RULES"]))

class Bot(ordago_bot.Bot):
    def choose(self, decision):
        situation = v1.Situation(game="mittlere", seat=decision.seat, view=decision.view)
        request = v1.EvaluateActionsRequest(situation=situation, worlds=1, most_playouts=1)
        found = rules.EvaluateActions(request, timeout=60)
        return v1.Answer(action=found.values[found.best].action)

ordago_bot.run(Bot)
"""


def ordago(
    place: Path, command: str, *options: str, terms: str = "", limits: str = ""
) -> subprocess.CompletedProcess[str]:
    (place / "ana").mkdir(exist_ok=True)
    (place / "ana" / "bot.py").write_text(BOT)
    (place / "beside.toml").write_text(EVENT.format(python=sys.executable, terms=terms, limits=limits))
    words = [sys.executable, "-m", "ordago", command, "beside.toml", *options]
    ended = subprocess.run(words, cwd=place, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert "Traceback" not in ended.stderr
    return ended


@pytest.mark.slow
@pytest.mark.parametrize(
    ("isolation", "options"),
    [("full", ()), ("none", ()), ("full", ("--workers", "2"))],
    ids=["cell", "none", "workers"],
)
def test_each_process_has_rules_of_its_own_and_no_match_is_spoilt(
    isolation: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    ended = ordago(tmp_path, "run", "--out", "out", *options, terms=f'isolation = "{isolation}"\nparallel = 2')
    assert ended.returncode == EXIT_OK, ended.stderr
    verified = verify_folder(tmp_path / "out")
    assert verified.findings == ()
    assert verified.records == 6
    for path in (tmp_path / "out" / "private" / "logs").glob("ana.*.log"):
        assert "failed" not in path.read_text()


@pytest.mark.parametrize("command", ["check", "plan", "run"])
def test_limits_without_room_are_told_before_the_start(command: str, tmp_path: Path) -> None:
    ended = ordago(tmp_path, command, limits="[limits]\nmemory_mib = 100")
    assert ended.returncode == EXIT_USAGE
    assert "memory_mib = 100 leaves no room for the rules beside 'ana'" in ended.stderr
