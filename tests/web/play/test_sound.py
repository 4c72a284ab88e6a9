"""Sounds at the play table and in replays: none before somebody asks for them, and none from hidden pages."""

import pytest
from playwright.sync_api import Page, expect
from support.play_browser import DUE, HEARS, HIDES, click_on
from web.replays import part, record_of, written

CARD, TURN, END = 190, 660, 784

UNTOUCHED = "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } });"


def switch(page: Page):
    return page.get_by_label("Sound")


def heard(page: Page) -> list[int]:
    tones: list[int] = page.evaluate("window.heard.splice(0)")
    return tones


@pytest.fixture
def table(sit) -> Page:
    """A table at which somebody plays."""
    page = sit("mittlere")
    page.add_init_script(HEARS)
    page.reload()
    page.wait_for_selector(DUE)
    return page


def test_nothing_is_made_before_somebody_asks_for_it(table):
    expect(switch(table)).not_to_be_checked()
    click_on(table, 1, lines=12)
    assert (heard(table), table.evaluate("window.contexts")) == ([], 0)


def test_cards_turns_and_the_end_are_heard(table):
    switch(table).check()
    assert heard(table) == [CARD], "to hear how loud it is"
    click_on(table, 1)
    assert {CARD, TURN, END} <= set(heard(table))
    assert table.evaluate("window.contexts") == 1


def test_the_wish_is_kept_and_can_be_taken_back(table):
    switch(table).check()
    table.reload()
    table.wait_for_selector(DUE)
    expect(switch(table)).to_be_checked()
    switch(table).uncheck()
    heard(table)
    click_on(table, 1, lines=12)
    assert heard(table) == []


def test_a_page_that_nobody_has_touched_is_silent(table):
    """Browsers allow such a page no sound; whether a reload counts as a touch is theirs to say, so it is set here."""
    switch(table).check()
    table.add_init_script(UNTOUCHED)
    table.reload()
    table.wait_for_selector(DUE)
    expect(switch(table)).to_be_checked()
    assert (heard(table), table.evaluate("window.contexts")) == ([], 0)


def test_a_hidden_page_is_silent(table):
    switch(table).check()
    heard(table)
    table.evaluate(HIDES, [True])
    click_on(table, 1, lines=12)
    assert heard(table) == []


def test_a_replay_is_heard_as_it_goes_on(visit, tmp_path):
    page = visit("about:blank")
    page.add_init_script(HEARS)
    page.goto(written(tmp_path, record_of("mittlere-3")))
    part(page, "speed").select_option("60")
    part(page, "play").click()
    page.wait_for_function("document.querySelector('[data-part=slider]').value > 20")
    part(page, "play").click()
    assert heard(page) == []
    switch(page).check()
    part(page, "play").click()
    page.wait_for_function("window.heard.length > 3")
    page.locator('[data-step="last"]').click()
    page.locator('[data-step="back"]').click()
    part(page, "play").click()
    page.wait_for_function(f"window.heard.includes({END})")
