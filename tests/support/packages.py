"""Packages that offer games, beside Ordago: on the path of this process, as if they were installed."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from ordago import games

PROJECT: Final = Path(__file__).parents[2] / "server" / "template"
"""The project of a game as a package of its own."""


def offering(folder: Path, points: Mapping[str, str], *, package: str = "ordago-highcard") -> Path:
    """Write what pip writes of a package that offers games, and return the folder that has to be on the path."""
    info = folder / f"{package.replace('-', '_')}-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 0.1.0\n")
    lines = "".join(f"{name} = {value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[ordago.games]\n{lines}")
    return folder


def project(folder: Path) -> Path:
    """Write the project into a folder, as pip installs it, and return the folder."""
    shutil.copytree(PROJECT, folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    return offering(folder, {"highcard": "ordago_highcard:GAME"})


@contextmanager
def installed(*folders: Path) -> Iterator[None]:
    """Have packages on the path of this process, and of those that it starts."""
    before, path = list(sys.path), os.environ.get("PYTHONPATH")
    sys.path += map(str, folders)
    os.environ["PYTHONPATH"] = os.pathsep.join([*map(str, folders), *([path] if path else [])])
    _forget()
    try:
        yield
    finally:
        sys.path[:] = before
        os.environ.pop("PYTHONPATH")
        os.environ |= {"PYTHONPATH": path} if path is not None else {}
        _forget()


def _forget() -> None:
    """Look for games anew. What was imported stays: its messages are known to protobuf for good."""
    games.find_game.cache_clear()
    games._offered.cache_clear()
