"""TLS over real gRPC: who is believed, and certificates that change while the server runs."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import grpc
import pytest
import trio
import trustme
from support.certificates import Files
from support.connections import Lobby
from support.frames import from_bot, hello
from support.processes import PATIENCE_SECONDS, until
from support.raw_client import in_thread, raw_client

from ordago import v1
from ordago.edge import Edge, EdgeError, Tls
from ordago.edge.transports import TransportBounds
from ordago_bot.house.baselines import RandomBot
from ordago_bot.player import Player
from ordago_bot.tls import Tls as BotTls
from ordago_bot.transport import SessionEndedError, play


def credentials(tls: BotTls) -> grpc.ChannelCredentials:
    return grpc.ssl_channel_credentials(tls.authorities, tls.key, tls.certificate)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@asynccontextmanager
async def serving(tls: Tls) -> AsyncIterator[tuple[Lobby, Edge]]:
    lobby = Lobby()
    with trio.fail_after(2 * PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server, tls=tls) as edge:
            yield lobby, edge


async def is_let_in(edge: Edge, tls: BotTls | None) -> bool:
    """Say whether a bot comes in on a connection of its own."""
    async with raw_client(edge.port, credentials=None if tls is None else credentials(tls)) as client:
        client.say(from_bot(hello()))
        heard = await in_thread(_first_frame, client)
    return bool(heard) and isinstance(heard[0], v1.Welcome)


def _first_frame(client: object) -> list[object]:
    try:
        return client.hear()  # type: ignore[attr-defined,no-any-return]
    except (grpc.RpcError, StopIteration):
        return []


async def test_a_bot_comes_in_over_tls_and_nobody_without_it(files: Files) -> None:
    async with serving(files.tls()) as (_, edge):
        assert await is_let_in(edge, files.client())
        assert not await is_let_in(edge, None)
        assert not await is_let_in(edge, files.client(believes=trustme.CA())), "the bot does not believe the server"


async def test_with_mutual_tls_only_bots_with_a_certificate_come_in(files: Files) -> None:
    async with serving(files.tls(mutual=True)) as (_, edge):
        assert await is_let_in(edge, files.client(of=files.client_authority))
        assert not await is_let_in(edge, files.client())
        assert not await is_let_in(edge, files.client(of=trustme.CA()))
        assert not await is_let_in(edge, files.client(of=files.authority)), "it vouches for the server, not for bots"


async def test_handshakes_that_fail_are_counted_and_told(files: Files, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with serving(files.tls(mutual=True)) as (lobby, edge):
        failed = lobby.server.telemetry.counters.gate
        for number, client in enumerate((None, files.client(), files.client(of=trustme.CA()))):
            # Connections are looked at often; one that is gone before the next look is never seen, but another one is.
            with trio.fail_after(PATIENCE_SECONDS):
                while failed.handshakes_failed <= number:
                    assert not await is_let_in(edge, client)
                    with trio.move_on_after(1):
                        await until(lambda number=number: failed.handshakes_failed > number)  # type: ignore[misc]  # of this turn
        before = failed.handshakes_failed
        assert await is_let_in(edge, files.client(of=files.client_authority))
        await until(lambda: not failed.connections)
        assert failed.handshakes_failed == before
    told = [record for record in caplog.records if record.getMessage() == "handshake failed"]
    assert {record.__dict__["origin"] for record in told} == {"127.0.0.1"}


async def dribble(stream: trio.SocketStream) -> None:
    """Send the beginning of a greeting of 16 KiB, byte by byte."""
    for byte in b"\x16\x03\x01\x40\x00" + bytes(1000):
        await stream.send_all(bytes([byte]))
        await trio.sleep(0.02)


async def test_a_handshake_that_never_goes_on_is_shut(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """However slowly something comes, byte by byte."""
    monkeypatch.setattr("ordago.edge.server.TransportBounds", partial(TransportBounds, idle_seconds=0.5))
    async with serving(files.tls()) as (lobby, edge):
        slow = [await trio.open_tcp_stream("127.0.0.1", edge.port) for _ in range(5)]
        with pytest.raises(trio.BrokenResourceError):
            await dribble(slow[0])
        await until(lambda: lobby.server.telemetry.counters.gate.shut == 5)
        assert await is_let_in(edge, files.client())
        for one in slow:
            await one.aclose()


async def test_a_player_of_the_sdk_plays_over_tls(files: Files) -> None:
    async with serving(files.tls(mutual=True)) as (lobby, edge), trio.open_nursery() as nursery:
        farewells: list[str | None] = []

        async def playing() -> None:
            call = partial(
                play,
                Player(RandomBot, name="ana"),
                address=f"127.0.0.1:{edge.port}",
                tls=files.client(of=files.client_authority),
            )
            farewells.append(await in_thread(call))

        nursery.start_soon(playing)
        await until(lambda: lobby.server.sessions.connected)
        lobby.server.sessions.close("that is all")
        await until(lambda: farewells)
    assert farewells == ["that is all"]


async def test_a_player_that_does_not_believe_the_server_does_not_get_in(files: Files) -> None:
    async with serving(files.tls()) as (lobby, edge):
        call = partial(
            play,
            Player(RandomBot, name="ana"),
            address=f"127.0.0.1:{edge.port}",
            tls=files.client(believes=trustme.CA()),
            patience_seconds=0.1,
        )
        with pytest.raises(SessionEndedError, match="not trusted here: name its file with --tls-ca"):
            await in_thread(call)
        assert not lobby.bots


async def test_a_new_certificate_is_taken_without_a_restart(files: Files) -> None:
    """Those who are connected stay so; who comes afterwards is shown the new one."""
    async with (
        serving(files.tls()) as (lobby, edge),
        raw_client(edge.port, credentials=credentials(files.client())) as early,
    ):
        early.say(from_bot(hello()))
        await in_thread(early.hear)
        renewed = trustme.CA()
        assert not await is_let_in(edge, files.client(believes=renewed))
        files.issue(renewed)
        assert await is_let_in(edge, files.client(believes=renewed))
        assert not await is_let_in(edge, files.client())
        assert lobby.bots[0].connected


async def test_those_who_vouch_for_bots_can_change_too(files: Files) -> None:
    async with serving(files.tls(mutual=True)) as (_, edge):
        renewed = trustme.CA()
        renewed.cert_pem.write_to_path(files.clients)
        assert await is_let_in(edge, files.client(of=renewed))
        assert not await is_let_in(edge, files.client(of=files.client_authority))


@pytest.mark.parametrize("spoiled", ["certificate", "key"])
async def test_files_that_cannot_be_used_leave_what_was_there_before(
    files: Files, spoiled: str, caplog: pytest.LogCaptureFixture
) -> None:
    """So it is while both are being written, one after the other."""
    async with serving(files.tls()) as (_, edge):
        path = getattr(files, spoiled)
        path.write_bytes(b"half a")
        assert await is_let_in(edge, files.client())
        path.unlink()
        assert await is_let_in(edge, files.client())
        renewed = trustme.CA()
        files.issue(renewed)
        assert await is_let_in(edge, files.client(believes=renewed))
    warned = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert any("the previous certificate stays in use" in message for message in warned)


async def test_files_that_do_not_fit_are_told_at_the_start(files: Files, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    other.write_bytes(trustme.CA().issue_cert("localhost").private_key_pem.bytes())
    text, missing = tmp_path / "text", tmp_path / "missing"
    text.write_text("no certificate")
    for tls, words in (
        (Tls(files.certificate, other), "are not a certificate and its key"),
        (Tls(text, files.key), "are not a certificate and its key"),
        (Tls(files.certificate, text), "are not a certificate and its key"),
        (Tls(missing, files.key), "missing"),
        (Tls(files.certificate, missing), "missing"),
        (Tls(files.certificate, files.key, missing), "missing"),
        (Tls(files.certificate, files.key, text), "holds no certificates"),
    ):
        with pytest.raises(EdgeError, match=words):
            async with Edge.open("127.0.0.1:0", Lobby().server, tls=tls):
                pass
