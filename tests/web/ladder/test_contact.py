"""How visitors reach who runs a site: on each page, and on that of a bot to report it."""

from pathlib import Path

import pytest
from support.ladder_halls import without_threads
from support.lively_ladder import lively_ladder
from support.served_site import ReadHere
from support.site import Visitor

from ordago_web.context import AppContext
from ordago_web.ladder_source import LadderSource
from ordago_web.pages import Pages
from ordago_web.settings import PublicAddressError, contact_link
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize(
    ("written", "report"),
    [
        ("Cards+abuse@example.org", 'href="mailto:Cards+abuse@example.org?subject=Anna"'),
        ("https://example.org/reports?of=bots", 'href="https://example.org/reports?of=bots"'),
    ],
)
async def test_a_bot_is_reported_to_who_runs_the_site(
    written: str, report: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_threads(monkeypatch)
    link = contact_link(written)
    with lively_ladder(tmp_path) as reader:
        ladder = LadderSource(ReadHere(reader))
        visitor = Visitor(site(AppContext(pages=Pages(contact=link), ladder=ladder)))
        assert f'<a href="{link}">Contact</a>' in (await visitor.get("/")).text
        assert f"<a {report}>Report</a>" in (await visitor.get("/bots/Anna")).text
        without = Visitor(site(AppContext(pages=Pages(), ladder=ladder)))
        assert "Report" not in (await without.get("/bots/Anna")).text


@pytest.mark.parametrize(
    "written",
    [
        *(
            "javascript:alert(1)",
            "javascript:a@example.org",
            "ana",
            "a@b@example.org",
            "a@example.org?bcc=b@example.org",
        ),
        *('a"onclick=@example.org', "a@example.org\n", "https://", "https://ana@example.org", "https://example.org/ö"),
        *("data:text/html,a", "//example.org", "ftp://example.org", "https://example.org /a"),
    ],
)
def test_nothing_else_becomes_a_link(written: str) -> None:
    with pytest.raises(PublicAddressError, match="NAME@HOST or https://HOST/PATH"):
        contact_link(written)
