"""Commands, folders and readable paths of the bots of local entrants."""

import os
import shutil
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Final

from ordago.arena.processes.isolation.readable import passes_through
from ordago_bot.house import house_command
from ordago_ladder.helpers import command_of
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings

_LEAST_WITH_RULES: Final = {"memory_mib": 192, "processes": 32}
"""The least limits of a bot with the rules beside it. They take up to 111 MiB, after searches in all games, and 10
processes and threads; the rest is for the bot."""


def launch_command(entrant: EntrantSettings) -> tuple[str, ...]:
    """Return the command that the runner starts for a bot: its own, or one that becomes it once the rules listen."""
    beside = command_of("ordago", "rules", "--processes", 1, "--") if entrant.rules else ()
    return (*beside, *bot_command(entrant))


def bot_command(entrant: EntrantSettings) -> tuple[str, ...]:
    """Return the command of an entrant's bots: the program and its arguments."""
    if entrant.command is not None:
        return entrant.command
    return house_command(str(entrant.house), dict(entrant.settings))


def launch_environment(entrant: EntrantSettings) -> dict[str, str]:
    """Return the environment variables of an entrant's bots.

    A bot that fails at a decision takes the default answer there and goes on, unless the entrant wants otherwise: if it
    ended, it would lose its other matches, too. A trial does without this, since it has to find bots that fail.
    """
    return {"ORDAGO_ON_ERROR": "default", **dict(entrant.env)}


def working_folder(entrant: EntrantSettings) -> Path:
    """Return the folder that the bots of an entrant work in."""
    return Path.cwd() / entrant.folder


def given_to(entrant: EntrantSettings) -> Iterator[Path]:
    """Yield the paths that the organiser lets an entrant read in addition to its folder.

    Paths through the folder of an entrant that builds are skipped: its build could have replaced them with links to
    anywhere.
    """
    for path in (Path.cwd() / written for written in entrant.readable):
        if not (entrant.build and passes_through(path, working_folder(entrant))):
            yield path


def what_is_missing(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each program, file and folder of an entrant that is not on this machine."""
    for number, entrant in enumerate(settings.entrants, start=1):
        if entrant.remote:
            continue
        folder = working_folder(entrant)
        place = f"[[entrant]] {number}: there is no"
        if not folder.is_dir():
            yield f"{place} folder {entrant.folder!r} for {entrant.name!r} to work in; create it, or fix 'folder'"
        else:
            for program in _programs(entrant, folder):
                if shutil.which(folder / program if os.sep in program else program) is None:
                    yield f"{place} program {program!r} for {entrant.name!r}; give its path"
        for path in entrant.readable:
            if not Path(path).exists():
                yield f"{place} {path!r} for {entrant.name!r} to read; fix 'readable'"
    yield from _shared_builds(settings)
    yield from _too_little_for_rules(settings)


def _programs(entrant: EntrantSettings, folder: Path) -> Iterator[str]:
    """Yield the programs that have to exist before anything is built."""
    program = bot_command(entrant)[0]
    if not (entrant.build and os.sep in program and (folder / program).is_relative_to(folder)):
        yield program
    yield from entrant.build[:1]


def _too_little_for_rules(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each limit that leaves no room for the rules beside a bot."""
    beside = [entrant.name for entrant in settings.entrants if entrant.rules]
    if not beside or settings.event.isolation == "none":
        return
    for key, least in _LEAST_WITH_RULES.items():
        if (limit := getattr(settings.limits, key)) < least:
            yield f"[limits]: {key} = {limit} leaves no room for the rules beside {beside[0]!r}: give {least} or more"


def _shared_builds(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each pair of entrants where the build of one could change files of the other."""
    started = [entrant for entrant in settings.entrants if not entrant.remote]
    for entrant, other in permutations(started, 2):
        if entrant.build and not _builds_the_same(entrant, other) and _reads_where(other, working_folder(entrant)):
            yield (
                f"{entrant.name!r} builds in {entrant.folder!r}, which {other.name!r} reads: give each a 'folder' of "
                "its own, or both the same 'build' and 'env'"
            )


def _builds_the_same(one: EntrantSettings, other: EntrantSettings) -> bool:
    same_folder = working_folder(one).resolve() == working_folder(other).resolve()
    return same_folder and (one.build, one.env) == (other.build, other.env)


def _reads_where(entrant: EntrantSettings, folder: Path) -> bool:
    given = (*(Path.cwd() / path for path in entrant.readable), *([working_folder(entrant)] if entrant.folder else []))
    return any(path.resolve().is_relative_to(folder.resolve()) for path in given)
