"""Operations of grpc are waited for or left to themselves, and never cancelled."""

import asyncio

import pytest

from ordago.edge.operations import begun, done_within


class Operation:
    """An operation that its call ends."""

    def __init__(self) -> None:
        self.call_ends = asyncio.Event()
        self.outcome = "under way"

    async def write(self) -> None:
        try:
            await self.call_ends.wait()
        except asyncio.CancelledError:
            self.outcome = "cancelled"
            raise
        self.outcome = "failed"
        raise OSError("the call is over")


def test_what_takes_too_long_goes_on_until_its_call_is_over(caplog: pytest.LogCaptureFixture) -> None:
    async def slow() -> str:
        operation = Operation()
        assert not await done_within(operation.write(), seconds=0.01)
        assert operation.outcome == "under way"
        operation.call_ends.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return operation.outcome

    assert asyncio.run(slow(), debug=True) == "failed"
    assert not caplog.records


def test_whoever_waits_is_told_of_a_failure_in_time() -> None:
    async def failing() -> None:
        operation = Operation()
        operation.call_ends.set()
        await done_within(operation.write(), seconds=60)

    with pytest.raises(OSError, match="the call is over"):
        asyncio.run(failing())


def test_a_caller_that_is_cancelled_cancels_no_operation() -> None:
    async def cancelled() -> str:
        operation = Operation()
        waiting = asyncio.ensure_future(done_within(operation.write(), seconds=60))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return operation.outcome

    assert asyncio.run(cancelled()) == "under way"


def test_a_failure_that_nobody_asks_for_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def unasked() -> None:
        operation = Operation()
        operation.call_ends.set()
        task = begun(operation.write())
        await asyncio.wait((task,))
        del task

    asyncio.run(unasked(), debug=True)
    assert not caplog.records
