"""Trio and grpc in one thread: trio runs as the guest of an asyncio loop, and grpc serves in that loop.

With a thread for each, a frame crosses from one to the other and its result crosses back. Each time a thread is woken,
and both compete for the interpreter lock. That costs a fifth of a server's work, and a larger share of the time of a
match with few bots.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar

import outcome
import trio

T = TypeVar("T")

_LAST_STEPS_SECONDS: Final = 1.0
"""The time for the loop's last tasks to end, a generous guess: they are all cancelled."""


def host_loop() -> asyncio.AbstractEventLoop | None:
    """Return the loop that hosts trio in this thread; ``None`` where there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def run_in_one_thread(
    main: Callable[[], Awaitable[T]],
    *,
    clock: trio.abc.Clock | None = None,
    instruments: Sequence[trio.abc.Instrument] = (),
) -> T:
    """Run a trio program, as ``trio.run`` would, in a thread where grpc serves too, and return its result.

    It does not pay where trio itself waits for sockets and processes that are always busy, as in an event: guest mode
    waits for them in another thread, which has to be woken each time.

    Ctrl-C interrupts it at checkpoints only: elsewhere it would tear the loop down inside grpc.
    """
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(_hosted(main, clock, instruments))
    finally:
        loop.run_until_complete(_last_steps())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


async def _hosted(
    main: Callable[[], Awaitable[T]], clock: trio.abc.Clock | None, instruments: Sequence[trio.abc.Instrument]
) -> T:
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[outcome.Outcome[T]] = loop.create_future()
    trio.lowlevel.start_guest_run(
        main,
        run_sync_soon_threadsafe=loop.call_soon_threadsafe,
        run_sync_soon_not_threadsafe=loop.call_soon,
        done_callback=ended.set_result,
        clock=clock,
        instruments=instruments,
        restrict_keyboard_interrupt_to_checkpoints=True,
    )
    return (await ended).unwrap()


async def _last_steps() -> None:
    """Cancel the remaining tasks, and wait for them before the loop is closed."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=_LAST_STEPS_SECONDS)
