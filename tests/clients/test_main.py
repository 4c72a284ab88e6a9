"""The command line of a bot, and its process."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.connections import Lobby
from support.processes import PATIENCE_SECONDS, until

from ordago.edge import Edge
from ordago.protocol import RemoteProtocolError
from ordago_bot import main, run
from ordago_bot.house.baselines import DefaultBot
from ordago_bot.log import Event
from ordago_bot.player import Player
from ordago_bot.transport import SessionEndedError, Stop


class Played:
    """Stands for ``play``: remembers how it was called, and returns or raises what it is told to."""

    def __init__(self) -> None:
        self.result: str | Exception | None = "that is all"
        self.player: Player | None = None
        self.options: dict[str, Any] = {}

    def __call__(self, player: Player, **options: Any) -> str | None:
        self.player, self.options = player, options
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    @property
    def hello(self) -> Any:
        assert self.player is not None
        return self.player._hello


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    played = Played()
    monkeypatch.setattr(main, "play", played)
    monkeypatch.setattr(main, "_stop_on_signals", lambda **_: Stop(threading.Event(), threading.Event()))
    monkeypatch.setattr(main.logging, "basicConfig", lambda **_: None)
    for name in ("ADDRESS", "TOKEN", "TOKEN_FILE", "NONCE", "LAUNCHED", "TLS"):
        monkeypatch.delenv(f"ORDAGO_{name}", raising=False)
    return played


def run_with(*arguments: str, **settings: Any) -> object:
    with pytest.raises(SystemExit) as ended:
        run(DefaultBot, arguments=arguments, **settings)
    return ended.value.code


def test_without_arguments_a_bot_plays_everything_at_a_server_on_the_same_machine(played: Played) -> None:
    assert run_with() == 0
    assert (played.options["address"], played.options["token"]) == ("127.0.0.1:7447", "")
    assert (played.hello.bot.name, list(played.hello.games)) == ("DefaultBot", [])
    assert (played.hello.max_matches, played.hello.max_open_decisions, played.hello.matches_in_all) == (0, 0, 0)


def test_arguments_say_otherwise(played: Played) -> None:
    limits = ("--matches", "4", "--decisions", "2", "--matches-in-all", "9")
    arguments = (
        "--address",
        "there:1",
        "--token",
        "abc",
        "--game",
        "mittlere",
        "--game",
        "mus",
        "--name",
        "ana",
        *limits,
    )
    assert run_with(*arguments, "--nonce", "ab" * 16, version="7") == 0
    assert (played.options["address"], played.options["token"]) == ("there:1", "abc")
    assert (played.hello.bot.name, played.hello.bot.version) == ("ana", "7")
    assert list(played.hello.games) == ["mittlere", "mus"]
    assert (played.hello.max_matches, played.hello.max_open_decisions, played.hello.matches_in_all) == (4, 2, 9)
    assert played.hello.nonce == b"\xab" * 16


def test_the_name_is_the_one_of_the_arguments_then_of_the_author_then_of_the_class(played: Played) -> None:
    run_with(name="deep bot")
    assert played.hello.bot.name == "deep bot"
    run_with("--name", "ana", name="deep bot")
    assert played.hello.bot.name == "ana"


def test_a_name_is_taken_from_a_locale_that_has_no_letters_for_it(played: Played) -> None:
    assert run_with("--name", "東京".encode().decode("ascii", "surrogateescape")) == 0
    assert played.hello.bot.name == "東京"
    assert run_with("--name", "\udcff") == 2


def test_the_environment_stands_in_for_arguments(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDAGO_ADDRESS", "there:1")
    monkeypatch.setenv("ORDAGO_TOKEN", "abc")
    monkeypatch.setenv("ORDAGO_NONCE", "cd" * 16)
    run_with()
    assert (played.options["address"], played.options["token"]) == ("there:1", "abc")
    assert played.hello.nonce == b"\xcd" * 16
    run_with("--address", "elsewhere:2")
    assert played.options["address"] == "elsewhere:2"


def test_the_event_is_named_by_an_option_or_by_the_environment(
    played: Played, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    run_with()
    assert not played.options["event"]
    monkeypatch.setenv("ORDAGO_EVENT", "friday")
    run_with()
    assert played.options["event"] == "friday"
    run_with("--event", "cup-2026")
    assert played.options["event"] == "cup-2026"
    assert run_with("--event", "the cup\r\nauthorization: x") == 2
    assert "is no event: its name has small letters" in capsys.readouterr().err


def test_a_token_is_read_from_a_file(played: Played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("abc", "def"):
        (tmp_path / name).write_text(f"{name}\n")
    monkeypatch.setenv("ORDAGO_TOKEN", "ghi")
    monkeypatch.setenv("ORDAGO_TOKEN_FILE", str(tmp_path / "abc"))
    came_in = []
    for arguments in ((), ("--token-file", str(tmp_path / "def")), ("--token", "jkl")):
        run_with(*arguments)
        came_in.append(played.options["token"])
    assert came_in == ["abc", "def", "jkl"], "a file counts for more than the other variable, and options for most"


@pytest.mark.parametrize(
    ("contents", "sentence"),
    [
        (None, "cannot read token: No such file"),
        ("\n", "token cannot be used: it has no token"),
        ("s\necret", "token cannot be used: it has more than one line"),
    ],
)
def test_a_file_without_a_token_is_told(
    played: Played, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any, contents: str | None, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if contents is not None:
        (tmp_path / "token").write_text(contents)
    monkeypatch.setenv("ORDAGO_TOKEN_FILE", "token")
    assert run_with() == 2
    told = capsys.readouterr().err
    assert f": error: ORDAGO_TOKEN_FILE: {sentence}" in told
    assert "ecret" not in told
    assert played.player is None


def test_an_empty_variable_counts_for_nothing(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ADDRESS", "TOKEN", "TOKEN_FILE", "NONCE", "TLS", "TLS_CA"):
        monkeypatch.setenv(f"ORDAGO_{name}", "")
    run_with()
    assert (played.options["address"], played.options["token"]) == ("127.0.0.1:7447", "")
    assert played.options["tls"] is None
    assert len(played.hello.nonce) == 16


@pytest.mark.parametrize(
    "arguments",
    [("--nonce", "xyz"), ("--matches", "many"), ("--matches", "-1"), ("--decisions", "4294967296"), ("--speed", "9")],
)
def test_arguments_that_cannot_be_are_told(played: Played, capsys: Any, arguments: tuple[str, str]) -> None:
    assert run_with(*arguments) == 2
    assert arguments[0] in capsys.readouterr().err
    assert played.player is None


@pytest.mark.parametrize("count", ["many", "-1", "1_0", "4294967296", "9" * 5000])
def test_a_count_that_is_none_is_told_with_what_would_be_one(played: Played, capsys: Any, count: str) -> None:
    assert run_with(f"--matches-in-all={count}") == 2
    assert capsys.readouterr().err.endswith("is no whole number from 0 to 4294967295\n")
    assert played.player is None


@pytest.mark.parametrize("token", ["ordago_abc\r", "ordago_abc\nd", "ordago_\N{LATIN SMALL LETTER E WITH ACUTE}"])
def test_a_token_that_cannot_be_sent_is_refused_and_not_repeated(
    played: Played, monkeypatch: pytest.MonkeyPatch, capsys: Any, token: str
) -> None:
    monkeypatch.setenv("ORDAGO_TOKEN", token)
    assert run_with() == 2
    told = capsys.readouterr().err
    assert "error: ORDAGO_TOKEN: " in told
    assert "ordago_" not in told.replace("ordago_bot", "")
    assert played.player is None


@pytest.mark.parametrize(
    ("result", "exit_code"),
    [("", 0), (SessionEndedError(Event("session_ended", "no")), 3), (RemoteProtocolError("no"), 3), (None, 130)],
)
def test_the_exit_code_says_how_it_ended(played: Played, result: str | Exception | None, exit_code: int) -> None:
    played.result = result
    assert run_with() == exit_code


def test_help_names_the_environment(played: Played, capsys: Any) -> None:
    assert run_with("--help") == 0
    assert played.player is None
    printed = capsys.readouterr().out
    assert all(name in printed for name in ("--address", "ORDAGO_ADDRESS", "ORDAGO_TOKEN", "ORDAGO_NONCE"))


MY_BOT = """
import ordago_bot


class MyBot(ordago_bot.Bot):
    def choose(self, decision):
        action = self.random.choice(decision.actions)
        return ordago_bot.complete(action, self.random)


if __name__ == "__main__":
    ordago_bot.run(MyBot)
"""


class Process:
    """A bot of twelve lines as a process."""

    def __init__(self, folder: Path, port: int, **environment: str) -> None:
        path, self._log = folder / "my_bot.py", folder / "log"
        path.write_text(MY_BOT)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - it is our own
                [sys.executable, str(path), "--address", f"127.0.0.1:{port}"],
                stdin=subprocess.PIPE,
                stderr=log,
                env={**os.environ, **environment},
            )

    @property
    def printed(self) -> str:
        return self._log.read_text()

    def tell(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def close_standard_input(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def exit_code(self) -> int:
        try:
            await until(lambda: self._process.poll() is not None)
        finally:
            self._process.kill()
            self.close_standard_input()
        return self._process.wait()


@asynccontextmanager
async def connected(folder: Path, **environment: str) -> AsyncIterator[tuple[Process, Lobby]]:
    """Let the bot connect to a server and wait until it knows that it is welcome."""
    lobby = Lobby()
    async with Edge.open("127.0.0.1:0", lobby.server) as edge:
        process = Process(folder, edge.port, **environment)
        await until(lambda: "connected" in process.printed)
        yield process, lobby
        await until(lambda: not lobby.server.sessions.connected)


@pytest.mark.slow
async def test_the_process_of_a_bot_ends_when_the_server_says_goodbye(tmp_path: Path) -> None:
    async with connected(tmp_path) as (process, lobby):
        assert lobby.bots[0].identity.name == "MyBot"
        lobby.server.sessions.close("that is all")
        assert await process.exit_code() == 0
    assert "the server said goodbye: that is all" in process.printed


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_bot_that_was_launched_says_goodbye_when_it_is_told_to_stop(
    tmp_path: Path, number: signal.Signals
) -> None:
    async with connected(tmp_path, ORDAGO_LAUNCHED="1") as (process, lobby):
        process.tell(number)
        assert await process.exit_code() == 130
        await until(lambda: not lobby.server.sessions._members)  # It cannot come back, since it said goodbye.
    assert "Traceback" not in process.printed


SIGNALLED_TWICE = """
import signal, sys
from ordago_bot.main import _stop_on_signals

stop = _stop_on_signals(at_once=False)
if sys.argv[1:]:
    signal.set_wakeup_fd(-1)
with stop.retire._cond, stop.leave._cond:
    signal.raise_signal(signal.SIGINT)
    signal.raise_signal(signal.SIGINT)
stop.retire.wait()
stop.leave.wait()
print("stopped")
"""


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("as an event loop leaves it",)])
def test_a_signal_that_comes_while_the_one_before_is_handled_does_not_hang_the_bot(arguments: tuple[str, ...]) -> None:
    """Who presses Ctrl-C twice interrupts the bot while it holds the lock of an event that says to stop."""
    command = [sys.executable, "-c", SIGNALLED_TWICE, *arguments]
    ended = subprocess.run(command, stdout=subprocess.PIPE, timeout=PATIENCE_SECONDS, check=True)  # noqa: S603 - ours
    assert ended.stdout == b"stopped\n"


UNHEARD = """
import queue, signal
from ordago_bot import main

main._LONGEST_LEAVE_SECONDS = 0
main._stop_on_signals(at_once=True)
# So that another thread takes it, and this one goes on waiting.
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
print("waiting", flush=True)
queue.SimpleQueue().get()
"""


def test_a_signal_that_does_not_wake_the_main_thread_stops_the_bot_too() -> None:
    """Python handles a signal in the main thread, which may have begun to wait just after the signal came."""
    command = [sys.executable, "-c", UNHEARD]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as bot:  # noqa: S603 - it is our own
        try:
            assert bot.stdout is not None
            assert bot.stdout.readline() == b"waiting\n"
            bot.send_signal(signal.SIGTERM)
            assert bot.wait(PATIENCE_SECONDS) == 130
        finally:
            bot.kill()


async def test_a_bot_that_was_launched_ends_with_its_standard_input(tmp_path: Path) -> None:
    async with connected(tmp_path, ORDAGO_LAUNCHED="1") as (process, _):
        process.close_standard_input()
        assert await process.exit_code() == 3


MISTAKEN = """
import ordago_bot.main
from ordago_bot.house.baselines import DefaultBot
from ordago_bot.log import Event

def play(*_, **__):
    raise RuntimeError("a mistake of the author")

ordago_bot.main.play = play
ordago_bot.run(DefaultBot, arguments=[])
"""


@pytest.mark.slow
def test_a_bot_that_was_launched_tells_the_mistake_that_ended_it() -> None:
    """Its standard input stays open for longer than it runs, and a thread waits for its end. Four times, for races."""
    for _ in range(4):
        with subprocess.Popen(  # noqa: S603 - it is our own
            [sys.executable, "-c", MISTAKEN],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "ORDAGO_LAUNCHED": "1"},
        ) as bot:
            told = bot.stderr.read() if bot.stderr else ""
        assert told.endswith("RuntimeError: a mistake of the author\n")
        assert bot.returncode == 1
