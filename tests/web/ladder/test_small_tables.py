"""Small tables in a browser: they move while they are seen, move nothing else, and ask for nothing while hidden."""

import json

import pytest
from playwright.sync_api import Page, expect
from support.browser import SCHEMES, WIDTHS, picture, stop_clock, too_wide, violations
from support.play_browser import HIDES

TABLES = "**/live/tables.json"
_SEAT = {"hand": {"cards": [0]}, "front": {"cards": []}, "piles": {}, "said": "", "roles": [], "figures": []}
_MATCH = {
    "matchId": "m1",
    "title": "Mus",
    "faces": "spanish",
    "seats": [{"name": "Ana <b>"}, {"name": "Ben"}],
    "scene": {"seats": {"0": _SEAT, "1": _SEAT}, "table": {}, "figures": []},
    "told": "Ana deals.",
}
_END = {"outcome": {"scores": [3, 12], "placings": [2, 1]}}


class Asked:
    """Answers for small tables as a test says, and counts them."""

    def __init__(self, page: Page) -> None:
        self.times = 0
        self.tables = [_MATCH]
        page.route(TABLES, self._answer)

    def _answer(self, route) -> None:
        self.times += 1
        route.fulfill(content_type="application/json", body=json.dumps({"tables": self.tables}))


@pytest.fixture
def watched(site, visit) -> tuple[Page, Asked]:
    """The page of live tables under a clock that a test moves."""
    page = visit(f"{site.url}/matches")
    asked = Asked(page)
    stop_clock(page)
    page.goto(f"{site.url}/live")
    expect(first(page)).to_contain_text("Ana deals.")
    return page, asked


def first(page: Page):
    return page.locator(".small-tables > li").first


@pytest.mark.parametrize("path", ["/", "/live"])
@pytest.mark.parametrize(("width", "scheme"), [*zip(WIDTHS, SCHEMES, strict=True)])
def test_what_finished_last_is_there_and_changes_nothing_else(site, visit, path: str, width: int, scheme: str):
    page = visit(f"{site.url}/matches", width=width, scheme=scheme)
    page.route(TABLES, lambda route: route.fulfill(content_type="application/json", body='{"tables": []}'))
    page.goto(site.url + path)
    height = page.evaluate("document.documentElement.scrollHeight")
    page.unroute(TABLES)
    page.goto(site.url + path)
    page.locator(".small-tables").scroll_into_view_if_needed()
    page.locator(".small-tables .table").first.wait_for()
    assert page.evaluate("document.documentElement.scrollHeight") == height
    assert (too_wide(page), violations(page)) == (0, [])
    picture(page, f"site-small-tables{path.replace('/', '-')}-{width}")


@pytest.mark.parametrize("path", ["/", "/live"])
def test_without_scripts_they_are_a_list_of_links(site, visit, path: str):
    page = visit(site.url + path, scripts=False)
    links = page.locator(".small-tables a")
    assert 0 < links.count() <= 4
    assert all("/watch" in link.get_attribute("href") for link in links.all())
    assert first(page).bounding_box()["height"] < 100


def test_a_table_moves_ends_and_makes_way(watched):
    page, asked = watched
    assert first(page).locator("[data-seat]").count() == 2
    asked.tables = [{**_MATCH, "told": "Ben plays."}]
    page.clock.run_for(2000)
    expect(first(page)).to_contain_text("Ben plays.")
    asked.tables = [{**_MATCH, "end": _END}]
    page.clock.run_for(2000)
    expect(first(page)).to_contain_text("Ana <b> 3, Ben 12")
    asked.tables = [{**_MATCH, "matchId": "m2", "title": "Taihe A Bao"}]
    page.clock.run_for(2000)
    expect(first(page).get_by_role("link")).to_have_attribute("href", "/matches/m2/watch")
    expect(first(page)).to_contain_text("Taihe A Bao")


def test_it_is_asked_less_where_nothing_moves_and_not_at_all_while_hidden(watched):
    page, asked = watched
    for _ in range(30):
        page.clock.run_for(2000)
        page.wait_for_timeout(20)
    assert 3 <= asked.times <= 8, "in a minute; 30 where it moves"
    page.evaluate(HIDES, [True])
    page.wait_for_timeout(100)
    before = asked.times
    for _ in range(10):
        page.clock.run_for(60_000)
    assert asked.times == before
    page.evaluate(HIDES, [False])
    page.wait_for_timeout(200)
    assert asked.times == before + 1


def test_a_server_that_is_away_leaves_the_tables_as_they_were(watched):
    page, asked = watched
    asked.tables = [{**{name: _MATCH[name] for name in ("matchId", "seats")}}]
    page.clock.run_for(2000)
    page.wait_for_timeout(200)
    expect(first(page)).to_contain_text("Ana deals.")
