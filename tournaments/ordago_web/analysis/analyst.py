"""A queue of analyses: each is computed once, in a process that can be killed.

The input is the file of a record, which may hold anything. The site never parses it. The process does, with bounded
time, memory and output, so that a record can at most spoil its own analysis.
"""

import hashlib
import json
import logging
import subprocess
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Final, NamedTuple

import trio

from ordago.reaping import reaped
from ordago.scene import english
from ordago_bot.house.analysis import VERSION, WORLDS
from ordago_ladder.helpers import command_of
from ordago_ladder.publication.files import MOST_RECORD_BYTES
from ordago_web.analysis.cache import AnalysisCache

_MEGABYTE: Final = 1 << 20
_FAILURES_REMEMBERED: Final = 1000
"""The number of failed analyses that are remembered, so that nobody runs them again."""
_MOST_SAID_BYTES: Final = 16 * _MEGABYTE
"""The output limit of one process."""
_LOG: Final = logging.getLogger("ordago.web")


@unique
class Stage(StrEnum):
    """The progress of an analysis."""

    UNASKED = "unasked"
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


class BusyError(Exception):
    """The queue of analyses is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """The limits of an analyst."""

    workers: int = 1
    """The number of processes that work at a time."""
    waiting: int = 16
    """The limit of matches in the queue."""
    waiting_of_one: int = 4
    """The limit of queued and running analyses that one address asked for."""
    worlds: int = WORLDS
    """The number of deals imagined for each choice, in each of two rounds."""
    seconds: int = 300
    """The limit of one analysis in seconds, both of time and of processor time."""
    memory_bytes: int = 512 * _MEGABYTE
    """The memory limit of a process."""
    kept_bytes: int = 256 * _MEGABYTE
    """The size limit of the cache."""


class Answer(NamedTuple):
    """The state of the analysis of a match."""

    stage: Stage
    """The progress of the analysis."""
    body: bytes
    """The whole answer as JSON."""


@dataclass(slots=True)
class _Job:
    """A match that waits or is being analysed."""

    data: bytes
    asker: str
    stage: Stage = Stage.WAITING
    done: int = 0
    of: int = 0

    def answer(self) -> Answer:
        return _answer(self.stage, done=self.done, of=self.of)


class Analyst:
    """Computes analyses while ``run`` runs. For use in trio's thread only."""

    def __init__(self, folder: Path, means: Means | None = None) -> None:
        """Use a folder as the cache.

        Args:
            folder: the folder of the cache, created for the first analysis.
            means: the limits; the usual ones if ``None``.
        """
        self._means = means or Means()
        self._cache = AnalysisCache(folder, most_bytes=self._means.kept_bytes)
        self._from_cache = trio.CapacityLimiter(1)
        self._jobs: dict[str, _Job] = {}
        self._failures: OrderedDict[str, Answer] = OrderedDict()
        # The buffer holds the jobs that wait, so its size is the limit of the queue.
        self._send, self._receive = trio.open_memory_channel[str](self._means.waiting)

    async def look_up(self, data: bytes) -> Answer:
        """Return the state of the analysis of a record's file."""
        return await self._known(self._key(data)) or _answer(Stage.UNASKED)

    async def ask(self, data: bytes, *, asker: str = "") -> Answer:
        """Return the state of the analysis of a record's file, and queue it if it is new.

        Args:
            data: the file.
            asker: the address of the visitor.

        Raises:
            BusyError: the queue is full, or this address has too many analyses in it.
        """
        key = self._key(data)
        known = await self._known(key)
        if known is not None:
            return known
        if len(data) > MOST_RECORD_BYTES:
            return _failed(f"A record has at most {MOST_RECORD_BYTES} bytes.")
        # Another visitor may have asked while the cache was read.
        if key not in self._jobs:
            self._begin(key, _Job(data, asker))
        return self._jobs[key].answer()

    def _begin(self, key: str, job: _Job) -> None:
        if sum(other.asker == job.asker for other in self._jobs.values()) >= self._means.waiting_of_one:
            raise BusyError(
                english("Several analyses for your address are already running: try again when one is done.")
            )
        try:
            self._send.send_nowait(key)
        except trio.WouldBlock:
            raise BusyError(english("Many matches are being analysed: try again in a minute.")) from None
        self._jobs[key] = job

    async def run(self) -> None:
        """Work until cancelled."""
        async with trio.open_nursery() as nursery:
            for _ in range(self._means.workers):
                nursery.start_soon(self._work)

    def _key(self, data: bytes) -> str:
        """Return the key in the cache, made of everything that the analysis depends on."""
        return f"{hashlib.sha256(data).hexdigest()}-{VERSION}-{self._means.worlds}"

    async def _known(self, key: str) -> Answer | None:
        if (job := self._jobs.get(key)) is not None:
            return job.answer()
        if key in self._failures:
            return self._failures[key]
        kept = await trio.to_thread.run_sync(self._cache.find, key, limiter=self._from_cache)
        return None if kept is None else Answer(Stage.DONE, kept)

    async def _work(self) -> None:
        async for key in self._receive:
            self._jobs[key].stage = Stage.WORKING
            try:
                await self._finish(key, await self._analysed(self._jobs[key]))
            except OSError as error:
                # The machine is at fault, not the match: the next request starts the analysis again.
                _LOG.warning("an analysis was aborted", extra={"error": str(error)})
            finally:
                del self._jobs[key]

    async def _finish(self, key: str, answer: Answer) -> None:
        if answer.stage is Stage.DONE:
            await trio.to_thread.run_sync(self._cache.keep, key, answer.body, limiter=self._from_cache)
            return
        self._failures[key] = answer
        while len(self._failures) > _FAILURES_REMEMBERED:
            self._failures.popitem(last=False)

    async def _analysed(self, job: _Job) -> Answer:
        """Analyse a match in a process, which is ended in any case.

        Raises:
            OSError: the process cannot be started.
        """
        pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
        process = await trio.lowlevel.open_process(self._command(), stdin=pipe, stdout=pipe, stderr=nowhere)
        answer = _failed("The analysis took too long.")
        try:
            with trio.move_on_after(self._means.seconds):
                answer = await self._heard(process, job) or _failed(
                    "The analysis was stopped: the match needs too much memory or time."
                )
        finally:
            process.kill()
            # Reaped even if cancelled, so that no zombie is left.
            with trio.CancelScope(shield=True):
                await reaped(process)
                await _close(process)
        return answer

    def _command(self) -> tuple[str, ...]:
        limits = (self._means.worlds, self._means.seconds, self._means.memory_bytes)
        return command_of("ordago_web.analysis.worker", *limits)

    async def _heard(self, process: trio.Process, job: _Job) -> Answer | None:
        """Return the last answer of a process, or ``None`` if it ends without one."""
        assert process.stdin is not None
        assert process.stdout is not None
        # A process that has ended reads nothing more, and its missing answer shows that.
        with suppress(trio.BrokenResourceError):
            await process.stdin.send_all(job.data)
        await process.stdin.aclose()
        lines = _Lines()
        async for part in process.stdout:
            for line in lines.cut(part):
                if (answer := _last(line)) is not None:
                    return answer
                said = json.loads(line)
                job.done, job.of = said["done"], said["of"]
        return None


def _last(line: bytes) -> Answer | None:
    """Return a final answer, or ``None`` for progress. The answer is not parsed: that would hold up the site."""
    stages = (stage for stage in (Stage.DONE, Stage.FAILED) if line.startswith(b'{"state":"%s"' % stage.encode()))
    return next((Answer(stage, line) for stage in stages), None)


async def _close(process: trio.Process) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            await stream.aclose()


class _Lines:
    """Splits the output of a process into lines, up to a limit of bytes."""

    def __init__(self) -> None:
        self._begun = bytearray()
        self._left = _MOST_SAID_BYTES

    def cut(self, part: bytes | bytearray) -> list[bytes]:
        """Return the lines that end in the next part."""
        self._left -= len(part)
        if self._left < 0:
            return []
        *ends, rest = part.split(b"\n")
        lines = []
        for end in ends:
            lines.append(bytes(self._begun + end))
            self._begun.clear()
        self._begun += rest
        return lines


def _failed(sentence: str) -> Answer:
    return _answer(Stage.FAILED, sentence=sentence)


def _answer(stage: Stage, **content: object) -> Answer:
    body = json.dumps({"state": stage.value, **content}, ensure_ascii=False, separators=(",", ":"))
    return Answer(stage, body.encode())
