"""The limit that a build ran into, where the build itself failed by it before anybody ended it.

A full scratch folder, or a file that may not grow, fails the one call that met it. What the compiler makes of that is a
line in the log, and its exit code is that of any mistake.
"""

import re
import shutil
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.confinement import MEBIBYTE, Cell

_WORDS: Final = {
    # The first of them also says that it is out of memory.
    "processes": ("unable to create (?:new )?native thread", "resource temporarily unavailable", "cannot fork"),
    "scratch_mib": ("no space left on device", r"\bENOSPC\b", "file too large", "file size limit exceeded", "SIGXFSZ"),
    "memory_mib": (
        *(
            "cannot allocate memory",
            "out of memory",
            r"\bENOMEM\b",
            "OutOfMemoryError",
            r"\bMemoryError\b",
            "bad_alloc",
        ),
        *("virtual memory exhausted", r"memory allocation of \d+ bytes failed", "could not reserve enough space"),
    ),
    "open_files": ("too many open files", r"\bEMFILE\b"),
}
_REFUSED: Final = r"operation not permitted|\bEPERM\b"
_FULL_MIB: Final = 16
"""With less room than this on the disk of the folder it is the disk that is full, and no limit that was met."""


def limit_hint(reason: str, log: Path, folder: Path, cell: Cell) -> str:
    """Return which limit a failed build seems to have run into and what to do, to follow the reason; nothing if none.

    Args:
        reason: how it ended.
        log: what it printed, within bounds.
        folder: where it builds.
        cell: where it runs.
    """
    try:
        printed = f"{reason}\n{log.read_text(encoding='utf-8', errors='replace')}"
        room_mib = shutil.disk_usage(folder).free / MEBIBYTE
    except OSError:
        return ""
    key = next((key for key, words in _WORDS.items() if re.search("|".join(words), printed, re.IGNORECASE)), "")
    if not key and cell.rules is not None and re.search(_REFUSED, printed, re.IGNORECASE):
        return ", as if it set modes or times of files, which no build can behind Landlock: install bubblewrap"
    if not key or cell.limits is None:
        return ""
    if key == "scratch_mib" and room_mib < _FULL_MIB:
        return f", since the disk that {folder} lies on is full"
    return f", as if {key} = {getattr(cell.limits, key)} were too little: raise it under [limits]"
