"""A person plays who hears the page and has only keys, and whose network comes and goes."""

from typing import Any

import pytest
from playwright.sync_api import expect
from support.browser import SCHEMES, WINDOWS, stop_clock, violations
from support.play_browser import DUE, WHAT_CAN_BE_CLICKED, click_on
from support.reading import hear, said, wrong_for_keys

LOST = "Connection lost. Reconnecting …"
TOLD = "#play-told li"
WORDS = "all => all.map(each => each.lastChild.textContent)"

CORNER: Any = {"x": 4, "y": 12}
"""The part of a card that is seen in a small hand too, where the next one lies over its middle."""


def told(page):
    """Return the words of the course of the match."""
    return page.locator(TOLD).evaluate_all(WORDS)


def play_one(page):
    """Play whatever is offered first, and wait until all that follows was said."""
    page.locator(WHAT_CAN_BE_CLICKED).first.click(position=CORNER)
    page.wait_for_selector(DUE)
    page.wait_for_function("last => globalThis.said.at(-1) === last", arg=told(page)[-1])


def test_each_play_is_said_once_in_the_words_of_the_page(sit):
    page = sit("mittlere")
    hear(page)
    before = len(told(page))
    for _ in range(5):
        play_one(page)
    assert said(page) == told(page)[before:]
    assert page.locator("[aria-live=polite]:not(#play-prompt)").count() == 1


def test_a_page_that_is_loaded_again_does_not_say_the_whole_match(sit):
    page = sit("mittlere")
    hear(page)
    play_one(page)
    before = told(page)
    page.reload()
    page.wait_for_selector(DUE)
    assert (told(page), page.locator(".heard").inner_text()) == (before, "")
    hear(page)
    play_one(page)
    assert said(page) == told(page)[len(before) :]


def test_who_was_away_hears_what_he_missed_and_no_more(sit):
    page = sit("mittlere")
    hear(page)
    play_one(page)
    before = said(page)
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function("() => document.querySelector('#play-turn[data-own]') !== null")
    play_one(page)
    assert said(page) == told(page)[-len(said(page)) :]
    assert len(said(page)) > len(before)


@pytest.mark.slow
def test_a_match_of_mitaines_is_played_by_keys_alone(sit):
    page = sit("mitaines")
    for _ in range(400):
        page.wait_for_selector(DUE)
        if page.is_visible("#play-end"):
            break
        answer_by_keys(page)
    assert page.inner_text("#play-result").startswith("You")
    assert page.evaluate("document.activeElement.id") == "play-end", "what follows is next to the keys"
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Play again"
    page.keyboard.press("Enter")
    page.wait_for_selector(DUE)


def answer_by_keys(page):
    """Choose something of what is offered, and confirm it, with keys."""
    before = page.locator(TOLD).count()
    page.keyboard.press("ArrowRight")
    if page.evaluate("document.activeElement.matches('img.card')"):
        while page.evaluate("document.activeElement.ariaDisabled") == "true":
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
    while page.locator("#play-turn").evaluate(
        "turn => !turn.contains(document.activeElement) && document.activeElement.tagName !== 'IMG'"
    ):
        page.keyboard.press("Tab")
    for _ in range(4):
        page.keyboard.press("Enter")
        if (
            page.locator("#play-turn[data-waits], #play-turn:not([data-own])").count()
            or page.locator(TOLD).count() > before
        ):
            break
    page.wait_for_function("before => document.querySelectorAll('#play-told li').length > before", arg=before)


@pytest.mark.parametrize("game", ["mitaines", "mus"])
def test_every_control_of_a_table_is_reached_and_seen_by_keys(sit, game):
    page = sit(game)
    assert wrong_for_keys(page) == []
    expect(page.get_by_text("Keys", exact=True)).to_be_visible()


def test_every_control_of_the_choice_is_reached_and_seen_by_keys(visit, site):
    assert wrong_for_keys(visit(f"{site}/play?game=mus")) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", WINDOWS)
def test_each_stage_of_a_table_can_be_read_by_everybody(sit, size, scheme):
    page = sit("mittlere", width=size[0], height=size[1], scheme=scheme)
    assert violations(page) == [], "own turn"
    page.locator("#play-pace").select_option("slow")
    page.locator(WHAT_CAN_BE_CLICKED).first.click(position=CORNER)
    page.wait_for_selector("#play-turn:not([data-own])")
    assert violations(page) == [], "waiting"
    page.locator("#play-pace").select_option("none")
    click_on(page, 3)
    assert violations(page) == [], "end"
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".replay:not([hidden])")
    assert violations(page) == [], "replay"


def test_an_answer_without_network_is_mended_when_the_network_is_back(sit):
    page = sit("mittlere")
    page.context.set_offline(True)
    expect(page.locator("#play-refused")).to_have_text(LOST)
    page.locator(WHAT_CAN_BE_CLICKED).first.click(position=CORNER)
    expect(page.locator("#play-refused")).to_have_text("The server cannot be reached. Try again.")
    page.context.set_offline(False)
    expect(page.locator("#play-refused")).to_be_empty()
    page.wait_for_selector(DUE)
    before = page.locator(TOLD).count()
    page.locator(WHAT_CAN_BE_CLICKED).first.click(position=CORNER)
    page.wait_for_function("before => document.querySelectorAll('#play-told li').length > before", arg=before)


def test_an_idle_page_says_within_35_seconds_that_the_server_is_gone(sit):
    page = sit("mittlere")
    stop_clock(page)
    page.reload()
    page.wait_for_selector(DUE)
    held = []
    page.route("**/events", lambda route: held.append(route))
    page.clock.run_for(34_000)
    expect(page.locator("#play-refused")).to_be_empty()
    page.clock.run_for(2000)
    expect(page.locator("#play-refused")).to_have_text(LOST)
    page.clock.run_for(35_000)
    expect(page.locator("#play-refused")).to_have_text(LOST)
    held[-1].continue_()
    expect(page.locator("#play-refused")).to_be_empty()


def test_a_form_that_does_not_show_the_running_match_begins_no_other(visit, site):
    page = visit(f"{site}/play?game=mittlere")
    stale = page.context.new_page()
    stale.goto(page.url)
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_url("**/play/*")
    stale.get_by_role("button", name="Deal the cards").click()
    expect(stale.get_by_role("alert")).to_contain_text("You have a running match")
    expect(stale.get_by_role("button", name="Start another match")).to_be_visible()
    stale.locator(".notice a").click()
    stale.wait_for_selector(DUE)
    page.wait_for_selector(DUE)
    assert stale.url == page.url


def test_play_again_leads_to_one_match_however_often_it_is_pressed(sit):
    page = sit("taihe")
    click_on(page, 2)
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector("#play-turn[data-own]")
    place = page.url
    page.go_back()
    page.wait_for_selector("#play-end:not([hidden])")
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector("#play-turn[data-own]")
    assert page.url == place


def test_a_match_of_somebody_else_is_told_as_that_and_as_one_that_never_was(sit, visit, site):
    place = sit("mittlere").url
    pages = [visit(address) for address in (place, f"{site}/play/{'0' * 32}")]
    assert [page.inner_text("main") for page in pages] == [pages[0].inner_text("main")] * 2
    assert pages[0].inner_text("h1") == "Not a match of yours"
    assert "belongs to another browser" in pages[0].inner_text("main")
    assert [violations(page) for page in pages] == [[], []]
    assert [problem for problem in visit.problems if "404" not in problem] == []
    visit.problems.clear()
