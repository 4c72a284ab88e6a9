"""The log of what is done to accounts, over real gRPC: whatever an admin does there leaves an entry."""

from pathlib import Path

import pytest
from support.account_calls import AccountServer, open_account_server

from ordago import v1
from ordago.edge.services import accounts
from ordago.edge.services.account_handlers import CALLS
from ordago.edge.services.account_messages import _ACTS, page_token
from ordago.store.accounts.rows import Act, Scope

PLAY, OBSERVE, ORGANISE = v1.ROLE_PLAY, v1.ROLE_OBSERVE, v1.ROLE_ORGANISE


async def logged(server: AccountServer, **wanted: object) -> v1.ListAccountLogResponse:
    return await server.ask(v1.ListAccountLogRequest(**wanted), v1.ListAccountLogResponse, token=server.admin)


async def test_what_an_admin_does_over_the_wire_is_kept_with_its_name(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY)
        made = await server.ask(v1.CreateTokenRequest(), v1.CreateTokenResponse, token=ana)
        calls = (
            (v1.SetRolesRequest(account="ana", roles=[PLAY, OBSERVE], why="watches"), v1.SetRolesResponse),
            (v1.SetLimitsRequest(account="ana", limits=v1.AccountLimits(bots=4)), v1.SetLimitsResponse),
            (v1.BanRequest(account="ana", reason=" spam "), v1.BanResponse),
            (v1.UnbanRequest(account="ana", why="a mistake"), v1.UnbanResponse),
        )
        for request, answer in calls:
            await server.ask(request, answer, token=server.admin)
        await server.ask(v1.RevokeTokenRequest(id=made.token_info.id, why="lost"), v1.RevokeTokenResponse, token=ana)
        entries = (await logged(server, account="ana")).entries
        assert [(entry.by, entry.act, entry.subject, entry.detail, entry.why) for entry in entries] == [
            ("ana", v1.ACCOUNT_ACT_REVOKE_TOKEN, made.token_info.id, "", "lost"),
            ("root", v1.ACCOUNT_ACT_UNBAN, "", "", "a mistake"),
            ("root", v1.ACCOUNT_ACT_BAN, "", "", "spam"),
            ("root", v1.ACCOUNT_ACT_SET_LIMITS, "", "bots 4", ""),
            ("root", v1.ACCOUNT_ACT_SET_ROLES, "", "observe play", "watches"),
            ("ana", v1.ACCOUNT_ACT_REGISTER, "", "play", ""),
        ]
        assert {(entry.at, entry.at_folder) for entry in entries} == {(int(server.lobby.calendar()), False)}
        everything = (await logged(server)).entries
        assert [entry.act for entry in everything if entry not in entries] == [
            v1.ACCOUNT_ACT_INVITE, v1.ACCOUNT_ACT_CREATE_TOKEN,
        ]  # fmt: skip
        assert everything[-1].at_folder, "the first admin was made at the folder"
        assert not any(ana in str(entry) or made.token in str(entry) for entry in everything)


@pytest.mark.parametrize("scope", [Scope.PLAY, Scope.OBSERVE, Scope.ORGANISE])
async def test_nobody_but_admins_reads_the_log(tmp_path: Path, scope: Scope) -> None:
    async with open_account_server(tmp_path) as server:
        token = server.lobby.token("eve", scope=scope)
        for account in ("", "eve"):
            request = v1.ListAccountLogRequest(account=account)
            assert (await server.refused(request, token=token))[0] == "PERMISSION_DENIED"
            assert (await server.refused(request))[0] == "UNAUTHENTICATED"


async def test_the_log_comes_in_pages_that_stay_good(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        for number in range(5):
            server.lobby.accounts.ban("root", f"reason {number}", now=server.lobby.calendar())
        server.lobby.accounts.unban("root", now=server.lobby.calendar())
        page, seen = await logged(server, page_size=3), list[v1.AccountLogEntry]()
        while True:
            seen += page.entries
            if not page.next_page_token:
                break
            server.lobby.accounts.unban("root", now=server.lobby.calendar())
            page = await logged(server, page_size=3, page_token=page.next_page_token)
        assert [entry.number for entry in seen] == [7, 6, 5, 4, 3, 2, 1]
        for nonsense in ("%%%", page_token("x"), page_token("٣"), page_token("9" * 60), page_token("-1")):
            request = v1.ListAccountLogRequest(page_token=nonsense)
            assert (await server.refused(request, token=server.admin))[0] == "INVALID_ARGUMENT"


async def test_a_reason_that_would_do_more_than_be_read_is_refused(tmp_path: Path) -> None:
    """The attacker is an admin whose token was stolen: what it writes stands on terminals of others for ever."""
    async with open_account_server(tmp_path) as server:
        for why in ("\x1b[2J", "a\nb", "x" * 201, "\u202e"):
            for request in (
                v1.SetRolesRequest(account="root", roles=[v1.ROLE_ADMIN], why=why),
                v1.SetLimitsRequest(account="root", why=why),
                v1.UnbanRequest(account="root", why=why),
                v1.InviteRequest(why=why),
                v1.RevokeTokenRequest(id="x", why=why),
                v1.BanRequest(account="ana", reason=why),
            ):
                assert (await server.refused(request, token=server.admin))[0] == "INVALID_ARGUMENT"
        assert len((await logged(server)).entries) == 1


async def test_who_makes_and_revokes_tokens_for_ever_is_held_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attacker has an account and wants to fill the log. It keeps no author from revoking."""
    monkeypatch.setattr(accounts, "_TOKENS_AT_ONCE", 2)
    async with open_account_server(tmp_path) as server:
        eve, ben = await server.joined("eve", PLAY), await server.joined("ben", PLAY)
        made = [await server.ask(v1.CreateTokenRequest(), v1.CreateTokenResponse, token=eve) for _ in range(2)]
        assert (await server.refused(v1.CreateTokenRequest(), token=eve))[0] == "RESOURCE_EXHAUSTED"
        for one in made:
            await server.ask(v1.RevokeTokenRequest(id=one.token_info.id), v1.RevokeTokenResponse, token=eve)
        await server.ask(v1.CreateTokenRequest(), v1.CreateTokenResponse, token=ben)


def test_no_call_takes_anything_out_of_the_log_and_every_act_has_its_word() -> None:
    assert [name for name in CALLS if "Log" in name] == ["ListAccountLog"]
    assert set(_ACTS) == set(Act)
    assert len(set(_ACTS.values())) == len(v1.AccountAct.values()) - 1
