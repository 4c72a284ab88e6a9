"""A rated event of remote entrants, with real processes, tokens and TLS: one is killed and comes back, one never comes.

The runner is killed as well. In the long form each entrant connects from a network namespace of his own.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

import pytest
import trustme
from support.figures import Size
from support.networks import LOOPBACK, Network, namespaces, why_no_namespaces
from support.ports import free_port

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope

ENTRANTS = ("ana", "ben", "kim", "zoe")
"""Kim is killed and comes back, Zoe never comes."""
PATIENCE_SECONDS = 90.0
MATCHES = 18
"""How many matches each of them plays."""
EVENT = """
[event]
name = "away"
absentees_forfeit = true
duplicates = false
repetitions = 3
decision_ms = 60_000
disconnect_bank_ms = 60_000
suspend_after = 5
{begins}

[[game]]
name = "mitaines"
seats = 2
options = {{ target = 20 }}
"""
BOT = """
import pathlib, sys, time, ordago_bot

class Stuck(ordago_bot.Bot):
    begun = 0

    def __init__(self, match):
        super().__init__(match)
        Stuck.begun += 1

    def choose(self, decision):
        place = pathlib.Path(sys.argv[0]).with_suffix(".stuck")
        if self.begun > 2 and not place.exists():
            place.touch()
            time.sleep(600)
        return decision.default_answer

ordago_bot.run(Stuck)
"""
"""It hangs once in its life, in the middle of a match, until it is killed."""


class Course:
    """An event in a folder, its runner and its bots, each a process."""

    def __init__(self, place: Path, networks: dict[str, Network], stack: ExitStack) -> None:
        self.place = place
        self._networks = networks
        self._stack = stack
        self._port = free_port()
        self._authority = trustme.CA()
        self._authority.cert_pem.write_to_path(place / "ca.pem")
        issued = self._authority.issue_cert("127.0.0.1", *{network.server for network in networks.values()})
        issued.private_key_pem.write_to_path(place / "server.key")
        (place / "server.pem").write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))
        with Accounts.open(place / "data" / "accounts.sqlite", create=True) as accounts:
            for name in ENTRANTS:
                made = accounts.create_token(account=name, scopes=[Scope.PLAY], now=time.time())
                (place / f"{name}.token").write_text(made[0])
        (place / "stuck.py").write_text(BOT)

    def write(self, *, begins_in_seconds: float = 0.0) -> None:
        """Write the event file; the event begins when all are there, or at a time from now."""
        begins = (datetime.now(UTC) + timedelta(seconds=begins_in_seconds)).isoformat(timespec="seconds")
        text = EVENT.format(begins=f"begins = {begins}" if begins_in_seconds else "")
        text += "".join(f'[[entrant]]\nname = "{name}"\nremote = true\n' for name in ENTRANTS)
        (self.place / "event.toml").write_text(text)

    def run(self) -> subprocess.Popen[bytes]:
        """Start the runner."""
        host = "127.0.0.1" if set(self._networks.values()) == {LOOPBACK} else "0.0.0.0"  # noqa: S104 - bots of all networks
        entrance = ["--address", f"{host}:{self._port}", "--tokens", "--data", str(self.place / "data")]
        tls = ["--tls-cert", str(self.place / "server.pem"), "--tls-key", str(self.place / "server.key")]
        command = ["-m", "ordago", "run", "event.toml", "--out", "out", *entrance, *tls]
        return self._started([sys.executable, *command], self.place / "run.log")

    def bot(self, name: str, *program: str) -> subprocess.Popen[bytes]:
        """Start the bot of an entrant, in his network."""
        network = self._networks[name]
        token = ["--token-file", str(self.place / f"{name}.token"), "--receipts", str(self.place / f"{name}.receipts")]
        where = ["--address", f"{network.server}:{self._port}", "--tls-ca", str(self.place / "ca.pem")]
        return self._started([*network.prefix, sys.executable, *program, *where, *token], self.place / f"{name}.log")

    def _started(self, command: list[str], log: Path) -> subprocess.Popen[bytes]:
        output: IO[bytes] = self._stack.enter_context(log.open("ab"))
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=self.place)  # noqa: S603 - ours
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process

    def log(self, name: str) -> str:
        path = self.place / f"{name}.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def until(self, name: str, words: str) -> None:
        """Wait until a log has some words."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while words not in self.log(name):
            assert time.monotonic() < deadline, f"{name} never said {words!r}: {self.log(name)}"
            time.sleep(0.02)

    def verified(self, names: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Verify what was published, with the receipts of some."""
        receipts = self.place / "all.receipts"
        receipts.write_text("".join((self.place / f"{name}.receipts").read_text() for name in names))
        command = [sys.executable, "-m", "ordago", "verify", str(self.place / "out"), "--receipts", str(receipts)]
        return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours

    @property
    def entrants(self) -> dict[str, Any]:
        """What the ladder says of each entrant."""
        ladder = json.loads((self.place / "out" / "ladder.json").read_text())
        return {line["entrant"]: line for line in ladder["overall"]["ladder"]}

    def checked_in(self, names: Sequence[str]) -> list[subprocess.Popen[bytes]]:
        """Start a bot for each of some entrants, Kim's being one that hangs, and return them when all are here."""
        bots = [self.bot(name, *(["stuck.py"] if name == "kim" else ["-m", "ordago_bot", "default"])) for name in names]
        for name in names:
            self.until(name, f"checked in as {name!r}")
        return bots

    def until_stuck(self) -> None:
        """Wait until Kim's bot hangs in the middle of a match."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (self.place / "stuck.stuck").exists():
            assert time.monotonic() < deadline, self.log("run")
            time.sleep(0.02)

    def kill_and_go_on(self, runner: subprocess.Popen[bytes], bots: list[subprocess.Popen[bytes]]) -> None:
        """Kill the runner and Kim's bot, start both anew, and wait until the event is over and all have left."""
        for process in (bots.pop(), runner):
            process.kill()
            process.wait()
        bots.append(self.bot("kim", "stuck.py"))
        assert self.run().wait(PATIENCE_SECONDS) == 0, self.log("run")
        assert {bot.wait(PATIENCE_SECONDS) for bot in bots} == {0}


@contextmanager
def opened(place: Path, networks: Sequence[Network]) -> Iterator[Course]:
    (place / "data").mkdir(mode=0o700)
    with ExitStack() as stack:
        yield Course(place, dict(zip(ENTRANTS, networks, strict=True)), stack)


@pytest.mark.slow
def test_who_is_killed_comes_back_to_a_runner_that_was_killed_as_well(tmp_path: Path) -> None:
    with opened(tmp_path, [LOOPBACK] * 4) as course:
        course.write()
        runner = course.run()
        course.until("run", "listening on")
        bots = course.checked_in(("ana", "ben", "zoe", "kim"))
        course.until_stuck()
        course.kill_and_go_on(runner, bots)
        verified = course.verified(ENTRANTS)
        assert verified.returncode == 0, verified.stdout
        assert "receipts agree" in verified.stdout
        assert "of 4: " in course.log("kim"), "each hears its rank"
        assert {name: (line["matches"], line["forfeits"]) for name, line in course.entrants.items()} == dict.fromkeys(
            ENTRANTS, (MATCHES, 0)
        )


@pytest.mark.torture
def test_an_event_goes_on_over_networks_though_one_is_killed_and_one_never_comes(tmp_path: Path, size: Size) -> None:
    """Each entrant connects from a network namespace of his own."""
    if not size(0, 1):
        pytest.skip("it waits for the time at which the event begins; --torture does")
    why = why_no_namespaces()
    if why:
        pytest.skip(why)
    with namespaces(len(ENTRANTS)) as networks, opened(tmp_path, networks) as course:
        course.write(begins_in_seconds=30)
        runner = course.run()
        course.until("run", "listening on")
        bots = course.checked_in(("ana", "ben", "kim"))
        course.until_stuck()
        course.kill_and_go_on(runner, bots)
        verified = course.verified(("ana", "ben", "kim"))
        assert verified.returncode == 0, verified.stdout
        forfeits = {name: line["forfeits"] for name, line in course.entrants.items()}
        assert forfeits == {"ana": 0, "ben": 0, "kim": 0, "zoe": MATCHES}
        page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "'zoe' did not check in; its matches are forfeited" in course.log("run")
    assert "'zoe' is suspended after 5 forfeited matches" in course.log("run")
    assert "suspended" in page
