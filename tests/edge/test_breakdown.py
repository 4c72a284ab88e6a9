"""grpc's thread ends though nobody asked it to: whoever opened the edge hears of it, and of the cause."""

import asyncio
import logging

import pytest
import trio
from support.connections import Lobby

from ordago.edge import Edge, EdgeFailedError
from ordago.edge.loop_lag import LoopLag

_PATIENCE_SECONDS = 10.0


async def _break_down() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        edge._loop.call_soon_threadsafe(edge._loop.stop)
        await trio.sleep_forever()


async def _serve_until_it_fails() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server):
        await trio.sleep_forever()


async def _break_down_and_fail() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        edge._loop.call_soon_threadsafe(edge._loop.stop)
        raise LookupError("his own")


@pytest.mark.two_threads
async def test_the_end_of_the_thread_ends_whatever_depends_on_it(caplog: pytest.LogCaptureFixture) -> None:
    with (
        trio.fail_after(_PATIENCE_SECONDS),
        pytest.raises(EdgeFailedError, match="accepts no more connections") as caught,
    ):
        await _break_down()
    assert isinstance(caught.value.__cause__, RuntimeError), "the cause is told"
    assert [record.__dict__["at"] for record in caplog.records if record.levelno == logging.ERROR] == ["serving"]


async def test_a_watch_that_ends_ends_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody would be charged any more."""

    async def stop_watching(_lag: LoopLag) -> None:
        await asyncio.sleep(0.05)
        raise RuntimeError("a mistake in the server")

    monkeypatch.setattr(LoopLag, "watch", stop_watching)
    with trio.fail_after(_PATIENCE_SECONDS), pytest.raises(EdgeFailedError) as caught:
        await _serve_until_it_fails()
    assert "a mistake in the server" in str(caught.value.__cause__)


async def test_what_fails_before_anybody_has_heard_of_the_start_is_told_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    class EdgeOfALateListener(Edge):
        async def _wait_for_start(self, address: str) -> None:
            await trio.to_thread.run_sync(self._ended.wait)
            await super()._wait_for_start(address)

    async def never_watch(_lag: LoopLag) -> None:
        raise RuntimeError("a mistake in the server")

    monkeypatch.setattr(LoopLag, "watch", never_watch)
    with trio.fail_after(_PATIENCE_SECONDS), pytest.raises(EdgeFailedError) as caught:
        async with EdgeOfALateListener.open("127.0.0.1:0", Lobby().server):
            await trio.sleep_forever()
    assert "a mistake in the server" in str(caught.value.__cause__)


@pytest.mark.two_threads
async def test_who_has_an_error_of_his_own_hears_of_that() -> None:
    with trio.fail_after(_PATIENCE_SECONDS), pytest.raises(LookupError, match="his own"):
        await _break_down_and_fail()
