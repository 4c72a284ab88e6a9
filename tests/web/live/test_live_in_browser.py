"""A table that is watched in a browser: it advances, and everybody can follow it."""

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from support.browser import MOST_SHIFTED, WINDOWS, picture, shifted, stop_clock, too_wide, violations

from ordago_web.live.live_view import message

SECONDS = 60.0
SEATS = [{"name": "Ana <b>"}, {"name": "Ben"}]
_SEAT = {"hand": {"cards": []}, "front": {"cards": []}, "piles": {}, "said": "", "roles": [], "figures": []}
SCENE = {"seats": {"0": _SEAT, "1": _SEAT}, "table": {}, "figures": []}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a ladder is shown at which bots of the house play among themselves."""
    folder: Path = tmp_path_factory.mktemp("live")
    command = [sys.executable, "-m", "ordago", "serve", "--ladder", "demo", "--data", str(folder / "data")]
    listening = ["--address", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([*command, *listening], stdout=subprocess.PIPE, stderr=log, text=True)  # noqa: S603
    assert server.stdout is not None
    try:
        yield next(found[1] for line in server.stdout if (found := re.search(r"the site is at (\S+?)/?$", line)))
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=SECONDS)


def table(site: str, title: str = "[^<]*") -> str:
    """Return where one of the tables is watched at which is played now, of the game with this title if one is given."""
    row = re.compile(rf'<tr><td class="left">{title}</td>.*href="(/matches/\w+/watch)"')
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with urllib.request.urlopen(f"{site}/live", timeout=SECONDS) as answer:  # noqa: S310 - it is http
            if found := row.search(answer.read().decode()):
                return site + found[1]
        time.sleep(0.2)
    raise AssertionError("nobody plays")


@pytest.fixture
def watched(visit, site: str) -> Callable[..., Page]:
    """Looks on at a table: ``watched("Mus", width=360, scheme="dark")``; at any, if no title is given."""

    def look_on(title: str = "[^<]*", **window) -> Page:
        page = visit(table(site, title), **window)
        # A match that ends between the list and the page is shown as one that is over.
        while page.locator("#live-told").count() == 0:
            page.goto(table(site, title))
        page.locator("#live-told li").first.wait_for(timeout=SECONDS * 1000)
        return page

    return look_on


@pytest.fixture
def dealt(watched) -> Callable[..., tuple[Page, list[str]]]:
    """Looks on at a table until there are cards in a hand: the page, and those cards as they are shown.

    Hands are empty where a deal has just ended, so it is looked again, and at another table when the match is
    over. All hands are looked at in one step of the page, between two of its own.
    """
    shown = "() => [...document.querySelectorAll('#live-table [data-zone=hand] .card')].map(card => card.dataset.card)"

    def look_on(*title: str, **window) -> tuple[Page, list[str]]:
        page, end = watched(*title, **window), time.monotonic() + SECONDS
        while not (cards := page.evaluate(shown)):
            assert time.monotonic() < end, "no hand was ever seen"
            page.wait_for_timeout(100)
            if page.locator("#live-after").is_visible():
                page = watched(*title, **window)
        return page, cards

    return look_on


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_a_table_advances_by_itself_and_can_be_read_by_everybody(dealt, width: int, scheme: str):
    page, _ = dealt(width=width, scheme=scheme)
    told = page.locator("#live-told li")
    before = told.count()
    end = time.monotonic() + SECONDS
    while told.count() <= before and not page.locator("#live-after").is_visible():
        assert time.monotonic() < end, "nothing happened"
        page.wait_for_timeout(200)
    assert violations(page) == []
    assert too_wide(page) == 0
    # Won cards lie in small piles.
    widths = page.locator("[data-place='0'] [data-zone=hand] .card").evaluate_all(
        "all => all.map(each => each.offsetWidth)"
    )
    assert min(widths, default=99) > 30, "cards keep their usual size where the page is as high as it likes"
    picture(page, f"live-{width}-{scheme}")


def test_no_hand_is_open_while_a_match_is_played(dealt):
    # In other games hands are shown, or cards of them, while a match is played.
    _, cards = dealt("Mittlere Jass")
    assert set(cards) == {"0"}


def test_who_comes_back_to_a_match_that_has_ended_meanwhile_is_led_to_it(visit, watched, site):
    page = watched()
    ended = {"status": 303, "headers": {"location": "/matches/ended"}}
    page.route("**/live", lambda route: route.fulfill(status=404))
    page.route("**/watch", lambda route: route.fulfill(**ended) if is_asked_about(route) else route.fallback())
    page.route("**/matches/ended", lambda route: route.fulfill(body="It is over."))
    page.reload()
    # The match may have ended in truth before that.
    while not page.url.endswith(("/watch", "/matches/ended")):
        page.goto(table(site))
    page.wait_for_url("**/matches/ended", timeout=SECONDS * 1000)
    assert [problem for problem in visit.problems if "404" not in problem] == []
    visit.problems.clear()


def test_a_table_ends_with_its_result_and_goes_on_to_the_next_if_that_is_wished(visit, site):
    page = visit(f"{site}/live")
    stop_clock(page)
    page.route("**/matches/ended/watch", lambda route: route.fulfill(response=route.fetch(url=table(site))))
    page.route("**/live", lambda route: route.fulfill(content_type="text/event-stream", body=OVER))
    page.goto(f"{site}/matches/ended/watch")
    page.locator("#live-scores li").first.wait_for(timeout=SECONDS * 1000)
    assert page.locator("#live-scores").inner_text().split("\n") == ["Ben 12", "Ana <b> 3"]
    following = page.locator("#live-next")
    expect(following).to_have_attribute("href", re.compile("/watch$"))
    assert "Next live table: " in following.inner_text()
    page.clock.run_for(60_000)
    assert page.url.endswith("/ended/watch"), "the visitor did not wish to go on"
    page.clock.resume()
    picture(page, "live-over")
    assert violations(page) == []
    page.locator("#live-follow").check()
    page.clock.run_for(60_000)
    page.wait_for_url(re.compile(r"/matches/\w{32}/watch#follow$"), timeout=SECONDS * 1000)
    assert page.locator("#live-follow").is_checked()


OVER = b"".join(
    (
        message("scene", {"faces": "jass", "seats": SEATS, "scene": SCENE, "told": [], "delaySeconds": 0}),
        message("end", {"outcome": {"scores": [3, 12], "placings": [2, 1]}, "forfeits": []}),
    )
)
"""A match that is over at once, for whoever looks on."""


def is_asked_about(route: Route) -> bool:
    return route.request.method == "HEAD"


@pytest.mark.parametrize("size", WINDOWS)
def test_nothing_moves_while_a_table_is_loaded(watched, size: tuple[int, int]):
    page = watched(width=size[0], height=size[1])
    assert shifted(page, "#live-told li, #live-after:not([hidden])") < MOST_SHIFTED
