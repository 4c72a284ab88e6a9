"""Whoever wants more of ``AccountService`` than is his, over real gRPC: he is told so, and others are answered."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import pytest
import trio
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from support.account_calls import AccountServer, open_account_server
from support.accounts import DAY
from support.raw_client import in_thread

from ordago import v1
from ordago.edge.services import accounts as service
from ordago.edge.services.client import AccountClient, CallError
from ordago.store.accounts.accounts import INVITATION_PREFIX
from ordago.store.accounts.rows import Scope

PLAY, OBSERVE, ADMIN = v1.ROLE_PLAY, v1.ROLE_OBSERVE, v1.ROLE_ADMIN
BACKWARDS = "ana\u202enimda"


# Who guesses, or asks without end


def guesses(port: int, *, calls: int) -> list[str]:
    """Guess codes, and return the statuses."""
    found = []
    with AccountClient.opened(f"127.0.0.1:{port}") as client:
        for number in range(calls):
            request = v1.RegisterRequest(invitation=f"{INVITATION_PREFIX}{number:032d}", account="eve")
            try:
                client.ask(request, v1.RegisterResponse)
            except CallError as error:
                found.append(error.status)
    return found


async def test_a_flood_of_guessed_codes_is_bounded_by_address_and_locks_out_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # However long the calls take on a busy machine, hardly any becomes free meanwhile.
    monkeypatch.setattr("ordago.edge.services.accounts._SIGN_UPS_PER_SECOND", 0.01)
    async with open_account_server(tmp_path) as server:
        code = await server.invited()
        found = await in_thread(partial(guesses, server.port, calls=60))
        assert set(found[:30]) == {"PERMISSION_DENIED"}
        assert set(found[31:]) == {"RESOURCE_EXHAUSTED"}
        status, sentence = await server.refused(v1.RegisterRequest(invitation=code, account="ana"))
        assert (status, "come back in" in sentence) == ("RESOURCE_EXHAUSTED", True)
        await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=server.admin)
        assert server.lobby.connect(server.lobby.token()).status is None


def hammer(port: int, token: str, request: Message, *, calls: int) -> list[str]:
    """Make a call again and again, and return the statuses of those that were not answered."""
    found = []
    with AccountClient.opened(f"127.0.0.1:{port}", token=token) as client:
        for _ in range(calls):
            try:
                client.ask(request, Empty)
            except CallError as error:
                found.append(error.status)
    return found


@pytest.mark.slow
async def test_an_account_changes_only_so_much_in_a_time(tmp_path: Path) -> None:
    """Each change costs the disk a write. What only asks costs none."""
    async with open_account_server(tmp_path) as server:
        token, other = server.lobby.token("ana"), server.lobby.token("ben")
        found = await in_thread(partial(hammer, server.port, token, v1.NameBotRequest(bot="deep"), calls=80))
        assert set(found) == {"RESOURCE_EXHAUSTED"}
        assert 10 <= len(found) <= 20
        await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=token)
        await server.ask(v1.NameBotRequest(bot="shallow"), v1.NameBotResponse, token=other)


async def test_a_database_that_is_stuck_holds_up_no_bot_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_LONGEST_SECONDS", 0.2)
    async with open_account_server(tmp_path) as server:
        token = server.lobby.token()
        await server.lobby.authenticator.refresh()
        with server.lobby.accounts._database.writing():
            calls = v1.NameBotRequest(bot="deep")
            async with trio.open_nursery() as nursery:
                for _ in range(5):
                    nursery.start_soon(told, server, calls, token)
                assert server.lobby.connect(token).status is None
        monkeypatch.undo()
        await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=token)


async def told(server: AccountServer, request: Message, token: str) -> None:
    assert (await server.refused(request, token=token))[0] == "UNAVAILABLE"


async def test_a_code_that_is_used_twice_at_the_same_moment_opens_one_account(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        code, ends = await server.invited(), list[str]()

        async def join(name: str) -> None:
            try:
                await server.ask(v1.RegisterRequest(invitation=code, account=name), v1.RegisterResponse)
                ends.append(name)
            except CallError as error:
                ends.append(error.status)

        async with trio.open_nursery() as nursery:
            for number in range(8):
                nursery.start_soon(join, f"ana {number}")
        [joined, _] = [one.name for one in server.lobby.accounts.accounts()]
        assert sorted(ends) == ["PERMISSION_DENIED"] * 7 + [joined]


# Who has no leave, or less than he wants


@pytest.mark.parametrize("token", ["", "guessed", "x" * 4000, "ordago_" + "A" * 43])
async def test_who_has_no_token_gets_nothing(tmp_path: Path, token: str) -> None:
    async with open_account_server(tmp_path) as server:
        for request in (v1.WhoAmIRequest(), v1.CreateTokenRequest(), v1.InviteRequest(), v1.BanRequest()):
            status, sentence = await server.refused(request, token=token)
            assert status == "UNAUTHENTICATED", request
            assert not token or token not in sentence


async def test_an_author_opens_no_door_for_himself(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY, OBSERVE)
        for request in (
            v1.InviteRequest(roles=[ADMIN]),
            v1.SetRolesRequest(account="ana", roles=[ADMIN]),
            v1.SetLimitsRequest(account="ana", limits=v1.AccountLimits(names=1000)),
            v1.BanRequest(account="root", reason="in my way"),
            v1.UnbanRequest(account="ana"),
            v1.ListAccountsRequest(),
            v1.CreateTokenRequest(scopes=[ADMIN]),
        ):
            assert (await server.refused(request, token=ana))[0] == "PERMISSION_DENIED", request


async def test_a_token_with_fewer_scopes_makes_none_with_more(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY, OBSERVE, ADMIN)
        request = v1.CreateTokenRequest(scopes=[PLAY], bot="deep", expires_at=int(server.lobby.calendar()) + DAY)
        weak = (await server.ask(request, v1.CreateTokenResponse, token=ana)).token
        for more in (
            v1.CreateTokenRequest(scopes=[ADMIN], bot="deep", expires_at=request.expires_at),
            v1.CreateTokenRequest(scopes=[PLAY], expires_at=request.expires_at),
            v1.CreateTokenRequest(scopes=[PLAY], bot="deep"),
            v1.CreateTokenRequest(scopes=[PLAY], bot="deep", expires_at=request.expires_at + 1),
        ):
            assert (await server.refused(more, token=weak))[0] == "PERMISSION_DENIED"
        assert (await server.refused(v1.NameBotRequest(bot="shallow"), token=weak))[0] == "PERMISSION_DENIED"


async def test_nobody_sees_or_ends_what_is_somebody_elses(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana, ben = await server.joined("ana"), await server.joined("ben")
        theirs = (await server.ask(v1.ListTokensRequest(), v1.ListTokensResponse, token=ana)).tokens[0].id
        listed = (await server.ask(v1.ListTokensRequest(), v1.ListTokensResponse, token=ben)).tokens
        assert theirs not in [token.id for token in listed]
        assert (await server.refused(v1.RevokeTokenRequest(id=theirs), token=ben))[0] == "NOT_FOUND"
        assert (await server.refused(v1.RevokeTokenRequest(id=theirs), token=server.admin))[0] == "NOT_FOUND"
        await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=ana)


async def test_who_is_banned_does_nothing_more(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY, ADMIN)
        spare = (await server.ask(v1.CreateTokenRequest(), v1.CreateTokenResponse, token=ana)).token
        await server.ask(v1.BanRequest(account="ana", reason="spam"), v1.BanResponse, token=server.admin)
        for token in (ana, spare):
            for request in (v1.UnbanRequest(account="ana"), v1.CreateTokenRequest(), v1.InviteRequest()):
                assert await server.refused(request, token=token) == (
                    "PERMISSION_DENIED",
                    "the account is banned: spam",
                )
        again = v1.RegisterRequest(invitation=await server.invited(), account="Ana")
        assert (await server.refused(again))[0] == "ALREADY_EXISTS", "the name stays that of who was banned"


async def test_an_admin_does_not_shut_himself_out(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        for request in (v1.BanRequest(account="root", reason="oops"), v1.SetRolesRequest(account="root", roles=[PLAY])):
            assert (await server.refused(request, token=server.admin))[0] == "FAILED_PRECONDITION"


# Who writes what cannot stand there


# fmt: off
NAMES_OF_NO_ACCOUNT = (
    "Ana", "ＡＮＡ", "aｎa", "аna", "a\nb", "a\x1b[2J", "a\0b", BACKWARDS, "", " ", " ana", "ana ", "a/b", "-ana",
    "ana\ufe0f", "n" * 65, "n" * 3000, "<b>", "a'b",
)
# fmt: on


async def test_a_name_that_no_account_can_have(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        server.lobby.token("ana")
        code = await server.invited()
        for name in NAMES_OF_NO_ACCOUNT:
            for request, token in (
                (v1.RegisterRequest(invitation=code, account=name), ""),
                (v1.InviteRequest(account=name or " "), server.admin),
            ):
                status, sentence = await server.refused(request, token=token)
                assert status in ("ALREADY_EXISTS", "INVALID_ARGUMENT"), request
                assert sentence.isprintable(), request
                assert len(sentence) < 300, request
        await server.ask(v1.RegisterRequest(invitation=code, account="ben"), v1.RegisterResponse)


async def test_a_name_that_no_bot_can_have(tmp_path: Path) -> None:
    names = ["", " ", "a\nb", "a\x1b[2J", "a\0b", BACKWARDS, "n" * 65, "dееp", "deep\ufe0f"]
    requests: list[Message] = [v1.NameBotRequest(bot=name) for name in names]
    requests += [v1.CreateTokenRequest(bot=name) for name in names if name]
    async with open_account_server(tmp_path) as server:
        ana = server.lobby.token("ana")
        for request in requests:
            status, sentence = await server.refused(request, token=ana)
            assert status == "INVALID_ARGUMENT", request
            assert sentence.isprintable(), request


@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (v1.BanRequest(account="ana", reason=""), "INVALID_ARGUMENT"),
        (v1.BanRequest(account="ana", reason="a\nb"), "INVALID_ARGUMENT"),
        (v1.BanRequest(account="ana", reason="r" * 201), "INVALID_ARGUMENT"),
        (v1.BanRequest(account="a\0b", reason="r"), "NOT_FOUND"),
        (v1.BanRequest(account="n" * 4000, reason="r"), "NOT_FOUND"),
        (v1.BanRequest(account="n" * 60_000, reason="r"), "INVALID_ARGUMENT"),
        (v1.SetRolesRequest(account="ana", roles=[0]), "INVALID_ARGUMENT"),  # type: ignore[list-item]  # unknown
        (v1.SetRolesRequest(account="ana", roles=[77]), "INVALID_ARGUMENT"),  # type: ignore[list-item]  # unknown
        (v1.SetRolesRequest(account="", roles=[PLAY]), "NOT_FOUND"),
        (v1.SetLimitsRequest(account="ana", limits=v1.AccountLimits(bots=1_000_001)), "INVALID_ARGUMENT"),
        (v1.InviteRequest(expires_at=0), "INVALID_ARGUMENT"),
        (v1.CreateTokenRequest(expires_at=1), "INVALID_ARGUMENT"),
        (v1.RevokeTokenRequest(id="a\0b"), "NOT_FOUND"),
        (v1.RevokeTokenRequest(id=""), "NOT_FOUND"),
        (v1.ListTokensRequest(page_token="forged!"), "INVALID_ARGUMENT"),  # noqa: S106 - a place in a list
        (v1.RegisterRequest(invitation="x" * 4000), "PERMISSION_DENIED"),
        (v1.RegisterRequest(invitation=INVITATION_PREFIX + "\0"), "PERMISSION_DENIED"),
    ],
)
async def test_a_field_that_cannot_be(tmp_path: Path, request_: Message, status: str) -> None:
    async with open_account_server(tmp_path) as server:
        token = server.lobby.token("all", scope=Scope.ADMIN)
        found, sentence = await server.refused(request_, token=token)
        assert found == status
        assert sentence.isprintable()
        assert len(sentence) < 300


async def test_what_is_no_request_is_told(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            method: Any = channel.unary_unary("/ordago.v1.AccountService/WhoAmI")
            metadata = [("authorization", f"Bearer {server.admin}")]
            with pytest.raises(grpc.RpcError) as error:
                await in_thread(partial(method, b"\xff" * 100, metadata=metadata))
        assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT  # type: ignore[attr-defined]  # of a call


# Where the database is gone


async def test_a_database_that_is_deleted_under_the_server_is_told_and_not_made_anew(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    await trio.Path(folder).mkdir()
    async with open_account_server(folder) as server:
        ana = await server.joined("ana")
        assert server.lobby.connect(ana).status is None
        await in_thread(shutil.rmtree, folder)
        for request in (v1.WhoAmIRequest(), v1.CreateTokenRequest(), v1.BanRequest(account="ana", reason="r")):
            status, sentence = await server.refused(request, token=server.admin)
            assert status == "UNAVAILABLE"
            assert str(tmp_path) not in sentence, "nobody outside is told where files lie"
        assert server.lobby.connect(ana).status is None, "who is known plays on"
        assert not await trio.Path(folder).exists()
