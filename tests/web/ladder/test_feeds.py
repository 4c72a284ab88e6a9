"""Atom feeds of results: what RFC 4287 requires, and nothing that a name could break."""

import re
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from support.ladder_reader import FakeReader
from support.lively_ladder import MARKUP, NAMES
from support.served_site import ServedSite
from support.site import Visitor

from ordago import v1
from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.site import site as site_of

from .test_pages import ask

ATOM = "{http://www.w3.org/2005/Atom}"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def read(text: str) -> ET.Element:
    """Read a feed, and check what the standard requires of it and of each entry."""
    feed = ET.fromstring(text)  # noqa: S314 - our own feed
    assert feed.tag == f"{ATOM}feed"
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    for one in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            [found] = one.findall(f"{ATOM}{name}")
            assert found.text
        assert TIME.fullmatch(one.findtext(f"{ATOM}updated", ""))
        assert one.findtext(f"{ATOM}id", "").startswith("urn:uuid:")
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(ids) == len(set(ids))
    return feed


def test_the_newest_results_come_first(site):
    status, headers, body = ask(site, "/feed.atom")
    assert (status, headers["content-type"]) == (200, "application/atom+xml")
    assert headers["cache-control"] == "public, max-age=60"
    entries = read(body).findall(f"{ATOM}entry")
    times = [entry.findtext(f"{ATOM}updated", "") for entry in entries]
    assert times == sorted(times, reverse=True)
    # Of the matches one is void and one runs.
    assert len(entries) == 42
    assert ask(site, "/feed.atom", **{"If-None-Match": headers["etag"]})[0] == 304
    place = entries[0].find(f"{ATOM}link").get("href")
    assert ask(site, place)[0] == 200


def test_a_long_match_that_ended_last_is_in_the_feed():
    """The server is asked for those that ended last, and only for a filtered feed for those that began last."""
    ladder = v1.GetLadderResponse(name="x", anchor=bytes(32))
    reader = FakeReader(get_ladder=ladder, list_matches=v1.ListMatchesResponse())
    with ServedSite(reader) as served:
        ask(served, "/feed.atom")
        ask(served, "/feed.atom?game=mus")
    asked = [(one.by_end, one.game) for one in reader.asked if isinstance(one, v1.ListMatchesRequest)]
    assert asked == [(True, ""), (False, "mus")]


@pytest.mark.parametrize("name", [name for name in NAMES if name != ".."])
def test_each_bot_has_its_own(site, name: str):
    """By both addresses, a name of markup and of slashes too."""
    path, query = f"/bots/{quote(name, safe='')}/feed.atom", f"/feed.atom?bot={quote(name)}"
    body = ask(site, path)[2]
    feed = read(body)
    assert body == ask(site, query)[2]
    assert MARKUP not in body
    for entry in feed.iter(f"{ATOM}entry"):
        assert name in entry.findtext(f"{ATOM}title", "")


def test_pages_link_to_feeds(site):
    assert 'type="application/atom+xml" title="Results" href="/feed.atom"' in ask(site, "/")[2]
    assert 'href="/feed.atom?bot=.."' in ask(site, "/bots?name=..")[2]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/bots/nobody/feed.atom", 404),
        ("/feed.atom?bot=nobody", 404),
        ("/feed.atom?pageSize=500", 400),
        ("/feed.atom?running=true", 400),
        ("/feed.atom?bot=%00", 400),
        ("/feed.atom?game=mus", 200),
    ],
)
def test_a_feed_has_its_bounds(site, path: str, status: int):
    assert ask(site, path)[0] == status


def test_no_character_of_a_name_breaks_a_feed():
    """XML has no way to write some of them, and a reader would refuse the whole feed."""
    name = "a\x00\x0b\u202e\ufffe]]><b>&"
    seat = v1.LadderSeat(name=name, placing=1, score=1)
    match = v1.LadderMatch(match_id="ab", game="mus", stage=v1.MATCH_STAGE_OVER, seats=[seat], ended=1_800_000_000)
    ladder = v1.GetLadderResponse(name="x", title=f"The \x1b ladder {name}", anchor=bytes(32))
    reader = FakeReader(get_ladder=ladder, list_matches=v1.ListMatchesResponse(matches=[match]))
    with ServedSite(reader) as served:
        feed = read(ask(served, "/feed.atom")[2])
    assert feed.findtext(f"{ATOM}entry/{ATOM}title", "").endswith(r"a\x00\x0b\u202e\ufffe]]><b>&")


@pytest.mark.virtual_time
async def test_a_site_without_a_ladder_has_none():
    visitor = Visitor(site_of(AppContext(pages=Pages())))
    assert (await visitor.get("/feed.atom")).status == 404
