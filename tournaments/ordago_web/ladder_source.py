"""What a site knows of a ladder: it asks the server of the matches, as little as it can.

Many ask for the same page. Each answer is kept as long as the ladder is the same: who it is, its epoch, how many
matches run, are over and are rated. That is asked once a second at most. While one asks nobody else asks for the same.
Where the server is away, the last answers are told on for a while. What is left to ask is asked by turns: the server
counts all calls as those of one address, and no visitor uses up what all of them may ask.
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
"""How many calls are made at the same time: the server answers one after the other."""
_FRESH_SECONDS: Final = 1.0
_SAME_SECONDS: Final = 60.0
"""For so long an answer is told while the ladder stays the same: what it gives up to make room it does not say."""
_STALE_SECONDS: Final = 120.0
_KEPT_BYTES: Final = 64 * 2**20
_BYTES_OF_EACH: Final = 1024
"""What an answer takes at least, however short it is: strangers may ask for many that say nothing."""
_AWAY: Final = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "CANCELLED")


class Server(Protocol):
    """A server of matches. Its method is called in threads."""

    def ask(self, request: Message, answer: type[AnswerT], /) -> AnswerT:
        """Return an answer, or raise a ``CallError``."""


@dataclass(slots=True)
class _Kept:
    answer: Message
    version: bytes
    """What the ladder was when it was asked for."""
    at: float
    size: int


class _Call:
    """A call that is made, for which others wait who ask the same."""

    def __init__(self) -> None:
        self.done = trio.Event()
        self.error: CallError | None = None
        """Why it failed, once it did."""


class LadderSource:
    """Answers what is asked about a ladder. It belongs to trio's thread."""

    def __init__(
        self, server: Server, *, turns: Turns | None = None, clock: Callable[[], float] = trio.current_time
    ) -> None:
        """Ask a server.

        Args:
            server: who is asked.
            turns: whose turn it is to ask; four at once if ``None``.
            clock: the time in seconds.
        """
        self._server = server
        self._clock = clock
        self._turns = turns or Turns(at_once=CALLS_AT_ONCE)
        # A call whose visitor has gone goes on in its thread, and has given back its turn.
        self._limiter = trio.CapacityLimiter(CALLS_AT_ONCE)
        self._kept: OrderedDict[tuple[str, bytes], _Kept] = OrderedDict()
        self._size = 0
        self._calls: dict[tuple[str, bytes], _Call] = {}
        self._failure: tuple[float, CallError] | None = None
        """When the server gave no answer last, if it has given none since, and why."""
        self.away_since: float | None = None
        """Since when the server gives no answer; ``None`` while it does."""

    async def ask(self, request: Message, answer: type[AnswerT]) -> AnswerT:
        """Return the answer to a request of the contract, a second late at most while the server is there.

        Raises:
            CallError: there is none.
        """
        version = b"" if isinstance(request, v1.GetLadderRequest) else await self._version()
        key = (call_name(request), request.SerializeToString(deterministic=True))
        while (kept := self._fresh(key, version)) is None:
            call = self._calls.get(key)
            if call is None:
                # Only who has a turn is waited for: whoever asks the same waits in no line but that of his own address.
                async with self._turn(version):
                    if key not in self._calls and self._fresh(key, version) is None:
                        return await self._ask(key, version, request, answer)
                continue
            await call.done.wait()
            if call.error is not None:
                # Nobody waits again for what was waited for just now.
                return self._last(key, answer, call.error)
        assert isinstance(kept, answer)
        return kept

    @asynccontextmanager
    async def _turn(self, version: bytes) -> AsyncIterator[None]:
        """Wait for a turn; what the ladder is now is asked for all."""
        try:
            async with self._turns.turn(None if version else FOR_ALL):
                yield
        except TooManyError as error:
            raise CallError("RESOURCE_EXHAUSTED", str(error)) from None

    async def _version(self) -> bytes:
        """Return what the ladder is now. Whatever else is told of it changes only with that."""
        ladder = await self.ask(v1.GetLadderRequest(), v1.GetLadderResponse)
        return ladder.SerializeToString(deterministic=True)

    def _fresh(self, key: tuple[str, bytes], version: bytes) -> Message | None:
        kept = self._kept.get(key)
        if kept is None or kept.version != version or self._clock() - kept.at >= self._longest(version):
            return None
        self._kept.move_to_end(key)
        return kept.answer

    def _longest(self, version: bytes) -> float:
        """Return for how many seconds what was told of a version holds; the version itself is asked again and again."""
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
        """Return why the server gave no answer a moment ago, if so: who hangs is not asked by everybody."""
        if self._failure is None or self._clock() - self._failure[0] >= _FRESH_SECONDS:
            return None
        return self._failure[1]

    def _note(self, error: CallError | None) -> None:
        """Note that the server answered, be it that it refused, or that it gave no answer."""
        if error is None or error.status not in _AWAY:
            self._failure = self.away_since = None
        else:
            now = self._clock()
            self._failure = (now, error)
            self.away_since = now if self.away_since is None else self.away_since

    def _last(self, key: tuple[str, bytes], answer: type[AnswerT], error: CallError) -> AnswerT:
        """Return the last answer that there was, if it is not too old."""
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
