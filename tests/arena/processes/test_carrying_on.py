"""Processes of a bot of the server's own: what one of them plays goes on at the next."""

import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from support.connections import FakeConnection, Lobby, default
from support.frames import hello
from support.matches import match_terms
from support.processes import PATIENCE_SECONDS, is_running, text_of, until

from ordago import v1
from ordago.arena.admission.authenticator import LaunchTokens
from ordago.arena.bot import Bot
from ordago.arena.play import MatchFailedError, play
from ordago.arena.processes import supervisor
from ordago.arena.processes.launcher import Launch
from ordago.arena.processes.supervisor import FailedToStartError, Host, Supervisor
from ordago.arena.server import Server
from ordago.match import PlayerFailedError

STARTS = "open(sys.argv[1] + '.starts', 'a').write('x')"
WAITS = f"""
import os, pathlib, sys
{STARTS}
path = pathlib.Path(sys.argv[1])
path.with_suffix(".new").write_text(open(os.environ["ORDAGO_TOKEN_FILE"]).read() + f" {{os.getpid()}}")
path.with_suffix(".new").rename(path)
sys.stdin.read()
"""
# Comes in, by the hand of the test, the first time. All later processes end at once.
WAITS_ONCE = WAITS.replace(
    STARTS, f"if pathlib.Path(sys.argv[1] + '.starts').exists(): {STARTS}; sys.exit(3)\n{STARTS}"
)


class Stage:
    """A match of a bot of the server's own, which never answers, against two who do."""

    def __init__(self, nursery: trio.Nursery, folder: Path, script: str) -> None:
        tokens = LaunchTokens()
        self.server = Server(authenticator=tokens, games=["mittlere"])
        self.told = folder / "told"
        self.crashes: list[str] = []
        self.life = Supervisor(
            name="random",
            version="",
            launch=Launch((sys.executable, "-I", "-S", "-c", script, str(self.told)), {}, folder / "random.log"),
            host=Host(tokens, "127.0.0.1:1", nursery),
            start_seconds=PATIENCE_SECONDS,
            crashed=self.crashes.append,
            carries_on=True,
        )
        self.connection: FakeConnection
        self.process_id = 0
        self.failures: list[BaseException | None] = []
        self.records: list[v1.MatchRecord] = []
        self.others: list[FakeConnection] = []
        self._nursery = nursery
        self._lobby = Lobby()

    async def let_in(self) -> None:
        """Connect with the token that the newest process was given."""
        token, process_id = (await text_of(self.told)).split()
        self.told.unlink()
        self.connection, self.process_id = FakeConnection(self.server, token=token, answering=default), int(process_id)
        self.connection.say(hello())

    async def begin(self, *, matches: int = 1) -> Bot:
        self._nursery.start_soon(self.life.bot)
        await self.let_in()
        self.connection._answering = lambda _decision: None
        bot = await self.life.bot()
        for _ in range(matches):
            self._nursery.start_soon(self._play, bot)
        await until(lambda: len(self.connection.of(v1.Decision)) == matches)
        return bot

    async def _play(self, bot: Bot) -> None:
        guests = [self._lobby.enter(answering=default) for _ in range(2)]
        self.others += [connection for connection, _ in guests]
        seats = [bot.take_seat(), *(guest.take_seat() for _, guest in guests)]
        try:
            self.records.append((await play(match_terms(decision_ms=1_000_000), seats)).message)
        except MatchFailedError as error:
            self.failures.append(error.__cause__)

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        os.kill(self.process_id, number)
        if number is signal.SIGKILL:
            self.connection.vanish()

    @property
    def starts(self) -> int:
        return len(Path(f"{self.told}.starts").read_text())

    def assert_nobody_forfeits(self) -> None:
        assert not [entry for record in self.records for entry in record.entries if entry.HasField("forfeit")]
        assert not [connection for connection in self.others if connection.of(v1.Forfeited)]


@asynccontextmanager
async def stage(folder: Path, script: str = WAITS) -> AsyncIterator[Stage]:
    async with trio.open_nursery() as nursery:
        yield Stage(nursery, folder, script)
        nursery.cancel_scope.cancel()


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_PAUSE_SECONDS", "_RETRY_SECONDS"):
        monkeypatch.setattr(supervisor, name, 0.01)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
async def test_whatever_kills_a_process_its_matches_go_on_at_the_next(tmp_path: Path, number: signal.Signals) -> None:
    async with stage(tmp_path) as table:
        bot = await table.begin(matches=3)
        killed = table.process_id
        table.kill(number)
        await table.let_in()
        assert table.process_id != killed
        assert await table.life.bot() is bot
        await until(lambda: len(table.records) == 3)
        table.assert_nobody_forfeits()
        assert "random' crashed: it ended by signal" in table.crashes[0]
        assert len(table.crashes) == 1


@pytest.mark.slow
async def test_a_process_that_is_frozen_and_lost_its_connection_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_BACK_SECONDS", 0.01)
    async with stage(tmp_path) as table:
        await table.begin()
        frozen = table.process_id
        table.kill(signal.SIGSTOP)
        table.connection.vanish()
        await table.let_in()
        await until(lambda: len(table.records) == 1)
        assert not is_running(frozen)
        table.assert_nobody_forfeits()


@pytest.mark.slow
async def test_a_process_that_is_frozen_and_stays_connected_is_replaced_where_its_time_is_up(tmp_path: Path) -> None:
    async with stage(tmp_path) as table:
        bot = await table.begin(matches=2)
        frozen = table.process_id
        table.kill(signal.SIGSTOP)
        assert bot.channel.keeper is table.life
        for _ in range(3):
            bot.channel.keeper.replace()
        await table.let_in()
        await until(lambda: len(table.records) == 2)
        assert not is_running(frozen)
        assert (table.starts, len(table.crashes)) == (2, 1), "it is replaced once, however many matches ask for it"
        table.assert_nobody_forfeits()


@pytest.mark.slow
async def test_where_no_other_process_comes_in_the_matches_are_void_and_another_life_is_not_tried_without_end(
    tmp_path: Path,
) -> None:
    async with stage(tmp_path, WAITS_ONCE) as table:
        bot = await table.begin(matches=2)
        table.kill()
        await until(lambda: len(table.failures) == 2)
        assert all(isinstance(failure, PlayerFailedError) for failure in table.failures)
        assert "could not go on: the process of the bot ended by signal 9 (SIGKILL)" in str(table.failures[0])
        assert table.starts == 5
        assert not bot.plays
        table.assert_nobody_forfeits()
        with pytest.raises(FailedToStartError):
            await table.life.bot()


@pytest.mark.slow
async def test_one_that_is_killed_again_and_again_is_given_up_in_the_end(tmp_path: Path) -> None:
    async with stage(tmp_path) as table:
        await table.begin()
        for _ in range(4):
            table.kill()
            await table.let_in()
            table.connection._answering = lambda _decision: None
        table.kill()
        await until(lambda: len(table.failures) == 1)
        table.assert_nobody_forfeits()


async def test_one_that_plays_nothing_is_started_again_when_it_is_needed_and_not_before(tmp_path: Path) -> None:
    async with stage(tmp_path) as table, trio.open_nursery() as nursery:
        bot = await table.begin(matches=0)
        table.kill()
        await until(lambda: bot.loss is not None)
        assert table.starts == 1
        nursery.start_soon(table.life.bot)
        await table.let_in()


async def test_a_server_that_stops_starts_no_other_process_and_gives_nothing_up(tmp_path: Path) -> None:
    """What is stopped goes on at the next server."""
    async with stage(tmp_path) as table:
        bot = await table.begin()
        table.kill()
        await text_of(table.told)
        table.life.stop()
        await trio.sleep(0.2)
        assert table.starts == 2
        assert bot.loss is None
        assert not table.failures
