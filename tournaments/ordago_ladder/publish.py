"""Writing the ladder of an event into a folder."""

from pathlib import Path
from typing import Final

from ordago.store.files import write_whole
from ordago_ladder.exports import ladder_csv, ladder_json, ladder_pgn
from ordago_ladder.ladder import Ladder
from ordago_ladder.page import ladder_page

_WRITERS: Final = {
    "ladder.json": ladder_json,
    "ladder.csv": ladder_csv,
    "ladder.pgn": ladder_pgn,
    "index.html": ladder_page,
}

FILES: Final = tuple(_WRITERS)
"""The names of the files that are written."""


def publish(ladder: Ladder, folder: Path) -> None:
    """Write a ladder into a folder: ``ladder.json``, ``ladder.csv``, ``ladder.pgn`` and ``index.html``.

    Each file is replaced at one stroke, so that a reader finds the old one or the new one, whole, and so does whoever
    comes after a crash. The folder is made where there is none.

    Raises:
        OSError: the folder cannot be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, write in _WRITERS.items():
        write_whole(folder / name, write(ladder).encode())
