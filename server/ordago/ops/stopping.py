"""The signals that end a process of Ordago in an orderly way."""

import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Self

import trio


@contextmanager
def orders_to_stop() -> Iterator[AsyncIterator[int]]:
    """Yield the signals that order the process to end: SIGINT, SIGTERM, and SIGHUP when its terminal is closed.

    SIGHUP stays ignored if it is, by ``nohup`` for instance. It never counts as the second order, which stops the
    process at once: when a terminal is closed, shell and kernel both send it, one right after the other.
    """
    hangs_up = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    numbers = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hangs_up else ()))
    with trio.open_signal_receiver(*numbers) as signals:
        yield _Orders(signals)


class _Orders:
    """The orders to stop among received signals: a SIGHUP after the first order is skipped."""

    def __init__(self, signals: AsyncIterator[int]) -> None:
        self._signals = signals
        self._is_notified = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> int:
        """Wait for the next order."""
        number = await anext(self._signals)
        while self._is_notified and number == signal.SIGHUP:
            number = await anext(self._signals)
        self._is_notified = True
        return number
