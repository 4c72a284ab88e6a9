"""``AccountService`` over real gRPC: who is invited joins, looks after his own, and whoever is an admin after all."""

from pathlib import Path

import pytest
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import Message
from support.account_calls import AccountServer, open_account_server
from support.accounts import DAY

from ordago import v1
from ordago.edge.services.account_handlers import CALLS
from ordago.edge.services.client import CallError
from ordago.store.accounts.rows import Limits, Scope, Sighting

PLAY, OBSERVE, ORGANISE, ADMIN = v1.ROLE_PLAY, v1.ROLE_OBSERVE, v1.ROLE_ORGANISE, v1.ROLE_ADMIN


def test_the_calls_are_those_of_the_contract() -> None:
    methods = v1.account_service_pb2.DESCRIPTOR.services_by_name["AccountService"].methods
    assert {one.name: one.input_type.name for one in methods} == {
        name: call.request.DESCRIPTOR.name for name, call in CALLS.items()
    }


async def test_whoever_is_invited_joins_and_plays(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        code = await server.invited(PLAY, OBSERVE)
        joined = await server.ask(v1.RegisterRequest(invitation=code, account="ana"), v1.RegisterResponse)
        limits = v1.AccountLimits(**{name: getattr(Limits(), name) for name in ("bots", "tokens", "sessions", "names")})
        now = int(server.lobby.calendar())
        assert joined.account == v1.Account(name="ana", roles=[PLAY, OBSERVE], limits=limits, created_at=now)
        who = await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=joined.token)
        assert (who.account, who.token_info, who.roles) == (joined.account, joined.token_info, [PLAY, OBSERVE])
        assert server.lobby.connect(joined.token).status is None
        assert server.lobby.bots[0].identity.owner == "account ana"


async def test_an_invitation_may_name_the_account(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        code = await server.invited(account="ana")
        other = v1.RegisterRequest(invitation=code, account="ben")
        assert (await server.refused(other))[0] == "FAILED_PRECONDITION"
        stranger = v1.RegisterRequest(invitation=await server.invited(), account="ANA")
        status, sentence = await server.refused(stranger)
        assert (status, "reserved by an invitation" in sentence) == ("ALREADY_EXISTS", True)
        joined = await server.ask(v1.RegisterRequest(invitation=code), v1.RegisterResponse)
        assert joined.account.name == "ana"


async def test_an_author_looks_after_his_tokens(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        first = await server.joined("ana", PLAY, OBSERVE)
        end = int(server.lobby.calendar()) + DAY
        made = await server.ask(v1.CreateTokenRequest(bot="deep", expires_at=end), v1.CreateTokenResponse, token=first)
        info = made.token_info
        assert (list(info.scopes), info.bot, info.expires_at) == ([PLAY], "deep", end)
        assert server.lobby.connect(made.token, name="whatever").status is None
        assert server.lobby.bots[0].identity.name == "deep"
        listed = (await server.ask(v1.ListTokensRequest(), v1.ListTokensResponse, token=made.token)).tokens
        assert info in listed
        assert len(listed) == 2
        revoked = await server.ask(v1.RevokeTokenRequest(id=info.id), v1.RevokeTokenResponse, token=first)
        assert revoked.token_info.revoked_at == int(server.lobby.calendar())
        assert (await server.refused(v1.WhoAmIRequest(), token=made.token))[0] == "UNAUTHENTICATED"


async def test_an_author_looks_after_the_names_of_his_bots(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana, ben = await server.joined("ana"), await server.joined("ben")
        await server.ask(v1.NameBotRequest(bot="Deep"), v1.NameBotResponse, token=ana)
        assert (await server.refused(v1.NameBotRequest(bot="deep"), token=ben))[0] == "ALREADY_EXISTS"
        assert (await server.refused(v1.ReleaseBotNameRequest(bot="deep"), token=ben))[0] == "NOT_FOUND"
        listed = (await server.ask(v1.ListBotsRequest(), v1.ListBotsResponse, token=ana)).bots
        assert list(listed) == [v1.AccountBot(name="Deep")]
        await server.ask(v1.ReleaseBotNameRequest(bot="deep"), v1.ReleaseBotNameResponse, token=ana)
        await server.ask(v1.NameBotRequest(bot="deep"), v1.NameBotResponse, token=ben)


async def test_an_author_says_which_of_his_bots_take_challenges(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana, ben = await server.joined("ana"), await server.joined("ben")
        await server.ask(v1.NameBotRequest(bot="deep"), v1.NameBotResponse, token=ana)
        takes = v1.SetBotChallengesRequest(bot="deep", takes_challenges=True)
        assert (await server.refused(takes, token=ben))[0] == "NOT_FOUND"
        bound = (await server.ask(v1.CreateTokenRequest(bot="other"), v1.CreateTokenResponse, token=ana)).token
        assert (await server.refused(takes, token=bound))[0] == "PERMISSION_DENIED"
        for allowed in (True, False):
            takes.takes_challenges = allowed
            await server.ask(takes, v1.SetBotChallengesResponse, token=ana)
            listed = (await server.ask(v1.ListBotsRequest(), v1.ListBotsResponse, token=ana)).bots
            assert [bot.takes_challenges for bot in listed if bot.name == "deep"] == [allowed]


async def test_the_newest_builds_of_a_bot_are_told(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana")
        token = server.lobby.accounts.tokens(account="ana")[0].id
        seen = [Sighting(token, "ana", "deep", str(number), "b", at=number) for number in range(1, 40)]
        server.lobby.accounts.enter([one._replace(at=one.at + 1_800_000_000) for one in seen])
        [bot] = (await server.ask(v1.ListBotsRequest(), v1.ListBotsResponse, token=ana)).bots
        assert [build.version for build in bot.builds] == [str(number) for number in range(39, 23, -1)]


async def test_an_admin_looks_after_the_accounts(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        ana = await server.joined("ana")
        changed = await server.ask(
            v1.SetRolesRequest(account="ana", roles=[ORGANISE]), v1.SetRolesResponse, token=server.admin
        )
        assert list(changed.account.roles) == [ORGANISE]
        assert not (await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=ana)).roles
        limits = v1.SetLimitsRequest(account="ana", limits=v1.AccountLimits(tokens=0, names=7))
        told = (await server.ask(limits, v1.SetLimitsResponse, token=server.admin)).account.limits
        assert (told.tokens, told.names, told.bots) == (0, 7, Limits().bots)
        ban = v1.BanRequest(account="ana", reason=" flooded the server ")
        banned = (await server.ask(ban, v1.BanResponse, token=server.admin)).account
        assert (banned.banned_at, banned.ban_reason) == (int(server.lobby.calendar()), "flooded the server")
        assert await server.refused(v1.WhoAmIRequest(), token=ana) == (
            "PERMISSION_DENIED", "the account is banned: flooded the server",
        )  # fmt: skip
        accounts = (await server.ask(v1.ListAccountsRequest(), v1.ListAccountsResponse, token=server.admin)).accounts
        assert [one.name for one in accounts] == ["ana", "root"]
        await server.ask(v1.UnbanRequest(account="ana"), v1.UnbanResponse, token=server.admin)
        who = await server.ask(v1.WhoAmIRequest(), v1.WhoAmIResponse, token=ana)
        assert not who.account.HasField("banned_at")


async def test_pages_stay_good_while_rows_come_and_go(tmp_path: Path) -> None:
    async with open_account_server(tmp_path) as server:
        for name in ("b", "d", "f", "h"):
            server.lobby.token(name)
        request = v1.ListAccountsRequest(page_size=2)
        page = await server.ask(request, v1.ListAccountsResponse, token=server.admin)
        seen = [one.name for one in page.accounts]
        for name in ("a", "e"):
            server.lobby.token(name)
        while page.next_page_token:
            request.page_token = page.next_page_token
            page = await server.ask(request, v1.ListAccountsResponse, token=server.admin)
            seen += [one.name for one in page.accounts]
        assert seen == ["b", "d", "e", "f", "h", "root"]


@pytest.mark.parametrize("scope", [Scope.PLAY, Scope.OBSERVE, Scope.ORGANISE, Scope.ADMIN])
async def test_a_role_opens_what_it_says_and_no_more(tmp_path: Path, scope: Scope) -> None:
    """The table in docs/standing-ladder/accounts.md says the same."""
    opened = {
        Scope.PLAY: {"NameBot", "ReleaseBotName", "SetBotChallenges"},
        Scope.ADMIN: {"Invite", "ListAccounts", "SetRoles", "SetLimits", "Ban", "Unban", "ListAccountLog"}
        | {"Announce", "WithdrawAnnouncement", "ListSessions", "EndSession"},
    }
    for_all = {"WhoAmI", "ListTokens", "CreateToken", "RevokeToken", "ListBots", "ListAnnouncements"}
    async with open_account_server(tmp_path) as server:
        token = server.lobby.token("ana", scope=scope)
        lacks = {name for name in CALLS if await lacks_scope(server, CALLS[name].request(), token)}
        assert set(CALLS) - lacks == for_all | opened.get(scope, set()) | {"Register"}


async def lacks_scope(server: AccountServer, request: Message, token: str) -> bool:
    try:
        await server.ask(request, Empty, token=token)
    except CallError as error:
        return "it lacks the scope" in str(error)
    else:
        return False
