"""The paths that a bot has to read to run: the system, Python with its packages, the bot's own program."""

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

_SYSTEM: Final = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"),
    *("/sys/devices/system/cpu", "/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime", "/etc/timezone"),
    *("/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/os-release"),
    *("/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/pki/tls/certs", "/etc/ca-certificates", "/etc/mime.types"),
)
_PACKAGES: Final = ("ordago", "ordago_bot")
_PROGRAM_FOLDERS: Final = frozenset({"bin", "sbin", "shims"})
_LINKS: Final = 40
_FOR_ALL: Final = frozenset(map(Path, ("/tmp", "/var/tmp", "/dev/shm", tempfile.gettempdir())))  # noqa: S108 - not read


def readable_for(command: Sequence[str], folder: Path, *, built: bool = False) -> tuple[Path, ...]:
    """Return the paths that a command needs to run in a folder, besides that folder.

    These are the system with its libraries, the Python of the runner, the installation of the command's program, and
    the folders of files that the command names by absolute paths.

    Args:
        command: the program and its arguments.
        folder: the working folder.
        built: True if a build wrote to that folder. Then no link in it is followed, since it may lead anywhere.
    """
    own = folder if built else None
    found = {*_system(), *own_python(), *_program(command[0], folder, own), *_named(command[1:], own)}
    # Bots need no path that the runner itself may not look at.
    return tuple(sorted(path for path in found if os.path.exists(path)))  # noqa: PTH110 - pathlib raises then


def _system() -> Iterator[Path]:
    yield from map(Path, _SYSTEM)
    yield from Path("/etc").glob("java*")


def passes_through(path: Path, folder: Path) -> bool:
    """Return True if a path passes through a folder, whose contents then decide where it leads."""
    place = folder.resolve()
    return any(above.resolve() == place for above in (path, *path.parents))


def own_python() -> Iterator[Path]:
    """Yield the folders of the running Python, with its installed packages, and of Ordago itself."""
    yield Path(sys.prefix)
    yield Path(sys.base_prefix)
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            yield Path(place).parent


def _program(word: str, folder: Path, built: Path | None) -> Iterator[Path]:
    found = str(folder / word) if os.sep in word else shutil.which(word)
    if found is None:
        return
    for hop in _hops(Path(found)):
        if built is not None and passes_through(hop, built):
            return
        home = _home_of(hop)
        yield home
        yield from _base_of(home)


def _hops(path: Path) -> Iterator[Path]:
    """Yield a path, the target of each link on the way, and the real path."""
    for _ in range(_LINKS):
        yield path
        if not os.path.islink(path):  # noqa: PTH114 - pathlib raises without permission to look
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield path.resolve()


def _home_of(program: Path) -> Path:
    """Return the folder of a program's installation: the parent of ``bin``, unless that would reveal too much."""
    if program.parent.name not in _PROGRAM_FOLDERS:
        return program
    home = program.parent.parent
    return program.parent if _is_too_much(home) else home


def _base_of(home: Path) -> Iterator[Path]:
    """Yield the Python that a virtual environment is made from."""
    try:
        lines = (home / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return
    for key, _, value in (line.partition("=") for line in lines):
        if key.strip() == "home":
            yield _home_of(Path(value.strip()) / "python")


def _named(words: Sequence[str], built: Path | None) -> Iterator[Path]:
    for path in map(Path, words):
        own = built is not None and passes_through(path, built)
        if path.is_absolute() and not own and os.path.exists(path):  # noqa: PTH110 - as above
            beside = path if path.is_dir() else path.parent
            yield path if _is_too_much(beside) else beside


def _is_too_much(folder: Path) -> bool:
    """Return True if a folder holds private files: the home, a folder around it, or temporary files."""
    folder = folder.resolve()
    return folder in _FOR_ALL or Path.home().is_relative_to(folder)


def without_masked(path: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    """Yield paths that cover a path except for the hidden ones in it: the path itself, or those of its entries.

    Links are left out: their targets are readable in their own right or not at all. All paths have to be real ones.
    """
    inside = [other for other in hidden if other.is_relative_to(path) or path.is_relative_to(other)]
    if not inside:
        yield path
    elif not any(path.is_relative_to(other) for other in inside):
        for entry in _entries(path):
            yield from without_masked(entry, inside)


def _entries(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            yield from sorted(Path(entry.path) for entry in entries if not entry.is_symlink())
    except OSError:
        return  # A bot may read no more than its runner.


def on_the_way(path: Path, hidden: Iterable[Path]) -> bool:
    """Return True if a path contains hidden ones, and is not hidden itself."""
    inside = [other for other in hidden if other.is_relative_to(path)]
    return bool(inside) and path not in inside


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Return those paths that lie in none of the others, in ascending order."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
