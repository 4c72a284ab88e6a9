"""The time of tests: it passes when all wait for it, and only then."""

import pytest
import trio

pytestmark = pytest.mark.virtual_time


async def test_no_time_passes_while_a_thread_is_at_work() -> None:
    """Else whoever waits for a thread would be as late as the next timer, or not, by how busy the machine is."""

    def ask_the_time() -> list[float]:
        return [trio.from_thread.run_sync(trio.current_time) for _ in range(100)]

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.sleep, 5)
        start = trio.current_time()
        assert set(await trio.to_thread.run_sync(ask_the_time)) == {start}
    assert trio.current_time() == start + 5
