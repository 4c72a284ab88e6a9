"""What helps a person at the table, in a browser: hints, a moment to take a play back, and how the cards look."""

import pytest
from support.browser import stop_clock
from support.play_browser import DUE


def sent(page) -> list[str]:
    """Note the answers that the page sends from now on."""
    answers: list[str] = []
    page.on("request", lambda request: answers.append(request.url) if request.url.endswith("/answers") else None)
    return answers


def play_a_card(page) -> None:
    page.get_by_label("Confirm plays").uncheck()
    page.locator("[data-fits]").first.click(position={"x": 5, "y": 12})


def test_a_hint_is_shown_where_it_is_asked_for_and_goes_with_its_decision(sit):
    page = sit("mittlere")
    page.get_by_role("button", name="Hint").click()
    page.get_by_text("The house: Play").wait_for()
    assert "points on average" in page.locator("#play-advice").inner_text()
    play_a_card(page)
    page.locator("#play-advice:empty").wait_for(state="attached")
    page.wait_for_selector(DUE)
    assert page.locator("#play-advice").inner_text() == ""


def test_a_play_that_is_taken_back_in_time_was_never_sent(sit):
    page = sit("mittlere")
    stop_clock(page)
    answers = sent(page)
    page.get_by_label("Wait two seconds").check()
    play_a_card(page)
    page.get_by_role("button", name="Undo").click()
    page.clock.run_for(5000)
    page.wait_for_selector(DUE)
    assert page.locator("[aria-pressed=true]").count() == 0
    assert page.locator("#play-undo").is_hidden()
    assert answers == []


def test_a_play_that_stands_is_sent_once_after_two_seconds(sit):
    page = sit("mittlere")
    stop_clock(page)
    answers = sent(page)
    page.get_by_label("Wait two seconds").check()
    play_a_card(page)
    assert page.locator("#play-undo").is_visible()
    page.clock.run_for(1900)
    assert answers == []
    with page.expect_response("**/answers"):
        page.clock.run_for(200)
    assert len(answers) == 1
    assert page.locator("#play-undo").is_hidden()


def test_a_play_is_sent_at_once_without_that_setting(sit):
    page = sit("mittlere")
    with page.expect_response("**/answers"):
        play_a_card(page)
    assert page.locator("#play-undo").is_hidden()


def choose(page, **display) -> None:
    for name, value in display.items():
        page.locator(f".settings select[name={name}]").select_option(value)
    with page.expect_navigation():
        page.locator(".settings button").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("theme", ["system", "light", "dark"])
def test_the_colours_are_those_of_the_theme_whatever_the_system_has(visit, site, scheme, theme):
    page = visit(f"{site}/play", scheme=scheme)
    choose(page, theme=theme)
    paper = {"light": "rgb(250, 248, 243)", "dark": "rgb(17, 21, 19)"}[scheme if theme == "system" else theme]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == paper


def test_cards_are_larger_and_suits_clearer_where_a_visitor_wants_them(sit):
    page = sit("mittlere")
    before = page.locator("[data-place='0'] [data-zone=hand] img.card").first.bounding_box()
    choose(page, cards="large", suits="four")
    page.wait_for_selector(DUE)
    cards = page.locator("[data-place='0'] [data-zone=hand] img.card")
    assert cards.first.bounding_box()["width"] > 1.2 * before["width"]
    # What is not there yet is waited for; what is not there at all has no width.
    addresses = cards.evaluate_all(
        "cards => Promise.all(cards.map((card) => card.decode().catch(() => {})"
        ".then(() => [card.alt, card.src, card.naturalWidth])))"
    )
    for name, address, width in addresses:
        assert ("/jass-four/" in address) == (not name.endswith("spades")), name
        assert width > 0, f"{address} is there"
