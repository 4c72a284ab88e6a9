"""The services that tell of a ladder, over real gRPC: what they answer, refuse, and bear."""

import threading
import time
from itertools import pairwise
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from grpc_health.v1 import health_pb2, health_pb2_grpc
from support.connections import Lobby
from support.ladder_reader import FakeReader, open_ladder, stubs
from support.raw_client import in_thread

from ordago import v1
from ordago.edge import Edge
from ordago.edge.services import ladder_handlers
from ordago.store.errors import NotFoundError, NotOpenError, PageTokenError, StoreFailedError

LADDER = v1.GetLadderResponse(name="demo", epoch=3)


def called(port: int, method: str, request: Message, *, token: str = "") -> Any:
    """Return the answer to a call, or the status and the sentence with which it ended."""
    with stubs(port, token=token) as (ladder, matches):
        try:
            return getattr(matches if hasattr(matches, method) else ladder, method)(request, timeout=20)
        except grpc.RpcError as error:
            return error.code().name, error.details()  # type: ignore[attr-defined]


CALLS = [
    ("GetLadder", "get_ladder", v1.GetLadderRequest(), LADDER),
    ("ListStandings", "list_standings", v1.ListStandingsRequest(game="mus", house=False), v1.ListStandingsResponse()),
    ("GetBot", "get_bot", v1.GetBotRequest(name="sota"), v1.GetBotResponse()),
    ("GetRatingCourse", "get_rating_course", v1.GetRatingCourseRequest(player=3), v1.GetRatingCourseResponse()),
    ("GetBotFigures", "get_bot_figures", v1.GetBotFiguresRequest(name="a"), v1.GetBotFiguresResponse()),
    ("GetHeadToHead", "get_head_to_head", v1.GetHeadToHeadRequest(first="a"), v1.GetHeadToHeadResponse()),
    ("ListEpochs", "list_epochs", v1.ListEpochsRequest(page_size=2), v1.ListEpochsResponse(epochs=[v1.Epoch()])),
    ("ListSeasons", "list_seasons", v1.ListSeasonsRequest(page_size=2), v1.ListSeasonsResponse()),
    ("ListMatches", "list_matches", v1.ListMatchesRequest(bot="sota"), v1.ListMatchesResponse()),
    ("GetMatch", "get_match", v1.GetMatchRequest(match_id="12"), v1.GetMatchResponse()),
]


async def test_each_call_is_answered_by_the_reader_in_a_thread_of_its_own() -> None:
    reader = FakeReader(**{name: answer for _, name, _, answer in CALLS})
    async with open_ladder(reader) as (edge, _):
        for method, _, request, answer in CALLS:
            assert await in_thread(called, edge.port, method, request) == answer
        assert reader.asked == [request for _, _, request, _ in CALLS]
        [thread] = reader.threads
        assert thread.startswith("ordago-reader")


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (NotFoundError("there is no bot 'sota'"), "NOT_FOUND", "there is no bot 'sota'"),
        (NotOpenError("epoch 3 is not revealed yet"), "FAILED_PRECONDITION", "epoch 3 is not revealed yet"),
        (PageTokenError("no such page"), "INVALID_ARGUMENT", "no such page"),
        (
            StoreFailedError("/srv/ladder.db: disk full"),
            "UNAVAILABLE",
            "the ladder cannot be read at the moment; try again later",
        ),
        (RuntimeError("secret"), "INTERNAL", "the server failed; see its log"),
    ],
)
async def test_an_error_has_a_status_and_a_sentence_that_tells_no_more_than_it_should(
    error: Exception, status: str, sentence: str
) -> None:
    async with open_ladder(FakeReader(get_bot=error, get_ladder=LADDER)) as (edge, _):
        assert await in_thread(called, edge.port, "GetBot", v1.GetBotRequest()) == (status, sentence)
        assert await in_thread(called, edge.port, "GetLadder", v1.GetLadderRequest()) == LADDER


async def test_a_server_without_a_ladder_does_not_offer_them() -> None:
    async with Edge.open("127.0.0.1:0", Lobby().server) as edge:
        for method in ("GetLadder", "ListMatches"):
            status, _ = await in_thread(called, edge.port, method, v1.GetLadderRequest())
            assert status == "UNIMPLEMENTED"


async def test_health_knows_them_where_they_are_offered() -> None:
    def health(port: int) -> Any:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            request = health_pb2.HealthCheckRequest(service="ordago.v1.LadderService")
            return health_pb2_grpc.HealthStub(channel).Check(request).status

    async with open_ladder(FakeReader()) as (edge, _):
        assert await in_thread(health, edge.port) == health_pb2.HealthCheckResponse.SERVING


async def test_a_request_has_its_bounds() -> None:
    """An attacker may send whatever grpc takes: a name of 200 KB, or no message at all."""
    async with open_ladder(FakeReader()) as (edge, _):
        long = v1.GetBotRequest(name="x" * 200_000)
        status, sentence = await in_thread(called, edge.port, "GetBot", long)
        assert (status, sentence) == ("INVALID_ARGUMENT", "a request has at most 4096 bytes, and this one has 200004")
        with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
            method: Any = channel.unary_unary("/ordago.v1.LadderService/GetBot")
            with pytest.raises(grpc.RpcError, match="this is no GetBotRequest"):
                await in_thread(method, b"\xff")


async def test_a_sentence_that_quotes_the_client_is_told_however_long_that_is() -> None:
    """Of a status that is too long gRPC would tell nothing at all."""

    def none_there(request: v1.GetBotRequest) -> None:
        raise NotFoundError(f"there is no bot {request.name!r}")

    async with open_ladder(FakeReader(get_bot=none_there)) as (edge, _):
        status, sentence = await in_thread(called, edge.port, "GetBot", v1.GetBotRequest(name="ä" * 2000))
        assert status == "NOT_FOUND"
        assert sentence.startswith("there is no bot 'äää")


async def test_only_so_many_wait_for_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for what takes long keeps others waiting, but not without end, and no bot."""
    monkeypatch.setattr(ladder_handlers, "_MOST_WAITING", 3)
    begun, goes_on = threading.Semaphore(0), threading.Event()

    def slow(_request: object) -> v1.GetLadderResponse:
        begun.release()
        assert goes_on.wait(20)
        return LADDER

    async with open_ladder(FakeReader(get_ladder=slow)) as (edge, _):
        with stubs(edge.port) as (ladder, _matches):
            waiting = [ladder.GetLadder.future(v1.GetLadderRequest()) for _ in range(10)]
            await in_thread(begun.acquire)
            refused = [call for call in waiting if await in_thread(refusal_of, call)]
            goes_on.set()
            assert {call.code() for call in refused} == {grpc.StatusCode.RESOURCE_EXHAUSTED}
            assert len(refused) == 7
            assert [await in_thread(call.result) for call in waiting if call not in refused] == [LADDER] * 3


def refusal_of(call: Any) -> bool:
    """Say whether a call is refused at once; those that wait are not done."""
    try:
        return call.exception(timeout=0.3) is not None
    except grpc.FutureTimeoutError:
        return False


async def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_handlers, "_LONGEST_READ_SECONDS", 0.1)
    goes_on = threading.Event()
    async with open_ladder(FakeReader(get_bot=lambda _: goes_on.wait(20), get_ladder=LADDER)) as (edge, _):
        assert await in_thread(called, edge.port, "GetBot", v1.GetBotRequest()) == (
            "UNAVAILABLE",
            "the ladder could not be read in time; try again later",
        )
        goes_on.set()
        assert await in_thread(called, edge.port, "GetLadder", v1.GetLadderRequest()) == LADDER


async def test_reading_leaves_time_to_those_who_play() -> None:
    """The attacker asks for what is dear, again and again: after each work comes three times the rest."""
    begun: list[float] = []

    def dear(_request: object) -> v1.GetLadderResponse:
        begun.append(time.monotonic())
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        return LADDER

    async with open_ladder(FakeReader(get_ladder=dear)) as (edge, _):
        with stubs(edge.port) as (ladder, _matches):
            calls = [ladder.GetLadder.future(v1.GetLadderRequest()) for _ in range(3)]
            for call in calls:
                assert await in_thread(call.result) == LADDER
    assert all(later - earlier >= 0.2 for earlier, later in pairwise(begun))


async def test_calls_are_counted_by_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.edge.call_gate._CALLS_AT_ONCE", 5)
    # However long the calls take on a busy machine, none becomes free meanwhile.
    monkeypatch.setattr("ordago.edge.call_gate._CALLS_PER_SECOND", 0.01)
    async with open_ladder(FakeReader(get_ladder=LADDER)) as (edge, lobby):
        answers = [await in_thread(called, edge.port, "GetLadder", v1.GetLadderRequest()) for _ in range(12)]
        assert answers[:5] == [LADDER] * 5
        assert ("RESOURCE_EXHAUSTED", "too many calls from your address") in answers
        assert lobby.server.telemetry.counters.gate.calls_refused


async def test_a_ladder_may_be_for_those_alone_who_have_a_token() -> None:
    def asked(port: int, token: str) -> Any:
        return called(port, "GetLadder", v1.GetLadderRequest(), token=token)

    good, bad = "ordago_good", "ordago_bad"
    async with open_ladder(FakeReader(get_ladder=LADDER), admits={good}.__contains__) as (edge, _):
        assert await in_thread(asked, edge.port, good) == LADDER
        for token in ("", bad):
            status, _ = await in_thread(asked, edge.port, token)
            assert status == "UNAUTHENTICATED"
