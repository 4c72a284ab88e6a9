"""The build step of started entrants: a command that runs once in the folder of each, before anything is started."""

import os
import re
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from ordago.arena.processes.errors import SandboxFailedError
from ordago.arena.processes.isolation.confinement import MEBIBYTE, Confinement, Isolation, Limits, Sandbox, Writable
from ordago.arena.processes.isolation.readable import readable_for
from ordago.arena.processes.isolation.sampler import Sampler, sampling
from ordago.arena.processes.isolation.usage import folder_mib
from ordago.arena.processes.launcher import BotProcess, Launch, ended_how, launched
from ordago.arena.processes.output import last_line
from ordago.arena.processes.supervisor import MOST_TRIES, PAUSE_BETWEEN_TRIES_SECONDS
from ordago_ladder.entrants.built_folder import settle, unfit_to_build_in
from ordago_ladder.entrants.launch import given_to, launch_command, working_folder
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings

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


def limit_hint(reason: str, log: Path, folder: Path, sandbox: Sandbox) -> str:
    """Return which limit a failed build seems to have run into and what to do, to follow the reason; nothing if none.

    Args:
        reason: how it ended.
        log: what it printed, within bounds.
        folder: where it builds.
        sandbox: where it runs.
    """
    try:
        printed = f"{reason}\n{log.read_text(encoding='utf-8', errors='replace')}"
        room_mib = shutil.disk_usage(folder).free / MEBIBYTE
    except OSError:
        return ""
    key = next((key for key, words in _WORDS.items() if re.search("|".join(words), printed, re.IGNORECASE)), "")
    if not key and sandbox.rules is not None and re.search(_REFUSED, printed, re.IGNORECASE):
        return ", as if it set modes or times of files, which no build can behind Landlock: install bubblewrap"
    if not key or sandbox.limits is None:
        return ""
    if key == "scratch_mib" and room_mib < _FULL_MIB:
        return f", since the disk that {folder} lies on is full"
    return f", as if {key} = {getattr(sandbox.limits, key)} were too little: raise it under [limits]"


_SAMPLING_COST: Final = 2
"""No match is played yet that looking could hold up: it is looked more often, at folders too that hold a lot."""


class BuildError(Exception):
    """An entrant's build failed, or its folder changed since. The bot's author erred, or the organiser."""


@dataclass(frozen=True, slots=True)
class BuildPlace:
    """Where and how builds run."""

    isolation: Isolation | None
    """What shuts them in; ``None`` if nothing does."""
    hidden: tuple[Path, ...]
    """What they may not read."""
    logs: Path
    """The folder for what they print."""


async def build_all(settings: Settings, place: BuildPlace, *, without: Collection[str] = ()) -> dict[str, str]:
    """Let the entrants build, as many at once as there are processors; return why it failed, by entrant.

    Args:
        settings: the event.
        place: where and how.
        without: who is not to build, nor anybody who shares a folder with him.

    Raises:
        SandboxFailedError: what a build was to run in failed. It is raised in a group.
    """
    failed: dict[str, str] = {}
    room = trio.CapacityLimiter(os.cpu_count() or 1)

    async def build(group: Sequence[EntrantSettings]) -> None:
        async with room:
            reason = await _Build(settings, place, group[0], sampler).run()
        if reason:
            failed.update({entrant.name: f"the build of {entrant.name!r} {reason}" for entrant in group})

    async with sampling(cost=_SAMPLING_COST) as sampler, trio.open_nursery() as nursery:
        for group in builders(settings).values():
            if not any(entrant.name in without for entrant in group):
                nursery.start_soon(build, group)
    return failed


def builders(settings: Settings) -> Mapping[Path, Sequence[EntrantSettings]]:
    """Return who builds, by the real path of the folder. Who shares one builds the same, which is done once."""
    groups: dict[Path, list[EntrantSettings]] = {}
    for entrant in settings.entrants:
        if entrant.build:
            groups.setdefault(working_folder(entrant).resolve(), []).append(entrant)
    return groups


class _Build:
    """One build."""

    def __init__(self, settings: Settings, place: BuildPlace, entrant: EntrantSettings, sampler: Sampler) -> None:
        self._settings = settings
        self._place = place
        self._entrant = entrant
        self._sampler = sampler
        self._folder = working_folder(entrant).resolve()
        self._log = place.logs / f"{entrant.name}.build.log"

    async def run(self) -> str:
        """Run it; return what went wrong, as the end of a sentence, or nothing."""
        try:
            unfit = await trio.to_thread.run_sync(unfit_to_build_in, self._folder, self._hidden)
            if unfit:
                return unfit
            sandbox = await trio.to_thread.run_sync(self._sandbox)
            reason = await self._run_in(sandbox)
            await trio.to_thread.run_sync(settle, self._folder)
        except OSError as error:
            return f"fails: {error.filename or self._folder}: {error.strerror or error}"
        return reason

    async def _run_in(self, sandbox: Sandbox) -> str:
        for _ in range(MOST_TRIES - 1):
            try:
                return await self._once_in(sandbox)
            except SandboxFailedError:
                await trio.sleep(PAUSE_BETWEEN_TRIES_SECONDS)
        return await self._once_in(sandbox)

    async def _once_in(self, sandbox: Sandbox) -> str:
        # What an earlier build printed is none of its last words.
        self._log.unlink(missing_ok=True)
        launch = Launch(self._entrant.build, dict(self._entrant.env), self._log, sandbox=sandbox, sampler=self._sampler)
        what = f"the build of {self._entrant.name!r}"
        try:
            async with launched(launch) as process:
                how = await self._end_of(process)
        except OSError as error:
            # No process could be made: too many files are open, or too many processes run.
            raise SandboxFailedError.of(what, str(error), self._log) from error
        if process.never_ran:
            raise SandboxFailedError.of(what, last_line(self._log), self._log)
        reason = process.ended_because or how or await trio.to_thread.run_sync(_growth, sandbox)
        if not reason:
            return ""
        words = last_line(self._log)
        if not process.ended_because:
            reason += await trio.to_thread.run_sync(limit_hint, reason, self._log, self._folder, sandbox)
        return f"{reason}{f'; its last words: {words}' if words else ''} (its output is in {self._log})"

    async def _end_of(self, process: BotProcess) -> str:
        """Wait for the end, for as long as the event lets it, and say how it was unless all is well."""
        seconds = self._settings.event.build_timeout
        with trio.move_on_after(seconds) as waiting:
            code = await process.wait()
        if waiting.cancelled_caught:
            process.end_because(f"took longer than {seconds:g} s (build_timeout)")
            return ""
        return f"ended {ended_how(code)}" if code else ""

    @property
    def _hidden(self) -> tuple[Path, ...]:
        return (*self._place.hidden, self._place.logs)

    def _sandbox(self) -> Sandbox:
        if self._place.isolation is None:
            return Sandbox(folder=self._folder)
        limits = Limits(**self._settings.limits.model_dump())
        return self._place.isolation.sandbox(
            Confinement(
                folder=self._folder,
                readable=tuple(self._readable()),
                hidden=(*self._hidden, *self._folders_of_others()),
                limits=limits,
                writable=Writable(self._folder, most_mib=folder_mib(self._folder) + limits.scratch_mib),
            )
        )

    def _readable(self) -> Iterator[Path]:
        for command in (self._entrant.build, launch_command(self._entrant)):
            yield from readable_for(command, self._folder, built=True)
        yield from given_to(self._entrant)

    def _folders_of_others(self) -> Iterator[Path]:
        for entrant in self._settings.entrants:
            folder = working_folder(entrant).resolve()
            if entrant.folder and folder != self._folder:
                yield folder


def _growth(sandbox: Sandbox) -> str:
    """Return what a build that has ended has filled too much, as the end of a sentence, or nothing."""
    if (
        sandbox.writable is None
        or sandbox.limits is None
        or folder_mib(sandbox.writable.path) <= sandbox.writable.most_mib
    ):
        return ""
    return f"passed its limit of {sandbox.limits.scratch_mib} MiB more in its folder (scratch_mib)"
