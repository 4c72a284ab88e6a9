"""A thread with a trio loop, and trio's worker threads, for bots that are asynchronous or ask for threads."""

import inspect
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from ordago import v1
from ordago_bot.bot import answer_of
from ordago_bot.seat import Question, Thought

if TYPE_CHECKING:  # A bot that does not think elsewhere never imports trio, and starts faster.
    import trio

_LONGEST_END_SECONDS: Final = 1.0
"""Seconds that ``close`` waits for bots. A thread cannot be cancelled; as a daemon it ends with the process."""


class Minds:
    """Bots that think about many questions at once."""

    def __init__(self) -> None:
        """Begin without a thread; the first question starts it."""
        self.wake: Callable[[], None] = lambda: None
        """A function that the trio thread calls whenever ``finished`` has something new."""
        self._finished: deque[tuple[Question, Thought]] = deque()
        self._failures: deque[BaseException] = deque()
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._token: trio.lowlevel.TrioToken
        self._nursery: trio.Nursery
        self._scopes: dict[Question, trio.CancelScope] = {}
        self._limiters: dict[int, trio.CapacityLimiter] = {}

    def think(self, questions: Sequence[Question]) -> None:
        """Start thinking about these questions, and cancel those that were closed."""
        if self._thread is None:
            if not questions:
                return
            self._thread = threading.Thread(target=self._run, name="ordago_bot minds", daemon=True)
            self._thread.start()
            self._ready.wait()
        self._token.run_sync_soon(self._give_up, idempotent=True)
        for question in questions:
            self._token.run_sync_soon(self._begin, question)

    def finished(self) -> Iterable[tuple[Question, Thought]]:
        """Yield the new thoughts, once each.

        Raises:
            BaseException: a bot raised it to end the process, for instance SystemExit.
        """
        if self._failures:
            raise self._failures.popleft()
        while self._finished:
            yield self._finished.popleft()

    def close(self) -> None:
        """Cancel all questions, and wait a second at most."""
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

        thought: Thought = None
        with trio.CancelScope() as self._scopes[question]:
            try:
                thought = await self._answer(question)
            except trio.Cancelled:
                raise
            except Exception as error:  # noqa: BLE001 - an author's code may raise anything
                thought = error
            except BaseException as error:  # noqa: BLE001 - the thread that plays raises it again
                self._failures.append(error)
        del self._scopes[question]
        self._finished.append((question, thought))
        self.wake()

    async def _answer(self, question: Question) -> v1.Answer:
        import trio

        threads = question.bot.threads
        if threads:
            limiter = self._limiters.setdefault(threads, trio.CapacityLimiter(threads))
            chosen = await trio.to_thread.run_sync(question.think, limiter=limiter)
        else:
            chosen = question.think()
        return answer_of(await chosen if inspect.isawaitable(chosen) else chosen, question.decision)
