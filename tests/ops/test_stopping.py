"""The signals that end a process of ours in good order."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import trio

from ordago.ops.stopping import orders_to_stop


@contextmanager
def hang_up(handler: signal.Handlers) -> Iterator[None]:
    before = signal.signal(signal.SIGHUP, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


async def given(*numbers: signal.Signals) -> list[int]:
    """Give some signals, one after the other, and return which of them are orders."""
    orders = []
    with orders_to_stop() as signals:
        for number in numbers:
            os.kill(os.getpid(), number)
            with trio.move_on_after(0.1):
                orders.append(await anext(signals))
    return orders


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_each_of_them_is_the_first_order(number: signal.Signals):
    with hang_up(signal.SIG_DFL):
        assert await given(number) == [number]


async def test_the_end_of_a_terminal_is_never_the_second():
    with hang_up(signal.SIG_DFL):
        assert await given(signal.SIGTERM, signal.SIGHUP, signal.SIGINT) == [signal.SIGTERM, signal.SIGINT]


async def test_it_is_left_alone_where_nohup_had_it_ignored():
    with hang_up(signal.SIG_IGN):
        assert await given(signal.SIGHUP) == []
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
