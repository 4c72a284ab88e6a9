"""``ordago rules``: where it listens, how it ends, and what it says of mistakes."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest
import trio
from support.commands import assert_told, ordago
from support.positions import positions, situation
from support.processes import PATIENCE_SECONDS, until

from ordago import v1
from ordago.games import find_game
from ordago.v1.rules_service_pb2_grpc import RulesServiceStub


@pytest.fixture
def path() -> Iterator[Path]:
    # The path of a test is too long for a socket.
    with TemporaryDirectory(prefix="ordago-") as folder:
        yield Path(folder) / "s"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_a_signal_ends_it_quietly(path: Path, number: signal.Signals) -> None:
    game = find_game("mittlere")
    (state,) = positions(game, seed=1, number=1)
    command = [sys.executable, "-m", "ordago", "rules", "--unix", str(path), "--processes", "1"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        assert process.stdout.readline() == f"the rules are at unix:{path}; Ctrl-C to stop\n"
        with grpc.insecure_channel(f"unix:{path}") as channel:
            request = v1.EvaluateActionsRequest(situation=situation(game, state), worlds=5)
            found: v1.EvaluateActionsResponse = RulesServiceStub(channel).EvaluateActions(request, timeout=60)
        assert (found.worlds, found.playouts) == (5, 5 * len(found.values))
        process.send_signal(number)
        assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), ("--unix PATH", "--address HOST:PORT", "COMMAND")),
        (("--unix", "/tmp/s", "--", "true"), ("COMMAND", "--unix")),  # noqa: S108 - the same
        (("--unix", "/tmp/s", "--address", "127.0.0.1:0"), ("one of the two",)),  # noqa: S108 - not opened
        (("--unix", "/tmp/" + "s" * 200), ("--unix", "longer")),  # noqa: S108 - the same
        (("--unix", ""), ("--unix", "empty")),
        (("--address", "127.0.0.1"), ("--address", "no port")),
        (("--address", "0.0.0.0:7552"), ("--address", "others can reach it")),
        (("--address", "example.org:7552"), ("--address", "others can reach it")),
        (("--unix", "/tmp/s", "--processes", "0"), ("--processes",)),  # noqa: S108 - the same
    ],
)
def test_a_wrong_command_line_is_told(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_told(ordago("rules", *arguments), 2, *words)


def test_an_occupied_path_is_told(path: Path) -> None:
    path.write_text("mine")
    assert_told(ordago("rules", "--unix", path), 3, str(path), "no socket")


def beside(*command: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "ordago", "rules", "--processes", "1", "--", *command)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Provide an empty folder for temporary files, with a path that leaves room for a socket."""
    with TemporaryDirectory(prefix="ordago-") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


QUIET_THEN_LOUD = """
import os, pathlib, signal, sys
assert pathlib.Path(os.environ["ORDAGO_RULES"].removeprefix("unix:")).is_socket()
os.close(int(sys.argv[1]))
print(sys.stdin.read() + "loud", flush=True)
os.kill(os.getpid(), signal.SIGTERM)
"""


@pytest.mark.slow
def test_beside_a_bot_they_leave_its_streams_and_files_alone_and_end_with_it(temporary: Path) -> None:
    outlet, inlet = os.pipe()
    with os.fdopen(outlet, "rb") as held:
        pipe = subprocess.PIPE
        command = beside(sys.executable, "-c", QUIET_THEN_LOUD, str(inlet))
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=(inlet,)) as process:  # noqa: S603 - our own
            os.close(inlet)
            assert held.read() == b"", "nobody but the bot had it, and it has closed it"
            assert process.poll() is None
            assert process.communicate(b"quiet\n", timeout=PATIENCE_SECONDS) == (b"quiet\nloud\n", b"")
    assert process.returncode == -signal.SIGTERM
    trio.run(until, lambda: not list(temporary.iterdir()))


@pytest.mark.slow
@pytest.mark.usefixtures("temporary")
def test_the_exit_code_is_that_of_the_bot_and_signals_are_for_it() -> None:
    stops = "trap 'exit 7' INT; echo up; while true; do sleep 0.1; done"
    with subprocess.Popen(beside("sh", "-c", stops), stdout=subprocess.PIPE, start_new_session=True) as process:  # noqa: S603 - our own
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 7


@pytest.mark.slow
def test_a_bot_that_cannot_start_is_told(temporary: Path) -> None:
    ended = subprocess.run(beside("./nobody"), capture_output=True, text=True, check=False)  # noqa: S603 - our own
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr == "ordago: cannot start './nobody': No such file or directory\n"
    trio.run(until, lambda: not list(temporary.iterdir()))


@pytest.mark.slow
def test_no_bot_starts_without_its_rules(temporary: Path) -> None:
    few_files = ("sh", "-c", 'ulimit -n 12; exec "$@"', "sh", *beside("echo", "started"))
    ended = subprocess.run(few_files, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr.startswith("ordago: cannot ")
    assert not list(temporary.iterdir())


def test_a_folder_with_too_long_a_path_for_a_socket_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / ("d" * 107)
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert_told(ordago("rules", "--", "true"), 3, str(folder), "107 bytes", "TMPDIR")
    assert not list(folder.iterdir())
