"""The sockets of other programs that lie in the file system, where Landlock does not keep bots from them."""

import os
import stat
from pathlib import Path
from typing import Final

_ALL: Final = Path("/proc/net/unix")
_PATH_COLUMN: Final = 7


def foreign_sockets(own: Path, *, table: Path = _ALL) -> list[str]:
    """Return the paths of sockets that the user may connect to, but for those in a folder of our own, ascending."""
    try:
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()[1:]
    except OSError:
        return []
    found = {
        columns[_PATH_COLUMN] for line in lines if len(columns := line.split(maxsplit=_PATH_COLUMN)) > _PATH_COLUMN
    }
    return sorted(path for path in found if _may_be_reached(path) and not Path(path).is_relative_to(own))


def _may_be_reached(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.stat(path).st_mode) and os.access(path, os.W_OK)  # noqa: PTH116 - the text of a table
    except (OSError, ValueError):
        return False
