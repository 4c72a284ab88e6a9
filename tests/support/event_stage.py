"""Whole events in memory and in virtual time, whose bots do whatever bots do: come late, twice or never, go, come back.

Started bots have no processes and remote ones no network; everything else is a run as ``ordago run`` makes it, with its
store, its journal and what it publishes.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from support.connections import FakeConnection
from support.frames import hello

from ordago import v1
from ordago.arena.admission.authenticator import LaunchTokens, Refusal
from ordago.arena.connection import Status
from ordago.arena.processes import supervisor
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import Host
from ordago.arena.server import Server
from ordago.edge import Guests
from ordago.fingerprint import fingerprint
from ordago.record.ledgers.receipts import Receipt, parse_receipts
from ordago.store.accounts.rows import Scope, Token
from ordago_bot.receipts import Receipts, ReceiptsFile
from ordago_ladder.entrants import remote
from ordago_ladder.entrants.entrance import Entrance
from ordago_ladder.publication.archive import publish_event
from ordago_ladder.publication.ladder_process import LadderProcess
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.run import runner
from ordago_ladder.run.kept_event import KeptEvent

BEGAN = datetime(2027, 1, 1, 12, tzinfo=UTC)
"""What time it is when the clock of a test begins."""

_THINKS_SECONDS = 0.05


class Calendar(datetime):
    """The time of day, which goes by with the clock of the test."""

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # all of ours name a zone
        assert tz is UTC
        return BEGAN + timedelta(seconds=trio.current_time())


class Holders:
    """Tokens that are called as the accounts to which they are good, as ``AccountTokens`` gives them."""

    def recognise(self, token: str | None) -> str:
        return token or ""

    def holder(self, token: str | None) -> Token | Refusal:
        if not token:
            return Refusal(Status.UNAUTHENTICATED, "no token")
        return Token(token, fingerprint(token), token, frozenset({Scope.PLAY}), "", created_at=0)

    def holder_by(self, wanted: bytes) -> Token:
        return Token("", wanted, "", frozenset({Scope.PLAY}), "", created_at=0)


class Wire(FakeConnection):
    """A connection that is told when it is over, and keeps receipts if it is to."""

    def __init__(self, server: Server, bot: "StageBot", *, token: str) -> None:
        self._bot = bot
        self.over = trio.Event()
        super().__init__(server, token=token)

    def close(self, status: Status, sentence: str, *, retry_after_ms: int = 0) -> None:
        super().close(status, sentence, retry_after_ms=retry_after_ms)
        self.over.set()

    def vanish(self) -> None:
        if not self.over.is_set():
            self.over.set()
            self.status = Status.UNAVAILABLE
            super().vanish()

    def send(self, frame: bytes, departure: Any = None) -> None:
        known = len(self.heard)
        super().send(frame, departure)
        for body in self.heard[known:]:
            self._bot.hears(body)

    def _answer(self, decision: v1.Decision) -> None:
        if not self.over.is_set():
            self._bot.is_asked(self, decision)


class StageBot:
    """A process of a bot, with a mind of its own."""

    def __init__(self, stage: "Stage", name: str, *, kept: Path | None = None) -> None:
        stage.processes += 1
        self.name = name
        self._stage = stage
        self._rng = Random(f"{stage.seed}|{name}|{stage.processes}")
        self._nonce = self._rng.randbytes(16)
        self._version = self._rng.choice(["", "1.0", "2 ß"])
        self._receipts = Receipts(ReceiptsFile(kept).keep) if kept else None
        self._starts: dict[int, v1.MatchStart] = {}
        self._wire: Wire | None = None

    @property
    def trouble(self) -> float:
        """How likely it is that something goes wrong at any one occasion."""
        return self._stage.trouble

    async def takes_its_time(self, *, most: float, unlucky: float) -> None:
        """Wait before it comes in."""
        delays = self._stage.delays.get(self.name)
        await trio.sleep(delays.pop(0) if delays else self.seconds(unlucky if self.is_unlucky() else most))

    def is_unlucky(self) -> bool:
        return self._rng.random() < self.trouble

    def seconds(self, most: float) -> float:
        return self._rng.random() ** 2 * most

    def come(self, server: Server, token: str, *, again: bool = False) -> Wire:
        """Come in, to the session that it had if it wants to."""
        before, self._wire = self._wire, Wire(server, self, token=token)
        if self._receipts and self._stage.described:
            self._receipts.describe(self._stage.described, nonce=self._nonce)
        resume = {"resume": before.resume} if again and before and before.of(v1.Welcome) else {}
        most = self._rng.choice([0, 0, 1, 3]) if self.trouble else 0
        software = v1.Software(name="whoever", version=self._version, build="b")
        if self._wire.status is None:
            self._wire.say(hello(bot=software, nonce=self._nonce, max_matches=most, **resume))
        return self._wire

    def leave(self, wire: Wire) -> None:
        """Say goodbye."""
        if not wire.over.is_set():
            wire.say(v1.Goodbye())

    def hears(self, body: Any) -> None:
        """Keep receipts of the beginning and the end of matches."""
        if self._receipts is None:
            return
        if isinstance(body, v1.MatchStart):
            if body.match_handle not in self._starts:
                self._receipts.begin(body)
            self._starts[body.match_handle] = body
        if isinstance(body, v1.MatchEnd) and body.match_handle in self._starts:
            self._receipts.end(self._starts.pop(body.match_handle), body)

    def is_asked(self, wire: Wire, decision: v1.Decision) -> None:
        if not self.is_unlucky():
            self._stage.nursery.start_soon(self._say_later, wire, decision, _THINKS_SECONDS)
            return
        act = self._rng.choice([self._be_slow, self._be_wrong, self._be_silent, self._go])
        act(wire, decision)

    def _be_slow(self, wire: Wire, decision: v1.Decision) -> None:
        self._stage.nursery.start_soon(self._say_later, wire, decision, self.seconds(2.0))

    def _be_wrong(self, wire: Wire, decision: v1.Decision) -> None:
        self._say(wire, decision, v1.Answer())

    def _be_silent(self, wire: Wire, decision: v1.Decision) -> None:
        pass

    def _go(self, wire: Wire, _decision: v1.Decision) -> None:
        wire.vanish()

    async def _say_later(self, wire: Wire, decision: v1.Decision, seconds: float) -> None:
        await trio.sleep(seconds)
        self._say(wire, decision, decision.default_answer)

    def _say(self, wire: Wire, decision: v1.Decision, answer: v1.Answer) -> None:
        if not wire.over.is_set():
            wire.say(v1.Choice(match_handle=decision.match_handle, number=decision.number, answer=answer))


class StageProcess:
    """What ``launched`` gives: a bot that was started here."""

    number = 0
    ended_because = ""
    never_ran = False

    def __init__(self, stage: "Stage", launch: Launch) -> None:
        self._stage = stage
        self._token = launch.token
        self._bot = StageBot(stage, launch.log.stem.rpartition(".")[0])
        self._ended = trio.Event()

    async def wait(self) -> int:
        await self._ended.wait()
        return 3

    async def run(self) -> None:
        """Come in soon, late or never, and stay for a while, or to the end."""
        bot, wire = self._bot, None
        try:
            await bot.takes_its_time(most=1, unlucky=60)
            if not bot.is_unlucky():
                wire = bot.come(self._stage.own_server, self._token)
                with trio.move_on_after(bot.seconds(30) if bot.is_unlucky() else 1e9):
                    await wire.over.wait()
        finally:
            if wire is not None:
                wire.vanish()
            self._ended.set()


async def _publish_at_the_end(event: KeptEvent) -> Ladder | None:
    """Publish an event once: it takes longer than to play one."""
    if not event.store.event().finished:
        return None
    return publish_event(event.settings, event.text, event.store, event.folder).ladder


async def _rest(_ladder: LadderProcess) -> None:
    await trio.sleep_forever()


class Stage:
    """Where bots come in, and what drives them."""

    own_server: Server
    nursery: trio.Nursery

    def __init__(self, folder: Path, *, seed: str) -> None:
        self.seed = seed
        self.folder = folder
        self.trouble = 0.0
        self.delays: dict[str, list[float]] = {}
        """After how many seconds the next processes of an entrant come in, where that is not left to chance."""
        self.processes = 0
        self.described: v1.DescribeEventResponse | None = None
        self.notices: list[v1.EventNotice] = []
        self._guests: Server | None = None
        self._opened = trio.Event()

    @property
    def entrance(self) -> Entrance:
        """The way in for remote bots."""
        entrance: Any = Entrance(Holders(), None)  # type: ignore[arg-type]  # as much of both as is asked for
        return entrance  # type: ignore[no-any-return]

    @contextmanager
    def stands_in(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        """Let runs take place here."""
        with monkeypatch.context() as patched:
            patched.setattr(runner, "open_host", self._open_host)
            patched.setattr(supervisor, "launched", self._launched)
            patched.setattr(KeptEvent, "publish", _publish_at_the_end)
            patched.setattr(LadderProcess, "run", _rest)
            patched.setattr(remote, "datetime", Calendar)
            patched.setattr(runner, "datetime", Calendar)
            yield

    @asynccontextmanager
    async def _open_host(
        self, games: Any, *, guests: Guests | None, event: Any, **_options: Any
    ) -> AsyncIterator[Host]:
        tokens = LaunchTokens()
        self.own_server, self.described = Server(tokens, games=games), event
        try:
            async with trio.open_nursery() as nursery:
                if guests is not None:
                    self._guests = Server(guests.authenticator, games=games)
                    self._opened.set()
                yield Host(tokens, "unix:memory", nursery, guests_at="memory" if guests else "")
        finally:
            self._guests, self._opened = None, trio.Event()
            for wire in self._wires:
                wire.vanish()

    _wires: list[Wire]

    @asynccontextmanager
    async def _launched(self, launch: Launch) -> AsyncIterator[StageProcess]:
        process = StageProcess(self, launch)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(process.run)
            try:
                yield process
            finally:
                nursery.cancel_scope.cancel()

    def receipts(self, account: str) -> list[Receipt]:
        """Return what the bots of an account kept."""
        kept = self._kept(account)
        return parse_receipts(kept.read_text(encoding="utf-8")) if kept.exists() else []

    def _kept(self, account: str) -> Path:
        return self.folder / f"{account}.receipts"

    @asynccontextmanager
    async def with_remote(self, processes: dict[str, int]) -> AsyncIterator[None]:
        """Let so many processes of each account come and go while the context is open."""
        self._wires = []
        async with trio.open_nursery() as nursery:
            self.nursery = nursery
            for account, number in processes.items():
                for _ in range(number):
                    nursery.start_soon(self._live_far_away, account)
            yield
            nursery.cancel_scope.cancel()

    async def _live_far_away(self, account: str) -> None:
        bot, again = StageBot(self, account, kept=self._kept(account)), False
        await bot.takes_its_time(most=2, unlucky=100)
        while True:
            await self._opened.wait()
            assert self._guests is not None
            wire = bot.come(self._guests, account, again=again)
            self._wires.append(wire)
            with trio.move_on_after(bot.seconds(60) if bot.is_unlucky() else 1e9):
                await wire.over.wait()
            if bot.is_unlucky():
                bot.leave(wire)
            wire.vanish()
            self.notices += wire.of(v1.EventNotice)
            again = not bot.is_unlucky()
            if bot.is_unlucky():
                bot = StageBot(self, account, kept=self._kept(account))
            await trio.sleep(wire.retry_after_ms / 1000 + 1 + bot.seconds(100 if bot.is_unlucky() else 1))
