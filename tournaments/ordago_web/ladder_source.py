"""A cache of answers about a ladder, which asks the server of matches as little as it can.

Many visitors ask for the same page. An answer is cached while the ladder stays the same: its identity, its epoch, and
its numbers of running, finished and rated matches. This version is asked at most once a second. Concurrent requests for
the same answer share one call. While the server is away, the last answers are served for two minutes. All other calls
wait in a fair queue: the server counts the site as one address, so one visitor must not use up the quota of all.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import trio
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import CallError, call_name
from ordago_web.access.bounds import TooManyError
from ordago_web.access.turns import FOR_ALL, Turns

AnswerT = TypeVar("AnswerT", bound=Message)

CALLS_AT_ONCE: Final = 4
"""The limit of concurrent calls: the server answers one after the other."""
_FRESH_SECONDS: Final = 1.0
"""The maximal age of the version, and the pause after a call that was not answered."""
_SAME_SECONDS: Final = 60.0
"""The maximal age of an answer while the ladder stays the same: the server may drop old data without a new version."""
_STALE_SECONDS: Final = 120.0
"""The maximal age of an answer that is served while the server is away."""
_KEPT_BYTES: Final = 64 * 2**20
"""The size limit of the cache."""
_BYTES_OF_EACH: Final = 1024
"""The minimal cost of a cached answer, since strangers may ask for many tiny ones."""
_AWAY: Final = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "CANCELLED")
"""The statuses that mean that the server does not answer now."""


_UNVERSIONED: Final = (v1.GetLadderRequest, v1.GetStatusRequest)
"""The requests whose answers change by themselves: the version of the ladder, and how its server is."""


class Server(Protocol):
    """A server of matches. Its method is called in threads."""

    def ask(self, request: Message, answer: type[AnswerT], /) -> AnswerT:
        """Return an answer, or raise a ``CallError``."""


@dataclass(slots=True)
class _Kept:
    answer: Message
    version: bytes
    """The version of the ladder at the time of the call."""
    at: float
    size: int


class _Call:
    """A call in progress, which requests for the same answer wait for."""

    def __init__(self) -> None:
        self.done = trio.Event()
        self.error: CallError | None = None
        """The error of the call, once it failed."""


class LadderSource:
    """Answers questions about a ladder, from its cache where it can. For use in trio's thread only."""

    def __init__(
        self, server: Server, *, turns: Turns | None = None, clock: Callable[[], float] = trio.current_time
    ) -> None:
        """Ask a server.

        Args:
            server: the server of matches.
            turns: the queue of the calls; one for four concurrent calls if ``None``.
            clock: the time in seconds.
        """
        self._server = server
        self._clock = clock
        self._turns = turns or Turns(at_once=CALLS_AT_ONCE)
        # A call whose visitor has left still runs in its thread, but no longer holds a turn.
        self._limiter = trio.CapacityLimiter(CALLS_AT_ONCE)
        self._kept: OrderedDict[tuple[str, bytes], _Kept] = OrderedDict()
        self._size = 0
        self._calls: dict[tuple[str, bytes], _Call] = {}
        self._failure: tuple[float, CallError] | None = None
        """Time and error of the last call, if the server did not answer it."""
        self.away_since: float | None = None
        """The time since which the server does not answer; ``None`` while it does."""

    async def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request, at most a second old while the server answers.

        Raises:
            CallError: the server refused it, or is away and no cached answer is young enough.
        """
        version = b"" if isinstance(request, _UNVERSIONED) else await self._version()
        # Deterministic, so that equal requests have equal keys.
        key = (call_name(request), request.SerializeToString(deterministic=True))
        while (kept := self._fresh(key, version)) is None:
            call = self._calls.get(key)
            if call is None:
                # Register the call only after the turn, so that visitors wait in the queue of their own address alone.
                async with self._turn(version):
                    if key not in self._calls and self._fresh(key, version) is None:
                        return await self._ask(key, version, request, answer)
                continue
            await call.done.wait()
            if call.error is not None:
                # The same call has just failed: fail at once and do not repeat it.
                return self._last(key, answer, call.error)
        assert isinstance(kept, answer)
        return kept

    @asynccontextmanager
    async def _turn(self, version: bytes) -> AsyncIterator[None]:
        """Wait for a turn. A call for the version waits in no visitor's queue, since it is for all visitors."""
        try:
            async with self._turns.turn(None if version else FOR_ALL):
                yield
        except TooManyError as error:
            raise CallError("RESOURCE_EXHAUSTED", str(error)) from None

    async def _version(self) -> bytes:
        """Return the version of the ladder; no other answer changes before it does."""
        ladder = await self.ask(v1.GetLadderRequest(), v1.GetLadderResponse)
        return ladder.SerializeToString(deterministic=True)

    def _fresh(self, key: tuple[str, bytes], version: bytes) -> Message | None:
        kept = self._kept.get(key)
        if kept is None or kept.version != version or self._clock() - kept.at >= self._longest(version):
            return None
        self._kept.move_to_end(key)
        return kept.answer

    def _longest(self, version: bytes) -> float:
        """Return the maximal age in seconds of a cached answer; those without a version stay for a shorter time."""
        return _SAME_SECONDS if version else _FRESH_SECONDS

    async def _ask(self, key: tuple[str, bytes], version: bytes, request: Message, answer: type[AnswerT]) -> AnswerT:
        if (failed := self._failed_just_now()) is not None:
            return self._last(key, answer, failed)
        call = self._calls[key] = _Call()
        try:
            await self._turns.keep_pace()
            found = await trio.to_thread.run_sync(
                self._server.ask, request, answer, abandon_on_cancel=True, limiter=self._limiter
            )
        except CallError as error:
            call.error = error
            self._note(error)
            return self._last(key, answer, error)
        finally:
            del self._calls[key]
            call.done.set()
        self._note(None)
        self._keep(key, version, found)
        return found

    def _failed_just_now(self) -> CallError | None:
        """Return the error of a call that failed in the last second, to spare a hanging server; otherwise ``None``."""
        if self._failure is None or self._clock() - self._failure[0] >= _FRESH_SECONDS:
            return None
        return self._failure[1]

    def _note(self, error: CallError | None) -> None:
        """Note whether the server answered. A refusal counts as an answer."""
        if error is None or error.status not in _AWAY:
            self._failure = self.away_since = None
        else:
            now = self._clock()
            self._failure = (now, error)
            self.away_since = now if self.away_since is None else self.away_since

    def _last(self, key: tuple[str, bytes], answer: type[AnswerT], error: CallError) -> AnswerT:
        """Return the last answer, or raise the error if there is none or it is too old."""
        kept = self._kept.get(key)
        if error.status not in _AWAY or kept is None or self._clock() - kept.at > _STALE_SECONDS:
            raise error
        assert isinstance(kept.answer, answer)
        return kept.answer

    def _keep(self, key: tuple[str, bytes], version: bytes, answer: Message) -> None:
        if (before := self._kept.pop(key, None)) is not None:
            self._size -= before.size
        size = _BYTES_OF_EACH + len(key[1]) + answer.ByteSize()
        self._kept[key] = _Kept(answer, version, self._clock(), size)
        self._size += size
        while self._size > _KEPT_BYTES:
            self._size -= self._kept.popitem(last=False)[1].size
