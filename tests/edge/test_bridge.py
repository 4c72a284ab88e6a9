"""Frames cross from grpc's thread to trio's in order, and before anybody is told that his time is up."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
import trio

from ordago.arena.deadline_queue import DeadlineQueue
from ordago.arena.referee_clock import RefereeClock
from ordago.edge.bridge import Bridge, open_bridge
from ordago.one_thread import host_loop

MANY = 300
"""More than are taken in at a stroke."""
MESSAGES = 3
STALL_SECONDS = 0.1
PORTION_SECONDS = 0.002
"""Longer than what is taken in at a stroke may take where a thread is shared."""


class Waiting:
    """Somebody who is to answer, by a frame."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.became: list[str] = []

    def received(self, _frame: bytes, _at: float) -> Iterator[None]:
        self.became.append("answered")
        yield

    def failed(self) -> None:
        raise AssertionError

    def lost(self) -> None:
        self.became.append("lost")

    def expire(self) -> None:
        self.became.append("expired")


@pytest.fixture
async def clock() -> RefereeClock:
    await trio.lowlevel.checkpoint()
    return RefereeClock()


async def test_whatever_came_before_the_end_of_a_stream_is_taken_in_before_it(clock: RefereeClock) -> None:
    bridge = open_bridge(clock)
    bot = Waiting(0)
    for _ in range(MANY):
        bridge.deliver(bot, b"")
    bridge.post(bot.lost)
    while "lost" not in bot.became:
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert bot.became == ["answered"] * MANY + ["lost"]


async def test_nobody_is_too_late_whose_answer_is_there(clock: RefereeClock) -> None:
    """The server was held up, and all answers and all deadlines come at once."""
    bridge, deadlines = open_bridge(clock), DeadlineQueue(clock)
    bots = [Waiting(clock.now() + STALL_SECONDS / 2) for _ in range(MANY)]
    for bot in bots:
        deadlines.add(bot)
    await trio.lowlevel.checkpoint()
    for bot in bots:
        bridge.deliver(bot, b"")
    time.sleep(STALL_SECONDS)  # noqa: ASYNC251 - this holds up the thread, which is the point
    while not all(bot.became for bot in bots):
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert {bot.became[0] for bot in bots} == {"answered"}


class Asked(Waiting):
    """Somebody who is to be told something when his frame is taken in, and sees how far others are by then."""

    def __init__(self, bridge: Bridge, others: list[str]) -> None:
        super().__init__(0)
        self._bridge, self._others = bridge, others
        self.seen: list[str] = []

    def received(self, _frame: bytes, _at: float) -> Iterator[None]:
        self._others.append("taken in")
        self._bridge.waking.add(self)
        yield

    def wake(self) -> None:
        self.seen += self._others


@pytest.mark.one_thread
async def test_what_comes_in_the_next_turn_goes_out_along_with_it(clock: RefereeClock) -> None:
    """A quick server would tell each bot by itself otherwise. Elsewhere trio says when all have had their turn."""
    host = host_loop()
    assert host is not None
    bridge, taken = open_bridge(clock), list[str]()
    first, second = Asked(bridge, taken), Asked(bridge, taken)
    bridge.deliver(first, b"")
    host.call_soon(bridge.deliver, second, b"")
    while not (first.seen and second.seen):
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert first.seen == ["taken in"] * 2


@pytest.mark.one_thread
async def test_nobody_is_told_before_what_was_chosen_is_kept(clock: RefereeClock) -> None:
    course: list[str] = []

    @contextmanager
    def together() -> Iterator[None]:
        yield
        course.append("kept")

    bridge = open_bridge(clock, together=together)
    bots = [Asked(bridge, course) for _ in range(3)]
    for bot in bots:
        bridge.deliver(bot, b"")
    while not all(bot.seen for bot in bots):
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert [bot.seen for bot in bots] == [["taken in"] * 3 + ["kept"]] * 3


@pytest.mark.two_threads
async def test_of_two_threads_nothing_is_put_off_since_the_other_may_tell_at_any_time(clock: RefereeClock) -> None:
    def together() -> AbstractContextManager[None]:
        raise AssertionError

    bridge, bot = open_bridge(clock, together=together), Waiting(0)
    bridge.deliver(bot, b"")
    while not bot.became:
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert bot.became == ["answered"]


class Slow:
    """Somebody of whose frame each portion takes a while."""

    def __init__(self, portions: int) -> None:
        self.portions = portions
        self.taken = 0

    def received(self, _frame: bytes, _at: float) -> Iterator[None]:
        for _ in range(self.portions):
            time.sleep(PORTION_SECONDS)
            self.taken += 1
            yield

    def failed(self) -> None:
        raise AssertionError

    def lost(self) -> None:
        raise AssertionError


class Looking(Waiting):
    """Somebody who looks at the clock for each of the messages of a frame, which are a portion each."""

    def __init__(self, clock: RefereeClock) -> None:
        super().__init__(0)
        self.seen: list[tuple[float, float]] = []
        self._clock = clock

    def received(self, _frame: bytes, _at: float) -> Iterator[None]:
        for _ in range(MESSAGES):
            self.seen.append((self._clock.now(), self._clock.now()))
            yield


@pytest.mark.one_thread
async def test_time_stands_still_within_a_portion_and_no_longer(clock: RefereeClock) -> None:
    bridge, bot = open_bridge(clock), Looking(clock)
    bridge.deliver(bot, b"")
    bridge.deliver(bot, b"")
    while len(bot.seen) < 2 * MESSAGES:
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert all(first == second for first, second in bot.seen)
    seen = [first for first, _ in bot.seen]
    assert sorted(set(seen)) == seen
    assert seen[-1] < clock.now()


@pytest.mark.one_thread
async def test_time_goes_on_where_a_portion_was_broken_off(clock: RefereeClock) -> None:
    def broken_off() -> Iterator[None]:
        raise KeyboardInterrupt
        yield

    bridge = open_bridge(clock)
    with pytest.raises(KeyboardInterrupt):
        bridge._take(Waiting(0), broken_off(), clock.now())
    bridge.detach()
    assert clock.now() < clock.now()


@pytest.mark.two_threads
async def test_of_two_threads_time_never_stands_since_the_other_may_write_meanwhile(clock: RefereeClock) -> None:
    """A choice that waits for the disk would make whoever is asked next late for what he was not told yet."""
    bridge, bot = open_bridge(clock), Looking(clock)
    bridge.deliver(bot, b"")
    while len(bot.seen) < MESSAGES:
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert all(first < second for first, second in bot.seen)


async def test_others_get_their_turn_between_the_portions_of_a_frame(clock: RefereeClock, threads: str) -> None:
    """In a thread that is shared nothing is read meanwhile, so that no arrival is stamped."""
    bridge, bot, turns = open_bridge(clock), Slow(20), 0
    bridge.deliver(bot, b"")
    while bot.taken < bot.portions:
        await trio.lowlevel.checkpoint()
        turns += 1
    bridge.detach()
    assert turns >= (bot.portions if threads == "one thread" else 2)


async def test_frames_are_taken_in_one_after_the_other_though_each_is_in_portions(clock: RefereeClock) -> None:
    bridge, order = open_bridge(clock), list[str]()

    class Named(Waiting):
        def __init__(self, name: str) -> None:
            super().__init__(0)
            self.name = name

        def received(self, _frame: bytes, _at: float) -> Iterator[None]:
            for _ in range(3):
                order.append(self.name)
                yield

    for name in ("first", "second"):
        bridge.deliver(Named(name), b"")
    while len(order) < 6:
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert order == ["first"] * 3 + ["second"] * 3


class FakeLoop:
    """grpc's loop, which does at once what it is to do soon."""

    def call_soon_threadsafe(self, call: Callable[..., None], *arguments: object) -> None:
        call(*arguments)


class FakeSleeper:
    """Somebody who notes when he is woken."""

    def __init__(self, name: str, woken: list[str]) -> None:
        self._name, self._woken = name, woken

    def wake(self) -> None:
        self._woken.append(self._name)


async def test_whoever_a_match_waits_for_is_woken_before_those_who_are_told_of_it(clock: RefereeClock) -> None:
    bridge = open_bridge(clock)
    bridge.attach(FakeLoop())  # type: ignore[arg-type]  # it has all that a bridge asks for
    woken: list[str] = []
    sleepers = {name: FakeSleeper(name, woken) for name in ("told", "asked", "told and asked", "told, too")}
    for name, sleeper in sleepers.items():
        if name != "asked":
            bridge.waking.add(sleeper)
    bridge.waking.add(sleepers["asked"], urgent=True)
    bridge.waking.add(sleepers["told and asked"], urgent=True)
    while not woken:
        await trio.lowlevel.checkpoint()
    bridge.detach()
    assert woken == ["asked", "told and asked", "told", "told, too"]
