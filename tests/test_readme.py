"""The README, the page of all commands and the example of an event file show what works as it stands there."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from support.command_line import ordago

from ordago.record import read_record, verify
from ordago_cli.program import program
from ordago_ladder.event_file.file import parse_event

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EVENT_FILE = (ROOT / "docs" / "event-file.md").read_text(encoding="utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
MOST_LINES = 150
MOST_BOT_LINES = 12
MOST_PICTURE_BYTES = 150_000
SECONDS = 60


def block(page: str, language: str) -> str:
    """Return the first block of a language on a page."""
    found = re.search(rf"^```{language}\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def rows(page: str, heading: str) -> list[tuple[str, ...]]:
    """Return the rows of the table of a page whose first heading is this, without code marks."""
    found = re.search(rf"^\| {re.escape(heading)} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", page, flags=re.MULTILINE)
    assert found is not None
    lines = found[1].replace("`", "").splitlines()
    return [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]


@pytest.fixture
def my_bot(tmp_path: Path) -> Path:
    path = tmp_path / "my_bot.py"
    path.write_text(block(README, "python"), encoding="utf-8")
    return path


def test_the_readme_is_short_and_sets_up_a_checkout_by_two_commands() -> None:
    assert len(README.splitlines()) <= MOST_LINES
    assert [line.split("#")[0].strip() for line in block(README, "sh").splitlines()] == ["make demo", "make test"]


def test_the_bot_is_short() -> None:
    assert len(block(README, "python").splitlines()) <= MOST_BOT_LINES


@pytest.mark.slow
def test_the_bot_plays_a_match_without_a_fault(my_bot: Path) -> None:
    played = ordago(
        "play", "mittlere", "--bot", f"cmd:{sys.executable} {my_bot}", "--bot", "house:random", "--bot",
        "house:default", "--option", "deals=3", "--seed", "2a", "--json",
    )  # fmt: skip
    told = json.loads(played)
    assert len(told["seats"]) == 3
    assert told["faults"] == 0


@pytest.mark.slow
def test_the_bot_plays_at_a_server(my_bot: Path, tmp_path: Path) -> None:
    """Three copies of it connect, play, and leave when the server says goodbye."""
    records = tmp_path / "records"
    arguments = ["--address", "127.0.0.1:0", "--option", "deals=3", "--records", str(records)]
    with ExitStack() as stack:
        server = stack.enter_context(started("-m", "ordago", "serve", "--tables", "mittlere", *arguments))
        address = line_with("listening on", server).split()[2].rstrip(";")
        bots = [stack.enter_context(started(str(my_bot), "--address", address, "--matches", "1")) for _seat in range(3)]
        line_with("ended: placing", bots[0])
        server.send_signal(signal.SIGINT)
        assert [bot.wait(SECONDS) for bot in bots] == [0, 0, 0]
        assert server.wait(SECONDS) == 0
    played = [read_record(path.read_bytes()) for path in records.iterdir()]
    assert played
    for record in played:
        assert verify(record) == []
        assert not any(entry.choice.fault for entry in record.entries)


@contextmanager
def started(*arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Start Python, all that it prints in one pipe; end it at the end of the context, however the test ended."""
    command = [sys.executable, "-u", *arguments]
    with subprocess.Popen(  # noqa: S603 - our own
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line_with(text: str, process: "subprocess.Popen[str]") -> str:
    """Wait for a line that a process prints."""
    assert process.stdout is not None
    for line in process.stdout:
        if text in line:
            return line
    raise AssertionError(f"the process ended without saying {text!r}")


def test_the_event_is_one() -> None:
    settings = parse_event(block(EVENT_FILE, "toml"))
    assert [entrant.command for entrant in settings.entrants] == [("python", "my_bot.py"), None, None]


COMMAND_TABLES = ("command", "event command", "server command")


def test_every_command_is_listed_once() -> None:
    listed = [name for heading in COMMAND_TABLES for name, _ in rows(COMMANDS, heading)]
    assert sorted(listed) == sorted(f"ordago {name}" for name in program.commands)


def test_the_picture_is_small() -> None:
    assert 0 < (ROOT / "docs" / "pictures" / "ladder.png").stat().st_size < MOST_PICTURE_BYTES
