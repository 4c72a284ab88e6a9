"""``EnterEvent`` and ``LeaveEvent`` over real gRPC: by which tokens, under which names, and how often."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from support.offices import EventServer, open_event_server, state_of

from ordago import v1
from ordago.edge.services import events
from ordago.store.accounts.rows import Scope
from ordago_ladder.event_file.entry import Entry
from ordago_ladder.hosted.events_api import (
    EventConflictError,
    EventLimitError,
    EventTakenError,
    HostedStage,
    NotYoursError,
)
from ordago_ladder.hosted.keeper import event_message


def friday(folder: Path) -> Any:
    """Return an event that authors may enter."""
    return state_of("friday", folder, stage=HostedStage.ENTRY, begins=1_900_000_000, places_left=8)


async def enter(server: EventServer, token: str, entrant: str = "sota", **fields: Any) -> Any:
    request = v1.EnterEventRequest(name="friday", entrant=entrant, **fields)
    return await server.ask(request, v1.EnterEventResponse, token=token)


async def leave(server: EventServer, token: str, entrant: str = "") -> Any:
    return await server.ask(v1.LeaveEventRequest(name="friday", entrant=entrant), v1.LeaveEventResponse, token=token)


@pytest.mark.parametrize("scope", list(Scope))
async def test_accounts_that_may_play_enter_and_no_others(tmp_path: Path, scope: Scope) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        token = server.lobby.token("ana", scope=scope)
        entered = await enter(server, token, author="Ana", version="2")
        if scope is not Scope.PLAY:
            assert entered[0] == "PERMISSION_DENIED"
            assert not server.office.asked
            return
        assert list(entered.event.entries) == [
            v1.EventEntry(entrant="sota", account="ana", author="Ana", version="2"),
        ]
        assert (entered.event.stage, entered.event.places_left) == (v1.HOSTED_EVENT_STAGE_ENTRY, 7)
        listed = await server.ask(v1.ListEventsRequest(stages=[v1.HOSTED_EVENT_STAGE_ENTRY]), v1.ListEventsResponse)
        assert [(one.name, one.places_left, len(one.entries)) for one in listed.events] == [("friday", 7, 0)]
        left = await leave(server, token)
        assert (left.event.places_left, list(left.event.entries)) == (8, [])


async def test_only_a_token_for_holding_events_takes_out_others(tmp_path: Path) -> None:
    """The attacker has a token that the event's account left on the machine of a bot."""
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        for scope in (Scope.PLAY, Scope.ORGANISE, Scope.ADMIN):
            await leave(server, server.lobby.token("root", scope=scope), "sota")
        assert [by.may_organise for _, _, by in server.office.asked] == [False, True, True]
        assert (await leave(server, server.lobby.token("root", scope=Scope.OBSERVE)))[0] == "PERMISSION_DENIED"


async def test_nobody_enters_without_a_good_token_or_with_that_of_another_bot(tmp_path: Path) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        banned = server.lobby.token("mallory")
        server.lobby.accounts.ban("mallory", "cheats", now=server.lobby.calendar())
        bound, _ = server.lobby.accounts.create_token(
            account="ana", scopes=[Scope.PLAY], now=server.lobby.calendar(), bot="deep"
        )
        assert (await enter(server, ""))[0] == "UNAUTHENTICATED"
        assert (await enter(server, "ordago_x"))[0] == "UNAUTHENTICATED"
        assert await enter(server, banned) == ("PERMISSION_DENIED", "the account is banned: cheats")
        status, sentence = await enter(server, bound)
        assert (status, "for the bot 'deep' only" in sentence) == ("PERMISSION_DENIED", True)
        assert not server.office.asked
        assert (await enter(server, bound, "deep")).event.name == "friday"


@pytest.mark.parametrize("name", ["ben", "Ben", "be n", "bеn", "sota", "S0TA"])
async def test_nobody_enters_under_the_name_of_another_account_or_its_bot(tmp_path: Path, name: str) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        accounts, now = server.lobby.accounts, server.lobby.calendar()
        token, own = server.lobby.token("ana"), server.lobby.token("ben")
        ben = next(account for account in accounts.accounts() if account.name == "ben")
        accounts.name_bot(ben, "sota", now=now)
        status, sentence = await enter(server, token, name)
        assert (status, "that of another account or its bot" in sentence) == ("ALREADY_EXISTS", True)
        assert (await enter(server, own, "Ben")).event.name == "friday", "its own"


@pytest.mark.parametrize(
    ("refusal", "status"),
    [
        (EventConflictError("closed"), "FAILED_PRECONDITION"),
        (EventTakenError("taken"), "ALREADY_EXISTS"),
        (EventLimitError("full"), "RESOURCE_EXHAUSTED"),
        (NotYoursError("removed"), "PERMISSION_DENIED"),
    ],
)
async def test_a_refusal_has_its_status_and_its_sentence(tmp_path: Path, refusal: Exception, status: str) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        server.office.refusal = refusal
        assert await enter(server, server.lobby.token("ana")) == (status, str(refusal))


@pytest.mark.parametrize(
    "fields", [{"entrant": "<b>"}, {"entrant": "a" * 65}, {"author": "a\nb"}, {"version": "x" * 129}]
)
async def test_what_cannot_be_is_refused_by_its_field(tmp_path: Path, fields: dict[str, str]) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        status, sentence = await enter(server, server.lobby.token("ana"), **fields)
        field = "name" if "entrant" in fields else next(iter(fields))
        assert (status, f"'{field}' takes" in sentence) == ("INVALID_ARGUMENT", True)


async def test_who_enters_and_leaves_again_and_again_is_held_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "_CHANGES_AT_ONCE", 2)
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        token = server.lobby.token("ana")
        assert not isinstance(await enter(server, token), tuple)
        assert not isinstance(await leave(server, token), tuple)
        assert (await enter(server, token))[0] == "RESOURCE_EXHAUSTED"
        assert not isinstance(await enter(server, server.lobby.token("ben")), tuple)


async def test_a_class_behind_one_address_enters_at_once(tmp_path: Path) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        tokens = [server.lobby.token(f"author {number}") for number in range(20)]
        async with trio.open_nursery() as nursery:
            for number, token in enumerate(tokens):
                nursery.start_soon(partial(enter, server, token, f"bot {number}"))
        assert len(server.office.state("friday").entries) == 20


async def test_commands_enter_and_leave(tmp_path: Path) -> None:
    async with open_event_server(tmp_path, friday(tmp_path)) as server:
        token = server.token_file(Scope.PLAY)
        told = await server.ordago("enter", "friday", "--as", "sota", "--author", "Ana", "--token-file", token)
        assert told.output.splitlines() == [
            "sota is entered in Friday (friday), which begins 2030-03-17 17:46:40 UTC",
            f"start the bot before: python my_bot.py --address {server.address} --token-file FILE --event friday",
        ]
        assert server.office.state("friday").entries == (Entry(entrant="sota", account="ana", author="Ana"),)
        listed = await server.ordago("list", "--stage", "entry")
        assert "entry, 7 left" in listed.output
        shown = await server.ordago("show", "friday")
        assert "authors may enter until it begins, 2030-03-17 17:46:40 UTC: 7 places are left" in shown.output
        left = await server.ordago("leave", "friday", "--token-file", token)
        assert "8 places are left" in left.output
        server.office.refusal = EventLimitError("all 8 places are taken")
        refused = await server.ordago("enter", "friday", "--as", "sota", "--token-file", token)
        assert (refused.exit_code, "all 8 places are taken" in refused.output) == (3, True)


async def test_events_show_the_pseudonym_of_a_deleted_account_and_forget_its_author(tmp_path: Path) -> None:
    entry = Entry(entrant="sota", account="ana", author="Ana")
    other = Entry(entrant="deep", account="ben", author="Ben")
    state = replace(friday(tmp_path), opened_by="ana", entries=(entry, other))
    message = event_message(state, shown_account=lambda account: {"ana": "(deleted)"}.get(account, account))
    assert message.opened_by == "(deleted)"
    assert list(message.entries) == [
        v1.EventEntry(entrant="sota", account="(deleted)"),
        v1.EventEntry(entrant="deep", account="ben", author="Ben"),
    ]
