"""Where bots think that do so elsewhere: a thread of its own with trio, and the worker threads that trio has."""

import inspect
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from ordago import v1
from ordago_bot.bot import answer_of
from ordago_bot.seat import Question

if TYPE_CHECKING:  # A bot that does not think elsewhere starts without it.
    import trio

Thought: TypeAlias = tuple[Question, v1.Answer | None]
"""A question, and the answer of the bot; ``None`` if it has given up."""

_LONGEST_END_SECONDS: Final = 1.0
"""How long bots may take to give up at the end. A thread cannot be told to; it dies with the process."""


class Minds:
    """Lets bots think about many questions at once."""

    def __init__(self) -> None:
        """Begin without a thread; it is started with the first question."""
        self.wake: Callable[[], None] = lambda: None
        """Is called, in a thread of its own, whenever ``finished`` has something new."""
        self._finished: deque[Thought] = deque()
        self._failures: deque[BaseException] = deque()
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._token: trio.lowlevel.TrioToken
        self._nursery: trio.Nursery
        self._scopes: dict[Question, trio.CancelScope] = {}
        self._limiters: dict[int, trio.CapacityLimiter] = {}

    def think(self, questions: Sequence[Question]) -> None:
        """Begin to think about these questions, and give up those that nobody waits for any more."""
        if self._thread is None:
            if not questions:
                return
            self._thread = threading.Thread(target=self._run, name="ordago_bot minds", daemon=True)
            self._thread.start()
            self._ready.wait()
        self._token.run_sync_soon(self._give_up, idempotent=True)
        for question in questions:
            self._token.run_sync_soon(self._begin, question)

    def finished(self) -> Iterable[Thought]:
        """Yield what was thought since, once each.

        Raises:
            BaseException: what a bot raised.
        """
        if self._failures:
            raise self._failures.popleft()
        while self._finished:
            yield self._finished.popleft()

    def close(self) -> None:
        """Give up everything."""
        if self._thread is not None and self._thread.is_alive():
            self._token.run_sync_soon(self._nursery.cancel_scope.cancel)
            self._thread.join(_LONGEST_END_SECONDS)

    def _run(self) -> None:
        import trio

        trio.run(self._live)

    async def _live(self) -> None:
        import trio

        async with trio.open_nursery() as self._nursery:
            self._token = trio.lowlevel.current_trio_token()
            self._ready.set()
            await trio.sleep_forever()

    def _begin(self, question: Question) -> None:
        self._nursery.start_soon(self._think, question)

    def _give_up(self) -> None:
        for question, scope in self._scopes.items():
            if not question.is_open:
                scope.cancel()

    async def _think(self, question: Question) -> None:
        import trio

        answer = None
        with trio.CancelScope() as self._scopes[question]:
            try:
                answer = await self._answer(question)
            except trio.Cancelled:
                raise
            except BaseException as error:  # noqa: BLE001 - the thread that plays raises it again
                self._failures.append(error)
        del self._scopes[question]
        self._finished.append((question, answer))
        self.wake()

    async def _answer(self, question: Question) -> v1.Answer:
        import trio

        threads = question.bot.threads
        if threads:
            limiter = self._limiters.setdefault(threads, trio.CapacityLimiter(threads))
            chosen = await trio.to_thread.run_sync(question.think, limiter=limiter)
        else:
            chosen = question.think()
        return answer_of(await chosen if inspect.isawaitable(chosen) else chosen)
