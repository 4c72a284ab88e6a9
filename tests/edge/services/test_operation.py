"""Announcements and sessions over real gRPC: for admins alone, checked, bounded and logged."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from google.protobuf.message import Message
from support.account_calls import AccountServer
from support.accounts import TokenLobby
from support.processes import PATIENCE_SECONDS

from ordago import v1
from ordago.arena.connection import Status
from ordago.arena.event_router import EventRouter
from ordago.arena.live_sessions import LiveSessions
from ordago.edge import Edge
from ordago.edge.services.account_handlers import AccountHandlers
from ordago.edge.services.accounts import AccountService
from ordago.store.accounts.rows import Act

SENTENCE = "maintenance at 20:00 UTC"


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[AccountServer]:
    """Serve accounts, with the sessions of their bots."""
    lobby = TokenLobby(folder)
    sessions = LiveSessions(EventRouter(lobby.server))
    service = AccountService(AccountHandlers(lobby.accounts, sessions=sessions, now=lobby.calendar))
    with trio.fail_after(PATIENCE_SECONDS):
        async with Edge.open("127.0.0.1:0", lobby.server, services=[service]) as edge:
            yield AccountServer(lobby, edge.port)


async def announce(server: AccountServer, sentence: str = SENTENCE, **fields: object) -> v1.Announcement:
    request = v1.AnnounceRequest(sentence=sentence, **fields)
    return (await server.ask(request, v1.AnnounceResponse, token=server.admin)).announcement


async def listed(server: AccountServer, **fields: object) -> v1.ListSessionsResponse:
    return await server.ask(v1.ListSessionsRequest(**fields), v1.ListSessionsResponse, token=server.admin)


@pytest.mark.parametrize(
    "request_",
    [
        v1.AnnounceRequest(sentence="free beer", pauses_seating=True),
        v1.WithdrawAnnouncementRequest(number=1),
        v1.ListSessionsRequest(),
        v1.EndSessionRequest(session_id="x", reason="a rival"),
    ],
    ids=lambda request: type(request).__name__,
)
async def test_an_author_without_the_role_does_nothing_of_it(tmp_path: Path, request_: Message) -> None:
    async with served(tmp_path) as server:
        await announce(server)
        status, sentence = await server.refused(request_, token=server.lobby.token())
        assert (status, "admin" in sentence) == ("PERMISSION_DENIED", True)
        assert (await server.refused(request_))[0] == "UNAUTHENTICATED"
        assert len(server.lobby.accounts.announcements(now=server.lobby.calendar())) == 1


async def test_what_is_announced_reaches_the_bots_and_whoever_may_list_it(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        now, token = int(server.lobby.calendar()), server.lobby.token()
        made = await announce(server, ends_at=now + 60, pauses_seating=True, why="a new disk")
        assert made == v1.Announcement(number=1, sentence=SENTENCE, made_at=now, ends_at=now + 60, pauses_seating=True)
        answer = await server.ask(v1.ListAnnouncementsRequest(), v1.ListAnnouncementsResponse, token=token)
        assert list(answer.announcements) == [made]
        await server.lobby.authenticator.refresh()
        assert server.lobby.authenticator.announcements == [made]
        server.lobby.calendar.now += 60
        assert server.lobby.authenticator.announcements == [], "it ends though the database was not asked again"
        assert (await server.refused(v1.WithdrawAnnouncementRequest(number=1), token=server.admin))[0] == "NOT_FOUND"


@pytest.mark.parametrize(
    "sentence",
    ["", "  ", "two\nlines", "\x1b[2J", "\x07", "a\x00b", "back\u202ewards", "in\u200bvisible", "x" * 201],
)
async def test_what_a_terminal_or_a_page_could_not_bear_is_refused(tmp_path: Path, sentence: str) -> None:
    async with served(tmp_path) as server:
        for request in (
            v1.AnnounceRequest(sentence=sentence),
            v1.EndSessionRequest(session_id="x", reason=sentence),
        ):
            assert (await server.refused(request, token=server.admin))[0] == "INVALID_ARGUMENT"
        assert server.lobby.accounts.announcements(now=server.lobby.calendar()) == []


async def test_an_end_in_the_past_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        request = v1.AnnounceRequest(sentence=SENTENCE, ends_at=int(server.lobby.calendar()))
        assert (await server.refused(request, token=server.admin))[0] == "INVALID_ARGUMENT"


async def test_a_flood_of_announcements_is_bounded_even_if_each_is_withdrawn(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        for number in range(1, 11):
            assert (await announce(server)).number == number
            withdraw = v1.WithdrawAnnouncementRequest(number=number)
            await server.ask(withdraw, v1.WithdrawAnnouncementResponse, token=server.admin)
        status, sentence = await server.refused(v1.AnnounceRequest(sentence=SENTENCE), token=server.admin)
        assert (status, "come back in" in sentence) == ("RESOURCE_EXHAUSTED", True)


async def test_sessions_are_listed_with_all_that_an_operator_asks_for(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        lobby = server.lobby
        there = lobby.connect(lobby.token())
        away = lobby.connect(lobby.token("ben"), name="other")
        away.vanish()
        lobby.bots[0].take_seat()
        rows = {one.bot: one for one in (await listed(server)).sessions}
        [deep, other] = rows["deep"], rows["other"]
        assert (deep.session_id, deep.account, deep.version) == (there.resume.session_id, "ana", "7")
        assert (list(deep.games), deep.matches, deep.origin, deep.event) == (["mittlere"], 1, "192.0.2.1", "")
        assert deep.connected_at > 1_700_000_000
        assert (other.origin, other.HasField("connected_at")) == ("", False)
        assert [one.bot for one in (await listed(server, account="ben")).sessions] == ["other"]
        page = await listed(server, page_size=1)
        rest = await listed(server, page_size=1, page_token=page.next_page_token)
        assert {one.bot for one in (*page.sessions, *rest.sessions)} == {"deep", "other"}
        assert not rest.next_page_token


async def test_a_session_is_ended_with_a_sentence_and_the_act_is_logged(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        connection = server.lobby.connect(server.lobby.token())
        request = v1.EndSessionRequest(session_id=connection.resume.session_id, reason="it floods")
        ended = await server.ask(request, v1.EndSessionResponse, token=server.admin)
        assert ended.session.bot == "deep"
        assert connection.last(v1.Goodbye).sentence == "the operator ended the session: it floods"
        assert connection.status is Status.OK
        [entry] = [one for one in server.lobby.accounts.log(most=10) if one.act is Act.END_SESSION]
        told = (entry.actor, entry.account, entry.subject, entry.detail, entry.why)
        assert told == ("root", "ana", connection.resume.session_id, "deep", "it floods")
        assert (await server.refused(request, token=server.admin))[0] == "NOT_FOUND"
        assert len(server.lobby.accounts.log(most=10)) == 3, "what does nothing is not logged"
