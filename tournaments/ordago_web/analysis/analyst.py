"""Who works out analyses for a site: a few at a time, each in a process that can be killed, each only once.

What comes in is the file of a record, whatever it holds. The site never reads it: that is done in the process, which is
bounded in time, in memory and in what it may say. So a record can spoil its own analysis at most.
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

from ordago_bot.house.analysis import VERSION, WORLDS
from ordago_ladder.helpers import command_of
from ordago_ladder.publication.files import MOST_RECORD_BYTES
from ordago_web.analysis.cache import AnalysisCache

_MEGABYTE: Final = 1 << 20
_FAILURES_REMEMBERED: Final = 1000
_MOST_SAID_BYTES: Final = 16 * _MEGABYTE
_LOG: Final = logging.getLogger("ordago.web")


@unique
class Stage(StrEnum):
    """How far an analysis is."""

    UNASKED = "unasked"
    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    FAILED = "failed"


class BusyError(Exception):
    """As many analyses wait as may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What an analyst may use."""

    workers: int = 1
    """How many processes work at a time."""
    waiting: int = 16
    """How many matches may wait for one."""
    waiting_of_one: int = 4
    """How many of those that wait or are worked at one address may have asked for."""
    worlds: int = WORLDS
    """How many deals are imagined for each choice, twice."""
    seconds: int = 300
    """How long one analysis may take, and how much of a processor it may use."""
    memory_bytes: int = 512 * _MEGABYTE
    """How much memory a process may have."""
    kept_bytes: int = 256 * _MEGABYTE
    """How large all that is kept may be."""


class Answer(NamedTuple):
    """What an analyst says of a match."""

    stage: Stage
    """How far its analysis is."""
    body: bytes
    """All of it as JSON."""


@dataclass(slots=True)
class _Job:
    """A match that waits, or is worked at."""

    data: bytes
    asker: str
    stage: Stage = Stage.WAITING
    done: int = 0
    of: int = 0

    def answer(self) -> Answer:
        return _answer(self.stage, done=self.done, of=self.of)


class Analyst:
    """Works out analyses while ``run`` runs. It belongs to trio's thread."""

    def __init__(self, folder: Path, means: Means | None = None) -> None:
        """Keep analyses in a folder.

        Args:
            folder: where they are kept; it is made when there is the first.
            means: what may be used.
        """
        self._means = means or Means()
        self._cache = AnalysisCache(folder, most_bytes=self._means.kept_bytes)
        self._from_cache = trio.CapacityLimiter(1)
        self._jobs: dict[str, _Job] = {}
        self._failures: OrderedDict[str, Answer] = OrderedDict()
        # One who waits behind others is in here; so what may wait is bounded by it.
        self._send, self._receive = trio.open_memory_channel[str](self._means.waiting)

    async def look_up(self, data: bytes) -> Answer:
        """Return what there is of the analysis of a record's file."""
        return await self._known(self._key(data)) or _answer(Stage.UNASKED)

    async def ask(self, data: bytes, *, asker: str = "") -> Answer:
        """Return what there is of the analysis of a record's file, and begin it if nobody has asked for it yet.

        Args:
            data: the file.
            asker: the address that it is asked from.

        Raises:
            BusyError: as many wait as may, in all or of this address.
        """
        key = self._key(data)
        known = await self._known(key)
        if known is not None:
            return known
        if len(data) > MOST_RECORD_BYTES:
            return _failed(f"A record has at most {MOST_RECORD_BYTES} bytes.")
        # While the shelf was looked at somebody else may have asked.
        if key not in self._jobs:
            self._begin(key, _Job(data, asker))
        return self._jobs[key].answer()

    def _begin(self, key: str, job: _Job) -> None:
        if sum(other.asker == job.asker for other in self._jobs.values()) >= self._means.waiting_of_one:
            raise BusyError("Several analyses for your address are already running: try again when one is done.")
        try:
            self._send.send_nowait(key)
        except trio.WouldBlock:
            raise BusyError("Many matches are being analysed: try again in a minute.") from None
        self._jobs[key] = job

    async def run(self) -> None:
        """Work, until cancelled."""
        async with trio.open_nursery() as nursery:
            for _ in range(self._means.workers):
                nursery.start_soon(self._work)

    def _key(self, data: bytes) -> str:
        """Return what an analysis is kept by: all that it follows from."""
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
                # Nothing is wrong with the match: whoever asks again has it begun anew.
                _LOG.warning("an analysis was given up: %s", error)
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
        """Have a process analyse a match, and end it in any case.

        Raises:
            OSError: it cannot be started.
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
            with trio.CancelScope(shield=True):
                await process.wait()
                await _close(process)
        return answer

    def _command(self) -> tuple[str, ...]:
        limits = (self._means.worlds, self._means.seconds, self._means.memory_bytes)
        return command_of("ordago_web.analysis.worker", *limits)

    async def _heard(self, process: trio.Process, job: _Job) -> Answer | None:
        """Return what a process says at last; ``None`` if it ends before that."""
        assert process.stdin is not None
        assert process.stdout is not None
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
    """Return what a line says at last. It is not parsed, which would hold up the site, but handed on as it is."""
    stages = (stage for stage in (Stage.DONE, Stage.FAILED) if line.startswith(b'{"state":"%s"' % stage.encode()))
    return next((Answer(stage, line) for stage in stages), None)


async def _close(process: trio.Process) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            await stream.aclose()


class _Lines:
    """Cuts what a process writes into lines, as far as it writes no more than it may."""

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
