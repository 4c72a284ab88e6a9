"""Connections to PostgreSQL with a limit on every wait."""

import time
from collections.abc import Generator
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.waiting import Ready

T = TypeVar("T")

ANSWER_SECONDS: Final = 30.0
"""The time to wait for an answer: a little longer than the server takes to cancel a statement by itself."""


class BoundedConnection(psycopg.Connection[Any]):
    """A connection that is closed, and fails, when the server does not answer in time."""

    answer_seconds: float | None = ANSWER_SECONDS
    """The time to wait for an answer; ``None`` for no limit."""

    def wait(self, gen: PQGen[T], *more: Any, **options: Any) -> T:  # noqa: ANN401 - as psycopg has them
        """Wait for what the server answers.

        Raises:
            psycopg.OperationalError: it does not answer in time. The outcome of the statement is unknown.
        """
        if self.answer_seconds is None:
            return super().wait(gen, *more, **options)
        return super().wait(self._bounded(gen, self.answer_seconds), *more, **options)

    def _bounded(self, gen: PQGen[T], seconds: float) -> Generator[Any, Any, T]:
        """Run a generator of psycopg until it takes too long."""
        deadline = time.monotonic() + seconds
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready == Ready.NONE and time.monotonic() >= deadline:
                    self.close()
                    raise psycopg.OperationalError(f"the server has not answered for {seconds:g} s")
                wanted = gen.send(ready)
        except StopIteration as end:
            result: T = end.value
            return result
