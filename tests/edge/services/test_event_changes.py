"""``EventService`` over real gRPC: who may open, stop and remove events, how often, and what is said of it."""

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from support.offices import FRIDAY, open_event_server, state_of
from support.processes import until

from ordago import v1
from ordago.edge.services import events
from ordago.edge.transports import TransportBounds
from ordago.store.accounts.rows import Scope
from ordago_ladder.hosted.events_api import EventLimitError, EventTakenError, HostedState, NotYoursError

ORGANISERS = {Scope.ORGANISE, Scope.ADMIN}


@pytest.mark.parametrize("scope", list(Scope))
async def test_those_who_hold_events_open_stop_and_remove_them_and_nobody_else(tmp_path: Path, scope: Scope) -> None:
    async with open_event_server(tmp_path) as server:
        token = server.lobby.token("ana", scope=scope)
        opened = await server.ask(v1.OpenEventRequest(file=FRIDAY), v1.OpenEventResponse, token=token)
        stopped = await server.ask(v1.StopEventRequest(name="friday"), v1.StopEventResponse, token=token)
        removed = await server.ask(v1.RemoveEventRequest(name="friday"), v1.RemoveEventResponse, token=token)
        if scope in ORGANISERS:
            assert opened.event.name == "friday"
            assert (opened.event.opened_by, list(opened.event.missing)) == ("ana", ["deep", "sota"])
            assert stopped.event.stage == v1.HOSTED_EVENT_STAGE_STOPPED
            assert (removed.event.name, removed.files) == ("friday", 7)
            caller = ("ana", scope is Scope.ADMIN)
            assert [by[:2] for _, _, by in server.office.asked] == [caller] * 3, "admins change events of others"
        else:
            assert opened[0] == stopped[0] == removed[0] == "PERMISSION_DENIED"
            assert "it lacks the scope 'organise' or 'admin', or its account the role" in opened[1]
            assert not server.office.asked


async def test_who_is_not_known_or_not_welcome_changes_nothing(tmp_path: Path) -> None:
    """The attacker has no token, a made-up one, one that was revoked, or one of an account that is banned."""
    async with open_event_server(tmp_path) as server:
        revoked, banned = (server.lobby.token(name, scope=Scope.ADMIN) for name in ("eve", "mallory"))
        server.lobby.revoke(revoked)
        server.lobby.accounts.ban("mallory", "cheats", now=server.lobby.calendar())
        for token, status in (
            ("", "UNAUTHENTICATED"),
            ("ordago_x", "UNAUTHENTICATED"),
            (revoked, "UNAUTHENTICATED"),
            (banned, "PERMISSION_DENIED"),
        ):
            request = v1.OpenEventRequest(file=FRIDAY)
            assert (await server.ask(request, v1.OpenEventResponse, token=token))[0] == status
        assert not server.office.asked


async def test_who_opens_again_and_again_is_held_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "_CHANGES_AT_ONCE", 2)
    async with open_event_server(tmp_path) as server:
        token, others = (server.lobby.token(name, scope=Scope.ORGANISE) for name in ("ana", "ben"))
        request = v1.StopEventRequest(name="none")
        told = [await server.ask(request, v1.StopEventResponse, token=token) for _ in range(3)]
        assert [status for status, _ in told] == ["NOT_FOUND", "NOT_FOUND", "RESOURCE_EXHAUSTED"]
        assert (await server.ask(request, v1.StopEventResponse, token=others))[0] == "NOT_FOUND"


async def test_who_removes_again_and_again_is_held_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else an organiser would fill the log, and the list of names that stay taken."""
    monkeypatch.setattr(events, "_REMOVED_AT_ONCE", 1)
    async with open_event_server(tmp_path) as server:
        token = server.lobby.token("ana", scope=Scope.ORGANISE)
        request = v1.RemoveEventRequest(name="none")
        told = [await server.ask(request, v1.RemoveEventResponse, token=token) for _ in range(2)]
        assert [status for status, _ in told] == ["NOT_FOUND", "RESOURCE_EXHAUSTED"]
        stopping = v1.StopEventRequest(name="none")
        assert (await server.ask(stopping, v1.StopEventResponse, token=token))[0] == "NOT_FOUND"


async def test_one_address_makes_so_many_changes_wait_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attacker has all others wait behind it."""
    monkeypatch.setattr(events, "_OF_ONE_AT_ONCE", 1)
    async with open_event_server(tmp_path) as server:
        go_on = threading.Event()
        token = server.lobby.token("ana", scope=Scope.ORGANISE)
        opened, asked = server.office.open, threading.Event()

        def slowly(*words: Any, **named: Any) -> HostedState:
            asked.set()
            go_on.wait(30)
            return opened(*words, **named)

        monkeypatch.setattr(server.office, "open", slowly)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(server.ask, v1.OpenEventRequest(file=FRIDAY), v1.OpenEventResponse, token=token))
            await until(asked.is_set)
            told = await server.ask(v1.StopEventRequest(name="none"), v1.StopEventResponse, token=token)
            go_on.set()
        assert told == ("RESOURCE_EXHAUSTED", "too many change events from your address; end one of the others first")


@pytest.mark.parametrize("why", ["\x1b[2J", "a\nb", "x" * 201])
async def test_a_reason_that_would_do_more_than_be_read_is_refused(tmp_path: Path, why: str) -> None:
    async with open_event_server(tmp_path) as server:
        token = server.lobby.token("ana", scope=Scope.ADMIN)
        for request in (
            v1.OpenEventRequest(file=FRIDAY, why=why),
            v1.StopEventRequest(name="friday", why=why),
            v1.RemoveEventRequest(name="friday", why=why),
        ):
            assert (await server.ask(request, v1.OpenEventResponse, token=token))[0] == "INVALID_ARGUMENT"
        assert not server.office.asked


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NotYoursError("n"), "PERMISSION_DENIED"),
        (EventTakenError("t"), "ALREADY_EXISTS"),
        (EventLimitError("l"), "RESOURCE_EXHAUSTED"),
    ],
)
async def test_why_something_is_refused_has_its_status(tmp_path: Path, error: Exception, status: str) -> None:
    async with open_event_server(tmp_path) as server:
        server.office.refusal = error
        token = server.lobby.token("ana", scope=Scope.ORGANISE)
        told = await server.ask(v1.OpenEventRequest(file=FRIDAY), v1.OpenEventResponse, token=token)
        assert told == (status, str(error))


async def test_who_stops_an_event_hears_of_it_however_long_that_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is said on its connection meanwhile, which is not taken for an idle one."""
    monkeypatch.setattr("ordago.edge.server.TransportBounds", partial(TransportBounds, idle_seconds=0.3))
    async with open_event_server(tmp_path, state_of("friday", tmp_path)) as server:
        server.office.stop_seconds = 1.5
        token = server.lobby.token("ana", scope=Scope.ORGANISE)
        stopping = v1.StopEventRequest(name="friday", why="rain")
        stopped: list[v1.StopEventResponse] = []

        async def stop() -> None:
            stopped.append(await server.ask(stopping, v1.StopEventResponse, token=token))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(stop)
            await until(lambda: server.office.asked)
            # No thread waits for it: another organiser is served meanwhile.
            other = server.lobby.token("ben", scope=Scope.ORGANISE)
            opening = v1.OpenEventRequest(file=FRIDAY.replace('"friday"', '"saturday"'))
            assert (await server.ask(opening, v1.OpenEventResponse, token=other)).event.name == "saturday"
            assert not stopped
        assert stopped[0].event.stage == v1.HOSTED_EVENT_STAGE_STOPPED
        assert server.office.whys == ["rain", ""]
