"""An event that is killed again and again ends as one that nobody disturbed."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from ordago_ladder.folder import EventFolder
from ordago_ladder.verification import verify_folder

EVENT = """
[event]
name = "killed"
repetitions = 10
parallel = 6
decision_ms = 60_000
bootstrap = 200
secret = "{secret}"

[[game]]
name = "mittlere"
options = {{ deals = 3 }}

[[entrant]]
name = "alpha"
house = "random"
env = {{ ORDAGO_NONCE = "{alpha}" }}

[[entrant]]
name = "beta"
house = "solid"
settings = {{ worlds = 1 }}
env = {{ ORDAGO_NONCE = "{beta}" }}

[[entrant]]
name = "gamma"
house = "default"
env = {{ ORDAGO_NONCE = "{gamma}" }}
""".format(secret="5e" * 32, alpha="a1" * 16, beta="b2" * 16, gamma="c3" * 16)
MATCHES = 60
LONGEST_SECONDS = 120


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "killed.toml"
    path.write_text(EVENT, encoding="utf-8")
    return path


def command(event: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "ordago", "run", str(event), "--out", str(out)]


def to_the_end(event: Path, out: Path) -> EventFolder:
    subprocess.run(command(event, out), check=True, capture_output=True, timeout=LONGEST_SECONDS)  # noqa: S603 - ours
    return EventFolder(out)


def kill_at_some_moment(event: Path, out: Path, rng: Random) -> bool:
    """Start a run and kill it within some seconds; say whether it was still at work."""
    process = subprocess.Popen(  # noqa: S603 - ours
        command(event, out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(rng.uniform(0.2, 4.0))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def bots_alive(out: Path) -> list[int]:
    """Return the processes that were started for runs in a folder, found by where they write."""
    log_folder = str(EventFolder(out).logs)
    return [
        int(process.name)
        for process in Path("/proc").iterdir()
        if process.name.isdecimal() and log_folder in standard_output_of(process)
    ]


def standard_output_of(process: Path) -> str:
    try:
        return str((process / "fd" / "1").readlink())
    except OSError:
        return ""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="finds bots by /proc")
def test_kills_at_random_moments_change_nothing(event: Path, tmp_path: Path, pytestconfig: pytest.Config):
    kills = int(pytestconfig.getoption("--kills"))
    rng = Random(20_051_105)
    undisturbed = to_the_end(event, tmp_path / "undisturbed")
    out = tmp_path / "disturbed"
    killed_at_work = sum(kill_at_some_moment(event, out, rng) for _ in range(kills))
    deadline = time.monotonic() + 10
    while bots_alive(out) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not bots_alive(out), "a bot outlived its runner"
    disturbed = to_the_end(event, out)
    assert killed_at_work >= min(kills, 2)
    assert disturbed.ladder.read_bytes() == undisturbed.ladder.read_bytes()
    verification = verify_folder(out)
    assert (verification.records, verification.findings) == (MATCHES, ())
