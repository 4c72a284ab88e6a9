"""Whoever wants in without leave, or more than his leave allows, over real gRPC: each is told so by his status.

Each case is one intruder. An honest bot is connected all the while, and plays on as if nothing had been.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
import trio
from support.accounts import DAY, TokenLobby
from support.figures import Note
from support.frames import choice, from_bot, hello
from support.matches import match_terms
from support.processes import PATIENCE_SECONDS, until
from support.raw_client import RawClient, in_thread, raw_client

from ordago import v1
from ordago.arena.admission.limits import MAX_FRAME_BYTES, ConnectionBounds
from ordago.arena.play import play
from ordago.edge import Edge
from ordago.store.accounts.rows import Scope

UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
PERMISSION_DENIED = grpc.StatusCode.PERMISSION_DENIED
FAILED_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
RESOURCE_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT


class Besieged(NamedTuple):
    """A server that asks for tokens, and the honest bot that is connected to it."""

    lobby: TokenLobby
    port: int
    honest: RawClient
    welcome: v1.Welcome

    @property
    def resume(self) -> v1.Resume:
        """What takes up the honest bot's session."""
        return v1.Resume(session_id=self.welcome.session_id, resume_token=self.welcome.resume_token)

    async def is_unharmed(self) -> bool:
        """Say whether the honest bot's session goes on."""
        self.honest.say(from_bot(choice(99, 1)))
        refused: Any = v1.Refused()
        while not (isinstance(refused, v1.Refused) and refused.match_handle == 99):
            refused = (await in_thread(self.honest.hear))[-1]
        return bool(refused.fault == v1.FAULT_STALE and self.lobby.bots[0].connected)


@asynccontextmanager
async def besieged(folder: Path, *, bounds: ConnectionBounds | None = None) -> AsyncIterator[Besieged]:
    lobby = TokenLobby(folder, bounds=bounds)
    with trio.fail_after(PATIENCE_SECONDS):
        async with (
            Edge.open("127.0.0.1:0", lobby.server) as edge,
            raw_client(edge.port, token=lobby.token("honest")) as honest,
        ):
            honest.say(greeting("honest"))
            [welcome] = await in_thread(honest.hear)
            server = Besieged(lobby, edge.port, honest, welcome)
            yield server
            assert await server.is_unharmed()
    lobby.accounts.close()


def greeting(name: str = "intruder", **fields: object) -> bytes:
    return from_bot(hello(bot=v1.Software(name=name), **fields))


async def ends(client: RawClient) -> tuple[grpc.StatusCode, str]:
    """Return how an intruder was sent away, and check that he heard nothing before but perhaps a goodbye."""
    heard = await in_thread(client.hear_out)
    assert all(isinstance(body, v1.Goodbye) for body in heard), heard
    _noting[-1](client.call.code().name, 1, total="intruders sent away")
    return client.call.code(), client.call.details()


_noting: list[Note] = []
"""Where the test that runs notes its figures."""


@pytest.fixture(autouse=True)
def count_intruders(note: Note) -> Iterator[None]:
    """Count the intruders of a test by how they were sent away."""
    _noting.append(note)
    yield
    _noting.clear()


# Who has no leave to come in


def revoked(lobby: TokenLobby) -> str:
    token = lobby.token()
    lobby.revoke(token)
    return token


def expired(lobby: TokenLobby) -> str:
    token = lobby.expiring_token()
    lobby.calendar.now += DAY
    return token


def altered(lobby: TokenLobby) -> str:
    token = lobby.token()
    return token[:-1] + ("A" if token[-1] != "A" else "B")


def fingerprint_itself(lobby: TokenLobby) -> str:
    """What stands in the database, should anybody have got hold of it."""
    lobby.token()
    return lobby.accounts.tokens()[-1].fingerprint.hex()


def id_itself(lobby: TokenLobby) -> str:
    lobby.token()
    return lobby.accounts.tokens()[-1].id


@pytest.mark.slow
@pytest.mark.parametrize(
    ("token_of", "code", "details"),
    [
        (lambda _lobby: None, UNAUTHENTICATED, "asks for a token"),
        (lambda _lobby: "", UNAUTHENTICATED, "asks for a token"),
        (lambda _lobby: "guessed", UNAUTHENTICATED, "not known here"),
        (lambda _lobby: "x" * 4000, UNAUTHENTICATED, "not known here"),
        (altered, UNAUTHENTICATED, "not known here"),
        (fingerprint_itself, UNAUTHENTICATED, "not known here"),
        (id_itself, UNAUTHENTICATED, "not known here"),
        (revoked, UNAUTHENTICATED, "was revoked"),
        (expired, UNAUTHENTICATED, "has expired"),
        (lambda lobby: lobby.token(scope=Scope.OBSERVE), PERMISSION_DENIED, "lacks the scope 'play'"),
        (lambda lobby: lobby.token(scope=Scope.ORGANISE), PERMISSION_DENIED, "lacks the scope 'play'"),
        (lambda lobby: lobby.token(scope=Scope.ADMIN), PERMISSION_DENIED, "lacks the scope 'play'"),
    ],
    ids=[
        "none", "empty", "guessed", "long", "altered", "fingerprint", "id", "revoked", "expired", "observer",
        "organiser", "administrator",
    ],
)  # fmt: skip
async def test_a_token_that_is_not_good(
    tmp_path: Path, token_of: Callable[[TokenLobby], str | None], code: grpc.StatusCode, details: str
) -> None:
    async with besieged(tmp_path) as server:
        token = token_of(server.lobby)
        async with raw_client(server.port, token=token) as intruder:
            intruder.say(greeting())
            ended = await ends(intruder)
            assert ended[0] is code
            assert details in ended[1]
            assert not token or token not in ended[1]
        assert len(server.lobby.bots) == 1


@pytest.mark.parametrize("name", ["honest", "Honest", " honest "])
async def test_the_name_of_somebody_elses_bot(tmp_path: Path, name: str) -> None:
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as intruder:
        intruder.say(greeting(name))
        code, details = await ends(intruder)
        assert code is PERMISSION_DENIED
        assert "belongs to another account" in details


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2Jb", "a\u202eb", "a\x00b", "", "n" * 65])
async def test_a_name_that_is_none(tmp_path: Path, name: str) -> None:
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as intruder:
        intruder.say(greeting(name))
        assert (await ends(intruder))[0] is FAILED_PRECONDITION


# Who wants the session of somebody else


@pytest.mark.parametrize(
    "forged",
    [
        {"resume_token": "guessed"},
        {"resume_token": ""},
        {"session_id": "guessed"},
        {"session_id": "", "resume_token": ""},
    ],
    ids=["token guessed", "no token", "session guessed", "nothing"],
)
async def test_a_forged_resume(tmp_path: Path, forged: dict[str, str]) -> None:
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as intruder:
        known = {"session_id": server.resume.session_id, "resume_token": server.resume.resume_token}
        intruder.say(greeting(resume=v1.Resume(**{**known, **forged})))
        code, details = await ends(intruder)
        assert code is UNAUTHENTICATED
        assert "no such session" in details


async def test_ones_own_resume_token_for_the_session_of_somebody_else(tmp_path: Path) -> None:
    async with besieged(tmp_path) as server:
        token = server.lobby.token("other")
        async with raw_client(server.port, token=token) as own, raw_client(server.port, token=token) as intruder:
            own.say(greeting())
            [welcome] = await in_thread(own.hear)
            mixed = v1.Resume(session_id=server.resume.session_id, resume_token=welcome.resume_token)
            intruder.say(greeting(resume=mixed))
            assert (await ends(intruder))[0] is UNAUTHENTICATED


async def test_a_resume_that_is_replayed_after_the_goodbye(tmp_path: Path) -> None:
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as left:
        left.say(greeting())
        [welcome] = await in_thread(left.hear)
        left.say(from_bot(v1.Goodbye()))
        assert (await in_thread(left.end))[0] is grpc.StatusCode.OK
        async with raw_client(server.port) as intruder:
            intruder.say(greeting(resume=v1.Resume(session_id=welcome.session_id, resume_token=welcome.resume_token)))
            assert (await ends(intruder))[0] is UNAUTHENTICATED


async def test_a_resume_with_a_token_that_was_revoked_meanwhile(tmp_path: Path) -> None:
    async with besieged(tmp_path) as server:
        token = server.lobby.token("other")
        async with raw_client(server.port, token=token) as first:
            first.say(greeting())
            [welcome] = await in_thread(first.hear)
        await until(lambda: not server.lobby.bots[1].connected)
        server.lobby.revoke(token)
        await server.lobby.authenticator.refresh()
        async with raw_client(server.port, token=token) as intruder:
            intruder.say(greeting(resume=v1.Resume(session_id=welcome.session_id, resume_token=welcome.resume_token)))
            code, details = await ends(intruder)
            assert code is UNAUTHENTICATED
            assert "was revoked" in details


async def test_a_session_whose_token_is_revoked_while_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.arena.admission.account_tokens.REFRESH_SECONDS", 0.05)
    async with besieged(tmp_path) as server, trio.open_nursery() as nursery:
        nursery.start_soon(server.lobby.authenticator.watch, server.lobby.server.review)
        token = server.lobby.token("other")
        async with raw_client(server.port, token=token) as intruder:
            intruder.say(greeting())
            await in_thread(intruder.hear)
            server.lobby.revoke(token)
            assert (await ends(intruder))[0] is UNAUTHENTICATED
        nursery.cancel_scope.cancel()


# Who speaks of what is not his


@pytest.mark.slow
@pytest.mark.parametrize("number", [0, 1, 2, 2**32 - 1])
@pytest.mark.parametrize("handle", [0, 1, 2, 2**32 - 1])
async def test_the_decision_of_another_bot(tmp_path: Path, handle: int, number: int) -> None:
    """The honest bot sits at match 1 and is asked decision 1; the intruder answers it, and all those around it."""
    async with (
        besieged(tmp_path) as server,
        raw_client(server.port, token=server.lobby.token("other")) as intruder,
        trio.open_nursery() as nursery,
    ):
        for name in ("ben", "cleo"):
            server.lobby.connect(server.lobby.token(name), name=name)
        nursery.start_soon(play, match_terms(), [bot.take_seat() for bot in server.lobby.bots])
        start, decision = await in_thread(server.honest.hear)
        assert (start.match_handle, decision.match_handle, decision.number) == (1, 1, 1)
        intruder.say(greeting())
        await in_thread(intruder.hear)
        intruder.say(from_bot(choice(handle, number)))
        [refused] = await in_thread(intruder.hear)
        assert (refused.fault, refused.match_handle, refused.number) == (v1.FAULT_STALE, handle, number)
        server.honest.say(from_bot(choice(1, 1)))
        [accepted] = await in_thread(server.honest.hear)
        assert (accepted.number, accepted.fault) == (1, v1.FAULT_UNSPECIFIED), "it was still open"
        nursery.cancel_scope.cancel()
        await trio.lowlevel.cancel_shielded_checkpoint()


# Who says what is not due


@pytest.mark.slow
@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (from_bot(choice(1, 1)), FAILED_PRECONDITION),
        (from_bot(v1.Goodbye()), FAILED_PRECONDITION),
        (b"\xff\xff", FAILED_PRECONDITION),
        (b"GET / HTTP/1.1\r\n\r\n", FAILED_PRECONDITION),
        (greeting() + greeting(), FAILED_PRECONDITION),
        (greeting(nonce=b""), FAILED_PRECONDITION),
        (greeting(min_version=2, max_version=9), FAILED_PRECONDITION),
        (greeting(games=["chess"]), FAILED_PRECONDITION),
        (greeting(games=["\U0001f0a1" * 15_000]), FAILED_PRECONDITION),
        (bytes(MAX_FRAME_BYTES + 1), RESOURCE_EXHAUSTED),
        (bytes(16 * MAX_FRAME_BYTES), RESOURCE_EXHAUSTED),
        (b"\n\x00" * (MAX_FRAME_BYTES // 2), RESOURCE_EXHAUSTED),
    ],
    ids=[
        "a choice", "a goodbye", "no frame", "a web browser", "two greetings", "no nonce", "no version", "no game",
        "no game at length",
        "a large frame", "a huge frame", "messages of no kind",
    ],
)  # fmt: skip
async def test_anything_but_a_greeting(tmp_path: Path, frame: bytes, code: grpc.StatusCode) -> None:
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as intruder:
        intruder.say(frame)
        ended = await ends(intruder)
        assert ended[0] is code
        assert ended[1]
        assert len(server.lobby.bots) == 1


@pytest.mark.parametrize(
    ("frame", "code", "fault"),
    [
        (greeting(), INVALID_ARGUMENT, v1.FAULT_MALFORMED),
        (b"\xff\xff", INVALID_ARGUMENT, v1.FAULT_MALFORMED),
        (bytes(MAX_FRAME_BYTES + 1), RESOURCE_EXHAUSTED, v1.FAULT_FLOODING),
        (from_bot(*[choice(1, 1)] * 501), RESOURCE_EXHAUSTED, v1.FAULT_FLOODING),
        (b"\n\x00" * (MAX_FRAME_BYTES // 2), RESOURCE_EXHAUSTED, v1.FAULT_FLOODING),
    ],
    ids=["a greeting again", "no frame", "a large frame", "a flood of choices", "a flood of nothing"],
)
async def test_what_is_not_due_later(tmp_path: Path, frame: bytes, code: grpc.StatusCode, fault: v1.Fault) -> None:
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as intruder:
        intruder.say(greeting())
        await in_thread(intruder.hear)
        intruder.say(frame)
        heard: list[Any] = await in_thread(intruder.hear_out)
        assert intruder.call.code() is code
        assert isinstance(heard[-1], v1.Goodbye)
        assert heard[-1].fault == fault
        assert heard[-1].sentence == intruder.call.details()


async def test_a_frame_so_large_that_grpc_does_not_read_it(tmp_path: Path) -> None:
    """The intruder has the status and no goodbye; to the server he is just gone."""
    async with besieged(tmp_path) as server, raw_client(server.port, token=server.lobby.token("other")) as intruder:
        intruder.say(greeting())
        await in_thread(intruder.hear)
        intruder.say(bytes(16 * MAX_FRAME_BYTES))
        assert (await ends(intruder))[0] is RESOURCE_EXHAUSTED
        await until(lambda: not server.lobby.bots[1].connected)


# Who comes too often, or does not say why


async def test_a_crowd(tmp_path: Path) -> None:
    async with besieged(tmp_path, bounds=ConnectionBounds(max_connections=2)) as server:
        token = server.lobby.token("other")
        async with raw_client(server.port, token=token) as first:
            first.say(greeting())
            await in_thread(first.hear)
            async with raw_client(server.port, token=token) as intruder:
                code, details = await ends(intruder)
                assert (code, details) == (RESOURCE_EXHAUSTED, "the server is full; come back later")
                assert intruder.retry_after_ms > 0


async def test_those_who_never_say_hello(tmp_path: Path) -> None:
    async with besieged(tmp_path, bounds=ConnectionBounds(max_strangers=1, hello_seconds=0.3)) as server:
        async with raw_client(server.port) as silent, raw_client(server.port) as intruder:
            ended = [await ends(client) for client in (intruder, silent)]
        assert {code for code, _ in ended} == {RESOURCE_EXHAUSTED, FAILED_PRECONDITION}
        assert any("no Hello came within 0.3 s" in details for _, details in ended)


async def test_who_begins_one_session_after_the_other(tmp_path: Path) -> None:
    async with besieged(tmp_path, bounds=ConnectionBounds(sessions_per_second=0.1, sessions_at_once=1)) as server:
        token = server.lobby.token("other")
        async with raw_client(server.port, token=token) as first, raw_client(server.port, token=token) as intruder:
            first.say(greeting())
            await in_thread(first.hear)
            intruder.say(greeting(nonce=b"another process "))
            code, details = await ends(intruder)
            assert code is RESOURCE_EXHAUSTED
            assert "too many new sessions" in details
            assert 0 < intruder.retry_after_ms <= 10_000


async def test_those_who_never_say_hello_are_in_the_way_of_nobody_with_a_token(tmp_path: Path) -> None:
    async with (
        besieged(tmp_path, bounds=ConnectionBounds(max_strangers=4, max_connections=8)) as server,
        AsyncExitStack() as stack,
    ):
        token = server.lobby.token("other")
        await server.lobby.authenticator.refresh()
        for number in range(20):
            await stack.enter_async_context(raw_client(server.port, token="guessed" if number % 2 else None))
        await until(lambda: server.lobby.server.telemetry.counters.sessions.turned_away.total() >= 8)
        intruder = await stack.enter_async_context(raw_client(server.port, token=token))
        intruder.say(greeting())
        assert isinstance((await in_thread(intruder.hear))[0], v1.Welcome)
        await stack.aclose()
