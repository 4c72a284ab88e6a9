"""What holds for every page of a site, and what a stranger tries at it."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio
from support.people import ThinkingHere
from support.site import Visitor

from ordago_web.assets import ASSETS
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.pages import Pages
from ordago_web.play.sessions import PlaySessions
from ordago_web.security import HostGate
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "spring"
    (made / "private").mkdir(parents=True)
    (made / "index.html").write_text("<h1>Spring</h1>")
    (made / "private" / "secret").write_text("hush")
    (made / ".hidden").write_text("hush")
    (tmp_path / "outside").write_text("hush")
    (made / "link.html").symlink_to(tmp_path / "outside")
    (made / "out").symlink_to(tmp_path)
    return made


@pytest.fixture
def visitor(folder: Path) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), events=EventFolders([folder]))))


async def test_the_events_are_listed_and_shown_as_they_are(visitor: Visitor):
    assert 'href="/events/spring/"' in (await visitor.get("/")).text
    page = await visitor.get("/events/spring/")
    assert (page.status, page.text) == (200, "<h1>Spring</h1>")
    assert page.headers["content-type"] == "text/html; charset=utf-8"


async def test_of_the_scripts_of_a_folder_only_those_of_the_site_are_run(visitor: Visitor, folder: Path):
    (folder / "assets").mkdir()
    (folder / "assets" / "sort.js").write_bytes((ASSETS / "sort.js").read_bytes())
    (folder / "assets" / "table.js").write_text("fetch('/account')")
    (folder / "other.js").write_text("fetch('/account')")
    known = await visitor.get("/events/spring/assets/sort.js")
    assert known.headers["content-type"] == "text/javascript; charset=utf-8"
    for name in ("assets/table.js", "other.js"):
        # Together with "nosniff" a browser takes such a file for no script.
        answer = await visitor.get(f"/events/spring/{name}")
        assert answer.headers["content-type"] == "application/octet-stream"


async def test_an_event_without_a_slash_leads_to_its_folder(visitor: Visitor):
    answer = await visitor.get("/events/spring")
    assert answer.status == 308
    assert answer.headers["location"] == "/events/spring/"


@pytest.mark.parametrize(
    "path",
    [
        *("private/secret", ".hidden", "link.html", "out/outside", "../outside", "%2e%2e/outside", "..%2foutside"),
        *("private%2fsecret", "./private/secret", "//etc/passwd", "/etc/passwd", "%00", "a\\..\\outside", "nothing"),
    ],
)
async def test_nothing_is_told_that_is_not_published(visitor: Visitor, path: str):
    answer = await visitor.get(f"/events/spring/{path}")
    assert answer.status == 404
    assert "hush" not in answer.text


@pytest.mark.parametrize("address", ["/", "/events/spring/", "/nothing", "/assets/site.css", "/health"])
async def test_every_response_says_what_a_browser_may_do(visitor: Visitor, address: str):
    headers = (await visitor.get(address)).headers
    assert "default-src 'none'; script-src 'self'; style-src 'self';" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


async def test_a_browser_that_has_a_page_is_not_sent_it_again(visitor: Visitor):
    first = await visitor.get("/")
    again = await visitor.get("/", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")


async def test_a_browser_that_has_a_file_of_an_event_is_not_sent_it_again(visitor: Visitor, folder: Path):
    first = await visitor.get("/events/spring/")
    again = await visitor.get("/events/spring/", if_none_match=first.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    (folder / "index.html").write_text("<h1>Spring, with results</h1>")
    assert (await visitor.get("/events/spring/", if_none_match=first.headers["etag"])).status == 200


async def test_what_is_private_is_so_however_it_is_written(visitor: Visitor, folder: Path):
    """A file system that knows no case would find it by any."""
    (folder / "private").rename(folder / "Private")
    assert (await visitor.get("/events/spring/Private/secret")).status == 404


async def test_what_is_long_is_compressed(visitor: Visitor):
    answer = await visitor.get("/assets/site.css", accept_encoding="gzip")
    assert answer.headers["content-encoding"] == "gzip"


async def test_what_is_not_there_is_told_in_words(visitor: Visitor):
    answer = await visitor.get("/nothing")
    assert answer.status == 404
    assert "Page not found" in answer.text


async def test_a_page_of_elsewhere_cannot_make_its_own_name_lead_here(visitor: Visitor):
    visitor.host = "evil.example"
    assert (await visitor.get("/")).status == 421


@pytest.mark.parametrize(
    "host",
    [
        *("[::1", "", "127.0.0.1:", "127.0.0.1:port", "127.0.0.1:123456", "[::1%25x]", "127.0.0.1 evil.example"),
        *("user@127.0.0.1", "evil.example@127.0.0.1:8080", "127.0.0.1/evil", "127.0.0.1?evil", "127.0.0.1#evil"),
        *("127.0.0.1, evil.example", "127.0.0.1\\@evil", "<script>", "\xe4.example", "\u0663.0.0.1"),
    ],
)
async def test_a_host_with_anything_else_in_it_is_refused(visitor: Visitor, host: str):
    visitor.host = host
    assert (await visitor.get("/", host=host)).status == 400


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8080", "LOCALHOST:8080"])
async def test_an_address_is_a_name_of_every_site(visitor: Visitor, host: str):
    visitor.host = host
    assert (await visitor.get("/health")).status == 200


async def test_an_origin_that_is_no_address_is_refused_like_one_of_elsewhere(visitor: Visitor):
    assert (await visitor.post("/play", {}, origin="http://[")).status == 403


@pytest.mark.parametrize(
    ("address", "status"),
    [*((path, 404) for path in ("/assets/a%00b", "/docs/%00", "/events/%00", "/%00")), ("/matches?bot=%00", 400)],
)
async def test_no_address_holds_what_no_file_can_be_called(visitor: Visitor, address: str, status: int):
    assert (await visitor.get(address)).status == status


@pytest.mark.parametrize("place", ["/api", "/events"])
async def test_a_slash_too_many_leads_to_the_page(visitor: Visitor, place: str):
    answer = await visitor.get(f"{place}/")
    assert answer.status == 307
    # Without a scheme: behind a proxy that speaks TLS ours would be the wrong one.
    assert answer.headers["location"] == place


async def test_a_site_answers_by_the_name_that_it_is_told(folder: Path):
    context = AppContext(pages=Pages(), events=EventFolders([folder]))
    visitor = Visitor(site(context, HostGate(hosts=("cards.example",))), host="cards.example:443")
    assert (await visitor.get("/")).status == 200


async def test_a_form_of_another_site_changes_nothing(visitor: Visitor):
    answer = await visitor.post("/play", {}, origin="http://evil.example")
    assert answer.status == 403
    answer = await visitor.post("/play", {}, sec_fetch_site="cross-site")
    assert answer.status == 403


@pytest.mark.slow
async def test_an_address_that_asks_too_much_waits_and_others_do_not(visitor: Visitor):
    statuses = [(await visitor.get("/health")).status for _ in range(401)]
    assert statuses == [200] * 400 + [429]
    assert (await visitor.get("/health")).headers["retry-after"] == "1"
    visitor.client = "192.0.2.2"
    assert (await visitor.get("/health")).status == 200


@pytest.mark.slow
async def test_nobody_is_somebody_else_by_a_header_that_he_sends_himself(visitor: Visitor):
    statuses = [(await visitor.get("/health", x_forwarded_for=f"198.51.100.{n}")).status for n in range(250)]
    statuses += [(await visitor.get("/health", x_forwarded_for=f"203.0.113.{n}")).status for n in range(151)]
    assert statuses[-1] == 429


@pytest.mark.slow
async def test_behind_a_proxy_its_last_word_says_who_asks():
    visitor = Visitor(site(AppContext(pages=Pages()), HostGate(forwarded=True)))
    for number in range(401):
        # What the client wrote himself stands before what the proxy adds.
        last = await visitor.get("/health", x_forwarded_for=f"198.51.100.{number % 250}, 203.0.113.7")
    assert last.status == 429
    assert (await visitor.get("/health", x_forwarded_for="203.0.113.8")).status == 200


@pytest.mark.slow
async def test_a_proxy_may_add_what_it_says_as_a_line_of_its_own():
    visitor = Visitor(site(AppContext(pages=Pages()), HostGate(forwarded=True)))
    for number in range(401):
        lines = [("x-forwarded-for", f"198.51.100.{number % 250}"), ("x-forwarded-for", "203.0.113.7")]
        last = await visitor.ask("GET", "/health", headers=lines)
    assert last.status == 429


async def test_a_body_that_is_too_long_is_refused_and_not_read(visitor: Visitor):
    answer = await visitor.ask("POST", "/play", headers={"content-length": "16385"})
    assert answer.status == 413
    assert "At most 16384 bytes can be sent." in answer.text


async def test_who_does_not_say_how_much_he_sends_and_sends_too_much_is_refused():
    async with trio.open_nursery() as nursery:
        sessions = PlaySessions(ThinkingHere())
        await nursery.start(sessions.run)
        visitor = Visitor(site(AppContext(pages=Pages(), play_sessions=sessions)))
        kind = {"content-type": "application/x-www-form-urlencoded"}
        answer = await visitor.ask("POST", "/play", headers=kind, body=b"a" * 16_385)
        assert answer.status == 400
        assert "too long" in answer.text
        nursery.cancel_scope.cancel()


async def test_who_reads_nothing_is_given_up(folder: Path):
    """By HTTP/2 a connection can be well while nothing of a response is taken."""
    application = site(AppContext(pages=Pages(), events=EventFolders([folder])))

    async def unread(scope: Any, receive: Any, _send: Any) -> None:
        async def send(_message: Any) -> None:
            await trio.sleep_forever()

        await application(scope, receive, send)

    begun = trio.current_time()
    with pytest.RaisesGroup(trio.EndOfChannel):
        await Visitor(unread).get("/events/spring/")
    assert trio.current_time() - begun == pytest.approx(20, abs=1)


async def test_a_failure_is_told_without_its_cause_under_the_policy_of_all_pages(folder: Path):
    class Failing(EventFolders):
        def all(self) -> dict[str, Path]:
            raise RuntimeError("/home/ana/secret")

    failing = site(AppContext(pages=Pages(), events=Failing([folder])))

    async def served(*told: Any) -> None:
        # A web server writes to its log what comes out of it, and goes on.
        with suppress(RuntimeError):
            await failing(*told)

    answer = await Visitor(served).get("/")
    assert answer.status == 500
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "Something went wrong" in answer.text
    assert "secret" not in answer.text


async def test_a_long_address_is_refused(visitor: Visitor):
    assert (await visitor.get("/" + "a" * 5000)).status == 400
