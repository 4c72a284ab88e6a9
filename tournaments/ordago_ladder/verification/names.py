"""Whether a folder holds what an event publishes, and nothing else."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from ordago_ladder.folder import EventFolder
from ordago_ladder.publish import FILES
from ordago_ladder.reading import UnreadableError, names_in
from ordago_ladder.verification.findings import Finding

_MOST_TOLD: Final = 100


def name_findings(folder: EventFolder, match_ids: Iterable[str]) -> Iterator[Finding]:
    """Yield the names that should not be there.

    Args:
        folder: the folder of an event.
        match_ids: the matches whose records are open.
    """
    records = {folder.record(match_id).name for match_id in match_ids}
    yield from _left_over(folder.path, {*FILES, folder.records.name, folder.private.name}, prefix="")
    if records or folder.records.is_symlink() or folder.records.exists():
        yield from _left_over(folder.records, records, prefix=f"{folder.records.name}/")


def _left_over(folder: Path, known: set[str], *, prefix: str) -> Iterator[Finding]:
    try:
        strangers = (name for name in names_in(folder) if name not in known)
        for name in islice(strangers, _MOST_TOLD):
            yield Finding(f"{prefix}{name}", "It is no part of what this event published.")
    except UnreadableError as error:
        yield Finding(prefix or ".", f"It cannot be read: {error}.")
