"""A day on a ladder: the server and its database, which are killed, and the bots, which come and go."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

from torture.day_bots import TAKER, Character
from torture.day_events import Beside, Organiser
from torture.hall import resident_bytes

from ordago.store.accounts.accounts import Accounts
from ordago.store.accounts.rows import Scope
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow

Seen = TypeVar("Seen")

NAME = "day"
LADDER = """
[ladder]
name = "day"
epoch_hours = {hours}
decision_ms = 5_000
disconnect_bank_ms = 2_000
forfeit_after = 3
lone_seconds = 1

[[game]]
name = "mittlere"
options = {{ deals = 3 }}

[[game]]
name = "mitigati"
options = {{ max_bid = 1 }}

[[house]]
name = "house-random"
house = "random"

[[house]]
name = "house-default"
house = "default"
"""
LONGEST_SECONDS = 150
"""Bots that do not come back are given up after a minute."""
_SECONDS_AN_HOUR = 3600
_LOOK_SECONDS = 0.25


class Plan(NamedTuple):
    """What happens in a day, at which of its seconds."""

    seconds: float
    epochs: int
    """So many end."""
    kills: Sequence[float]
    """When the server is killed."""
    cuts: Sequence[float]
    """When the database is killed, for some seconds."""
    replaced: Sequence[tuple[float, str]]
    """When a bot comes as another version."""
    lively: int
    """So many matches come to their end after each of these, before the day goes on."""
    processes: int
    """Of the bots."""
    pace_seconds: float
    """How long a bot thinks at least."""
    events: Sequence[Beside]
    """What is played beside the ladder."""
    matches: int
    """So many of the ladder's come to their end before the day is over: as many as it takes to tell who is better."""


def cast(*, levels: int, of_each: int, visiting: int, bad: Iterable[str]) -> list[Character]:
    """Return who comes: from the best to one that takes any legal action, as many of each kind, and the others."""
    noises = [100 * level // (levels - 1) for level in range(levels)]
    steady = [Character(f"steady-{noise}-{one}", "", noise) for noise in noises for one in range(of_each)]
    guests = [
        Character(f"visiting-{noise}-{one}", "", noise, "visiting")
        for one, noise in enumerate((noises * visiting)[:visiting])
    ]
    middle = noises[levels // 2]
    others = [Character(f"{manner}-{number}", "", middle, manner) for number, manner in enumerate(bad)]
    if any(one.manner == "giving" for one in others):
        # It has an account of its own, as the giver has: nobody knows that both have one author.
        others.append(Character(TAKER, "", middle, "taking"))
    return [*steady, *guests, *others]


def with_tokens(cast: Iterable[Character], data: Path) -> tuple[list[Character], str]:
    """Open an account for each, and give it its token; return the token of an organiser, too."""
    data.mkdir(mode=0o700)
    with Accounts.open(data / "accounts.sqlite", create=True) as accounts:
        known = [
            one._replace(
                token=accounts.create_token(account=one.account, scopes=[Scope.PLAY], now=time.time(), bot=one.name)[0]
            )
            for one in cast
        ]
        return known, accounts.create_token(account="organiser", scopes=[Scope.ORGANISE], now=time.time())[0]


class Server:
    """``ordago serve --ladder``, started again and again on one port."""

    def __init__(self, folder: Path, place: str | Path, *, hours: float) -> None:
        self.folder = folder
        self.data, self.place = folder / "data", place
        self.log = folder / "serve.log"
        self._file = folder / "day.toml"
        self._file.write_text(LADDER.format(hours=hours))
        self.address = "127.0.0.1:0"
        self.starts = 0
        self._process: subprocess.Popen[str] | None = None

    @property
    def kept(self) -> Path:
        """The folder of the ladder."""
        return self.data / "ladders" / NAME

    def records_of_epochs(self) -> list[Path]:
        """Return the folders of records that are published: of each epoch that is complete, in their order."""
        return sorted(self.kept.glob("archive/epochs/*/records"))

    @property
    def records(self) -> int:
        """How many records are published, those of an epoch that is not complete yet among them."""
        return sum(1 for _ in self.kept.glob("archive/epochs/*/records*/*"))

    def start(self) -> None:
        # What holds a password goes where no other user sees it.
        environment = os.environ | ({"ORDAGO_STORE": self.place} if isinstance(self.place, str) else {})
        command = [sys.executable, "-m", "ordago", "serve", "--ladder", str(self._file), "--data", str(self.data)]
        command += ["--tokens", "--address", self.address, "--pause", "1", "--log-format", "json"]
        with self.log.open("a") as log:
            self._process = subprocess.Popen(  # noqa: S603 - ours
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
            )
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().removeprefix("listening on ").partition(";")[0]
        assert self.address.startswith("127.0.0.1:"), self.log.read_text()
        self.starts += 1

    def end(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        with self._process as process:
            process.communicate(timeout=LONGEST_SECONDS)
        return process.returncode

    def close(self) -> None:
        """Let it not outlive the test."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.communicate()

    @property
    def resident_mib(self) -> float:
        assert self._process is not None
        return resident_bytes(self._process.pid) / 2**20


class Crowd:
    """The processes of the bots."""

    def __init__(self, cast: Sequence[Character], address: str, receipts: Path, plan: Plan) -> None:
        self._receipts = receipts
        receipts.mkdir()
        path = os.pathsep.join(path for path in sys.path if path)
        command = [sys.executable, "-m", "torture.day_bots", address, str(receipts), str(plan.pace_seconds)]
        self._cast = {one.name: one for one in cast}
        self._processes: list[subprocess.Popen[str]] = []
        self._process_of: dict[str, subprocess.Popen[str]] = {}
        for number in range(plan.processes):
            share = cast[number :: plan.processes]
            with (receipts.parent / f"bots-{number}.log").open("w") as log:
                process = subprocess.Popen(  # noqa: S603 - a program of the tests
                    command, stdin=subprocess.PIPE, stderr=log, text=True, env=os.environ | {"PYTHONPATH": path}
                )
            self._processes.append(process)
            self._process_of |= dict.fromkeys([one.name for one in share], process)
            self._say(process, share)

    def _say(self, process: "subprocess.Popen[str]", what: object) -> None:
        assert process.stdin is not None
        process.stdin.write(f"{json.dumps(what)}\n")
        process.stdin.flush()

    def replace(self, name: str) -> None:
        """Let a bot come as another version."""
        self._say(self._process_of[name], self._cast[name]._replace(version="2"))

    def enter(self, event: Beside) -> None:
        """Let the bots of an event come in for it, beside what they play on the ladder."""
        (self._receipts / event.name).mkdir()
        for one in event.entrants:
            self._say(self._process_of[one.name], self._cast[one.name]._replace(event=event.name))

    def let_go(self) -> None:
        """Let nobody come again who has left."""
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()

    def leave(self) -> list[int]:
        """Wait until all are gone, and return how their processes ended."""
        return [process.wait(LONGEST_SECONDS) for process in self._processes]

    def close(self) -> None:
        """Let none of them outlive the test."""
        for process in self._processes:
            process.kill()
            process.wait()


class Sample(NamedTuple):
    """How large a server was."""

    second: float
    mib: float


class Day:
    """A day as it goes by."""

    def __init__(self, plan: Plan, server: Server, crowd: Crowd, organiser: Organiser, cut: Callable[[], None]) -> None:
        self._plan, self._server, self._crowd, self._organiser, self._cut = plan, server, crowd, organiser, cut
        self.samples: list[Sample] = []

    def live(self) -> None:
        """Let all of it happen, and then wait for what takes its time: epochs, new versions, events, enough matches.

        After each happening the clock of the day stands still until matches come to their end again.
        """
        began, happenings = time.monotonic(), self._happenings()
        while happenings or time.monotonic() < began + self._plan.seconds:
            second = time.monotonic() - began
            self.samples.append(Sample(second, self._server.resident_mib))
            if happenings and happenings[0][0] <= second:
                results = self._results()
                happenings.pop(0)[1]()
                self._until(lambda results=results: self._results() >= results + self._plan.lively)
                began = time.monotonic() - second
            time.sleep(_LOOK_SECONDS)
        self._until_published()
        self._until(self._all_are_replaced)
        for event in self._plan.events:
            self._until_over(event.name)
        self._until_enough_is_played()

    def _until(self, reached: Callable[[], bool]) -> None:
        deadline = time.monotonic() + LONGEST_SECONDS
        while not reached():
            assert time.monotonic() < deadline, self._server.log.read_text()[-2000:]
            time.sleep(_LOOK_SECONDS)

    def _while_it_goes_on(self, look: Callable[[], Seen], enough: Callable[[Seen], bool]) -> None:
        """Wait until enough is seen, for as long as something else is seen each time: the machine says how fast."""
        while not enough(seen := look()):
            self._until(lambda seen=seen: look() != seen)

    def _until_published(self) -> None:
        """Wait until as many epochs are published as were to end."""
        epochs = self._plan.epochs
        self._while_it_goes_on(lambda: self._server.records, lambda _: len(self._server.records_of_epochs()) >= epochs)

    def _until_over(self, event: str) -> None:
        """Wait until an event is over."""
        self._while_it_goes_on(lambda: self._organiser.state(event, self._server.address), lambda state: state.is_over)

    def _until_enough_is_played(self) -> None:
        """Wait until so many matches have a result."""
        self._while_it_goes_on(self._results, lambda results: results >= self._plan.matches)

    def _epochs(self) -> Sequence[EpochRow]:
        with LadderQueries.open(self._server.place) as queries:
            return queries.epochs()

    def _all_are_replaced(self) -> bool:
        """Say whether all new versions have a seat. Who is to be replaced may wait a minute for a match to go on."""
        with LadderQueries.open(self._server.place) as queries:
            return all(len(queries.players(bot=name)) > 1 for _, name in self._plan.replaced)

    def _results(self) -> int:
        return sum(epoch.results for epoch in self._epochs())

    def _happenings(self) -> list[tuple[float, Callable[[], object]]]:
        kills = [(at, self._kill) for at in self._plan.kills]
        cuts = [(at, self._cut) for at in self._plan.cuts]
        replaced = [(at, lambda name=name: self._crowd.replace(name)) for at, name in self._plan.replaced]
        opened = [(event.at, lambda event=event: self._open(event)) for event in self._plan.events]
        return sorted([*kills, *cuts, *replaced, *opened], key=lambda one: one[0])

    def _open(self, event: Beside) -> None:
        self._organiser.open(event, self._server.address)
        self._crowd.enter(event)

    def fetched(self) -> dict[str, Path]:
        """Fetch what the events have published, and return the folders, by their names."""
        return {event.name: self._organiser.fetch(event.name, self._server.address) for event in self._plan.events}

    def _kill(self) -> None:
        assert self._server.end(signal.SIGKILL) == -signal.SIGKILL
        self._server.start()


def spread(times: int, *, since: float, until: float, chances: Random) -> list[float]:
    """Return so many points of time, about as far from each other."""
    step = (until - since) / times
    return [since + step * (number + chances.uniform(0.1, 0.9)) for number in range(times)]


@contextmanager
def day(
    plan: Plan, cast: Sequence[Character], folder: Path, place: str | Path, *, cut: Callable[[], None]
) -> Iterator[tuple[Day, Server, Crowd]]:
    """Open a server with a ladder, and let the bots come."""
    # The last epoch that is to end does so well before the day is over, and the one after it does not.
    server = Server(folder, place, hours=plan.seconds / (plan.epochs + 0.5) / _SECONDS_AN_HOUR)
    known, token = with_tokens(cast, server.data)
    server.start()
    try:
        crowd = Crowd(known, server.address, folder / "receipts", plan)
        try:
            yield Day(plan, server, crowd, Organiser(folder, token), cut), server, crowd
        finally:
            crowd.close()
    finally:
        server.close()
