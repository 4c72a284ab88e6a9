"""Taking hidden paths out of readable ones."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path


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
