"""The page of a running event in a browser: it moves by itself, and leaves alone whoever is using it."""

import json
from collections.abc import Iterator
from email.utils import formatdate
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from support.browser import stop_clock
from support.courses import play_course
from support.ledgers import beginning

from ordago.chance import commitment
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.due import progress_of
from ordago_ladder.pages.assets import asset_files
from ordago_ladder.pages.page import ladder_pages
from ordago_ladder.rating.ladder import build_ladder

ADDRESS = "http://site.test/events/cup/"
NAMES = "abc"
EVENT = '[event]\nname = "cup"\n[[game]]\nname = "mitaines"\n' + "".join(
    f'[[entrant]]\nname = "{name}"\nhouse = "random"\n' for name in NAMES
)
SETTINGS = parse_event(EVENT)
RESULTS = play_course(SETTINGS).results
LEDGER = read_ledger(chained([beginning(secret=b"", entrants=NAMES)]))
NOON = 1_700_049_600
"""12:00 UTC."""


def index(played: int) -> str:
    """Return the first page of the event after some matches."""
    results = RESULTS[:played]
    progress = progress_of(SETTINGS, LEDGER, results)
    ladder = build_ladder(SETTINGS, results, secret_digest=commitment(b""), progress=progress)
    return dict(ladder_pages(ladder, LEDGER, (), {}))["index.html"]


class Site:
    """A site with one event, whose clock and files the test moves."""

    def __init__(self, page: Page) -> None:
        self.html = index(2)
        self.count: dict[str, int] = {"played": 2, "planned": len(RESULTS), "left": 30}
        self.is_away = False
        self.asked: list[str] = []
        self.page = page
        self._assets = asset_files(["mitaines"])
        stop_clock(page)
        page.route("**/*", self._answer)
        page.goto(ADDRESS)

    def _answer(self, route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        self.asked.append(name)
        if self.is_away:
            route.abort()
        elif name == "":
            headers = {"last-modified": formatdate(NOON + len(self.asked), usegmt=True)}
            route.fulfill(body=self.html, content_type="text/html", headers=headers)
        elif name == "progress.json":
            route.fulfill(body=json.dumps(self.count), content_type="application/json")
        else:
            kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
            route.fulfill(body=self._assets[name], content_type=kinds[name.rpartition(".")[2]])

    def after(self, seconds: int, text: str) -> None:
        """Let time pass for the page, and wait for what it says then."""
        for _ in range(seconds):
            self.page.clock.run_for(1000)
        expect(self.page.locator(".progress")).to_contain_text(text)

    @property
    def told(self) -> str:
        return self.page.locator(".progress").inner_text()

    @property
    def ladder(self) -> str:
        return self.page.locator("table.ladder").first.inner_text()


@pytest.fixture
def at(chromium: Browser) -> Iterator[Site]:
    context = chromium.new_context()
    page = context.new_page()
    problems: list[Any] = []
    page.on("pageerror", lambda error: problems.append(error))
    yield Site(page)
    context.close()
    assert not problems


def test_the_count_moves_every_other_second_and_the_ladder_when_it_is_published(at: Site) -> None:
    at.after(1, "about 30 s left")
    ladder = at.ladder
    at.count["played"] = 5
    at.html = index(4)
    at.after(3, "5 of 6 matches")
    assert at.ladder == ladder, "the page itself is asked for more rarely"
    at.after(10, "page as of 12:00")
    assert at.ladder != ladder
    assert "5 of 6 matches" in at.told, "what is published may be behind what is played"
    at.page.get_by_role("button", name="score").first.click()
    assert at.page.locator("th[aria-sort]").count() == 1, "a table that was put in can be sorted"


def test_nothing_is_taken_from_under_the_hands_of_who_uses_it(at: Site) -> None:
    at.after(1, "about 30 s left")
    ladder = at.ladder
    at.page.get_by_role("searchbox").first.focus()
    at.html = index(4)
    at.count["played"] = 4
    at.after(15, "4 of 6 matches")
    assert at.ladder == ladder
    at.page.evaluate("document.activeElement.blur()")
    at.after(12, "page as of")
    assert at.ladder != ladder


def test_a_site_that_does_not_answer_is_asked_more_and_more_rarely_and_when_the_event_is_over_no_more(at: Site) -> None:
    at.is_away = True
    at.after(120, "2 of 6 matches")
    before = len(at.asked)
    at.after(60, "2 of 6 matches")
    assert len(at.asked) - before <= 2
    at.is_away, at.html, at.count = False, index(6), {}
    at.after(130, "Finished 6 of 6 matches")
    before = len(at.asked)
    at.after(130, "Finished 6 of 6 matches")
    assert len(at.asked) == before
