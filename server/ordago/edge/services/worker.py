"""A background thread that runs functions one after the other."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Worker(Executor):
    """An executor with one thread, which does not delay the end of the process.

    Threads of ``ThreadPoolExecutor`` are joined at exit, even if they hang in a database that does not answer.
    """

    def __init__(self, name: str) -> None:
        """Set the name of the thread, which exists only while there is work."""
        self._name = name
        self._lock = Lock()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._works = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Queue a call after all that wait, and return a future of its result."""
        future: Future[T] = Future()
        with self._lock:
            self._waiting.append((future, partial(fn, *args, **kwargs)))
            begins, self._works = not self._works, True
        if begins:
            Thread(target=self._work, name=self._name, daemon=True).start()
        return future

    def _work(self) -> None:
        while (next_call := self._next()) is not None:
            future, call = next_call
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = call()
            except BaseException as error:  # noqa: BLE001 - the future raises it where the result is awaited
                future.set_exception(error)
            else:
                future.set_result(result)

    def _next(self) -> tuple["Future[Any]", Callable[[], Any]] | None:
        with self._lock:
            if not self._waiting:
                self._works = False
                return None
            return self._waiting.popleft()
