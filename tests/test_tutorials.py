"""The tutorials work as they stand there: their files are saved, their commands run, and what they show appears.

In a page, a block of Python or TOML is saved under the name before it. A block ``sh`` runs to its end; one with a word
more, such as ``sh server``, is a terminal of its own and goes on. A block ``text`` shows lines of what the command
before it prints, in order: ``…`` stands for anything. In ``text shape`` all numbers may be others, in any order. A
block ``sh again`` asks for what a server works out while it runs: it is run again until it prints what is shown.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from support.ports import free_port

START = Path(__file__).parents[1] / "docs" / "start"
TUTORIALS = ("first-match.md", "first-bot.md", "first-event.md", "first-ladder.md")
PORTS = ("7447", "8080")
NUMBER = r"(?:>\s)?[+-]?\d[\d.,:]*(?:\s%)?|–"
BASH = "/bin/bash"
STOPPED = 130
AGAIN = "again"
SECONDS = 90

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="an event isolates its bots by what Linux has")


class Block(NamedTuple):
    """A block of a page: what stands before it, its language, the word behind that, and its text."""

    before: str
    language: str
    kind: str
    text: str


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    return [
        Block(*found) for found in re.findall(r"([^\n]*)\n\n```(\w+) ?(\w*)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    ]


class Terminals:
    """A folder, and the shells in which somebody follows a tutorial there."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._home = self._folder = folder
        self._stack = stack
        self._lines: Iterator[str] = iter(())
        bin_folder = Path(sys.executable).parent
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("ORDAGO_")},
            "HOME": str(folder),
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "PYTHONUNBUFFERED": "1",
        }

    def follow(self, block: Block, after: Block | None) -> None:
        """Do what a block asks for, or look whether what it shows is there; after is the block behind it."""
        if block.language == "text":
            assert missing(block, self._lines) == []
        elif block.kind == AGAIN:
            assert after is not None
            self._run_until(block.text, after)
        elif block.language == "sh" and block.kind:
            self._lines = self._stack.enter_context(self._terminal(block.text))
        elif block.language == "sh":
            self._lines = iter(self._run(block.text))
        else:
            [name] = re.findall(r"`([\w.]+)`:$", block.before)
            (self._folder / name).write_text(block.text, encoding="utf-8")

    def _run(self, commands: str) -> list[str]:
        """Run commands to their end and return the lines that they print."""
        folder = self._home / "folder"
        script = f"{commands}pwd > {folder}\n"
        ended = subprocess.run(  # noqa: S603 - commands of our own pages
            [BASH, "-ec", script], cwd=self._folder, env=self._environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stdout
        self._folder = Path(folder.read_text(encoding="utf-8").strip())
        return ended.stdout.splitlines()

    def _run_until(self, commands: str, shows: Block) -> None:
        """Run commands until they print what a block shows, or for long enough."""
        deadline = time.monotonic() + SECONDS
        printed = self._run(commands)
        while missing(shows, iter(printed)) and time.monotonic() < deadline:
            printed = self._run(commands)
        self._lines = iter(printed)

    @contextmanager
    def _terminal(self, command: str) -> Iterator[Iterator[str]]:
        """Run a command until the page ends, then stop it by Ctrl-C, as the page tells."""
        with subprocess.Popen(  # noqa: S603 - the same
            [BASH, "-c", f"exec {command}"], cwd=self._folder, env=self._environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:  # fmt: skip
            try:
                assert process.stdout is not None
                yield process.stdout
                process.send_signal(signal.SIGINT)
                assert process.wait(SECONDS) in (0, STOPPED)
            finally:
                process.kill()


def missing(block: Block, lines: Iterator[str]) -> list[str]:
    """Return the lines that a block shows and that did not come."""
    return (unseen_in_any_order if block.kind == "shape" else unseen)(block.text.splitlines(), lines)


def unseen(shown: list[str], lines: Iterator[str]) -> list[str]:
    """Return the lines shown that did not come, in the order in which they are shown."""
    left = list(shown)
    while left and (line := next(lines, None)) is not None:
        if re.fullmatch(pattern(left[0]), line.strip()):
            del left[0]
    return left


def unseen_in_any_order(shown: list[str], lines: Iterator[str]) -> list[str]:
    """Return the lines shown that did not come, whatever their numbers and their order."""
    left = list(shown)
    while left and (line := next(lines, None)) is not None:
        left = [one for one in left if not re.fullmatch(pattern(one, number=NUMBER), line.strip())]
    return left


def pattern(shown: str, *, number: str = "") -> str:
    """Return a regular expression for a line that is shown.

    Args:
        shown: the line.
        number: a regular expression for numbers, where all numbers are as good as those that are shown.
    """
    kept = f"…|{number}" if number else "…"
    pieces = re.split(rf"({kept}|\s+)", shown.strip())
    wild = {piece: ".*" if piece == "…" else r"\s+" if piece.isspace() else f"(?:{number})" for piece in pieces[1::2]}
    return "".join(wild[piece] if place % 2 else re.escape(piece) for place, piece in enumerate(pieces))


def test_all_tutorials_are_followed() -> None:
    assert {page.name for page in START.glob("first-*.md")} == set(TUTORIALS)


@pytest.mark.slow
@pytest.mark.parametrize("name", TUTORIALS)
def test_a_tutorial_does_what_it_says(name: str, tmp_path: Path) -> None:
    page = (START / name).read_text(encoding="utf-8")
    for port in PORTS:
        page = page.replace(f"127.0.0.1:{port}", f"127.0.0.1:{free_port()}")
    followed = blocks(page)
    assert len(followed) == len(re.findall(r"^```\w", page, re.MULTILINE)), "each block follows a line of text"
    with ExitStack() as stack:
        terminals = Terminals(tmp_path, stack)
        for block, after in zip(followed, [*followed[1:], None], strict=True):
            terminals.follow(block, after)


@pytest.mark.parametrize(
    ("shown", "line", "exact", "like"),
    [
        ("a 1", "a    1", True, True),
        ("a 1", "a 2", False, True),
        ("a … c", "a 1 b c", True, True),
        ("a 68.8 %", "a –", False, True),
        ("a 1", "b 1", False, False),
        ("LLR +2.98, from -2.94", "LLR +3.1, from -2.94", False, True),
    ],
)
def test_a_line_that_differs_is_noticed(shown: str, line: str, *, exact: bool, like: bool) -> None:
    assert (unseen([shown], iter([line])) == []) is exact
    assert (unseen_in_any_order([shown], iter([line])) == []) is like


def test_lines_that_are_shown_come_in_their_order() -> None:
    assert unseen(["a", "b"], iter("axb")) == []
    assert unseen(["a", "b"], iter("ba")) == ["b"]
