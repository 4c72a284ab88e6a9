"""An author downloads what is kept of it and deletes its account, and others try to do that for it."""

import json
import re

import pytest
from support.site import Answer, Visitor

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.site import site

TOKEN = "ordago_anas-own-token"  # noqa: S105 - it is good nowhere
PSEUDONYM = "(deleted account 0123456789ab)"


class Server:
    """The accounts of a server without a ladder."""

    def __init__(self) -> None:
        self.deleted: list[str] = []

    def ask(self, token: str, request, _answer):
        if token != TOKEN or self.deleted:
            raise CallError("UNAUTHENTICATED", "no such token")
        if isinstance(request, v1.ListFaultsRequest):
            raise CallError("UNIMPLEMENTED", "no ladder")
        if isinstance(request, v1.DeleteAccountRequest):
            self.deleted.append(request.account)
        return {
            v1.WhoAmIRequest: v1.WhoAmIResponse(account=v1.Account(name="ana")),
            v1.ListTokensRequest: v1.ListTokensResponse(),
            v1.ListBotsRequest: v1.ListBotsResponse(),
            v1.ExportAccountRequest: v1.ExportAccountResponse(
                account=v1.Account(name="ana"), bots=[v1.AccountBot(name="<b>deep")]
            ),
            v1.DeleteAccountRequest: v1.DeleteAccountResponse(pseudonym=PSEUDONYM),
        }[type(request)]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def visitor(server: Server) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), accounts=server)))


def csrf_of(page: Answer) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
    assert found, page.text
    return found[1]


async def signed_in(visitor: Visitor) -> str:
    """Sign the author in, and return the sign of its forms."""
    await visitor.post("/account/sign-in", {"csrf": csrf_of(await visitor.get("/account")), "token": TOKEN})
    return csrf_of(await visitor.get("/account"))


async def test_an_author_downloads_all_that_is_kept(visitor: Visitor):
    answer = await visitor.post("/account/export", {"csrf": await signed_in(visitor)})
    assert answer.status == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="account.json"'
    assert answer.headers["cache-control"] == "private, no-store"
    kept = json.loads(answer.text)
    assert (kept["account"]["name"], kept["bots"][0]["name"], kept["faults"]) == ("ana", "<b>deep", [])
    assert TOKEN not in answer.text


async def test_an_author_deletes_its_account_by_its_name(visitor: Visitor, server: Server):
    answer = await visitor.post("/account/delete", {"csrf": await signed_in(visitor), "name": " ana "})
    assert (answer.status, server.deleted) == (200, ["ana"])
    assert PSEUDONYM in answer.text
    assert "With a token" in (await visitor.get("/account")).text, "it is signed out"


@pytest.mark.parametrize("name", ["", "Ana", "ben", "ana; drop"])
async def test_another_name_deletes_nothing(visitor: Visitor, server: Server, name: str):
    """An admin that is signed in would delete the account of somebody else by a slip."""
    answer = await visitor.post("/account/delete", {"csrf": await signed_in(visitor), "name": name})
    assert (answer.status, server.deleted) == (422, [])
    assert "Nothing was deleted" in answer.text


@pytest.mark.parametrize("place", ["export", "delete"])
async def test_neither_another_site_nor_a_stranger_does_it(visitor: Visitor, server: Server, place: str):
    stranger = {"csrf": csrf_of(await visitor.get("/account")), "name": "ana"}
    assert (await visitor.post(f"/account/{place}", stranger)).status == 401
    await signed_in(visitor)
    assert (await visitor.post(f"/account/{place}", {"csrf": "00", "name": "ana"})).status == 403
    assert (await visitor.get(f"/account/{place}")).status in (404, 405)
    assert server.deleted == []
