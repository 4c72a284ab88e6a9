"""Bots that are started: real processes, most of which never connect. The tests let them in themselves."""

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from support.connections import FakeConnection
from support.frames import hello
from support.processes import PATIENCE_SECONDS, is_running, text_of, until
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.authenticator import LaunchTokens
from ordago.arena.connection import Status
from ordago.arena.processes import launcher, supervisor
from ordago.arena.processes.launcher import Launch, launched
from ordago.arena.processes.supervisor import FailedToStartError, Host, Supervisor, absent_bot
from ordago.arena.server import Server

WAITS_SCRIPT = """
import os, pathlib, sys
path = pathlib.Path(sys.argv[1])
token = open(os.environ["ORDAGO_TOKEN_FILE"]).read()
path.with_suffix(".new").write_text(f"{token} {os.getpid()}")
path.with_suffix(".new").rename(path)
sys.stdin.read()
"""
# A bot that writes its token to a file and then waits for the end of its standard input, as a bot does.
WAITS = (sys.executable, "-c", WAITS_SCRIPT)
IGNORES_EVERYTHING = (
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)",
)

FAR_TOO_MUCH = 1 << 43
"""The length of a file with a hole in it, which takes no room on the disk."""


class Stage:
    """A server for bots that are started, and the lives that are started for it."""

    def __init__(self, nursery: trio.Nursery, folder: Path) -> None:
        self.authenticator = LaunchTokens()
        self.server = Server(authenticator=self.authenticator, games=["mittlere"])
        self.folder = folder
        self.crashes: list[str] = []
        self._nursery = nursery

    def life(self, command: Sequence[str], *, start_seconds: float = PATIENCE_SECONDS) -> Supervisor:
        return Supervisor(
            name="ana",
            version="7",
            launch=Launch(tuple(command), {}, self.folder / "logs" / "ana.log"),
            host=Host(self.authenticator, "127.0.0.1:1", self._nursery),
            start_seconds=start_seconds,
            crashed=self.crashes.append,
        )

    async def let_in(self, told: Path) -> tuple[FakeConnection, int]:
        """Connect with the token that a process was given; return the connection and the id of the process."""
        token, process_id = (await text_of(told)).split()
        told.unlink()  # noqa: ASYNC240 - it is a small file
        connection = FakeConnection(self.server, token=token)
        connection.say(hello())
        return connection, int(process_id)


@asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    async with trio.open_nursery() as nursery:
        yield Stage(nursery, folder)
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_a_bot_is_started_and_comes_in_under_the_name_that_it_has_here(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((*WAITS, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        connection, process_id = await bots.let_in(tmp_path / "told")
        bot = await life.bot()
        assert bot.connected
        assert (bot.identity.name, bot.identity.version) == ("ana", "7")
        assert await life.bot() is bot, "it is not started again while it runs"
        life.retire()
        await until(lambda: connection.status is not None and not is_running(process_id))
        assert connection.status is Status.OK
        assert connection.heard[-1] == v1.Goodbye(sentence="the matches are over")


async def test_a_bot_that_exits_at_once_is_told_with_its_last_words(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots:
        life = bots.life((sys.executable, "-c", "print('no such model'); raise SystemExit(4)"))
        with pytest.raises(FailedToStartError, match="'ana' exited at once with code 4; its last line: no such model"):
            await life.bot()


async def test_a_python_without_the_sdk_is_noticed(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots:
        life = bots.life((sys.executable, "-c", "import no_such_module"))
        with pytest.raises(FailedToStartError, match="does the Python that its command starts have the package"):
            await life.bot()


async def test_of_all_that_a_bot_wrote_only_the_end_is_read_and_no_terminal_obeys_it(tmp_path: Path) -> None:
    """A log may hold anything, and more than there is memory for."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "ana.log").touch()
    os.truncate(tmp_path / "logs" / "ana.log", FAR_TOO_MUCH)
    script = "print('\\nsent \\x1b[2J\\u202eaway'); raise SystemExit(4)"
    async with stage(tmp_path) as bots:
        life = bots.life((sys.executable, "-X", "utf8", "-c", script))
        with pytest.raises(FailedToStartError, match=r"its last line: sent \\x1b\[2J\\u202eaway \(its output is in"):
            await life.bot()


async def test_a_command_that_does_not_exist_is_told(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots:
        with pytest.raises(FailedToStartError, match=r"cannot start '\./no-such-bot': No such file or directory"):
            await bots.life(("./no-such-bot",)).bot()


async def test_a_bot_that_never_comes_in_is_ended(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots:
        life = bots.life((*WAITS, str(tmp_path / "told")), start_seconds=0.5)
        with pytest.raises(FailedToStartError, match=r"did not connect within 0\.5 s"):
            await life.bot()
        token, process_id = (await text_of(tmp_path / "told")).split()
        await life._end_process()
        assert not is_running(int(process_id))
        late = FakeConnection(bots.server, token=token)
        late.say(hello())
        assert late.status is Status.UNAUTHENTICATED, "its token is worth nothing any more"


@pytest.mark.slow
async def test_a_life_that_fails_again_and_again_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with stage(tmp_path) as bots:
        life = bots.life((sys.executable, "-I", "-S", "-c", "open('starts', 'a').write('x')"))
        monkeypatch.chdir(tmp_path)
        for _ in range(7):
            with pytest.raises(FailedToStartError):
                await life.bot()
        assert (tmp_path / "starts").read_text() == "xxxxx"


async def test_a_bot_that_crashed_forfeits_what_it_plays_and_is_started_again(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((*WAITS, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        connection, process_id = await bots.let_in(tmp_path / "told")
        first = await life.bot()
        os.kill(process_id, signal.SIGKILL)
        connection.vanish()
        assert await life.bot() is first, "a bot that lost its connection may come back"
        assert await first.seat_when_free() is None
        assert first.loss == (v1.FAULT_CRASHED, "the process of the bot ended by signal 9 (SIGKILL)")
        [warning] = bots.crashes
        assert warning.startswith("bot 'ana' crashed: it ended by signal 9 (SIGKILL)")
        nursery.start_soon(life.bot)
        _, other_process_id = await bots.let_in(tmp_path / "told")
        assert other_process_id != process_id
        assert await life.bot() is not first
        life.retire()


async def test_a_crash_is_told_by_how_the_process_ended(tmp_path: Path) -> None:
    """The bot ends as soon as its file is gone, that is, when it was let in."""
    script = f"import time\n{WAITS_SCRIPT.replace('sys.stdin.read()', '')}"
    script += "while path.exists():\n    time.sleep(0.01)\nraise SystemExit(3)"
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((sys.executable, "-c", script, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        connection, _ = await bots.let_in(tmp_path / "told")
        bot = await life.bot()
        connection.vanish()
        assert await bot.seat_when_free() is None
        assert bot.loss == (v1.FAULT_CRASHED, "the process of the bot ended with code 3")
        life.retire()


async def test_who_passed_a_limit_forfeits_for_that(tmp_path: Path) -> None:
    """It prints without end as soon as its file is gone, that is, when it was let in."""
    script = f"import time\n{WAITS_SCRIPT.replace('sys.stdin.read()', '')}"
    script += "while path.exists():\n    time.sleep(0.01)\nwhile True:\n    print('x' * 10_000)"
    passed = "printed more than 16 MiB, and 256 KiB more each second"
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((sys.executable, "-c", script, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        await bots.let_in(tmp_path / "told")
        bot = await life.bot()
        await until(lambda: bot.loss is not None)
        assert bot.loss == (v1.FAULT_OVER_LIMIT, f"the process of the bot {passed}")
        [warning] = bots.crashes
        assert warning.startswith(f"bot 'ana' was killed: it {passed}; its last line: xxx")
        life.retire()


async def test_who_passed_a_limit_before_it_came_in_is_told_so(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots:
        life = bots.life((sys.executable, "-c", "while True: print('x' * 10_000)"))
        with pytest.raises(FailedToStartError, match="'ana' was killed: it printed more than 16 MiB"):
            await life.bot()


@pytest.mark.slow
async def test_a_bot_that_is_retired_has_not_crashed(tmp_path: Path) -> None:
    """It plays its matches to their end, is told so, and ends by itself."""
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((*WAITS, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        connection, process_id = await bots.let_in(tmp_path / "told")
        bot = await life.bot()
        seat = bot.take_seat()
        life.retire()
        await wait_all_tasks_blocked()
        assert connection.status is None
        assert is_running(process_id)
        seat.abandon("enough")
        await until(lambda: not is_running(process_id))
        assert connection.status is Status.OK
    assert bots.crashes == []


async def test_the_end_of_the_runner_is_no_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes of a service are ended together; the bots are a little faster."""
    monkeypatch.setattr(supervisor, "_PAUSE_SECONDS", PATIENCE_SECONDS)
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((*WAITS, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        connection, process_id = await bots.let_in(tmp_path / "told")
        bot = await life.bot()
        os.kill(process_id, signal.SIGTERM)
        connection.vanish()
        await until(lambda: not is_running(process_id))
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert bot.loss is None
    assert bots.crashes == []


async def test_a_process_that_lost_its_connection_is_ended_before_the_next_is_started(tmp_path: Path) -> None:
    async with stage(tmp_path) as bots, trio.open_nursery() as nursery:
        life = bots.life((*WAITS, str(tmp_path / "told")))
        nursery.start_soon(life.bot)
        _, process_id = await bots.let_in(tmp_path / "told")
        bot = await life.bot()
        bots.server.sessions.forget(bot, "it did not come back")
        assert is_running(process_id)
        nursery.start_soon(life.bot)
        await text_of(tmp_path / "told")
        assert not is_running(process_id)
        await bots.let_in(tmp_path / "told")
        life.retire()


async def test_a_bot_ends_with_its_standard_input(tmp_path: Path) -> None:
    launch = Launch((*WAITS, str(tmp_path / "told")), {}, tmp_path / "log", token="any")  # noqa: S106 - no secret
    async with launched(launch) as process:
        await text_of(tmp_path / "told")
        await process.stop()
        assert await process.wait() == 0


async def test_a_bot_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launcher, "_GRACE_SECONDS", 0.05)
    async with launched(Launch(IGNORES_EVERYTHING, {}, tmp_path / "log")) as process:
        await text_of(tmp_path / "log")
        await process.stop()
        assert await process.wait() == -signal.SIGKILL


PARENT = """
import sys, trio
from pathlib import Path
from ordago.arena.processes.launcher import Launch, launched

async def main():
    async with launched(Launch(tuple(sys.argv[2:]), {}, Path(sys.argv[1]))):
        await trio.sleep_forever()

trio.run(main)
"""
TELLS_ITS_ID = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"


@pytest.mark.skipif(sys.platform != "linux", reason="other kernels have no parent-death signal")
async def test_bots_die_with_the_one_who_started_them_however_it_dies(tmp_path: Path) -> None:
    """The child does not read its standard input, so that nothing but the kernel can end it."""
    log = tmp_path / "log"
    command = [sys.executable, "-c", PARENT, str(log), sys.executable, "-c", TELLS_ITS_ID]
    parent = subprocess.Popen(command)  # noqa: ASYNC220, S603 - it returns at once; the command is our own
    child = int(await text_of(log))
    assert is_running(child)
    parent.kill()
    parent.wait()
    await until(lambda: not is_running(child))


def test_a_bot_that_cannot_be_started_has_a_stand_in() -> None:
    async def main() -> None:
        await trio.lowlevel.checkpoint()
        bot = absent_bot("ana", v1.FAULT_FAILED_TO_START, "it never came")
        assert not bot.connected
        assert bot.identity.name == "ana"
        assert bot.loss == (v1.FAULT_FAILED_TO_START, "it never came")

    trio.run(main)
