"""What a site knows of a ladder: it asks the server of the matches, as little as it can.

Many ask for the same page. Each answer is kept as long as the ladder is the same: who it is, its epoch, how many
matches run, are over and are rated. That is asked once a second at most. While one asks nobody else asks for the same.
Where the server is away, the last answers are told on for a while.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import trio
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import CallError, call_name

AnswerT = TypeVar("AnswerT", bound=Message)

_FRESH_SECONDS: Final = 1.0
_SAME_SECONDS: Final = 60.0
"""For so long an answer is told while the ladder stays the same: what it gives up to make room it does not say."""
_STALE_SECONDS: Final = 120.0
_KEPT_BYTES: Final = 64 * 2**20
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


class LadderSource:
    """Answers what is asked about a ladder. It belongs to trio's thread."""

    def __init__(self, server: Server, *, at_once: int = 4, clock: Callable[[], float] = trio.current_time) -> None:
        """Ask a server.

        Args:
            server: who is asked.
            at_once: how many calls are made at the same time.
            clock: the time in seconds.
        """
        self._server = server
        self._clock = clock
        self._limiter = trio.CapacityLimiter(at_once)
        self._kept: OrderedDict[tuple[str, bytes], _Kept] = OrderedDict()
        self._size = 0
        self._asked: dict[tuple[str, bytes], trio.Event] = {}
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
            asked = self._asked.get(key)
            if asked is None:
                return await self._ask(key, version, request, answer)
            await asked.wait()
            if key not in self._asked and self._fresh(key, version) is None:
                return await self._ask(key, version, request, answer)
        assert isinstance(kept, answer)
        return kept

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
        self._asked[key] = trio.Event()
        try:
            found = await trio.to_thread.run_sync(
                self._server.ask, request, answer, abandon_on_cancel=True, limiter=self._limiter
            )
        except CallError as error:
            return self._last(key, answer, error)
        finally:
            self._asked.pop(key).set()
        self.away_since = None
        self._keep(key, version, found)
        return found

    def _last(self, key: tuple[str, bytes], answer: type[AnswerT], error: CallError) -> AnswerT:
        """Return the last answer that there was, if it is not too old."""
        kept = self._kept.get(key)
        if error.status not in _AWAY:
            raise error
        self.away_since = self._clock() if self.away_since is None else self.away_since
        if kept is None or self._clock() - kept.at > _STALE_SECONDS:
            raise error
        assert isinstance(kept.answer, answer)
        return kept.answer

    def _keep(self, key: tuple[str, bytes], version: bytes, answer: Message) -> None:
        if (before := self._kept.pop(key, None)) is not None:
            self._size -= before.size
        size = len(key[1]) + answer.ByteSize()
        self._kept[key] = _Kept(answer, version, self._clock(), size)
        self._size += size
        while self._size > _KEPT_BYTES:
            self._size -= self._kept.popitem(last=False)[1].size
