"""What a site asks of the server of matches: as little as it can, and what it tells while that is away."""

import threading
from collections import Counter

import pytest
import trio
from google.protobuf.message import Message

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.ladder_source import LadderSource

ASKED = v1.GetLadderRequest()


MATCHES = v1.ListMatchesRequest(page_size=5)


class Server:
    def __init__(self) -> None:
        self.calls = 0
        self.matches = 0
        """How many are over, on the ladder that it tells of."""
        self.asked = Counter[str]()
        self.error: CallError | None = None
        self.goes_on = threading.Event()
        self.goes_on.set()

    def ask(self, request: object, _answer: object) -> Message:
        self.calls += 1
        self.asked[type(request).__name__] += 1
        assert self.goes_on.wait(5)
        if self.error is not None:
            raise self.error
        if isinstance(request, v1.ListMatchesRequest):
            return v1.ListMatchesResponse(next_page_token=f"answer {self.calls}")
        return v1.GetLadderResponse(name="" if self.matches else f"answer {self.calls}", matches=self.matches)


class Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def source(server: Server, clock: Clock) -> LadderSource:
    return LadderSource(server, clock=clock)


async def test_many_who_ask_the_same_at_once_make_one_call(server: Server, source: LadderSource):
    server.goes_on.clear()
    answers = []

    async def ask() -> None:
        answers.append((await source.ask(ASKED, v1.GetLadderResponse)).name)

    async with trio.open_nursery() as nursery:
        for _ in range(50):
            nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        server.goes_on.set()
    assert answers == ["answer 1"] * 50


async def test_an_answer_is_a_second_old_at_most(source: LadderSource, clock: Clock):
    for seconds, name in [(0.0, "answer 1"), (0.9, "answer 1"), (0.2, "answer 2")]:
        clock.seconds += seconds
        assert (await source.ask(ASKED, v1.GetLadderResponse)).name == name


async def test_what_is_told_of_a_ladder_is_kept_until_a_match_ends_on_it(
    server: Server, source: LadderSource, clock: Clock
):
    """And asked anew after a minute in any case."""
    server.matches = 7
    for seconds, matches, calls in [(0, 7, 1), (2, 7, 1), (50, 7, 1), (2, 8, 2), (50, 8, 2), (11, 8, 3)]:
        clock.seconds += seconds
        server.matches = matches
        await source.ask(MATCHES, v1.ListMatchesResponse)
        assert server.asked["ListMatchesRequest"] == calls
    assert server.asked["GetLadderRequest"] == 6


async def test_while_the_server_is_away_the_last_answers_are_told_and_then_none(
    server: Server, source: LadderSource, clock: Clock
):
    await source.ask(ASKED, v1.GetLadderResponse)
    server.error = CallError("UNAVAILABLE", "no answer")
    clock.seconds += 60
    assert (await source.ask(ASKED, v1.GetLadderResponse)).name == "answer 1"
    assert source.away_since == clock.seconds
    clock.seconds += 61
    with pytest.raises(CallError, match="no answer"):
        await source.ask(ASKED, v1.GetLadderResponse)


async def test_what_is_refused_is_not_told_from_memory(server: Server, source: LadderSource, clock: Clock):
    await source.ask(ASKED, v1.GetLadderResponse)
    server.error = CallError("NOT_FOUND", "gone")
    clock.seconds += 2
    with pytest.raises(CallError, match="gone"):
        await source.ask(ASKED, v1.GetLadderResponse)


async def test_those_who_wait_for_a_call_that_fails_hear_why(server: Server, source: LadderSource):
    server.goes_on.clear()
    server.error = CallError("UNAVAILABLE", "no answer")
    errors = []

    async def ask() -> None:
        try:
            await source.ask(ASKED, v1.GetLadderResponse)
        except CallError as error:
            errors.append(str(error))

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        server.goes_on.set()
    assert errors == ["no answer"] * 3
