"""An event beside a ladder at ``ordago serve``, on real processes, from its opening to a stranger's proof of it.

The server is killed in the middle.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.commands import ordago
from support.venue import event_file

from ordago.files import private_folder, write_whole
from ordago.record import read_record
from ordago.record.ledgers.event import RestorationEntry, ResultEntry, read_ledger
from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.event.store import Store
from ordago_ladder.folder import EventFolder

PATIENCE_SECONDS = 120.0
LADDER = """
[ladder]
name = "short"

[[game]]
name = "mittlere"
options = { deals = 3 }

[[house]]
name = "one"
house = "random"

[[house]]
name = "two"
house = "default"
"""
MATCHES = 60
PACED_BOT = """
import time
from pathlib import Path

import ordago_bot

begun = set()


class PacedBot(ordago_bot.Bot):
    def choose(self, decision):
        begun.add(self.match.match_id)
        while len(begun) > int(Path("matches").read_text()):
            time.sleep(0.01)
        return ordago_bot.complete(self.random.choice(decision.actions), self.random)


ordago_bot.run(PacedBot)
"""
"""A bot that waits in its next match once it has begun as many as the file says: so the event lasts."""


class Course:
    """A server with a ladder and events, and the bots of two accounts."""

    def __init__(self, place: Path, stack: ExitStack) -> None:
        self.place = place
        self.data = "data"
        self._stack = stack
        self.address = "127.0.0.1:0"
        (place / "short.toml").write_text(LADDER)
        (place / "paced.py").write_text(PACED_BOT)
        self.matches_of_each(MATCHES)
        with Accounts.open(place / "data" / "accounts.sqlite", create=True) as accounts:
            for name, scope in {"ana": Scope.PLAY, "ben": Scope.PLAY, "ola": Scope.ORGANISE}.items():
                made = accounts.create_token(account=name, scopes=[scope], now=time.time())
                (place / f"{name}.token").write_text(made[0])
        text = event_file("friday", house=True, repetitions=MATCHES // 6, terms="parallel = 2")
        (place / "friday.toml").write_text(text)

    def serve(self) -> "subprocess.Popen[Any]":
        """Start the server, and wait until it listens."""
        options = ["--ladder", "short.toml", "--tokens", "--data", self.data, "--address", self.address]
        server = self._started("serve", "-m", "ordago", "serve", *options, stdout=subprocess.PIPE)
        assert server.stdout is not None
        self.address = server.stdout.readline().decode().removeprefix("listening on ").partition(";")[0]
        assert self.address.startswith("127.0.0.1:"), self.log("serve")
        return server

    def bot(self, account: str, *options: str) -> "subprocess.Popen[Any]":
        """Start a bot of an account, which keeps receipts."""
        log = f"{account}{''.join(options)}"
        given = ["--token-file", f"{account}.token", "--receipts", f"{log}.receipts", "--name", f"{account}-bot"]
        return self._started(log, "paced.py", "--address", self.address, *given, *options)

    def matches_of_each(self, most: int) -> None:
        """Set how many matches each bot begins, of the 40 that it has in the event: so none can be over too early."""
        write_whole(self.place / "matches", f"{most}".encode())

    def event(self, *words: object) -> str:
        """Return what ``ordago event`` says at the server, when all is well."""
        told = ordago("event", *words, "--server", self.address)
        assert told.exit_code == 0, told.output
        return told.output

    def started(self, command: str, *words: object) -> "subprocess.Popen[Any]":
        """Start a command that works on the data folder of the server."""
        return self._started(command, "-m", "ordago", command, *map(str, words), "--data", self.data)

    @property
    def seeds(self) -> dict[str, str]:
        """The seed texts of the deals of all matches of the event that have results."""
        with Store.open(self.folder.store) as store:
            matches = [one.match.match_id for one in store.state().results]
            return {match_id: read_record(store.record(match_id)).deal_seed for match_id in matches}

    @property
    def kept_at_restoration(self) -> list[str]:
        """The matches that had results when the event was restored."""
        with Store.open(self.folder.store) as store:
            entries = read_ledger(store.state().lines).entries
        at = next(index for index, entry in enumerate(entries) if isinstance(entry, RestorationEntry))
        return [entry.match_id for entry in entries[:at] if isinstance(entry, ResultEntry)]

    def _started(self, log: str, *command: str, stdout: Any = None) -> "subprocess.Popen[Any]":
        output = self._stack.enter_context((self.place / f"{log}.log").open("ab"))
        process = self._stack.enter_context(
            subprocess.Popen(  # noqa: S603 - ours
                [sys.executable, *command], cwd=self.place, stdout=stdout or output, stderr=output
            )
        )
        self._stack.callback(process.kill)
        return process

    def log(self, name: str) -> str:
        return (self.place / f"{name}.log").read_text(encoding="utf-8")

    @property
    def folder(self) -> EventFolder:
        """The folder of the event."""
        return EventFolder(self.place / self.data / "events" / "friday")

    @property
    def results(self) -> int:
        """How many matches of the event have results."""
        if not self.folder.ledger.exists():
            return 0
        with Store.open(self.folder.store) as store:
            return len(store.state().results)

    def until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not reached():
            assert time.monotonic() < deadline, self.log("serve")
            time.sleep(0.05)


@pytest.fixture
def course(tmp_path: Path) -> Iterator[Course]:
    with ExitStack() as stack:
        private_folder(tmp_path / "data")
        yield Course(tmp_path, stack)


@pytest.mark.torture
def test_no_entry_that_was_answered_is_lost_when_the_server_is_killed(course: Course) -> None:
    """Neither before the event begins nor while it does: the killed server goes on with those who had entered."""
    server = course.serve()
    begins = datetime.now(UTC) + timedelta(seconds=25)
    entry = f"open_entry = true\nentrants_at_most = 4\nabsentees_forfeit = true\nbegins = {begins.isoformat()}"
    (course.place / "friday.toml").write_text(event_file("friday", remote=(), house=True, terms=entry))
    opened = course.event("open", course.place / "friday.toml", "--token-file", course.place / "ola.token")
    assert "3 places are left" in opened
    for account in ("ana", "ben"):
        course.event("enter", "friday", "--as", f"{account} the bot", "--token-file", course.place / f"{account}.token")
    server.send_signal(signal.SIGKILL)
    server.wait()
    server = course.serve()
    assert "entrants: ana the bot, ben the bot" in course.event("show", "friday")
    bots = [course.bot(account, "--event", "friday") for account in ("ana", "ben")]
    followed = course.event("show", "friday", "--follow").splitlines()
    assert "over, 6 of 6 matches" in followed
    assert {bot.wait(PATIENCE_SECONDS) for bot in bots} == {0}
    assert "begins at" in course.log("ana--eventfriday"), "it came early, and waited"
    assert "'ana the bot' has rank" in course.log("ana--eventfriday")
    receipts = course.place / "ana--eventfriday.receipts"
    verified = ordago("verify", course.folder.path, "--receipts", receipts)
    assert (verified.exit_code, "clean: 6 records replayed" in verified.output) == (0, True)


@pytest.mark.slow
def test_killed_in_the_middle_an_event_goes_on_beside_the_ladder_and_is_proved(course: Course) -> None:
    server = course.serve()
    opened = course.event("open", course.place / "friday.toml", "--token-file", course.place / "ola.token")
    assert "not here: ana, ben" in opened
    course.matches_of_each(5)
    bots = [course.bot(account, "--event", "friday") for account in ("ana", "ben")]
    course.until(lambda: course.results > 2)
    server.send_signal(signal.SIGKILL)
    server.wait()
    assert 2 < course.results < MATCHES, "it was in the middle"
    course.matches_of_each(3 * MATCHES)
    server = course.serve()
    rated = course.bot("ana")
    followed = course.event("show", "friday", "--follow").splitlines()
    assert followed[0] == "The friday (friday)"
    assert f"over, {MATCHES} of {MATCHES} matches" in followed
    assert {line.split()[1] for line in followed[-3:]} == {"ana", "ben", "house"}
    assert {bot.wait(PATIENCE_SECONDS) for bot in bots} == {0}
    assert "the event is over: 'ana' has rank" in course.log("ana--eventfriday")
    assert f"friday over {MATCHES} of {MATCHES} " in " ".join(course.event("list").split())
    assert followed[-3:] == course.event("results", "friday").splitlines()[-3:]
    course.until(lambda: "ended: placing" in course.log("ana"))
    assert rated.poll() is None, "who plays on the ladder plays on"
    course.event("download", "friday", "--out", course.place / "fetched")
    server.send_signal(signal.SIGTERM)
    assert server.wait(PATIENCE_SECONDS) == 0, course.log("serve")
    receipts = "".join((course.place / f"{name}--eventfriday.receipts").read_text() for name in ("ana", "ben"))
    (course.place / "receipts").write_text(receipts)
    for folder in (course.folder.path, course.place / "fetched"):
        verified = ordago("verify", folder, "--receipts", course.place / "receipts")
        assert verified.exit_code == 0, verified.output
        assert f"clean: {MATCHES} records replayed" in verified.output
    names = {path.relative_to(course.folder.path) for path in course.folder.path.rglob("*") if path.is_file()}
    own = {name for name in names if name.parts[0] != "private"}
    fetched = course.place / "fetched"
    assert {path.relative_to(fetched) for path in fetched.rglob("*") if path.is_file()} == own


@pytest.mark.torture
def test_a_restored_event_goes_on_with_deals_that_nobody_has_seen(course: Course) -> None:
    server = course.serve()
    course.event("open", course.place / "friday.toml", "--token-file", course.place / "ola.token")
    course.matches_of_each(5)
    bots = [course.bot(account, "--event", "friday") for account in ("ana", "ben")]
    course.until(lambda: course.results > 2)
    killed = course.started("backup", course.place / "killed.zip")
    killed.kill()
    killed.wait()
    assert course.started("backup", course.place / "whole.zip").wait(PATIENCE_SECONDS) == 0, course.log("backup")
    kept = course.results
    course.matches_of_each(15)
    course.until(lambda: course.results > kept + 4)
    server.send_signal(signal.SIGKILL)
    server.wait()
    lost = course.seeds
    for number in ("again", "restored"):
        course.data = number
        restored = ordago("restore", course.place / "whole.zip", "--data", course.place / number)
        assert restored.exit_code == 0, restored.output
        assert "events/friday/private/event.db: " in restored.output
        server = course.serve()
        if number == "again":
            course.matches_of_each(26)
            course.until(lambda: course.results > kept + 2)
            lost |= {f"again {match_id}": seed for match_id, seed in course.seeds.items()}
            server.send_signal(signal.SIGKILL)
            server.wait()
    course.matches_of_each(3 * MATCHES)
    assert f"over, {MATCHES} of {MATCHES} matches" in course.event("show", "friday", "--follow")
    assert {bot.wait(PATIENCE_SECONDS) for bot in bots} == {0}
    before, seeds = set(course.kept_at_restoration), course.seeds
    assert len(seeds) == MATCHES
    assert all(seeds[match_id] == lost[match_id] for match_id in before)
    assert len(lost.keys() - before) > 4
    assert not {seed for match_id, seed in seeds.items() if match_id not in before} & set(lost.values())
    verified = ordago("verify", course.folder.path)
    assert verified.exit_code == 0, verified.output
    assert "Why the event was restored from a backup" in verified.output
    contradicted = ordago("verify", course.folder.path, "--receipts", course.place / "ana--eventfriday.receipts")
    assert contradicted.exit_code == 1, contradicted.output
    assert "is not what it was by a receipt" in contradicted.output
