"""How the bots of entrants are started."""

import shutil
from collections.abc import Iterator

from ordago_bot.house import house_command
from ordago_ladder.settings import EntrantSettings, Settings


def launch_command(entrant: EntrantSettings) -> tuple[str, ...]:
    """Return the command that starts a bot of an entrant, and its arguments."""
    if entrant.command is not None:
        return entrant.command
    return house_command(str(entrant.house), dict(entrant.settings))


def missing_programs(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each entrant whose program is not on this machine."""
    for number, entrant in enumerate(settings.entrants, start=1):
        program = launch_command(entrant)[0]
        if shutil.which(program) is None:
            yield f"[[entrant]] {number}: there is no program {program!r} for {entrant.name!r}; give its path"
