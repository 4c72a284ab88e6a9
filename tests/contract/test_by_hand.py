"""The walk of docs/by-hand.md, walked: its commands run, what it types is typed, and what it shows is what comes."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.ports import free_port
from support.programs import need_program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "by-hand.md").read_text(encoding="utf-8")
TOOLS = ROOT / "tools"
BUILT = ROOT / "out" / "bin"
GRPCURL = "github.com/fullstorydev/grpcurl/cmd/grpcurl"
ANYTHING = "…"
PATIENCE_SECONDS = 30.0

pytestmark = [
    pytest.mark.foreign,
    pytest.mark.skipif(sys.platform != "linux", reason="the walk is for a shell of Linux"),
]


def blocks(kind: str) -> list[str]:
    """Return the blocks of the page of a kind, in order."""
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def build(command: str) -> None:
    """Build a tool, unless it is there, in the version that its module names."""
    name = Path(command).name
    if not (BUILT / name).exists():
        go = need_program("go", to=f"build {name}")
        built = subprocess.run([go, "build", "-C", str(TOOLS / name), "-o", f"{BUILT}/", command], check=False)  # noqa: S603 - ours
        if built.returncode and not os.environ.get("CI"):
            pytest.skip(f"go cannot build {name}: is there a network?")
        built.check_returncode()


@pytest.fixture(scope="module", autouse=True)
def _grpcurl() -> None:
    build(GRPCURL)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Start what the page starts, at a free port in place of its own, and end it afterwards."""
    free = f"127.0.0.1:{free_port()}"
    commands = [shlex.split(line) for line in at(blocks("sh start")[0], free).splitlines()]
    server, opponent = ([str(Path(sys.executable).parent / command[0]), *command[1:]] for command in commands)
    with started(server) as serving:
        assert serving.stdout is not None
        # The log, which begins before, goes to the same pipe.
        assert any("listening" in line for line in serving.stdout)
        with started(opponent):
            yield free


@contextmanager
def started(command: list[str]) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:  # noqa: S603
        try:
            yield process
        finally:
            process.kill()


def at(text: str, address: str) -> str:
    return text.replace("127.0.0.1:7447", address)


def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{BUILT}{os.pathsep}{os.environ['PATH']}"}


def agrees(shown: Any, told: Any) -> bool:
    """Say whether what came is what the page shows of it."""
    if shown == ANYTHING:
        return bool(told)
    if isinstance(shown, dict) and isinstance(told, dict):
        fields = {name: value for name, value in shown.items() if name != ANYTHING}
        complete = ANYTHING in shown or set(fields) == set(told)
        return complete and all(name in told and agrees(value, told[name]) for name, value in fields.items())
    if isinstance(shown, list) and isinstance(told, list):
        has_more = shown[-1:] == [ANYTHING]
        first = shown[:-1] if has_more else shown
        fits = len(first) <= len(told) if has_more else len(first) == len(told)
        return fits and all(map(agrees, first, told))
    return bool(shown == told)


def test_the_page_and_the_module_name_the_same_version() -> None:
    [install] = blocks("sh install")
    command, _, version = install.split()[-1].partition("@")
    assert command == GRPCURL
    assert f"github.com/fullstorydev/grpcurl {version} " in (TOOLS / "grpcurl" / "go.mod").read_text(encoding="utf-8")


def test_what_the_server_tells_of_itself_is_what_the_page_shows(address: str) -> None:
    for command, shown in re.findall(r"^\$ (.+)\n((?:[^$].*\n)*)", blocks("console")[0], flags=re.MULTILINE):
        words = shlex.split(at(command, address))
        ended = subprocess.run(words, env=environment(), capture_output=True, text=True, check=True)  # noqa: S603 - ours
        told = ended.stdout.rstrip("\n").splitlines()
        wanted = shown.rstrip("\n").splitlines()
        if wanted[-1] == ANYTHING:
            wanted, told = wanted[:-1], told[: len(wanted) - 1]
        assert told == wanted, command


class Typing:
    """Somebody at a terminal in which grpcurl runs."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout
        self._messages: list[Any] = []

    def type(self, text: str) -> None:
        self._in.write(text)
        self._in.flush()

    def next_message(self) -> Any:
        """Return the next message. A frame is an object over many lines; the last of them is not indented."""
        if not self._messages:
            lines = [self._out.readline()]
            while lines[-1] not in ("}\n", ""):
                lines.append(self._out.readline())
            self._messages = json.loads("".join(lines))["messages"]
        return self._messages.pop(0)


def test_a_match_is_played_by_hand(address: str) -> None:
    said = re.findall(r"^```json (you|server)\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    assert len(said) == 8
    command = shlex.split(at(blocks("sh play")[0], address))
    with subprocess.Popen(  # noqa: S603 - it is ours
        command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        typing = Typing(process)
        for who, text in said:
            if who == "you":
                typing.type(text)
                continue
            for shown in json.loads(text)["messages"]:
                told = typing.next_message()
                assert agrees(shown, told), f"the page shows {shown}, and this came: {told}"
        typing._in.close()
        assert process.wait(PATIENCE_SECONDS) == 0


def test_eleven_lines_of_bash_are_a_whole_bot(address: str, tmp_path: Path) -> None:
    [text] = blocks("bash")
    assert len(text.splitlines()) == 11
    bot = tmp_path / "bot.sh"
    bot.write_text(text, encoding="utf-8")
    told = {**environment(), "ORDAGO_ADDRESS": address}
    ended = subprocess.run(  # noqa: S603 - it is ours
        [need_program("bash", to="run the bot"), str(bot)], env=told, timeout=PATIENCE_SECONDS, check=False
    )
    assert ended.returncode == 0, "its match was played, and the server said Goodbye"


@pytest.mark.parametrize(
    "evil", ["$(touch {0})", "`touch {0}`", '"; touch {0}; "', "{0}[$(touch {0})]", "*", "${{x:=1}}"]
)
def test_the_bot_runs_nothing_that_a_hostile_server_says(evil: str, tmp_path: Path) -> None:
    """In place of grpcurl stands a program that puts commands where numbers and answers belong."""
    said = evil.format(tmp_path / "caught")
    lines = [
        '"matchHandle": ' + said,
        '"number": ' + said,
        '"defaultAnswer": {',
        said,
        "},",
        '"clock": {',
        '"goodbye": {',
    ]
    (tmp_path / "lines").write_text("\n".join(lines) + "\n", encoding="utf-8")
    grpcurl = tmp_path / "grpcurl"
    grpcurl.write_text(f"#!/bin/sh\ncat {tmp_path}/lines\ncat > {tmp_path}/answers\n", encoding="utf-8")
    grpcurl.chmod(0o755)
    (tmp_path / "bot.sh").write_text(blocks("bash")[0], encoding="utf-8")
    told = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    bash = need_program("bash", to="run the bot")
    ended = subprocess.run([bash, str(tmp_path / "bot.sh")], env=told, timeout=PATIENCE_SECONDS, check=False)  # noqa: S603
    assert ended.returncode == 0
    assert not (tmp_path / "caught").exists()


@pytest.mark.parametrize(
    ("shown", "told", "does"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 2}, False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "…": "…"}, {"a": 1, "b": 2}, True),
        ({"a": "…"}, {}, False),
        ([1, "…"], [1, 2], True),
        ([1, "…"], [2, 2], False),
        ([1], [1, 2], False),
    ],
)
def test_what_is_shown_is_compared(shown: Any, told: Any, *, does: bool) -> None:
    assert agrees(shown, told) is does
