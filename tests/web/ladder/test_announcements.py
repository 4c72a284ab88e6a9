"""The operator's announcements on all pages and in the feed, and the status page: escaped, and with nothing secret."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from support.ladder_halls import without_threads
from support.lively_ladder import NOW, lively_ladder
from support.served_site import ReadHere
from support.site import Visitor

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.edge.services.status import server_status
from ordago.telemetry.telemetry import Telemetry
from ordago.telemetry.troubles import Trouble
from ordago_web.context import AppContext
from ordago_web.ladder.announcements import Announcements
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time
HOSTILE = "<script>alert(1)</script> & \x1b[2J\u202eright\n\"to'"
SHOWN = r"&lt;script&gt;alert(1)&lt;/script&gt; &amp; \x1b[2J\u202eright\n&#34;to&#39;"
PAUSE = v1.Announcement(number=7, sentence=HOSTILE, made_at=NOW, ends_at=1_800_000_000, pauses_seating=True)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the ladder be read at once: the clock of a test does not wait for threads."""
    without_threads(monkeypatch)


class Served:
    """A site over a ladder whose server says what a test sets."""

    def __init__(self, server: ReadHere) -> None:
        self.server = server
        self.source = LadderSource(server)
        self.announcements = Announcements(self.source)
        pages = Pages(is_away=lambda: self.source.away_since is not None, announcements=self.announcements)
        self.visitor = Visitor(site(AppContext(pages=pages, ladder=self.source)))

    async def looked(self) -> None:
        """Let the site ask once."""
        with trio.move_on_after(1):
            await self.announcements.watch()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReadHere]:
    with lively_ladder(tmp_path_factory.mktemp("announced")) as reader:
        yield ReadHere(reader)


@pytest.fixture
def served(server: ReadHere) -> Served:
    server.status = v1.GetStatusResponse(announcements=[PAUSE], bots=12, running=3, epoch=4, published_at=NOW)
    return Served(server)


@pytest.mark.parametrize("path", ["/", "/matches", "/status", "/nowhere"])
async def test_each_page_has_it_escaped_in_a_translated_frame(served: Served, path: str) -> None:
    assert "announcements" not in (await served.visitor.get(path)).text
    await served.looked()
    page = (await served.visitor.get(path)).text
    assert SHOWN in page
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert "until 2027-01-15 08:00 UTC" in page
    german = (await served.visitor.get(path, accept_language="de")).text
    assert SHOWN in german
    assert "until 2027" not in german


async def test_a_page_that_other_sites_frame_has_none(served: Served) -> None:
    await served.looked()
    matches = (await served.visitor.get("/api/v1/matches?epoch=1")).json()["matches"]
    shown = next(one["matchId"] for one in matches if one["recordOpen"])
    page = await served.visitor.get(f"/matches/{shown}/embed")
    assert page.status == 200
    assert "announcements" not in page.text


async def test_it_goes_once_it_does_not_stand_and_stays_while_the_server_is_away(served: Served) -> None:
    await served.looked()

    def away(_request: object, _answer: object) -> None:
        raise CallError("UNAVAILABLE", "no answer")

    ask, served.server.ask = served.server.ask, away  # type: ignore[method-assign]
    await served.looked()
    assert len(served.announcements()) == 1
    served.server.ask, served.server.status = ask, v1.GetStatusResponse()  # type: ignore[method-assign]
    await trio.sleep(2)
    await served.looked()
    assert served.announcements() == []


async def test_the_feed_of_the_ladder_has_it_and_no_other_feed(served: Served) -> None:
    feed = await served.visitor.get("/feed.atom")
    assert feed.status == 200
    assert feed.text.count('term="announcement"') == 1
    assert "&lt;script&gt;alert(1)" in feed.text
    assert "\x1b" not in feed.text
    assert "announcement" not in (await served.visitor.get("/feed.atom?game=mittlere")).text


async def test_the_status_is_a_page_and_json(served: Served) -> None:
    page = await served.visitor.get("/status")
    assert page.status == 200
    assert "The server works." in page.text
    assert "paused: no new match begins" in page.text
    assert page.headers["etag"]
    served.server.status.troubles.append("the ladder cannot be written")
    await trio.sleep(2)
    troubled = (await served.visitor.get("/status")).text
    assert "The server works." not in troubled
    assert "the ladder cannot be written" in troubled
    told = (await served.visitor.get("/api/v1/status")).json()
    assert set(told) == {"troubles", "announcements", "bots", "running", "epoch", "publishedAt"}
    assert (told["bots"], told["running"], told["epoch"]) == (12, 3, 4)


def test_a_stranger_learns_what_does_not_work_and_not_why(tmp_path: Path) -> None:
    telemetry = Telemetry()
    telemetry.begins(Trouble.STORE, f"{tmp_path}/ladder.sqlite: postgresql://ordago:secret@db.internal/ladder")
    status = server_status(telemetry, lambda: [PAUSE])(v1.GetStatusRequest())
    assert list(status.troubles) == ["the ladder cannot be written"]
    assert not status.HasField("published_at")
    assert b"secret" not in status.SerializeToString()
    telemetry.is_over(Trouble.STORE)
    assert not server_status(telemetry, tuple)(v1.GetStatusRequest()).troubles
