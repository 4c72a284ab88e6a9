"""A live table that is heard and not seen, and whose connection dies."""

import pytest
from playwright.sync_api import Page, Route, expect
from support.browser import stop_clock
from support.reading import hear, said, wrong_for_keys
from web.live.test_live_in_browser import SCENE, SEATS, site, table

from ordago_web.live.live_view import message

__all__ = ["site"]
WHOLE = {"faces": "jass", "seats": SEATS, "scene": SCENE, "told": [{"told": "Ana deals."}], "delaySeconds": 0}
STEPS = ["Ana plays a card.", "Ben takes the trick."]
AWAY = "The server does not answer; trying again."


def streamed(*messages: bytes) -> dict[str, object]:
    return {"content_type": "text/event-stream", "body": b"".join(messages)}


@pytest.fixture
def watched(visit, site: str) -> Page:
    """The page of a match whose stream a test makes up."""
    page = visit(f"{site}/live")
    stop_clock(page)
    page.route("**/matches/mine/watch", lambda route: route.fulfill(response=route.fetch(url=table(site))))
    return page


def asked(page: Page, held: list[Route], times: int) -> Route:
    """Return the last request of a page, once there are so many."""
    while len(held) < times:
        page.wait_for_timeout(10)
    return held[-1]


def test_plays_are_said_in_the_words_of_the_page_and_not_what_was_before(watched: Page, site: str):
    whole, steps = message("scene", WHOLE), [message("step", {"told": told, "patch": {}}) for told in STEPS]
    end = message("end", {"outcome": {"scores": [3, 12], "placings": [2, 1]}, "forfeits": []})
    held: list[Route] = []
    watched.route("**/live", lambda route: held.append(route))
    watched.goto(f"{site}/matches/mine/watch")
    asked(watched, held, 1).fulfill(**streamed(whole))
    watched.locator("#live-told li").wait_for()
    hear(watched)
    watched.clock.run_for(5000)
    asked(watched, held, 2).fulfill(**streamed(whole, *steps, end))
    for _ in range(20):
        watched.clock.run_for(350)
    assert watched.locator("#live-told li").all_inner_texts() == ["Ana deals.", *STEPS]
    assert said(watched) == STEPS
    assert wrong_for_keys(watched) == []


def test_an_idle_page_notices_a_dead_connection_and_that_it_is_back(watched: Page, site: str):
    held: list[Route] = []
    watched.route("**/live", lambda route: held.append(route))
    watched.goto(f"{site}/matches/mine/watch")
    watched.clock.run_for(34_000)
    expect(watched.locator("#live-state")).to_have_text("Connecting …")
    assert len(held) == 1
    watched.clock.run_for(2000)
    expect(watched.locator("#live-state")).to_have_text(AWAY)
    assert len(held) == 2
    held[-1].fulfill(**streamed(message("scene", WHOLE), message("beat", {}), b"retry: 600000\n\n"))
    watched.locator("#live-told li").wait_for()


def test_the_network_goes_and_comes_back(visit, site: str):
    page = visit(table(site))
    page.locator("#live-told li").first.wait_for(timeout=60_000)
    page.context.set_offline(True)
    expect(page.locator("#live-state")).to_have_text(AWAY)
    page.context.set_offline(False)
    expect(page.locator("#live-state")).not_to_have_text(AWAY)
