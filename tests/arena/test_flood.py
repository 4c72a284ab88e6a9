"""A bot may send a certain number of messages that answer no open decision, and any number that do."""

import pytest
import trio
from support.connections import FakeConnection, Lobby, default
from support.frames import choice, from_bot, hello
from support.matches import match_terms
from trio.testing import wait_all_tasks_blocked

from ordago import v1
from ordago.arena.admission.limits import MAX_FRAME_BYTES
from ordago.arena.connection import Status
from ordago.arena.flood import MESSAGES_PER_SECOND
from ordago.arena.play import play
from ordago.record import faults_of

pytestmark = pytest.mark.virtual_time

FAR_OVER = 10 * MESSAGES_PER_SECOND
TOKEN = "any"  # noqa: S105 - anybody may come in
UNKNOWN_MESSAGE = b"\n\x00"
"""A message without a body that this server knows."""


def refusals(connection: FakeConnection) -> list[v1.Fault]:
    return [refused.fault for refused in connection.of(v1.Refused)]


async def test_the_rate_is_announced() -> None:
    connection, _ = Lobby().enter()
    assert connection.last(v1.Welcome).limits.messages_per_second == MESSAGES_PER_SECOND == 50


async def test_over_the_rate_a_bot_is_told_to_wait() -> None:
    connection, bot = Lobby().enter()
    for _ in range(MESSAGES_PER_SECOND + 2):
        connection.say(choice(7, 1))
    assert refusals(connection) == [v1.FAULT_STALE] * MESSAGES_PER_SECOND + [v1.FAULT_FLOODING] * 2
    last = connection.last(v1.Refused)
    assert (last.match_handle, last.number) == (7, 1)
    assert last.retry_after_ms == 20
    assert "50 messages a second" in last.sentence
    await trio.sleep(0.02)
    connection.say(choice(7, 1))
    assert refusals(connection)[-1] is v1.FAULT_STALE
    assert bot.connected


async def test_at_the_rate_it_goes_on_for_ever() -> None:
    connection, _ = Lobby().enter()
    for _ in range(20 * MESSAGES_PER_SECOND):
        await trio.sleep(1 / MESSAGES_PER_SECOND)
        connection.say(choice(7, 1))
    assert set(refusals(connection)) == {v1.FAULT_STALE}


async def test_a_little_over_the_rate_nobody_is_sent_away() -> None:
    connection, bot = Lobby().enter()
    for _ in range(20 * MESSAGES_PER_SECOND):
        await trio.sleep(0.5 / MESSAGES_PER_SECOND)
        connection.say(choice(7, 1))
    assert refusals(connection).count(v1.FAULT_FLOODING) > 100
    assert bot.connected


@pytest.mark.parametrize(
    "frames",
    [
        [from_bot(choice(1, 1))] * (FAR_OVER + 1),
        [from_bot(*[choice(1, 1)] * (FAR_OVER + 1))],
        [UNKNOWN_MESSAGE * (FAR_OVER + 1)],
        [b""] * (FAR_OVER + 1),
        [from_bot(choice(1, 1)), UNKNOWN_MESSAGE * FAR_OVER],
    ],
    ids=["one by one", "in one frame", "of unknown kinds", "empty frames", "of all kinds"],
)
async def test_far_over_the_rate_the_session_is_over(frames: list[bytes]) -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    for frame in frames[:-1]:
        connection.say_bytes(frame)
    assert bot.connected
    connection.say_bytes(frames[-1])
    assert connection.status is Status.RESOURCE_EXHAUSTED
    goodbye = connection.heard[-1]
    assert isinstance(goodbye, v1.Goodbye)
    assert goodbye.fault is v1.FAULT_FLOODING
    assert goodbye.sentence == connection.sentence
    assert not bot.connected
    assert lobby.come_back(connection).status is Status.UNAUTHENTICATED, "it cannot be resumed"


async def test_a_flood_is_not_answered_to_its_end() -> None:
    connection, _ = Lobby().enter()
    connection.say(*[choice(1, 1)] * (3 * FAR_OVER))
    assert len(refusals(connection)) == FAR_OVER + 1


async def test_who_breaks_off_and_comes_back_is_not_forgiven() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    for _ in range(FAR_OVER // 100):
        connection.say(*[choice(1, 1)] * 100)
        too_soon = lobby.come_back(connection)
        assert too_soon.status is Status.RESOURCE_EXHAUSTED
        await trio.sleep(too_soon.retry_after_ms / 1000)
        connection = lobby.come_back(connection)
    connection.say(*[choice(1, 1)] * 100)
    assert connection.status is Status.RESOURCE_EXHAUSTED
    assert not bot.connected


async def test_a_flood_before_the_greeting_ends_the_connection() -> None:
    lobby = Lobby()
    connection = FakeConnection(lobby.server)
    connection.say_bytes(UNKNOWN_MESSAGE * (FAR_OVER + 1))
    assert connection.status is Status.RESOURCE_EXHAUSTED
    assert not connection.heard


@pytest.mark.parametrize("greeted", [True, False])
async def test_a_frame_that_is_too_large_ends_the_session(greeted: bool) -> None:  # noqa: FBT001
    lobby = Lobby()
    connection = lobby.enter()[0] if greeted else FakeConnection(lobby.server)
    resume = connection.resume if greeted else None
    connection.say_bytes(bytes(MAX_FRAME_BYTES + 1))
    assert connection.status is Status.RESOURCE_EXHAUSTED
    assert connection.sentence == "a frame of 65537 bytes came; 65536 are allowed"
    if resume is not None:
        assert connection.last(v1.Goodbye).fault is v1.FAULT_FLOODING
        assert lobby.connect(resume=resume).status is Status.UNAUTHENTICATED


@pytest.mark.slow
async def test_answers_to_open_decisions_are_never_counted() -> None:
    """Far more of them than the rate, with no time between them."""
    lobby = Lobby()
    bots = [lobby.enter(answering=default) for _ in range(3)]
    for _ in range(20):
        await play(match_terms(), [bot.take_seat() for _, bot in bots])
    assert all(len(connection.of(v1.Accepted)) > 5 * MESSAGES_PER_SECOND for connection, _ in bots)
    assert not any(refusals(connection) for connection, _ in bots)


async def test_a_flood_does_not_keep_an_answer_from_being_taken() -> None:
    """A bot that is over the rate all the time plays its match all the same."""
    lobby = Lobby()

    def answers(decision: v1.Decision) -> v1.Answer:
        connection.say(*[choice(99, 1)] * (MESSAGES_PER_SECOND + 5) * (decision.number == 1), choice(99, 1))
        return decision.default_answer

    connection, bot = lobby.enter(answering=answers)
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    record = (await play(match_terms(), [seated.take_seat() for seated in (bot, *others)])).message
    assert v1.FAULT_FLOODING in refusals(connection)
    assert faults_of(record) == ((), (), ())


async def test_who_floods_forfeits_what_he_plays() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    others = [lobby.enter(answering=default)[1] for _ in range(2)]
    records: list[v1.MatchRecord] = []

    async def match() -> None:
        records.append((await play(match_terms(), [seated.take_seat() for seated in (bot, *others)])).message)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(match)
        await wait_all_tasks_blocked()
        connection.say(*[choice(99, 1)] * (FAR_OVER + 1))
    [forfeit] = [entry.forfeit for entry in records[0].entries if entry.HasField("forfeit")]
    assert (forfeit.seat, forfeit.fault) == (0, v1.FAULT_FLOODING)


async def test_a_repeated_answer_counts_as_a_message() -> None:
    lobby = Lobby()
    connection, bot = lobby.enter()
    others = [lobby.enter()[1] for _ in range(2)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play, match_terms(), [seated.take_seat() for seated in (bot, *others)])
        await wait_all_tasks_blocked()
        connection.say(choice(1, 1))
        await wait_all_tasks_blocked()
        connection.say(*[choice(1, 1)] * (MESSAGES_PER_SECOND + 1))
        nursery.cancel_scope.cancel()
    assert len(connection.of(v1.Accepted)) == 1 + MESSAGES_PER_SECOND
    assert refusals(connection) == [v1.FAULT_FLOODING]


async def test_a_frame_of_far_too_many_messages_ends_the_session_before_they_are_judged() -> None:
    connection, bot = Lobby().enter()
    connection.say_bytes(from_bot(choice(7, 1)) * 2049)
    assert refusals(connection) == []
    assert connection.status is Status.RESOURCE_EXHAUSTED
    assert connection.last(v1.Goodbye).fault == v1.FAULT_FLOODING
    assert bot.loss is not None
    assert bot.loss.fault == v1.FAULT_FLOODING


@pytest.mark.parametrize(("matches", "times"), [(0, 50), (49, 50), (50, 25), (1024, 2)])
async def test_a_session_is_not_resumed_as_often_as_anybody_likes(matches: int, times: int) -> None:
    """All that the bot plays is sent again each time."""
    lobby = Lobby()
    first, bot = lobby.enter()
    for _ in range(matches):
        bot.take_seat()
    for _ in range(times):
        assert lobby.come_back(first).status is None
    one_too_many = lobby.come_back(first)
    assert one_too_many.status is Status.RESOURCE_EXHAUSTED
    assert 0 < one_too_many.retry_after_ms <= 1000
    assert bot.connected, "the connection before goes on"
    await trio.sleep(one_too_many.retry_after_ms / 1000)
    assert lobby.come_back(first).status is None


async def test_a_process_that_says_hello_again_is_not_welcomed_as_often_as_it_likes() -> None:
    lobby = Lobby()
    connections = [FakeConnection(lobby.server, token=TOKEN) for _ in range(MESSAGES_PER_SECOND + 2)]
    for connection in connections:
        connection.say(hello())
    late = connections[-1]
    assert (late.status, len(set(lobby.bots))) == (Status.RESOURCE_EXHAUSTED, 1)
