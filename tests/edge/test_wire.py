"""The whole way: real grpc over the loopback, with players of the Python SDK in threads."""

import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc
import pytest
import trio
from support.connections import Lobby
from support.frames import choice, from_bot, hello
from support.ports import free_port
from support.processes import PATIENCE_SECONDS, until
from support.proxy import proxy_to
from support.raw_client import RawClient, in_thread, raw_client

from ordago import v1
from ordago.arena.admission.authenticator import Admission, LaunchTokens
from ordago.arena.admission.limits import MAX_FRAME_BYTES
from ordago.arena.server import Server, open_server
from ordago.arena.tables.tables import CasualTables, TableTerms
from ordago.chance import SecretDeals
from ordago.edge import Edge, EdgeError
from ordago.games import find_game, game_names
from ordago.match import TimeTerms
from ordago.record import FinishedRecord, faults_of, replay
from ordago.v1.game_service_pb2_grpc import GameServiceStub
from ordago_bot import BotFactory, Match
from ordago_bot.house.baselines import RandomBot
from ordago_bot.player import Player
from ordago_bot.transport import SessionEndedError, play

MITTLERE = TableTerms(game=find_game("mittlere"), seats=3, options={"deals": 3}, time=TimeTerms(decision_ms=60_000))


@asynccontextmanager
async def open_lobby(*, own_bots_only: bool = False) -> AsyncIterator[tuple[Lobby, Edge]]:
    lobby = Lobby()
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server, own_bots_only=own_bots_only) as edge:
            yield lobby, edge


class HallOnTheWire:
    """Casual tables on the wire, and players who play there."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self.records: list[v1.MatchRecord] = []
        self.tables = CasualTables([MITTLERE], keep=self._keep)
        self.server = open_server(self.tables)
        self.farewells: list[str] = []
        self._nursery = nursery

    async def _keep(self, record: FinishedRecord) -> None:
        await trio.lowlevel.checkpoint()
        self.records.append(record.message)

    def enter(self, factory: BotFactory, port: int, *, matches: int = 1) -> None:
        """Let a bot play in a thread of its own."""
        player = Player(factory, name=f"bot {len(self.farewells)}", max_matches=matches)
        self._nursery.start_soon(self._play, player, port)

    async def _play(self, player: Player, port: int) -> None:
        self.farewells.append(
            await in_thread(partial(play, player, address=f"127.0.0.1:{port}", patience_seconds=PATIENCE_SECONDS))
        )

    async def close_after(self, matches: int) -> None:
        """Play so many matches or a few more, and close."""
        await until(lambda: self.tables.finished >= matches)
        self.tables.close()


@asynccontextmanager
async def open_hall(*, matches: int) -> AsyncIterator[tuple[HallOnTheWire, Edge]]:
    """Open a hall, and play so many matches in it after the test has let bots in."""
    with trio.fail_after(PATIENCE_SECONDS):
        async with trio.open_nursery() as nursery:
            hall = HallOnTheWire(nursery)
            async with Edge.open("127.0.0.1:0", hall.server) as edge:
                nursery.start_soon(hall.close_after, matches)
                async with trio.open_nursery() as tables:
                    tables.start_soon(hall.tables.run)
                    yield hall, edge
                hall.server.sessions.close("that is all")
                await until(lambda: not hall.server.sessions.connected and len(hall.farewells) == 3)


@pytest.mark.slow
async def test_matches_are_played_over_the_wire() -> None:
    async with open_hall(matches=4) as (hall, edge):
        for _ in range(3):
            hall.enter(RandomBot, edge.port, matches=3)
    assert hall.farewells == ["that is all"] * 3
    assert len(hall.records) >= 4
    for record in hall.records:
        assert not replay(record, deals=SecretDeals(record.secret, record.deal_seed)).problems
        assert faults_of(record) == ((), (), ())


class TeachableBot(RandomBot):
    """Plays a card that it does not hold at first, and learns from the refusal."""

    refusals: Sequence[v1.Refused] = ()

    def choose(self, decision: v1.Decision) -> Any:
        card = next(card for card in v1.Card.values() if card and card not in decision.view.mittlere.hand)
        return v1.Action(mittlere=v1.MittlereAction(card=card))

    def refused(self, decision: v1.Decision, refusal: v1.Refused) -> Any:
        TeachableBot.refusals = [*TeachableBot.refusals, refusal]
        return decision.actions[-1]


async def test_a_refusal_reaches_the_bot_and_its_second_answer_the_match() -> None:
    async with open_hall(matches=1) as (hall, edge):
        for bot in (TeachableBot, RandomBot, RandomBot):
            hall.enter(bot, edge.port)
    assert len(TeachableBot.refusals) >= 36
    assert {refusal.rule for refusal in TeachableBot.refusals} <= {"not_in_hand", "answer"}
    assert faults_of(hall.records[0]) == ((), (), ())


async def test_a_player_takes_its_session_up_again_when_its_connection_breaks() -> None:
    """The way is broken twice in the middle of a match; the others wait for the one who is gone."""
    async with open_hall(matches=1) as (hall, edge), proxy_to(edge.port) as proxy:
        started: list[str] = []

        class Unlucky(RandomBot):
            def __init__(self, match: Match) -> None:
                super().__init__(match)
                started.append(match.match_id)

            def choose(self, decision: v1.Decision) -> Any:
                if decision.number in (5, 15):
                    trio.from_thread.run_sync(proxy.break_all)
                return super().choose(decision)

        class Patient(RandomBot):
            def choose(self, decision: v1.Decision) -> Any:
                trio.from_thread.run(until, lambda: hall.server.sessions.connected == 3)
                return super().choose(decision)

        hall.enter(Unlucky, proxy.port)
        hall.enter(Patient, edge.port)
        hall.enter(Patient, edge.port)
        await until(lambda: hall.records)
        hall.tables.close()
        await until(lambda: hall.tables.running == 0)
        hall.server.sessions.close("that is all")
        await until(lambda: len(hall.farewells) == 3)
    faults = [fault for seat in faults_of(hall.records[0]) for fault in seat]
    assert {fault.fault for fault in faults} == {"disconnected"}
    assert 1 <= faults[0].decisions < 20, "some decisions, but not all that came after the first break"
    assert len(set(started)) == len(started), "the bot of the match was kept"


async def test_a_port_that_is_taken_is_told() -> None:
    async with open_lobby() as (_, edge):
        with pytest.raises(EdgeError, match=f"cannot listen on 127.0.0.1:{edge.port}: it is in use"):
            async with Edge.open(f"127.0.0.1:{edge.port}", Lobby().server):
                pass
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(EdgeError):
            async with Edge.open(f"127.0.0.1:{taken.getsockname()[1]}", Lobby().server):
                pass


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:99999", "192.0.2.1:0", ""])
async def test_an_address_that_cannot_be_listened_on_is_told(address: str) -> None:
    with pytest.raises(EdgeError):
        async with Edge.open(address, Lobby().server):
            pass


async def test_a_server_that_does_not_come_up_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class SlowEdge(Edge):
        async def _serve(self, address: str) -> None:  # noqa: ARG002 - it never gets so far
            await self._stopping.wait()

    monkeypatch.setattr("ordago.edge.server._START_SECONDS", 0.05)
    with pytest.raises(EdgeError, match=r"did not start to listen on 127.0.0.1:0 within 0\.05 s"):
        async with SlowEdge.open("127.0.0.1:0", Lobby().server):
            pass


async def test_what_goes_wrong_at_the_start_is_not_hidden() -> None:
    class BrokenEdge(Edge):
        async def _serve(self, address: str) -> None:
            raise ZeroDivisionError(address)

    with pytest.raises(ZeroDivisionError):
        async with BrokenEdge.open("127.0.0.1:0", Lobby().server):
            pass


async def test_a_port_is_free_again_afterwards() -> None:
    async with open_lobby() as (_, edge):
        pass
    async with Edge.open(f"127.0.0.1:{edge.port}", Lobby().server) as again:
        assert again.port == edge.port


async def test_the_games_are_listed() -> None:
    async with open_lobby() as (_, edge):
        with grpc.insecure_channel(f"127.0.0.1:{edge.port}") as channel:
            stub: Any = GameServiceStub(channel)  # type: ignore[no-untyped-call]  # generated
            response = await in_thread(stub.ListGames, v1.ListGamesRequest())
    assert [game.name for game in response.games] == game_names()
    [mittlere] = [game for game in response.games if game.name == "mittlere"]
    assert (mittlere.title, mittlere.rules_version, list(mittlere.seat_counts)) == ("Mittlere Jass", 1, [3])
    [deals] = mittlere.options
    assert (deals.name, deals.kind, deals.default_value) == ("deals", v1.OPTION_KIND_INTEGER, "12")
    assert (deals.min, deals.max) == (3, 300)
    assert deals.sentence


async def test_a_frame_that_is_too_large_ends_the_session_and_no_other() -> None:
    async with open_lobby() as (lobby, edge), raw_client(edge.port) as client, raw_client(edge.port) as other:
        client.say(from_bot(hello()))
        other.say(from_bot(hello()))
        await in_thread(client.hear)
        await in_thread(other.hear)
        client.say(bytes(MAX_FRAME_BYTES + 1))
        code, _ = await in_thread(client.end)
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
        await until(lambda: lobby.server.sessions.connected == 1)
        large = from_bot(v1.Choice(match_handle=1, number=1, answer=v1.Answer(cards=[1] * (MAX_FRAME_BYTES - 20))))
        assert MAX_FRAME_BYTES - 10 < len(large) <= MAX_FRAME_BYTES
        other.say(large)
        assert len(await in_thread(other.hear)) > 0
        assert lobby.server.sessions.connected == 1


@pytest.mark.parametrize("own_bots_only", [False, True])
async def test_of_a_huge_frame_it_is_known_whose_it_is_where_only_own_bots_come(*, own_bots_only: bool) -> None:
    async with open_lobby(own_bots_only=own_bots_only) as (lobby, edge), raw_client(edge.port) as client:
        client.say(from_bot(hello()))
        await in_thread(client.hear)
        client.say(bytes(5_000_000))
        said = await in_thread(client.hear_out)
        assert client.call.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert [goodbye.fault for goodbye in said] == [v1.FAULT_FLOODING] * own_bots_only
        await until(lambda: lobby.server.sessions.connected == 0)


@pytest.mark.parametrize(
    ("frame", "code", "details"),
    [
        (from_bot(hello(nonce=b"")), grpc.StatusCode.FAILED_PRECONDITION, "the nonce has 0 bytes"),
        (from_bot(choice(1, 1)), grpc.StatusCode.FAILED_PRECONDITION, "may not be sent"),
        (b"\xff\xff", grpc.StatusCode.FAILED_PRECONDITION, "no PlayRequest"),
        (from_bot(hello()) + from_bot(v1.Goodbye()), grpc.StatusCode.FAILED_PRECONDITION, "may not be sent"),
    ],
)
async def test_the_status_says_what_was_wrong(frame: bytes, code: grpc.StatusCode, details: str) -> None:
    async with open_lobby() as (_, edge), raw_client(edge.port) as client:
        client.say(frame)
        ended = await in_thread(client.end)
        assert ended[0] is code
        assert details in ended[1]


async def test_a_goodbye_ends_the_stream_well() -> None:
    async with open_lobby() as (lobby, edge), raw_client(edge.port) as client:
        client.say(from_bot(hello()))
        await in_thread(client.hear)
        client.say(from_bot(v1.Goodbye()))
        assert (await in_thread(client.end))[0] is grpc.StatusCode.OK
        await until(lambda: not lobby.bots[0].connected)


@pytest.mark.parametrize("vanish", [RawClient.close, RawClient.end_sending, lambda client: client.call.cancel()])
async def test_a_client_that_vanishes_is_noticed(vanish: Callable[[RawClient], object]) -> None:
    async with open_lobby() as (lobby, edge), raw_client(edge.port) as client:
        client.say(from_bot(hello()))
        await in_thread(client.hear)
        assert lobby.server.sessions.connected == 1
        vanish(client)
        await until(lambda: lobby.server.sessions.connected == 0)


async def test_the_token_is_in_the_metadata() -> None:
    authenticator, arrived = LaunchTokens(), []
    token = authenticator.expect(Admission(arrived.append, name="ana"))
    async with Edge.open("127.0.0.1:0", Server(authenticator=authenticator, games=["mittlere"])) as edge:
        address = f"127.0.0.1:{edge.port}"
        with pytest.raises(SessionEndedError, match=r"UNAUTHENTICATED.*token"):
            await in_thread(partial(play, Player(RandomBot, name="ben"), address=address, token="wrong"))  # noqa: S106
        async with raw_client(edge.port, token=token) as client:
            client.say(from_bot(hello()))
            await in_thread(client.hear)
        assert [bot.identity.name for bot in arrived] == ["ana"]


async def test_the_server_stops_though_clients_are_connected() -> None:
    lobby = Lobby()
    async with Edge.open("127.0.0.1:0", lobby.server) as edge:
        client = RawClient(edge.port)
        client.say(from_bot(hello()))
        await in_thread(client.hear)
        begun = trio.current_time()
    assert trio.current_time() - begun < 5
    code, _ = await in_thread(client.end)
    assert code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
    client.close()


async def test_where_no_server_is_the_player_says_so() -> None:
    address = f"127.0.0.1:{free_port()}"
    with pytest.raises(SessionEndedError, match=f"the server at {address} does not answer"):
        await in_thread(partial(play, Player(RandomBot, name="ana"), address=address, patience_seconds=0.1))


async def test_a_player_that_keeps_receipts_leaves_nothing_behind_of_attempts_in_vain() -> None:
    address = f"127.0.0.1:{free_port()}"
    player = Player(RandomBot, name="ana", keep=lambda _receipt: None)
    with pytest.raises(SessionEndedError):
        await in_thread(partial(play, player, address=address, patience_seconds=0.1))
    await until(lambda: not [thread for thread in threading.enumerate() if "obey" in thread.name])
