"""The signals that end a process of ours in good order."""

import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Self

import trio


@contextmanager
def orders_to_stop() -> Iterator[AsyncIterator[int]]:
    """Receive the signals that tell the process to end: SIGINT, SIGTERM, and SIGHUP when its terminal is closed.

    SIGHUP is left alone where it is ignored, by ``nohup`` for instance. It never counts as the second order, which
    stops at once: shell and system both send it when a terminal is closed, one right after the other.
    """
    hangs_up = signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN
    numbers = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if hangs_up else ()))
    with trio.open_signal_receiver(*numbers) as signals:
        yield _Orders(signals)


class _Orders:
    """The orders among some signals."""

    def __init__(self, signals: AsyncIterator[int]) -> None:
        self._signals = signals
        self._is_told = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> int:
        """Wait for the next order."""
        number = await anext(self._signals)
        while self._is_told and number == signal.SIGHUP:
            number = await anext(self._signals)
        self._is_told = True
        return number
