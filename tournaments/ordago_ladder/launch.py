"""How the bots of entrants are started."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from ordago_bot.house import house_command
from ordago_ladder.settings import EntrantSettings, Settings


def launch_command(entrant: EntrantSettings) -> tuple[str, ...]:
    """Return the command that starts a bot of an entrant, and its arguments."""
    if entrant.command is not None:
        return entrant.command
    return house_command(str(entrant.house), dict(entrant.settings))


def working_folder(entrant: EntrantSettings) -> Path:
    """Return the folder that the bots of an entrant work in."""
    return Path.cwd() / entrant.folder


def what_is_missing(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each program, file and folder of an entrant that is not on this machine."""
    for number, entrant in enumerate(settings.entrants, start=1):
        if entrant.remote:
            continue
        program, folder = launch_command(entrant)[0], working_folder(entrant)
        place = f"[[entrant]] {number}: there is no"
        if not folder.is_dir():
            yield f"{place} folder {entrant.folder!r} for {entrant.name!r} to work in; make it, or mend 'folder'"
        elif shutil.which(folder / program if os.sep in program else program) is None:
            yield f"{place} program {program!r} for {entrant.name!r}; give its path"
        for path in entrant.readable:
            if not Path(path).exists():
                yield f"{place} {path!r} for {entrant.name!r} to read; mend 'readable'"
