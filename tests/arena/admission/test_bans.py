"""Bans, roles and limits at a running server: they hold within two seconds, and nobody gets round them."""

import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from support.accounts import DAY, TokenLobby

from ordago import v1
from ordago.arena.admission.account_tokens import REFRESH_SECONDS
from ordago.arena.connection import Status
from ordago.store.accounts.rows import Scope

pytestmark = pytest.mark.virtual_time


@pytest.fixture
def lobby(tmp_path: Path) -> TokenLobby:
    return TokenLobby(tmp_path)


@asynccontextmanager
async def watched(lobby: TokenLobby) -> AsyncIterator[None]:
    """Let the server look at its accounts as it does when it runs."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lobby.authenticator.watch, lobby.server.review)
        yield
        nursery.cancel_scope.cancel()


def ban(lobby: TokenLobby, account: str = "ana") -> None:
    lobby.accounts.ban(account, "played two bots at one table", now=lobby.calendar())


async def test_a_ban_ends_all_sessions_and_forfeits_what_they_play(lobby: TokenLobby) -> None:
    first, second = lobby.connect(lobby.token()), lobby.connect(lobby.token(), name="shallow")
    friend = lobby.connect(lobby.token("ben"), name="other")
    seats = [bot.take_seat() for bot in lobby.bots]
    async with watched(lobby):
        await trio.sleep(2 * REFRESH_SECONDS)
        assert (first.status, second.status) == (None, None)
        ban(lobby)
        await trio.sleep(REFRESH_SECONDS + 0.1)
    for banned in (first, second):
        assert banned.status is Status.PERMISSION_DENIED
        assert banned.last(v1.Goodbye).sentence == "the account is banned: played two bots at one table"
    assert friend.status is None
    assert [bot.loss is not None for bot in lobby.bots] == [True, True, False]
    assert [bot.plays for bot in lobby.bots] == [True, True, True], "their matches are played to their end"
    assert len(seats) == 3


@pytest.mark.parametrize("refreshed", [True, False])
async def test_who_is_banned_makes_no_token_that_lets_him_in(lobby: TokenLobby, *, refreshed: bool) -> None:
    """Not even one that the server has not heard of, within the two seconds."""
    ban_first = lobby.token()
    ban(lobby)
    if refreshed:
        await lobby.authenticator.refresh()
    for token in (lobby.token(), lobby.token(bot="deep")):
        assert lobby.connect(token).status is Status.PERMISSION_DENIED
    await lobby.authenticator.refresh()
    assert lobby.connect(ban_first).status is Status.PERMISSION_DENIED
    assert lobby.bots == []


async def test_who_is_banned_does_not_come_back_by_his_session(lobby: TokenLobby) -> None:
    """Neither while the session could still be resumed, nor after it was ended."""
    token = lobby.token()
    away = lobby.connect(token)
    ban(lobby)
    await lobby.authenticator.refresh()
    away.vanish()
    for bearer in (None, token, lobby.token("ben")):
        again = lobby.connect(bearer, resume=away.resume)
        assert again.status is Status.PERMISSION_DENIED
        assert "banned" in again.sentence
    lobby.server.review()
    assert lobby.connect(token, resume=away.resume).status is Status.UNAUTHENTICATED
    assert not lobby.bots[0].connected


async def test_who_is_banned_counts_among_strangers(lobby: TokenLobby) -> None:
    """His token takes him no share of the room that those have who may come in."""
    token = lobby.token()
    await lobby.authenticator.refresh()
    assert lobby.authenticator.recognise(token)
    ban(lobby)
    await lobby.authenticator.refresh()
    assert not lobby.authenticator.recognise(token)


async def test_a_ban_that_is_over_leaves_nothing_behind(lobby: TokenLobby) -> None:
    token = lobby.token()
    ban(lobby)
    await lobby.authenticator.refresh()
    lobby.accounts.unban("ana", now=lobby.calendar())
    await lobby.authenticator.refresh()
    assert lobby.connect(token).status is None


async def test_a_role_that_is_taken_away_ends_sessions(lobby: TokenLobby) -> None:
    connection = lobby.connect(lobby.token())
    async with watched(lobby):
        await trio.sleep(1)
        lobby.accounts.set_roles("ana", [Scope.OBSERVE], now=lobby.calendar())
        await trio.sleep(REFRESH_SECONDS + 0.1)
    assert connection.status is Status.PERMISSION_DENIED
    assert connection.sentence == "the account lacks the role 'play'"


@pytest.mark.parametrize(
    ("limit", "names", "refused"),
    [
        ({"bots": 2}, ["one", "two", "two", "three"], "2 bots of your account are connected, its maximum"),
        ({"sessions": 3}, ["one", "two", "two", "two"], "too many bots of your account"),
        ({"names": 3}, ["one", "two", "three", "four"], "the account has 3 bot names"),
        ({"bots": 0}, ["one"], "0 bots of your account are connected"),
    ],
)
async def test_a_limit_holds_for_who_comes(
    lobby: TokenLobby, limit: dict[str, int], names: list[str], refused: str
) -> None:
    token = lobby.token()
    lobby.accounts.set_limits("ana", now=lobby.calendar(), **limit)
    await lobby.authenticator.refresh()
    *inside, last = [lobby.connect(token, name=name) for name in names]
    assert [one.status for one in inside] == [None] * len(inside)
    assert last.status in (Status.RESOURCE_EXHAUSTED, Status.PERMISSION_DENIED)
    assert last.sentence.startswith(refused)
    assert lobby.connect(lobby.token("ben"), name="ben's").status is None


async def test_bots_that_left_make_room(lobby: TokenLobby) -> None:
    token = lobby.token()
    lobby.accounts.set_limits("ana", now=lobby.calendar(), bots=1)
    await lobby.authenticator.refresh()
    first = lobby.connect(token, name="one")
    assert lobby.connect(token, name="two").retry_after_ms > 0
    first.say(v1.Goodbye())
    assert lobby.connect(token, name="two").status is None


async def test_a_limit_that_is_lowered_sends_nobody_away(lobby: TokenLobby) -> None:
    token = lobby.token()
    connections = [lobby.connect(token, name=name) for name in ("one", "two")]
    lobby.accounts.set_limits("ana", now=lobby.calendar(), bots=1, names=1, sessions=1)
    await lobby.authenticator.refresh()
    lobby.server.review()
    assert [one.status for one in connections] == [None, None]
    assert lobby.connect(token, name="three").status is not None


@pytest.mark.parametrize("name", ["dееp", "deep\ufe0f"])
async def test_a_name_that_misleads_lets_nobody_in(lobby: TokenLobby, name: str) -> None:
    lobby.connect(lobby.token())
    intruder = lobby.connect(lobby.token("ben"), name=name)
    assert intruder.status is Status.PERMISSION_DENIED
    assert "letters that look alike, or contains invisible ones" in intruder.sentence


async def test_where_the_database_is_gone_those_who_are_known_play_on(
    lobby: TokenLobby, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    token, unseen = lobby.token(), lobby.token("ben")
    await lobby.authenticator.refresh()
    here = lobby.connect(token)
    shutil.rmtree(tmp_path)
    lobby.calendar.now += DAY
    async with watched(lobby):
        await trio.sleep(3 * REFRESH_SECONDS)
    assert here.status is None
    assert lobby.connect(token).status is None
    assert lobby.connect(unseen, name="other").status is None
    assert lobby.connect("new", name="third").status is Status.UNAUTHENTICATED
    assert any("was deleted or replaced while it was used" in getattr(record, "error", "") for record in caplog.records)
    assert not os.path.exists(tmp_path), "nothing is made anew"  # noqa: PTH110, ASYNC240 - no Path in a coroutine either
