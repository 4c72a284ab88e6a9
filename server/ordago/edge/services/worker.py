"""A thread that works for calls, one after the other."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Worker(Executor):
    """Works in one thread, for which no process waits at its end.

    Those of ``ThreadPoolExecutor`` are waited for, also where they hang at a database that does not answer.
    """

    def __init__(self, name: str) -> None:
        """Call the thread so, which is there as long as there is something to do."""
        self._name = name
        self._lock = Lock()
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._works = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Call something after all that waits, and return what will come of it."""
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
            except BaseException as error:  # noqa: BLE001 - whatever it is, it is for whoever waits for the result
                future.set_exception(error)
            else:
                future.set_result(result)

    def _next(self) -> tuple["Future[Any]", Callable[[], Any]] | None:
        with self._lock:
            if not self._waiting:
                self._works = False
                return None
            return self._waiting.popleft()
