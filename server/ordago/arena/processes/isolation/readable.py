"""What a bot has to read so that its program runs: the system, Python with what is installed, its own program."""

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
    """Return what a command needs to be able to run in a folder, beside what lies in the folder.

    That is the system with its libraries, the Python of the runner, what belongs to the program of the command, and the
    files that the command names by their whole paths, with what lies beside them.

    Args:
        command: the program and its arguments.
        folder: where it works.
        built: whether something was built there. A link there may lead anywhere then: none of them is followed.
    """
    own = folder if built else None
    found = {*_system(), *own_python(), *_program(command[0], folder, own), *_named(command[1:], own)}
    # What the runner itself may not look at is none of what its bots need.
    return tuple(sorted(path for path in found if os.path.exists(path)))  # noqa: PTH110 - pathlib raises then


def _system() -> Iterator[Path]:
    yield from map(Path, _SYSTEM)
    yield from Path("/etc").glob("java*")


def passes_through(path: Path, folder: Path) -> bool:
    """Say whether what lies in a folder decides where a path leads."""
    place = folder.resolve()
    return any(above.resolve() == place for above in (path, *path.parents))


def own_python() -> Iterator[Path]:
    """Yield the folders of the Python that this program runs by, with what is installed, and of Ordago itself."""
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
    """Yield a path, and where it leads if it is a link, step by step."""
    for _ in range(_LINKS):
        yield path
        if not os.path.islink(path):  # noqa: PTH114 - pathlib raises where nobody may look
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
    yield path.resolve()


def _home_of(program: Path) -> Path:
    """Return the folder of all that belongs to a program; the program alone where that would be too much."""
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
    """Say whether a folder holds what is nobody's business: a home, all homes, what programs put down for a while."""
    folder = folder.resolve()
    return folder in _FOR_ALL or Path.home().is_relative_to(folder)


def without_masked(path: Path, hidden: Iterable[Path]) -> Iterator[Path]:
    """Yield what covers a folder but for what is hidden in it: the folder itself, or its entries on the way there.

    Links are left out, since what they lead to is readable by itself or not at all. All paths are real ones.
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
        return  # What the runner may not read, no bot of it may.


def on_the_way(path: Path, hidden: Iterable[Path]) -> bool:
    """Say whether something hidden lies within a path that is not hidden itself."""
    inside = [other for other in hidden if other.is_relative_to(path)]
    return bool(inside) and path not in inside


def outermost(paths: Iterable[Path]) -> list[Path]:
    """Return those paths that lie in none of the others, ascending."""
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
