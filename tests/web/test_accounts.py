"""The pages of authors, and what somebody tries who is not the author."""

import re
from dataclasses import replace

import pytest
import trio
from starlette.requests import Request
from support.people import ThinkingHere
from support.site import Answer, Visitor

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.access.visitors import SLOT, Account, Visitors
from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.play.sessions import PlaySessions
from ordago_web.settings import ServerPlace
from ordago_web.site import site

TOKEN = "ordago_anas-own-token"  # noqa: S105 - it is good nowhere
CODE = "ordago-invitation_for-ana"


class Server:
    """Accounts of one author."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.invitations = [CODE]
        self.tokens = [v1.AccountToken(id="t1", scopes=[v1.ROLE_PLAY], created_at=1_000_000)]

    def ask(self, token: str, request, _answer):
        name = type(request).__name__
        self.asked.append((name, token))
        if token != TOKEN and name != "RegisterRequest":
            raise CallError("UNAUTHENTICATED", f"no such token: {token}")
        return getattr(self, name)(request)

    def RegisterRequest(self, request):  # noqa: N802 - the name of the call
        if request.invitation in self.invitations:
            self.invitations.remove(request.invitation)
            account = v1.Account(name=request.account or "ana")
            return v1.RegisterResponse(token=TOKEN, token_info=self.tokens[0], account=account)
        raise CallError("PERMISSION_DENIED", "The invitation was used, and each works once: ask for a new one.")

    def WhoAmIRequest(self, _request):  # noqa: N802 - the name of the call
        return v1.WhoAmIResponse(account=v1.Account(name="ana"), token_info=self.tokens[0])

    def ListTokensRequest(self, _request):  # noqa: N802
        return v1.ListTokensResponse(tokens=self.tokens)

    def ListBotsRequest(self, _request):  # noqa: N802
        return v1.ListBotsResponse(bots=[v1.AccountBot(name="<b>sota", builds=[v1.BotBuild(version="2")])])

    def CreateTokenRequest(self, request):  # noqa: N802
        assert list(request.scopes) == [v1.ROLE_PLAY]
        return v1.CreateTokenResponse(token="ordago_fresh", token_info=self.tokens[0])  # noqa: S106 - it is good nowhere

    def RevokeTokenRequest(self, request):  # noqa: N802
        self.tokens[0].revoked_at = 1_000_001
        assert request.id == "t1"
        return v1.RevokeTokenResponse()


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def visitor(server: Server) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), accounts=server)))


def csrf_of(answer: Answer) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', answer.text)
    assert found, answer.text
    return found[1]


async def signed_in(visitor: Visitor) -> Answer:
    page = await visitor.get("/account")
    answer = await visitor.post("/account/sign-in", {"csrf": csrf_of(page), "token": TOKEN})
    assert (answer.status, answer.headers["location"]) == (303, "/account")
    return await visitor.get("/account")


async def test_an_author_sees_what_is_his_and_no_token(visitor: Visitor):
    page = await signed_in(visitor)
    assert "ana" in page.text
    assert "&lt;b&gt;sota" in page.text
    assert TOKEN not in page.text
    assert page.headers["cache-control"] == "private, no-store"


async def test_a_page_that_belongs_to_somebody_is_compressed_with_nothing(visitor: Visitor):
    """How long it is compressed would tell who can have something said on it what else stands there."""
    await signed_in(visitor)
    page = await visitor.get("/account", accept_encoding="gzip")
    assert page.headers["content-encoding"] == "identity"
    assert "ana" in page.text


@pytest.mark.parametrize("days", ["0000000019999999999999999999", "9" * 5000, "0", "3661"])
async def test_days_that_no_token_can_have_are_refused(visitor: Visitor, server: Server, days: str):
    page = await signed_in(visitor)
    answer = await visitor.post("/account/tokens", {"csrf": csrf_of(page), "days": days})
    assert answer.status == 422
    assert "Days must be a number from 1 to 3660." in answer.text
    assert "CreateTokenRequest" not in dict(server.asked)


async def test_who_signs_in_while_he_plays_plays_on(server: Server):
    async with trio.open_nursery() as nursery:
        play_sessions = PlaySessions(ThinkingHere())
        await nursery.start(play_sessions.run)
        visitor = Visitor(site(AppContext(pages=Pages(), accounts=server, play_sessions=play_sessions)))
        begun = await visitor.post("/play", {"csrf": csrf_of(await visitor.get("/play")), "game": "mittlere"})
        stranger = replace(visitor, cookies=dict(visitor.cookies))
        await signed_in(visitor)
        assert (await visitor.get(begun.headers["location"])).status == 200
        assert (await stranger.get(begun.headers["location"])).status == 404, "the old id is good for nothing"
        nursery.cancel_scope.cancel()


async def test_the_cookie_is_for_this_site_alone_and_a_new_one_after_signing_in(visitor: Visitor):
    page = await visitor.get("/account")
    assert re.fullmatch(r"ordago=[\w-]{32}; Path=/; HttpOnly; SameSite=Strict", page.headers["set-cookie"])
    before = visitor.cookies["ordago"]
    await signed_in(visitor)
    assert visitor.cookies["ordago"] != before


async def test_over_tls_the_cookie_is_sent_over_nothing_else(server: Server):
    visitor = Visitor(site(AppContext(pages=Pages(), accounts=server, sessions=Visitors(secure=True))))
    cookie = (await visitor.get("/account")).headers["set-cookie"]
    assert cookie.startswith("__Host-ordago=")
    assert cookie.endswith("; Secure")


async def test_whoever_planted_a_cookie_before_is_not_signed_in_by_it(visitor: Visitor):
    visitor.cookies["ordago"] = "a" * 32
    await signed_in(visitor)
    other = Visitor(visitor.application, cookies={"ordago": "a" * 32})
    assert "Sign in" in (await other.get("/account")).text


@pytest.mark.parametrize("token", ["wrong", "", "a" * 500, "tok en\x00", "Ω"])
async def test_a_wrong_token_is_refused_and_not_repeated(visitor: Visitor, token: str):
    page = await visitor.get("/account")
    answer = await visitor.post("/account/sign-in", {"csrf": csrf_of(page), "token": token})
    assert answer.status == 422
    assert "token is not valid here" in answer.text
    assert not token or f'"{token}"' not in answer.text


async def joins(visitor: Visitor, **fields: str) -> Answer:
    page = await visitor.get("/account")
    return await visitor.post("/account/join", {"csrf": csrf_of(page), "invitation": CODE, **fields})


async def test_an_invitation_opens_an_account_and_shows_its_token_once(visitor: Visitor):
    before = visitor.cookies.get("ordago")
    joined = await joins(visitor)
    assert joined.status == 200
    assert f'<code id="made">{TOKEN}</code>' in joined.text
    assert joined.headers["cache-control"] == "private, no-store"
    assert visitor.cookies["ordago"] != before
    later = await visitor.get("/account")
    assert "Sign out" in later.text
    assert TOKEN not in later.text


async def test_who_goes_back_and_sends_the_form_again_joins_once(visitor: Visitor, server: Server):
    form = {"csrf": csrf_of(await visitor.get("/account")), "invitation": CODE}
    assert (await visitor.post("/account/join", form)).status == 200
    again = await visitor.post("/account/join", form)
    assert (again.status, TOKEN in again.text) == (422, False)
    assert [name for name, _ in server.asked].count("RegisterRequest") == 1


@pytest.mark.parametrize("code", ["", "used", "a" * 101, "Ω", "a\nb"])
async def test_a_bad_invitation_is_refused_in_the_same_words_and_not_repeated(visitor: Visitor, code: str):
    refused = await joins(visitor, invitation=code)
    assert refused.status == 422
    assert "This invitation is not valid" in refused.text
    assert not code or f'"{code}"' not in refused.text


async def test_a_used_invitation_opens_no_second_account(visitor: Visitor):
    await joins(visitor)
    assert "This invitation is not valid" in (await joins(Visitor(visitor.application))).text


async def test_an_address_tries_few_invitations_and_slows_down_no_other(visitor: Visitor, server: Server):
    tried = [await joins(visitor, invitation=f"guess-{number}") for number in range(9)]
    assert [name for name, _ in server.asked].count("RegisterRequest") == 5
    assert "Too many attempts from your address" in tried[-1].text
    assert (await joins(Visitor(visitor.application, client="198.51.100.7"))).status == 200


async def test_a_name_with_markup_is_text(visitor: Visitor):
    joined = await joins(visitor, name="<script>alert(1)</script>")
    assert "<script>alert" not in joined.text


async def test_nobody_joins_by_a_form_that_no_page_of_ours_signed(visitor: Visitor, server: Server):
    await visitor.get("/account")
    assert (await joins(visitor, csrf="0" * 64)).status == 422
    assert not server.asked


async def test_the_command_names_the_server_as_the_browser_reaches_it(server: Server):
    place = "--address {host}:7447 --tls"
    visitor = Visitor(site(AppContext(pages=Pages(), accounts=server, connecting=place)), host="127.0.0.1:8080")
    assert "my_bot.py --address 127.0.0.1:7447 --tls --token-file" in (await signed_in(visitor)).text


async def test_a_server_without_tokens_says_so_and_how_bots_connect():
    visitor = Visitor(site(AppContext(pages=Pages(), connecting="--address play.example.org:7447")))
    page = await visitor.get("/account")
    assert page.status == 200
    assert "asks for no tokens" in page.text
    assert "my_bot.py --address play.example.org:7447" in page.text


async def test_a_site_of_folders_alone_has_no_account_page():
    assert (await Visitor(site(AppContext(pages=Pages()))).get("/account")).status == 404


@pytest.mark.parametrize("place", ["sign-out", "tokens", "tokens/revoke"])
@pytest.mark.parametrize("csrf", ["", "0" * 64])
async def test_a_form_that_no_page_of_ours_signed_does_nothing(visitor: Visitor, server: Server, place: str, csrf: str):
    await signed_in(visitor)
    asked = len(server.asked)
    answer = await visitor.post(f"/account/{place}", {"csrf": csrf, "id": "t1"})
    assert answer.status == 403
    assert len(server.asked) == asked


async def test_the_signature_of_another_browser_is_worth_nothing(visitor: Visitor):
    await signed_in(visitor)
    other = await Visitor(visitor.application).get("/account")
    assert (await visitor.post("/account/tokens", {"csrf": csrf_of(other)})).status == 403


async def test_a_new_token_is_shown_once(visitor: Visitor):
    page = await signed_in(visitor)
    made = await visitor.post("/account/tokens", {"csrf": csrf_of(page), "bot": "", "days": "30"})
    assert '<code id="made">ordago_fresh</code>' in made.text
    assert "ordago_fresh" not in (await visitor.get("/account")).text


async def test_days_that_are_none_are_refused_in_words(visitor: Visitor):
    page = await signed_in(visitor)
    answer = await visitor.post("/account/tokens", {"csrf": csrf_of(page), "days": "-1"})
    assert (answer.status, "from 1 to" in answer.text) == (422, True)


async def test_a_token_is_revoked(visitor: Visitor):
    page = await signed_in(visitor)
    assert (await visitor.post("/account/tokens/revoke", {"csrf": csrf_of(page), "id": "t1"})).status == 303
    assert "revoked 1970-01-12" in (await visitor.get("/account")).text


async def test_who_signs_out_is_gone_with_his_cookie(visitor: Visitor):
    page = await signed_in(visitor)
    stolen = Visitor(visitor.application, cookies=dict(visitor.cookies))
    assert (await visitor.post("/account/sign-out", {"csrf": csrf_of(page)})).status == 303
    assert "Sign in" in (await stolen.get("/account")).text


async def test_who_is_signed_in_is_so_for_eight_hours(server: Server):
    now = [0.0]
    visitor = Visitor(site(AppContext(pages=Pages(), accounts=server, sessions=Visitors(clock=lambda: now[0]))))
    await signed_in(visitor)
    now[0] = 8 * 3600.0
    assert "Sign in" in (await visitor.get("/account")).text


def browser() -> Request:
    """Return a request of a browser that comes for the first time."""
    return Request({"type": "http", "headers": [], "state": {"origin": "192.0.2.1"}})


def has_signed_in(visitors: Visitors, name: str) -> Request:
    """Return the next request of a browser in which an account has signed in."""
    first = browser()
    visitors.sign_in(first, Account(name, TOKEN))
    cookie = visitors.cookie(first)
    assert cookie is not None
    told = [(b"cookie", cookie.partition(";")[0].encode())]
    return Request({"type": "http", "headers": told, "state": {"origin": "192.0.2.1"}})


def are_known(visitors: Visitors, requests: list[Request]) -> list[bool]:
    for request in requests:
        request.scope.pop(SLOT, None)
    return [visitors.of(request).account is not None for request in requests]


@pytest.mark.slow
def test_who_signs_in_again_and_again_signs_out_himself_and_nobody_else():
    visitors = Visitors(clock=lambda: 0.0)
    others = [has_signed_in(visitors, name) for name in ("ben", "eva")]
    own = [has_signed_in(visitors, "ana") for _ in range(5000)]
    assert are_known(visitors, others) == [True, True]
    assert are_known(visitors, own) == [False] * (5000 - 32) + [True] * 32


@pytest.mark.slow
def test_many_accounts_together_sign_out_the_one_that_has_most():
    visitors = Visitors(clock=lambda: 0.0)
    ben = has_signed_in(visitors, "ben")
    many = [has_signed_in(visitors, f"of-ana-{number % 200}") for number in range(6400)]
    assert are_known(visitors, [ben]) == [True]
    assert sum(are_known(visitors, many)) == 4095


def test_no_repr_tells_the_token():
    assert TOKEN not in repr(Account("ana", TOKEN))
    assert TOKEN not in repr(ServerPlace(address="x:1", token=TOKEN))
