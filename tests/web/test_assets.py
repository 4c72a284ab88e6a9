"""How browsers, search engines and previews of links meet a site: assets, icons, robots and the head of pages."""

import json
import re
import struct
from html import unescape

import pytest
from support.site import Visitor

from ordago_web.assets import ASSETS, asset_root
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.pages import Pages
from ordago_web.security import HostGate
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time

FOR_EVER = "public, max-age=31536000, immutable"
ORIGIN = "https://cards.example"


def visitor_of(pages: Pages, host: str = "127.0.0.1:8080") -> Visitor:
    gate = HostGate(hosts=("cards.example",))
    return Visitor(site(AppContext(pages=pages, events=EventFolders([])), gate), host=host)


@pytest.fixture
def visitor() -> Visitor:
    return visitor_of(Pages())


async def test_what_a_page_loads_is_kept_for_a_year(visitor: Visitor):
    text = (await visitor.get("/")).text
    loaded = re.findall(r'(?:href|src)="(/assets/[^"]+)"', text)
    assert len(loaded) >= 4
    for address in loaded:
        assert address.startswith(asset_root())
        answer = await visitor.get(address)
        assert (answer.status, answer.headers["cache-control"]) == (200, FOR_EVER)


async def test_an_address_without_a_version_is_asked_again_soon(visitor: Visitor):
    first = await visitor.get("/assets/site.css")
    assert first.headers["cache-control"] == "public, max-age=3600"
    again = await visitor.get("/assets/site.css", if_none_match=first.headers["etag"])
    assert (again.status, again.headers["cache-control"]) == (304, "public, max-age=3600")


@pytest.mark.parametrize("name", ["../pages.py", "%2e%2e/pages.py", "nothing.css", ""])
async def test_a_versioned_address_leads_nowhere_else(visitor: Visitor, name: str):
    answer = await visitor.get(f"{asset_root()}{name}")
    assert answer.status == 404
    assert "immutable" not in answer.headers.get("cache-control", "")
    assert (await visitor.get("/assets/0000000000000000/site.css")).status == 404


async def test_robots_keep_out_of_what_is_personal_or_endless(visitor: Visitor):
    answer = await visitor.get("/robots.txt")
    assert answer.headers["content-type"].startswith("text/plain")
    head, *rules = answer.text.splitlines()
    assert head == "User-agent: *"
    assert all(rule.startswith("Disallow: /") for rule in rules)
    assert {"/account", "/play/", "/matches/*/live"} <= {rule.partition(": ")[2] for rule in rules}


@pytest.mark.parametrize(
    ("file", "size", "most"),
    [("apple-touch-icon.png", (180, 180), 10_000), ("preview.png", (1200, 630), 20_000)],
)
def test_pictures_are_small_and_of_the_size_that_is_expected(file: str, size: tuple[int, int], most: int):
    content = (ASSETS / file).read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", content[16:24]) == size
    assert len(content) <= most


async def test_the_icons_at_the_root_are_there(visitor: Visitor):
    icon = await visitor.get("/favicon.ico")
    assert icon.headers["content-type"] == "image/vnd.microsoft.icon"
    *_, length, offset = struct.unpack("<HHHBBBBHHII", icon.body[:22])
    assert icon.body[offset : offset + 4] == b"\x89PNG"
    assert len(icon.body) == offset + length
    assert (await visitor.get("/apple-touch-icon.png")).headers["content-type"] == "image/png"


async def test_a_site_can_be_installed(visitor: Visitor):
    address = re.search(r'rel="manifest" href="([^"]+)"', (await visitor.get("/")).text)[1]
    answer = await visitor.get(address)
    assert answer.headers["content-type"] == "application/manifest+json"
    assert "manifest-src 'self'" in answer.headers["content-security-policy"]
    for icon in json.loads(answer.body)["icons"]:
        assert (ASSETS / icon["src"]).is_file()


async def test_a_preview_has_the_public_address_and_not_that_of_the_request():
    visitor = visitor_of(Pages(origin=ORIGIN), host="127.0.0.1:8080")
    text = (await visitor.get("/?x=%22%3E%3Cscript%3E")).text
    head = dict(re.findall(r'<(?:meta property|link rel)="(og:\w+|canonical)" (?:content|href)="([^"]*)"', text))
    assert unescape(head["canonical"]) == head["og:url"] == f"{ORIGIN}/?x=%22%3E%3Cscript%3E"
    assert head["og:title"] == "Events"
    assert head["og:description"]
    assert head["og:image"] == f"{ORIGIN}/assets/preview.png"
    assert (await visitor.get("/assets/preview.png")).status == 200


async def test_without_a_public_address_and_on_errors_nothing_is_canonical(visitor: Visitor):
    assert "canonical" not in (await visitor.get("/")).text
    assert "canonical" not in (await visitor_of(Pages(origin=ORIGIN)).get("/nothing")).text
