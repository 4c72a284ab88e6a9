"""One task tells everybody whose time is up, and nobody else."""

import pytest
import trio
import trio.testing

from ordago.arena.deadline_queue import DeadlineQueue
from ordago.arena.referee_clock import RefereeClock
from ordago.telemetry.telemetry import Telemetry


class Clerk:
    """Waits until a deadline, and notes when he was told that it is over."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.told_at: list[float] = []

    def expire(self) -> None:
        self.told_at.append(trio.current_time())


@pytest.fixture
def deadlines() -> DeadlineQueue:
    return DeadlineQueue(RefereeClock())


@pytest.mark.virtual_time
async def test_each_is_told_at_his_deadline_in_whatever_order_they_came(deadlines: DeadlineQueue) -> None:
    clerks = [Clerk(deadline) for deadline in (5, 2, 9, 2, 7)]
    for clerk in clerks:
        deadlines.add(clerk)
    await trio.sleep(20)
    assert [clerk.told_at for clerk in clerks] == [[5], [2], [9], [2], [7]]
    assert trio.current_time() == 20


@pytest.mark.virtual_time
async def test_who_comes_while_the_others_wait_is_told_in_time(deadlines: DeadlineQueue) -> None:
    early, late = Clerk(3), Clerk(100)
    deadlines.add(late)
    await trio.sleep(1)
    deadlines.add(early)
    await trio.sleep(10)
    assert (early.told_at, late.told_at) == ([3], [])


@pytest.mark.virtual_time
async def test_who_does_not_wait_any_more_is_not_told(deadlines: DeadlineQueue) -> None:
    gone, waiting = Clerk(3), Clerk(3)
    deadlines.add(gone)
    deadlines.add(waiting)
    deadlines.discard(gone)
    deadlines.discard(Clerk(1))
    await trio.sleep(10)
    assert (gone.told_at, waiting.told_at) == ([], [3])


@pytest.mark.virtual_time
async def test_a_deadline_that_became_later_counts(deadlines: DeadlineQueue) -> None:
    clerk = Clerk(3)
    deadlines.add(clerk)
    clerk.deadline = 3.5
    await trio.sleep(10)
    assert clerk.told_at == [3.5]


@pytest.mark.virtual_time
async def test_somebody_can_wait_again_and_after_a_pause(deadlines: DeadlineQueue) -> None:
    clerk = Clerk(3)
    for clerk.deadline in (3, 35, 51):
        deadlines.add(clerk)
        await trio.sleep(20)
    await trio.sleep(20)
    assert clerk.told_at == [3, 35, 51]


class ClumsyClerk(Clerk):
    def expire(self) -> None:
        super().expire()
        raise RuntimeError("a mistake in the server")


@pytest.mark.virtual_time
async def test_who_fails_keeps_nobody_else_from_being_told() -> None:
    telemetry = Telemetry()
    deadlines = DeadlineQueue(RefereeClock(), telemetry)
    clerks = [Clerk(3), ClumsyClerk(3), Clerk(3), ClumsyClerk(5), Clerk(7)]
    for clerk in clerks:
        deadlines.add(clerk)
    await trio.sleep(10)
    assert [clerk.told_at for clerk in clerks] == [[3], [3], [3], [5], [7]]


@pytest.mark.virtual_time
async def test_nothing_runs_when_nobody_waits(deadlines: DeadlineQueue) -> None:
    before = trio.lowlevel.current_statistics().tasks_living
    clerk = Clerk(3)
    deadlines.add(clerk)
    deadlines.add(Clerk(4))
    deadlines.discard(clerk)
    await trio.lowlevel.checkpoint()
    assert trio.lowlevel.current_statistics().tasks_living == before + 1
    await trio.sleep(10)
    assert trio.lowlevel.current_statistics().tasks_living == before


async def test_what_came_while_the_loop_was_busy_counts_before_the_deadline(
    deadlines: DeadlineQueue, mock_clock: trio.testing.MockClock
) -> None:
    for _ in range(20):
        clerk = Clerk(trio.current_time() + 1)
        deadlines.add(clerk)
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(5)
        trio.lowlevel.current_trio_token().run_sync_soon(deadlines.discard, clerk)
        await trio.testing.wait_all_tasks_blocked()
        assert not clerk.told_at
