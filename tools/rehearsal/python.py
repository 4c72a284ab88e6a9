"""The rehearsal in Python: a bot's author, an organiser, and the tests without a checkout."""

import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from rehearsal.steps import Stranger

_VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
_TOOLS: Final = ("hypothesis", "pytest", "pytest-timeout", "pytest-trio", "pytest-xdist")
_READ_BY_TESTS: Final = (
    "CHANGELOG.md",
    "README.md",
    "clients/transcripts",
    "clients/vectors",
    "docs",
    "proto",
    "pyproject.toml",
    "tests",
)
"""No sources: what is tested is what is installed."""
_TESTS: Final = (
    "tests/games",
    "tests/gym",
    "tests/match",
    "tests/protocol",
    "tests/record",
    "tests/test_readme.py",
    "tests/test_tutorials.py",
    "tests/wire",
)
_OF_SOURCES: Final = (
    "tests/games/outside",
    "tests/games/test_rule_pages.py",
    "tests/games/*/test_rule_page.py",
    "tests/gym/test_pages.py",
)
"""Tests among them that read or build sources, which are not there."""


def rehearse(root: Path, registry: str, scratch: Path, *, is_tested: bool) -> Path:
    """Install with each Python of this machine as strangers do, play, and run tests.

    Returns:
        the folder of the programs that the last one has.
    """
    for version, python in pythons(_VERSIONS):
        folder = scratch / f"python{version}"
        folder.mkdir()
        subprocess.run([python, "-m", "venv", folder / "venv"], check=True)  # noqa: S603 - ours
        variables = {"PIP_INDEX_URL": f"{registry}/pypi"}
        stranger = Stranger(f"Python {version}", folder, variables, programs=folder / "venv/bin")
        _install(stranger)
        _follow(stranger, (root / "README.md").read_text(encoding="utf-8"))
        _visit(stranger)
        if is_tested:
            _test(stranger, root)
    return folder / "venv/bin"


def pythons(versions: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield each Python of these versions that this machine has: its version and its path."""
    for version in versions:
        # Before the path, whose programs may only stand for those of a version manager.
        folders = Path.home().glob(f".pyenv/versions/{version}.*/bin")
        path = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
        if found := shutil.which(f"python{version}", path=path):
            yield version, found


def _install(stranger: Stranger) -> None:
    stranger.does("pip", "install", "ordago")
    stranger.measures("venv")
    stranger.does("ordago", "--version", fails_with="pip install 'ordago[server]'")
    stranger.does("python", "-m", "ordago_bot", "--help")
    stranger.does("pip", "install", "ordago[server,web,gym]")
    stranger.measures("venv")
    stranger.does("ordago", "--version")


def _visit(stranger: Stranger) -> None:
    """Serve the ladder that comes along, and open the first page of its site."""
    begun = time.monotonic()
    ports = ("--address", "127.0.0.1:0", "--web", "127.0.0.1:0")
    with stranger.runs(
        "ordago", "serve", "--ladder", "demo", "--data", "data", *ports, until="the site is at "
    ) as line:
        with urllib.request.urlopen(line.split()[-1]) as answer:  # noqa: S310 - ours
            answer.read()
        print(f"{time.monotonic() - begun:8.1f} s  to the first page of a ladder")  # noqa: T201 - a command


def _follow(stranger: Stranger, page: str) -> None:
    """Save the bot of a page, and run the lines of the next block."""
    bot, _, rest = page.partition("```python\n")[2].partition("```")
    (stranger.folder / "my_bot.py").write_text(bot, encoding="utf-8")
    for line in rest.partition("```sh\n")[2].partition("```")[0].splitlines():
        stranger.does("sh", "-c", line)


def _test(stranger: Stranger, root: Path) -> None:
    stranger.does("pip", "install", *_TOOLS)
    tested = stranger.folder / "tested"
    for name in _READ_BY_TESTS:
        (tested / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (root / name).is_dir() else shutil.copy)(root / name, tested / name)
    left_out = [f"--ignore-glob={tested / path}" for path in _OF_SOURCES]
    words = ("--numprocesses", "2", "--dist", "loadfile", *left_out, *_TESTS)
    stranger.does("python", "-m", "pytest", *words, folder=tested)
