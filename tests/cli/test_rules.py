"""``ordago rules``: where it listens, how it ends, and what it says of mistakes."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest
from support.commands import assert_told, ordago
from support.positions import positions, situation

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
        ((), ("--unix PATH", "--address HOST:PORT")),
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
