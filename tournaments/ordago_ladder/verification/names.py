"""Whether a folder holds what an event publishes, and nothing else."""

from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.reading import UnreadableError, names_in
from ordago_ladder.verification.findings import Finding

_MOST_TOLD: Final = 100


def name_findings(folder: EventFolder, names: Collection[str]) -> Iterator[Finding]:
    """Yield the names that should not be there.

    Args:
        folder: the folder of an event.
        names: all files that it publishes, with their folders.
    """
    parts: dict[str, set[str]] = {"": {folder.private.name}, "records": set()}
    for name in names:
        part, _, file = name.rpartition("/")
        parts.setdefault(part, set()).add(file)
        parts[""].add(part or file)
    yield from left_over(folder.path, parts.pop("") | {"records"}, prefix="")
    for part, known in parts.items():
        path = folder.path / part
        if known or path.is_symlink() or path.exists():
            yield from left_over(path, known, prefix=f"{part}/")


def left_over(folder: Path, known: Collection[str], *, prefix: str) -> Iterator[Finding]:
    """Yield the names in a folder that are not known there.

    Args:
        folder: the folder.
        known: the names that may stand in it.
        prefix: its own path in what is verified, with a slash at its end if it has one.
    """
    try:
        strangers = (name for name in names_in(folder) if name not in known)
        for name in islice(strangers, _MOST_TOLD):
            yield Finding(f"{prefix}{name}", "It is no part of what was published.")
    except UnreadableError as error:
        yield Finding(prefix or ".", f"It cannot be read: {error}.")
