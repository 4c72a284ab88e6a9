"""What a site knows of a ladder: it asks the server of the matches, as little as it can.

Many ask for the same page. Each answer is kept as long as the results are the same, and while one is asked for nobody
else asks for it again. Where the server is away, the last answers are told on for a while.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import trio
from google.protobuf.message import Message

from ordago.edge.services.client import CallError, call_name

AnswerT = TypeVar("AnswerT", bound=Message)

_FRESH_SECONDS: Final = 1.0
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
        """Return the answer to a request of the contract, a second old at most while the server is there.

        Raises:
            CallError: there is none.
        """
        key = (call_name(request), request.SerializeToString(deterministic=True))
        while (kept := self._fresh(key)) is None:
            asked = self._asked.get(key)
            if asked is None:
                return await self._ask(key, request, answer)
            await asked.wait()
            if key not in self._asked and self._fresh(key) is None:
                return await self._ask(key, request, answer)
        assert isinstance(kept, answer)
        return kept

    def _fresh(self, key: tuple[str, bytes]) -> Message | None:
        kept = self._kept.get(key)
        if kept is None or self._clock() - kept.at >= _FRESH_SECONDS:
            return None
        self._kept.move_to_end(key)
        return kept.answer

    async def _ask(self, key: tuple[str, bytes], request: Message, answer: type[AnswerT]) -> AnswerT:
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
        self._keep(key, found)
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

    def _keep(self, key: tuple[str, bytes], answer: Message) -> None:
        if (before := self._kept.pop(key, None)) is not None:
            self._size -= before.size
        size = len(key[1]) + answer.ByteSize()
        self._kept[key] = _Kept(answer, self._clock(), size)
        self._size += size
        while self._size > _KEPT_BYTES:
            self._size -= self._kept.popitem(last=False)[1].size
