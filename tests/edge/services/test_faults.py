"""The calls about faults, by holders of tokens of all kinds."""

from functools import partial
from pathlib import Path

import pytest
from google.protobuf.message import Message
from support.accounts import TokenLobby
from support.ladder_reader import FakeReader, open_ladder
from support.raw_client import in_thread

from ordago import v1
from ordago.edge.services import own_calls
from ordago.edge.services.client import CallError, LadderClient
from ordago.store.accounts.rows import Scope

LIST, GET = v1.ListFaultsRequest, v1.GetFaultRequest
FOUND = v1.ListFaultsResponse(faults=[v1.BotFault(bot="sota")])


@pytest.fixture
def lobby(tmp_path: Path) -> TokenLobby:
    return TokenLobby(tmp_path)


def _called(port: int, request: Message, token: str) -> Message | str:
    answer = v1.ListFaultsResponse if isinstance(request, LIST) else v1.GetFaultResponse
    with LadderClient.opened(f"127.0.0.1:{port}", token=token) as client:
        try:
            return client.ask(request, answer)
        except CallError as error:
            return error.status


async def called(lobby: TokenLobby | None, reader: FakeReader, token: str, *requests: Message) -> list[Message | str]:
    accounts = None if lobby is None else lobby.accounts
    async with open_ladder(reader, accounts=accounts) as (edge, _):
        return [await in_thread(partial(_called, edge.port, request, token)) for request in requests]


def reading() -> FakeReader:
    return FakeReader(list_faults=FOUND, get_fault=v1.GetFaultResponse())


async def test_an_author_reads_its_own_by_its_token(lobby: TokenLobby) -> None:
    reader = reading()
    asked = [LIST(), LIST(account="ana", bot="sota"), GET(match_id="m", decision=2)]
    assert (await called(lobby, reader, lobby.token("ana"), *asked))[0] == FOUND
    assert reader.asked == [
        LIST(account="ana"),
        LIST(account="ana", bot="sota"),
        GET(account="ana", match_id="m", decision=2),
    ]


async def test_nobody_reads_those_of_others(lobby: TokenLobby) -> None:
    reader = reading()
    for account in ("ben", "nobody", "ana ", "ANA"):
        asked = [LIST(account=account), GET(account=account, match_id="m", decision=1)]
        assert await called(lobby, reader, lobby.token("ana"), *asked) == ["PERMISSION_DENIED"] * 2
    assert not reader.asked


async def test_an_admin_reads_all(lobby: TokenLobby) -> None:
    reader = reading()
    await called(lobby, reader, lobby.token("root", scope=Scope.ADMIN), LIST(account="ana"))
    assert reader.asked == [LIST(account="ana")]


@pytest.mark.parametrize("scope", [Scope.OBSERVE, Scope.ORGANISE])
async def test_a_token_for_something_else_does_not_do(lobby: TokenLobby, scope: Scope) -> None:
    assert await called(lobby, reading(), lobby.token("ana", scope=scope), LIST()) == ["PERMISSION_DENIED"]


async def test_a_token_for_one_bot_tells_of_that_bot_alone(lobby: TokenLobby) -> None:
    """It lies on the machine of the bot, whose owner may have many."""
    reader, token = reading(), lobby.token("ana", bot="sota")
    assert await called(lobby, reader, token, LIST(bot="other"), LIST(account="ben")) == ["PERMISSION_DENIED"] * 2
    await called(lobby, reader, token, LIST(), GET(match_id="m", decision=1))
    assert [request.bot for request in reader.asked] == ["sota", "sota"]


async def test_visitors_and_bad_tokens_are_refused(lobby: TokenLobby) -> None:
    revoked, banned = lobby.token("ana"), lobby.token("ben")
    lobby.revoke(revoked)
    lobby.accounts.ban("ben", "cheats", now=lobby.calendar())
    reader = reading()
    for token in ("", "ordago_guessed", revoked):
        assert await called(lobby, reader, token, LIST(), GET()) == ["UNAUTHENTICATED"] * 2
    assert await called(lobby, reader, banned, LIST()) == ["PERMISSION_DENIED"]
    assert not reader.asked


async def test_without_accounts_nobody_is_told() -> None:
    assert await called(None, reading(), "ordago_any", LIST()) == ["FAILED_PRECONDITION"]


async def test_a_flood_is_slowed_down(lobby: TokenLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_calls, "_PER_SECOND", 1e-6)
    answers = await called(lobby, reading(), lobby.token("ana"), *[LIST()] * 22)
    assert answers == [FOUND] * 20 + ["RESOURCE_EXHAUSTED"] * 2
