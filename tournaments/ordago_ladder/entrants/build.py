"""The build step of local entrants: a command that runs once in the folder of each, before any bot starts."""

import hashlib
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Final

import trio

from ordago.arena.processes.errors import SandboxFailedError
from ordago.arena.processes.isolation.confinement import MEBIBYTE, Confinement, Isolation, Limits, Sandbox, Writable
from ordago.arena.processes.isolation.readable import own_python, readable_for
from ordago.arena.processes.isolation.sampler import Sampler, sampling
from ordago.arena.processes.isolation.usage import folder_mib
from ordago.arena.processes.launcher import BotProcess, Launch, ended_how, launched
from ordago.arena.processes.output import last_line
from ordago.arena.processes.supervisor import MOST_TRIES, PAUSE_BETWEEN_TRIES_SECONDS
from ordago_ladder.entrants.launch import bot_command, given_to, working_folder
from ordago_ladder.settings.sections import EntrantSettings
from ordago_ladder.settings.settings import Settings

_PROGRAM: Final = b"\x7fELF"
"""The first bytes of an ELF file."""
_LENT_TO_OTHERS: Final = stat.S_ISUID | stat.S_ISGID
_WITHOUT_WAITING: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def unfit_to_build_in(folder: Path, hidden: Iterable[Path]) -> str:
    """Return the reason why no build may run in a folder, as the end of a sentence; empty if one may.

    Args:
        folder: its real path.
        hidden: the paths that a build may not read.

    Raises:
        OSError: the folder cannot be read.
    """
    for path in (path.resolve() for path in hidden):
        if path.is_relative_to(folder) or folder.is_relative_to(path):
            return f"cannot start in {folder}, which overlaps with {path}: give it another folder"
    for path in (path.resolve() for path in own_python()):
        if path.is_relative_to(folder):
            return f"cannot start in {folder}: Ordago itself runs from {path}; give it a folder of its own"
    shared = _linked_elsewhere(folder)
    if shared is not None:
        return f"cannot start: the file {shared} has a hard link outside the folder; copy the folder to separate them"
    return ""


def _linked_elsewhere(folder: Path) -> Path | None:
    """Return a file with a hard link outside the folder, through which a build could change a foreign file."""
    left: dict[tuple[int, int], tuple[int, str]] = {}
    for entry in _below(folder):
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
            inode = (status.st_dev, status.st_ino)
            left[inode] = (left.get(inode, (status.st_nlink, ""))[0] - 1, entry.path)
    return next((Path(path) for names, path in left.values() if names), None)


def settle(folder: Path) -> None:
    """Set safe modes on all files after a build, and make its programs executable.

    Only the owner and its group may write, and no program is setuid or setgid. A sandboxed build may be unable to set
    modes, so ELF files are made executable here. Links are not followed.

    Raises:
        OSError: a file cannot be read, or its mode cannot be set.
    """
    _settle(str(folder), folder.stat())
    for entry in _below(folder):
        _settle(entry.path, entry.stat(follow_symlinks=False))


def _settle(path: str, status: os.stat_result) -> None:
    is_file = stat.S_ISREG(status.st_mode)
    if not is_file and not stat.S_ISDIR(status.st_mode):
        return
    mode = stat.S_IMODE(status.st_mode)
    wanted = mode & ~stat.S_IWOTH & ~(_LENT_TO_OTHERS if is_file else 0)
    if is_file and not mode & stat.S_IXUSR and _is_program(path):
        wanted |= stat.S_IXUSR
    if wanted != mode:
        os.chmod(path, wanted)  # noqa: PTH101 - the path is a string


def _is_program(path: str) -> bool:
    with _opened(path) as file:
        return file.read(len(_PROGRAM)) == _PROGRAM


def _opened(path: str) -> BufferedReader:
    """Open a file without following links, and without blocking on a pipe or device."""
    return os.fdopen(os.open(path, _WITHOUT_WAITING), "rb")


def folder_digest(folder: Path) -> str:
    """Return the SHA-256 of a folder in hexadecimal, over names, contents, executable bits and link targets.

    Raises:
        OSError: a file cannot be read.
    """
    total = hashlib.sha256()
    lines = (((os.path.relpath(entry.path, folder)), *_content(entry)) for entry in _below(folder))
    for line in sorted(lines):
        total.update(repr((os.fsencode(line[0]), *line[1:])).encode())
    return total.hexdigest()


def _content(entry: "os.DirEntry[str]") -> tuple[str, bool, bytes]:
    status = entry.stat(follow_symlinks=False)
    kind, can_be_started = stat.filemode(status.st_mode)[0], bool(status.st_mode & stat.S_IXUSR)
    if stat.S_ISLNK(status.st_mode):
        return kind, False, os.fsencode(Path(entry.path).readlink())
    if not stat.S_ISREG(status.st_mode):
        return kind, False, b""
    with _opened(entry.path) as file:
        return kind, can_be_started, hashlib.file_digest(file, "sha256").digest()


def _below(folder: Path) -> Iterator["os.DirEntry[str]"]:
    """Yield all entries below a folder, recursively."""
    folders = [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)


_WORDS: Final = {
    # Java reports a thread limit as "OutOfMemoryError: unable to create native thread", so threads come first.
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
"""With less free space than this the disk itself is taken to be full, rather than a limit reached."""


def limit_hint(reason: str, log: Path, folder: Path, sandbox: Sandbox) -> str:
    """Return a hint at the limit that a failed build seems to have hit, to be appended to the reason; empty if none.

    Args:
        reason: the way it ended.
        log: its output, of bounded size.
        folder: the folder that it builds in.
        sandbox: the sandbox that it ran in.
    """
    try:
        printed = f"{reason}\n{log.read_text(encoding='utf-8', errors='replace')}"
        room_mib = shutil.disk_usage(folder).free / MEBIBYTE
    except OSError:
        return ""
    key = next((key for key, words in _WORDS.items() if re.search("|".join(words), printed, re.IGNORECASE)), "")
    if not key and sandbox.rules is not None and re.search(_REFUSED, printed, re.IGNORECASE):
        return ", probably because it sets modes or times of files, which Landlock prevents: install bubblewrap"
    if not key or sandbox.limits is None:
        return ""
    if key == "scratch_mib" and room_mib < _FULL_MIB:
        return f", since the disk of {folder} is full"
    return f", probably because {key} = {getattr(sandbox.limits, key)} is too little: raise it under [limits]"


_SAMPLING_COST: Final = 2
"""The pause between scans, in durations of a scan: short, since no match is slowed yet, and folders may be large."""


class BuildError(Exception):
    """The build of an entrant failed, or its folder has changed since: a mistake of its author or the organiser."""


@dataclass(frozen=True, slots=True)
class BuildPlace:
    """The isolation, hidden paths and log folder of builds."""

    isolation: Isolation | None
    """The isolation method; ``None`` for none."""
    hidden: tuple[Path, ...]
    """The paths that builds may not read."""
    logs: Path
    """The folder for their output."""


async def build_all(settings: Settings, place: BuildPlace, *, without: Collection[str] = ()) -> dict[str, str]:
    """Build all entrants, one build per processor at a time; return the reasons of failed builds, by entrant.

    Args:
        settings: the event.
        place: the surroundings of the builds.
        without: entrants to skip, along with those that share a folder with one of them.

    Raises:
        SandboxFailedError: the sandbox of a build failed. It is raised in an exception group.
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
    """Return the entrants that build, by resolved folder. Entrants that share a folder share one build."""
    groups: dict[Path, list[EntrantSettings]] = {}
    for entrant in settings.entrants:
        if entrant.build:
            groups.setdefault(working_folder(entrant).resolve(), []).append(entrant)
    return groups


class _Build:
    """One build: the checks before it, its run in a sandbox, and the verdict."""

    def __init__(self, settings: Settings, place: BuildPlace, entrant: EntrantSettings, sampler: Sampler) -> None:
        self._settings = settings
        self._place = place
        self._entrant = entrant
        self._sampler = sampler
        self._folder = working_folder(entrant).resolve()
        self._log = place.logs / f"{entrant.name}.build.log"

    async def run(self) -> str:
        """Run the build; return the failure as the end of a sentence, or empty."""
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
        # The output of an earlier build must not appear as the last line of this one.
        self._log.unlink(missing_ok=True)
        launch = Launch(self._entrant.build, dict(self._entrant.env), self._log, sandbox=sandbox, sampler=self._sampler)
        what = f"the build of {self._entrant.name!r}"
        try:
            async with launched(launch) as process:
                how = await self._end_of(process)
        except OSError as error:
            # No process could be started: too many open files, or too many processes.
            raise SandboxFailedError.of(what, str(error), self._log) from error
        if process.never_ran:
            raise SandboxFailedError.of(what, last_line(self._log), self._log)
        reason = process.ended_because or how or await trio.to_thread.run_sync(_growth, sandbox)
        if not reason:
            return ""
        words = last_line(self._log)
        if not process.ended_because:
            reason += await trio.to_thread.run_sync(limit_hint, reason, self._log, self._folder, sandbox)
        return f"{reason}{f'; its last line: {words}' if words else ''} (its output is in {self._log})"

    async def _end_of(self, process: BotProcess) -> str:
        """Wait at most ``build_timeout`` for the build to end; return its failure, or empty."""
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
        for command in (self._entrant.build, bot_command(self._entrant)):
            yield from readable_for(command, self._folder, built=True)
        yield from given_to(self._entrant)

    def _folders_of_others(self) -> Iterator[Path]:
        for entrant in self._settings.entrants:
            folder = working_folder(entrant).resolve()
            if entrant.folder and folder != self._folder:
                yield folder


def _growth(sandbox: Sandbox) -> str:
    """Return the complaint that a build has filled its folder beyond its limit, as the end of a sentence, or empty."""
    if (
        sandbox.writable is None
        or sandbox.limits is None
        or folder_mib(sandbox.writable.path) <= sandbox.writable.most_mib
    ):
        return ""
    return f"passed its limit of {sandbox.limits.scratch_mib} MiB more in its folder (scratch_mib)"
