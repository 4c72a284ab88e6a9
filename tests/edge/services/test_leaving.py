"""The export and the deletion of an account over real gRPC, and what others try."""

from functools import partial
from pathlib import Path

import pytest
import trio
from support.account_calls import AccountServer, open_account_server

from ordago import v1
from ordago.edge.services.account_export import gathered
from ordago.edge.services.client import AccountClient, CallError

PLAY, OBSERVE, ADMIN = v1.ROLE_PLAY, v1.ROLE_OBSERVE, v1.ROLE_ADMIN


async def deleted(server: AccountServer, account: str, *, token: str, why: str = "") -> str:
    request = v1.DeleteAccountRequest(account=account, why=why)
    return (await server.ask(request, v1.DeleteAccountResponse, token=token)).pseudonym


async def exported(server: AccountServer, account: str = "", *, token: str) -> v1.ExportAccountResponse:
    return await server.ask(v1.ExportAccountRequest(account=account), v1.ExportAccountResponse, token=token)


async def test_an_author_gets_all_that_is_kept_and_no_secret(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY)
        assert server.lobby.connect(ana, name="deep").status is None
        await server.lobby.authenticator.refresh()
        await server.ask(v1.BanRequest(account="ana", reason="asleep"), v1.BanResponse, token=server.admin)
        await server.ask(v1.UnbanRequest(account="ana"), v1.UnbanResponse, token=server.admin)
        kept = await exported(server, token=ana)
        who = await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=ana)
        assert (kept.account, list(kept.tokens)) == (who.account, [who.token_info])
        assert [(bot.name, [build.version for build in bot.builds]) for bot in kept.bots] == [("deep", ["7"])]
        assert [(entry.act, entry.by, entry.why) for entry in kept.entries] == [
            (v1.ACCOUNT_ACT_UNBAN, "", ""),
            (v1.ACCOUNT_ACT_BAN, "", "asleep"),
            (v1.ACCOUNT_ACT_REGISTER, "ana", ""),
        ], "an author does not learn which admin it was"
        assert ana not in str(kept)


async def test_a_long_log_comes_whole(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY)
        for number in range(120):
            server.lobby.accounts.set_roles("ana", ["play"], now=number)
        with AccountClient.opened(f"127.0.0.1:{server.port}", token=ana) as client:
            kept = await trio.to_thread.run_sync(partial(gathered, "", client.ask, ask_ladder=None))
        assert len(kept["entries"]) == 121
        assert kept["account"]["name"] == "ana"
        assert set(kept) == {"account", "tokens", "bots", "entries"}


async def test_only_admins_export_others_and_the_log_has_it(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana, ben = await server.joined("ana", PLAY), await server.joined("ben", PLAY)
        status, _ = await server.refused(v1.ExportAccountRequest(account="ana"), token=ben)
        assert status == "PERMISSION_DENIED"
        assert (await exported(server, "ana", token=server.admin)).account.name == "ana"
        newest = (await exported(server, token=ana)).entries[0]
        assert newest.act == v1.ACCOUNT_ACT_EXPORT


async def test_an_author_deletes_its_account_and_its_bots_go(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY)
        connection = server.lobby.connect(ana, name="deep")
        pseudonym = await deleted(server, "ana", token=ana)
        assert pseudonym.startswith("(deleted account ")
        assert len(pseudonym) == 30
        await server.lobby.authenticator.refresh()
        server.lobby.server.review()
        assert connection.status is not None
        assert (await server.refused(v1.WhoAmIRequest(), token=ana))[0] == "UNAUTHENTICATED"
        assert server.lobby.authenticator.shown_account("ana") == pseudonym
        assert server.lobby.authenticator.shown_account("ben") == "ben"


@pytest.mark.parametrize("account", ["ben", "Ana", "ana ", "", "nobody"])
async def test_an_author_deletes_no_account_but_its_own_by_its_exact_name(tmp_path: Path, account: str) -> None:
    async with open_account_server(tmp_path) as server:
        ana, _ = await server.joined("ana", PLAY), await server.joined("ben", PLAY)
        status, _ = await server.refused(v1.DeleteAccountRequest(account=account, why="because"), token=ana)
        assert status in ("PERMISSION_DENIED", "NOT_FOUND")
        assert server.lobby.accounts.pseudonyms() == {}


async def test_a_banned_author_cannot_leave_to_begin_anew(tmp_path: Path) -> None:
    """An operator deletes the account for it, and the ban stays with the name."""
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana", PLAY)
        await server.ask(v1.BanRequest(account="ana", reason="spam"), v1.BanResponse, token=server.admin)
        assert (await server.refused(v1.DeleteAccountRequest(account="ana"), token=ana))[0] == "PERMISSION_DENIED"
        await deleted(server, "ana", token=server.admin, why="asked by letter")
        again = v1.RegisterRequest(invitation=await server.invited(PLAY), account="ana")
        assert (await server.refused(again))[0] == "ALREADY_EXISTS"


async def test_an_admin_needs_a_reason_and_cannot_delete_itself(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        await server.joined("ana", PLAY)
        without = await server.refused(v1.DeleteAccountRequest(account="ana"), token=server.admin)
        itself = await server.refused(v1.DeleteAccountRequest(account="root", why="tired"), token=server.admin)
        assert (without[0], itself[0]) == ("INVALID_ARGUMENT", "FAILED_PRECONDITION")


def test_an_export_without_a_ladder_has_no_faults_and_other_errors_stay() -> None:
    kept = v1.ExportAccountResponse(account=v1.Account(name="ana"))

    def ask_ladder(status: str) -> object:
        def ask(_request: object, _answer: object) -> None:
            raise CallError(status, "no")

        return gathered("", lambda *_: kept, ask_ladder=ask)

    assert ask_ladder("UNIMPLEMENTED")["faults"] == []
    with pytest.raises(CallError):
        ask_ladder("UNAVAILABLE")


def test_an_export_asks_for_a_bounded_number_of_faults() -> None:
    asked = []

    def ask_ladder(request: v1.ListFaultsRequest, _answer: object) -> v1.ListFaultsResponse:
        asked.append(request.account)
        return v1.ListFaultsResponse(faults=[v1.BotFault(decision=1)], next_page_token="more")  # noqa: S106 - of a page

    kept = v1.ExportAccountResponse(account=v1.Account(name="ana"))
    assert len(gathered("", lambda *_: kept, ask_ladder=ask_ladder)["faults"]) == 10
    assert set(asked) == {"ana"}
