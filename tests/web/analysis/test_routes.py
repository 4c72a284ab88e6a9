"""Who may have which match analysed, and what the site says."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from google.protobuf.message import Message
from support.site import Visitor

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_web.analysis.analyst import Analyst, Means
from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.site import site

CORPUS = Path(__file__).parents[2] / "corpus"
MATCH = "502fd1ca87a9dc770b2486fc459a217f"
AT_EVENT = f"/events/event/told/{MATCH}/analysis"
SCRIPT = {"accept": "application/json"}


class Server:
    """A server of matches that has one open record, and one that is sealed."""

    def ask(self, request: Message, answer: type[Any]) -> Any:
        if isinstance(request, v1.GetLadderRequest):
            return answer(name="trial")
        assert isinstance(request, v1.GetRecordRequest)
        if request.match_id == "open":
            return answer(file=(CORPUS / "mus-4.record").read_bytes())
        if request.match_id == "sealed":
            raise CallError("FAILED_PRECONDITION", "its record is not open yet")
        raise CallError("NOT_FOUND", "there is no such match")


@pytest.fixture
def analyst(tmp_path: Path) -> Analyst:
    return Analyst(tmp_path / "kept", Means(worlds=2, waiting=1))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copied = tmp_path / "event"
    shutil.copytree(CORPUS / "event", copied)
    page = copied / "told" / f"{MATCH}.html"
    page.write_text('<html><body class="replaying"><h1>A match</h1></body></html>')
    return copied


@pytest.fixture
def visitor(analyst: Analyst, folder: Path) -> Visitor:
    context = AppContext(pages=Pages(), ladder=LadderSource(Server()), events=EventFolders([folder]), analyst=analyst)
    return Visitor(site(context))


@asynccontextmanager
async def at_work(analyst: Analyst) -> AsyncIterator[None]:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(analyst.run)
        yield
        nursery.cancel_scope.cancel()


async def finished(visitor: Visitor, address: str) -> Any:
    with trio.fail_after(60):
        answer = await visitor.get(address, **SCRIPT)
        while answer.json()["state"] in ("waiting", "working"):
            await trio.sleep(0.02)
            answer = await visitor.get(address, **SCRIPT)
        return answer


@pytest.mark.slow
@pytest.mark.parametrize("address", ["/matches/open/analysis", AT_EVENT])
async def test_a_match_is_analysed_when_somebody_asks_for_it(visitor: Visitor, analyst: Analyst, address: str):
    assert (await visitor.get(address, **SCRIPT)).json() == {"state": "unasked"}, "looking alone begins nothing"
    begun = await visitor.ask("POST", address, headers=SCRIPT)
    assert begun.json() == {"state": "waiting", "done": 0, "of": 0}
    assert begun.headers["cache-control"] == "no-store"
    async with at_work(analyst):
        done = await finished(visitor, address)
    assert done.json()["state"] == "done"
    assert {"choices", "dearest", "seats"} <= set(done.json())
    again = await visitor.get(address, if_none_match=done.headers["etag"], **SCRIPT)
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/matches/sealed/analysis", 409),
        ("/matches/none/analysis", 404),
        ("/events/event/told/none/analysis", 404),
        ("/events/other/told/none/analysis", 404),
        (f"/events/event/told/..%2f..%2frecords%2f{MATCH}/analysis", 404),
        ("/events/event/told/%2e%2e/analysis", 404),
        ("/events/event/told/%00/analysis", 404),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_nobody_has_a_match_analysed_whose_record_is_not_open(
    visitor: Visitor, analyst: Analyst, address: str, status: int, method: str
):
    answer = await visitor.ask(method, address, headers=SCRIPT)
    assert answer.status in (status, 405), "what leads out of a folder is no address to post to at all"
    assert "state" not in answer.json()
    assert await analyst.look_up((CORPUS / "mus-4.record").read_bytes()) == await analyst.look_up(b"never asked for")


async def test_a_link_in_a_published_folder_leads_nowhere(visitor: Visitor, folder: Path):
    """Whoever can write into the folder of an event has no file of the machine read."""
    (folder / "records" / "link.record").symlink_to(CORPUS / "mus-4.record")
    assert (await visitor.ask("POST", "/events/event/told/link/analysis", headers=SCRIPT)).status == 404


async def test_a_page_of_elsewhere_cannot_begin_one(visitor: Visitor):
    answer = await visitor.ask("POST", AT_EVENT, headers={"origin": "https://elsewhere.example", **SCRIPT})
    assert answer.status == 403
    assert (await visitor.get(AT_EVENT, **SCRIPT)).json() == {"state": "unasked"}


async def test_who_asks_when_too_many_wait_is_told_to_come_again(visitor: Visitor):
    await visitor.ask("POST", AT_EVENT, headers=SCRIPT)
    answer = await visitor.ask("POST", "/matches/open/analysis", headers=SCRIPT)
    assert answer.status == 503
    assert answer.headers["retry-after"] == "60"


async def test_the_page_of_a_published_match_says_where_to_ask(visitor: Visitor, folder: Path):
    page = await visitor.get(f"/events/event/told/{MATCH}.html")
    assert page.text.count(f'data-analysis="{AT_EVENT}"') == 1
    assert "data-analysis" not in (folder / "told" / f"{MATCH}.html").read_text()
    assert (await visitor.get("/events/event/told/none.html")).status == 404


async def test_a_site_without_an_analyst_has_no_analyses(folder: Path):
    visitor = Visitor(site(AppContext(pages=Pages(), events=EventFolders([folder]))))
    assert (await visitor.ask("POST", AT_EVENT, headers=SCRIPT)).status in (404, 405)
    assert "data-analysis" not in (await visitor.get(f"/events/event/told/{MATCH}.html")).text
