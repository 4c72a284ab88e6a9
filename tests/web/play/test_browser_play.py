"""Whole matches in a browser: by clicking, by keys alone, with the page loaded again in the middle."""

import pytest
from support.browser import picture, stop_clock
from support.play_browser import DUE, WHAT_CAN_BE_CLICKED, click_on, looks

from ordago_web.play.wishes import played_games

GAMES = [game.name for game in played_games()]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_on_a_phone_by_clicking(sit, game):
    page = sit(game, width=390)
    click_on(page, 7)
    assert page.inner_text("#play-result").startswith("You")
    assert page.locator("#play-scores tr").count() >= 2
    assert page.locator("#play-secret").text_content()
    page.get_by_role("link", name="Replay").click()
    page.wait_for_selector(".replay:not([hidden])")


@pytest.mark.parametrize("game", GAMES)
def test_the_table_can_be_read_by_everybody_at_each_width_in_light_and_dark(sit, game):
    page = sit(game)
    click_on(page, 1, lines=8)
    assert looks(page, f"play-{game}") == [([], 0)] * 2


@pytest.mark.parametrize("game", ["mus", "taihe"])
def test_the_choice_can_be_read_by_everybody_at_each_width_in_light_and_dark(visit, site, game):
    page = visit(f"{site}/play?game={game}")
    page.get_by_text("All options").click()
    assert looks(page, f"play-{game}-choice") == [([], 0)] * 2


def test_turn_and_choice_are_seen_where_colours_are_forced(sit):
    page = sit("mittlere")
    page.get_by_label("Confirm plays").check()
    page.emulate_media(forced_colors="active")
    page.locator("[data-fits]").first.click(position={"x": 5, "y": 30})
    outlines = page.locator(".place").evaluate_all("all => all.map(each => getComputedStyle(each).outlineStyle)")
    assert sorted(outlines) == ["none", "none", "solid"]
    assert page.locator("[data-actor] > .place").evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
    borders = page.locator("img.card[aria-pressed]").evaluate_all(
        "all => all.filter(each => getComputedStyle(each).borderTopWidth === '4px').map(each => each.ariaPressed)"
    )
    assert borders == ["true"]
    picture(page, "play-forced-colours")


def test_who_loads_the_page_again_goes_on_where_he_was(sit):
    page = sit("mittlere")
    click_on(page, 1, lines=30)
    before = page.inner_text("#play-told"), page.locator("[data-place='0'] [data-zone=hand] img").count()
    page.reload()
    page.wait_for_selector(DUE)
    assert (page.inner_text("#play-told"), page.locator("[data-place='0'] [data-zone=hand] img").count()) == before
    click_on(page, 1)


@pytest.mark.slow
def test_a_match_is_played_by_keys_alone(sit):
    page = sit("mittlere")
    assert page.evaluate("document.activeElement === document.body"), "nothing is in focus before a key is pressed"
    page.keyboard.press("ArrowRight")
    for turn in range(400):
        page.wait_for_selector(DUE)
        if page.is_visible("#play-end"):
            break
        assert page.evaluate("document.activeElement.matches('img.card')"), "the keys are at the hand"
        page.keyboard.press("ArrowRight" if turn % 2 else "ArrowLeft")
        while page.evaluate("document.activeElement.getAttribute('aria-disabled')") == "true":
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Space")
        assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
        page.keyboard.press("Enter")
        page.wait_for_selector("img.card[aria-pressed=true]", state="detached")
    assert page.inner_text("#play-result").startswith("You")


def test_plays_are_confirmed_where_that_is_wanted(sit):
    page = sit("mittlere")
    assert not page.is_checked("#play-confirm")
    page.get_by_label("Confirm plays").check()
    page.reload()
    page.wait_for_selector(DUE)
    assert page.is_checked("#play-confirm"), "the browser keeps it"
    card = page.locator("img.card[data-fits]").first
    cards = page.locator("[data-place='0'] [data-zone=hand] img").count()
    card.click(position={"x": 5, "y": 30})
    assert page.locator("img.card[aria-pressed=true]").count() == 1
    assert page.locator("#play-chosen button").count() == 1
    card.click(position={"x": 5, "y": 30})
    page.wait_for_selector("img.card[aria-pressed=true]", state="detached")
    page.wait_for_selector(DUE)
    assert page.locator("[data-place='0'] [data-zone=hand] img").count() == cards - 1


@pytest.mark.parametrize("finger", [True, False])
def test_plays_are_confirmed_by_default_where_a_finger_plays(chromium, site, finger):
    context = chromium.new_context(has_touch=finger, is_mobile=finger)
    page = context.new_page()
    page.goto(f"{site}/play?game=mus")
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_url("**/play/*")
    page.wait_for_selector("#play-table .around")
    assert page.is_checked("#play-confirm") == finger
    context.close()


def test_what_is_refused_is_said_in_words_and_can_be_mended(sit, visit):
    page = sit("mittlere")
    page.route("**/answers", lambda route: route.continue_(post_data='{"decision": 1, "action": 99}'))
    page.get_by_text("Default:").click()
    page.wait_for_selector("#play-refused:not(:empty)")
    assert page.inner_text("#play-refused").startswith("there is no legal action 99; they are numbered 1 to ")
    page.unroute_all()
    page.get_by_text("Default:").click()
    page.wait_for_selector("#play-refused", state="hidden")
    assert [told for told in visit.problems if "422" not in told] == []
    visit.problems.clear()  # the browser itself tells each status of this kind


def test_what_bots_play_comes_one_after_the_other_and_at_once_where_that_is_wanted(sit):
    page = sit("mittlere", pace="slow")
    page.get_by_text("Default:").click()
    page.wait_for_selector("#play-go-on:not([hidden])")
    assert page.locator("#play-turn[data-own]").count() == 0
    # What comes now comes without a moment of waiting.
    stop_clock(page)
    page.click("#play-go-on")
    page.wait_for_selector(DUE)


def test_another_match_like_it_is_begun_at_the_end(sit):
    page = sit("taihe")
    click_on(page, 2)
    before = page.url
    page.get_by_role("button", name="Play again").click()
    page.wait_for_selector(DUE)
    assert page.url != before
    page.get_by_role("button", name="Leave the table").click()
    page.wait_for_url("**/play?game=taihe")


def test_a_page_without_scripts_says_that_a_table_needs_them(visit, site):
    page = visit(f"{site}/play?game=mus", scripts=False)
    page.get_by_role("button", name="Deal the cards").click()
    page.wait_for_url("**/play/*")
    assert "The table needs JavaScript" in page.inner_text("main")


def test_who_loses_the_network_is_told_until_it_is_back(sit):
    page = sit("mittlere")
    told = page.locator("#play-refused")
    page.context.set_offline(True)
    page.wait_for_function("() => document.querySelector('#play-refused').textContent.startsWith('Connection lost')")
    page.context.set_offline(False)
    page.wait_for_function("() => document.querySelector('#play-refused').textContent === ''")
    assert told.text_content() == ""
    page.wait_for_selector(DUE)
    page.locator(WHAT_CAN_BE_CLICKED).first.click()
    page.wait_for_selector(DUE)


def test_a_page_to_which_nothing_comes_connects_again(sit):
    page = sit("mittlere")
    stop_clock(page)
    page.reload()
    page.wait_for_selector(DUE)
    connections = []
    page.on("request", lambda request: connections.append(request) if request.url.endswith("/events") else None)
    page.clock.run_for(34_000)
    assert connections == []
    page.clock.run_for(2_000)
    page.wait_for_function("() => document.querySelector('#play-refused').textContent === ''")
    assert len(connections) == 1


def test_who_comes_back_from_a_table_is_led_to_it_first(sit):
    page = sit("mittlere")
    place = page.url
    page.go_back()
    page.get_by_role("link", name="Mittlere Jass", exact=True).first.wait_for()
    assert page.get_by_role("button", name="Start another match").count() == 1
    page.locator(".notice a").click()
    page.wait_for_selector(DUE)
    assert page.url == place


def test_at_a_table_of_three_nobody_is_called_a_partner(visit, site):
    page = visit(f"{site}/play?game=mitaines")
    for players, partner in (("3", 0), ("4", 1), ("2", 0)):
        page.get_by_label("Players").select_option(players)
        assert page.get_by_label("Your partner").locator("visible=true").count() == partner
        assert page.locator("select[data-opponent]:visible").count() == int(players) - 1
