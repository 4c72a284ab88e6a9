"""A replay in the frame of another site: this page alone may be framed, it knows nobody, and nothing in it acts."""

import http.client
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote, urlsplit

import pytest
from playwright.sync_api import expect
from support.browser import too_wide, violations
from support.lively_ladder import MARKUP

from ordago_web.security import POLICY

NO_MATCH = "f" * 32
ADDRESSES = (
    *("/", "/matches", "/live", "/epochs", "/seasons", "/compare", "/likelihoods", "/courses", "/games/mus", "/api"),
    *("/bots/Anna", "/authors/Anna", "/feed.atom", "/bots/Anna/feed.atom", "/health", "/docs/", "/nothing"),
    *("/assets/site.css", "/favicon.ico", "/robots.txt", "/api/v1/ladder", "/api/openapi.json", "/account", "/play"),
    *("/matches/{0}", "/matches/{0}/watch", "/matches/{0}/record", "/matches/{0}/analysis", "/matches/{0}/embed/"),
    *("/matches/{0}/embed/embed", "/matches/embed", "/matches//embed", "/matches/{0}/embed%2f", "/embed", "/Embed"),
    *("/matches/{0}/embed?x=1", "/matches/{0}/embed?matchId=1", f"/matches/{NO_MATCH}/embed", "/matches/x/embed"),
    *(f"/matches/{quote(MARKUP)}/embed", "/matches/%2e%2e/embed", f"/matches/{'x' * 5000}/embed"),
)
"""Each kind of address, and what looks like that of a page to frame; ``{0}`` is a match."""


def ask(site, path: str, method: str = "GET", **headers: str):
    connection = http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, answer.headers, answer.read().decode(errors="replace")
    connection.close()
    return found


def matches(site, query: str) -> list[str]:
    return re.findall(r'"matchId": ?"([0-9a-f]{32})"', ask(site, f"/api/v1/matches?{query}")[2])


@pytest.fixture(scope="module")
def match(site) -> str:
    """A match whose record is open."""
    return matches(site, "epoch=1&running=false&game=mus")[0]


def test_the_page_of_a_replay_may_be_framed_and_knows_nobody(site, match: str):
    status, headers, body = ask(site, f"/matches/{match}/embed", Cookie="ordago=x; __Host-ordago=y")
    assert status == 200
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["frame-ancestors"] == "*"
    assert policy["default-src"] == policy["form-action"] == policy["base-uri"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert "connect-src" not in policy, "it asks for nothing"
    assert "x-frame-options" not in headers
    assert "set-cookie" not in headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in headers
    assert not re.search(r"<form|data-analysis|csrf|<iframe", body)


@pytest.mark.parametrize("address", ADDRESSES)
def test_nothing_else_may_be_framed(site, match: str, address: str):
    for method in ("GET", "HEAD", "POST", "OPTIONS"):
        _, headers, _ = ask(site, address.format(match), method)
        assert headers["content-security-policy"] == POLICY, method
        assert headers["x-frame-options"] == "DENY", method


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
def test_the_page_of_a_replay_takes_nothing(site, match: str, method: str):
    status, headers, _ = ask(site, f"/matches/{match}/embed", method)
    assert status == 405
    assert headers["x-frame-options"] == "DENY"


def test_what_cannot_be_replayed_is_not_there(site):
    running, void = matches(site, "running=true")[0], matches(site, "epoch=2&running=false")
    assert ask(site, f"/matches/{running}/embed")[0] == 404
    # The last one that ended is void, and has no replay.
    assert {ask(site, f"/matches/{each}/embed")[0] for each in void} == {200, 404}


class Elsewhere:
    """Another site, whose page frames an address."""

    def __init__(self) -> None:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = f'<iframe src="{unquote(self.path[1:])}" width="780" height="640"></iframe>'.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("localhost", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        self.url = f"http://localhost:{self._server.server_port}/"

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def framed(chromium):
    """Open the page of another site that frames an address, and return the frame."""
    elsewhere, context = Elsewhere(), chromium.new_context()

    def opened(address: str):
        page = context.new_page()
        page.goto(elsewhere.url + quote(address))
        return page, page.frame_locator("iframe")

    yield opened
    assert context.cookies() == []
    context.close()
    elsewhere.close()


def test_a_replay_plays_in_the_frame_of_another_site_from_its_moment_on(site, framed, match: str):
    _, frame = framed(f"{site.url}/matches/{match}/embed#d1s5")
    expect(frame.locator('[data-part="slider"]')).to_have_value("4")
    frame.locator('[data-step="on"]').click()
    expect(frame.locator('[data-part="slider"]')).to_have_value("5")
    frame.locator('[data-part="help"]').click()
    frame.locator('[data-part="close"]').click()
    expect(frame.locator('[data-part="keys"]')).to_be_hidden()
    assert frame.locator("form, nav a[href^='/'], .top").count() == 0
    outward = frame.locator('a:not([href^="#"]):visible')
    assert [(link.get_attribute("target"), link.get_attribute("rel")) for link in outward.all()][:1] == [
        ("_blank", "noopener")
    ]


@pytest.mark.parametrize("path", ["/matches/{0}", "/", "/account", f"/matches/{NO_MATCH}/embed"])
def test_a_browser_shows_no_other_page_in_a_frame(site, framed, match: str, path: str):
    _, frame = framed(f"{site.url}{path.format(match)}")
    assert frame.locator("main").count() == 0


@pytest.mark.parametrize(
    "fragment",
    ["#<img src=x onerror=alert(1)>", "#javascript:alert(1)", "#d1s5%22onload=alert(1)", "#d1s5p9", "#d-1s-1"],
)
def test_a_hostile_fragment_runs_nothing(site, visit, match: str, fragment: str):
    for kind in ("", "/embed"):
        page = visit(f"{site.url}/matches/{match}{kind}{fragment}")
        page.on("dialog", lambda dialog: pytest.fail(dialog.message))
        expect(page.locator('[data-part="now"]')).not_to_be_empty()
        assert page.locator("img[onerror]").count() == 0


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (800, "light")])
def test_a_framed_replay_is_well_made(site, visit, match: str, width: int, scheme: str):
    page = visit(f"{site.url}/matches/{match}/embed", width=width, scheme=scheme)
    assert (too_wide(page), violations(page)) == (0, [])


def test_the_page_of_a_match_has_the_code_for_other_pages(site, visit, match: str):
    page = visit(f"{site.url}/matches/{match}")
    page.get_by_text("Embed this replay").click()
    code = page.locator("#frame").inner_text()
    assert re.match(rf'<iframe src="{re.escape(site.url)}/matches/{match}/embed" title="Mus" ', code)
    assert violations(page) == []
