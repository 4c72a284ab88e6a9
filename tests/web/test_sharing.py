"""What pages of other sites may read of a site: answers of the API, and nothing that knows a visitor."""

import pytest
from support.site import Visitor

from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.pages import Pages
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time

ELSEWHERE = "https://elsewhere.example"


@pytest.fixture
def visitor(tmp_path) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), events=EventFolders([tmp_path]))))


@pytest.mark.parametrize("address", ["/api/openapi.json", "/api/v1/ladder", "/api/v1/bots/x?no=1", "/api/nothing"])
async def test_answers_of_the_api_are_for_pages_of_other_sites(visitor: Visitor, address: str):
    """A problem, too: a page that asks wrongly has to learn why."""
    headers = (await visitor.get(address, origin=ELSEWHERE, accept="application/json")).headers
    assert headers["access-control-allow-origin"] == "*"
    assert headers["cross-origin-resource-policy"] == "cross-origin"
    assert "access-control-allow-credentials" not in headers
    assert "set-cookie" not in headers


@pytest.mark.slow
async def test_a_page_of_another_site_learns_when_to_come_again(visitor: Visitor):
    for _ in range(401):
        last = await visitor.get("/api/openapi.json", origin=ELSEWHERE)
    assert last.status == 429
    assert last.headers["access-control-allow-origin"] == "*"
    assert "Retry-After" in last.headers["access-control-expose-headers"]


@pytest.mark.parametrize(
    "address",
    ["/", "/api", "/apiary/", "/events", "/account", "/play", "/health", "/assets/site.css", "/assets/../api/"],
)
async def test_nothing_else_is(visitor: Visitor, address: str):
    headers = (await visitor.get(address, origin=ELSEWHERE)).headers
    assert "access-control-allow-origin" not in headers
    assert headers["cross-origin-resource-policy"] == "same-origin"


async def test_what_changes_something_is_for_no_other_site(visitor: Visitor):
    answer = await visitor.post("/api/v1/ladder", {}, origin=ELSEWHERE)
    assert answer.status == 403
    assert "access-control-allow-origin" not in answer.headers


async def test_a_browser_that_asks_first_is_told_what_it_may_send(visitor: Visitor):
    asked = {
        "origin": ELSEWHERE,
        "access-control-request-method": "GET",
        "access-control-request-headers": "if-none-match",
    }
    answer = await visitor.ask("OPTIONS", "/api/v1/matches", headers=asked)
    assert (answer.status, answer.body) == (204, b"")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD"
    assert answer.headers["access-control-allow-headers"] == "If-None-Match"


@pytest.mark.parametrize("address", ["/", "/api", "/play", "/account"])
async def test_of_pages_no_browser_is_told_so(visitor: Visitor, address: str):
    asked = {"origin": ELSEWHERE, "access-control-request-method": "POST"}
    answer = await visitor.ask("OPTIONS", address, headers=asked)
    assert not [name for name in answer.headers if name.startswith("access-control")]
