"""The table where a person plays fits the window: with the own hand, what can be done, and what was said last."""

import pytest
from support.browser import MOST_SHIFTED, WINDOWS, shifted
from support.fitting import SIZES, ZOOMED, resize, span, wrong
from support.people import ThinkingHere
from support.play_browser import DUE, click_on
from support.play_site import played_at

from ordago_web.play.sessions import PlayBounds
from ordago_web.play.wishes import played_games

TABLES = [(game.name, seats) for game in played_games() for seats in game.rules.seat_counts]
SAID = {True: "#play-latest", False: "#play-told li:last-child"}


@pytest.fixture(scope="module")
def site():
    """Deals the same cards in each test, whichever tests came before."""
    with played_at(ThinkingHere(), bounds=PlayBounds(of_origin=60), secret=lambda: bytes(32)) as address:
        yield address


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_one_screen_holds_all_that_is_needed(sit, game, seats):
    page = sit(game, seats=seats)
    for lines in (0, 8):
        click_on(page, 1, lines=lines)
        page.wait_for_selector(DUE)
        for size in SIZES:
            resize(page, size)
            assert wrong(page, "#play-turn", SAID[size[0] < 1024]) == [], (lines, size)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_hand_and_trick_are_seen_together_at_twice_the_size(sit, game, seats):
    page = sit(game, seats=seats)
    click_on(page, 1, lines=8)
    resize(page, ZOOMED)
    assert span(page) <= ZOOMED[1]
    panel = page.locator("#play-turn").bounding_box()
    hand = page.locator("[data-place='0'] [data-zone=hand] .cards").bounding_box()
    assert panel["y"] >= hand["y"] + hand["height"], "it covers no card"


@pytest.mark.parametrize("game", ["mittlere", "mitigati", "mitaines"])
def test_no_card_moves_when_one_is_chosen(sit, game):
    page = sit(game)
    page.get_by_label("Confirm plays").check()
    for lines in range(8, 100):
        click_on(page, 1, lines=lines)
        page.wait_for_selector(DUE)
        if page.locator("[data-fits]").count():
            break
    for size in SIZES:
        resize(page, size)
        card = page.locator("[data-fits]").first
        before = page.locator(".around").bounding_box()
        card.click(position={"x": 5, "y": 12})
        assert page.locator("[aria-pressed=true]").count() == 1
        assert page.locator(".around").bounding_box() == before
        card.press("Space")


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("game", ["mitaines", "mus"])
def test_nothing_moves_while_a_table_is_loaded(sit, game, size):
    page = sit(game, width=size[0], height=size[1])
    assert shifted(page, DUE) < MOST_SHIFTED
