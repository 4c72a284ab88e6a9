"""The replay of a match in a browser, opened from the disk: buttons, keys, words and addresses lead to its moments."""

import re

import pytest
from playwright.sync_api import expect
from support.browser import SCHEMES, WIDTHS, picture, stop_clock, too_wide, violations
from support.reading import hear, said, wrong_for_keys
from web.replays import at, cards, deal, part, record_of, told, written

GAMES = ("mitaines-4", "mitigati-3", "mittlere-3", "taihe-5")
STEPS_A_SECOND = 60


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page of a match of Mittlere Jass."""
    return written(tmp_path_factory.mktemp("replay"), record_of("mittlere-3"))


@pytest.mark.parametrize("game", GAMES)
def test_replays_can_be_read_by_everybody_at_any_width(visit, tmp_path, game):
    address = written(tmp_path, record_of(game))
    for width, scheme in zip(WIDTHS, SCHEMES, strict=True):
        page = visit(f"{address}#d2s12", width=width, scheme=scheme)
        expect(part(page, "replay")).to_be_visible()
        page.wait_for_function("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
        assert violations(page) == []
        assert too_wide(page) == 0
        picture(page, f"replay-{game}-{width}-{scheme}")


def test_keys_lead_to_steps_parts_and_deals(visit, address):
    page = visit(address)
    course = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "PageDown", "Shift+ArrowRight", "Shift+ArrowLeft", "End"):
        page.keyboard.press(key)
        course.append((deal(page), at(page)))
    last = int(part(page, "slider").get_attribute("max") or 0)
    second = course[3][1]
    assert course[:3] == [(0, 1), (0, 2), (0, 1)]
    assert course[3] == (1, second), "a deal on is its first step"
    assert course[4][1] > second, "a part on"
    assert course[5] == course[3], "and back"
    assert course[6] == (11, last)
    page.keyboard.press("PageUp")
    assert deal(page) == 11
    page.keyboard.press("PageUp")
    assert deal(page) == 10
    page.keyboard.press("Home")
    assert at(page) == 0


def test_the_slider_and_the_list_of_deals_lead_to_moments(visit, address):
    page = visit(address)
    part(page, "slider").fill("100")
    assert at(page) == 100
    assert "step" in (part(page, "slider").get_attribute("aria-valuetext") or "")
    part(page, "deals").select_option("4")
    page.wait_for_url(re.compile("#d5s1$"))
    assert told(page).endswith("deals.")


def test_an_address_leads_to_its_moment_and_its_seat(visit, address):
    page = visit(f"{address}#d3s14p2")
    assert deal(page) == 2
    assert page.locator('[data-seat="1"]').get_attribute("data-place") == "0"
    assert page.locator('[data-look="1"]').get_attribute("aria-pressed") == "true"
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("#d3s15p2$"))


@pytest.mark.parametrize("wrong", ["#d99s9999p9", "#d0s0", "#dxs1", "#main", "#d1s99999999999"])
def test_an_address_of_no_moment_shows_one_that_there_is(visit, address, wrong):
    page = visit(address + wrong)
    expect(part(page, "now")).not_to_be_empty()


def test_the_way_back_of_the_browser_leads_to_where_one_was(visit, address):
    page = visit(f"{address}#d1s5")
    # A browser tells a page its new address when it comes to it, not at once.
    slider = expect(part(page, "slider"))
    part(page, "parts").locator("a").nth(3).click()
    slider.not_to_have_value("4")
    there = at(page)
    assert there > 4
    part(page, "words").locator("a").nth(1).click()
    slider.to_have_value("1")
    page.go_back()
    slider.to_have_value(str(there))
    page.go_back()
    slider.to_have_value("4")
    page.go_forward()
    slider.to_have_value(str(there))


def test_from_a_seat_the_hands_of_the_others_are_turned(visit, address):
    page = visit(f"{address}#d2s3")
    own, others = cards(page, 0), [*cards(page, 1), *cards(page, 2)]
    assert "0" not in [*own, *others]
    page.keyboard.press("1")
    assert cards(page, 0) == own
    assert {*cards(page, 1), *cards(page, 2)} == {"0"}
    alts = page.locator('[data-seat="1"] [data-zone="hand"] .card').evaluate_all("all => all.map(card => card.alt)")
    assert set(alts) == {"face-down card"}
    page.keyboard.press("0")
    assert [*cards(page, 1), *cards(page, 2)] == others


def test_a_card_that_is_played_is_the_same_element_as_in_the_hand(visit, address):
    page = visit(f"{address}#d1s1")
    page.evaluate("document.querySelectorAll('.card').forEach(card => { card.before = card.dataset.card; })")
    page.keyboard.press("ArrowRight")
    front = page.locator('[data-zone="front"] .card')
    assert front.count() == 1
    assert front.evaluate("card => card.before") == front.get_attribute("data-card")


def test_the_words_follow_and_what_was_told_is_said_aloud(visit, address):
    page = visit(f"{address}#d2s20")
    line = part(page, "words").locator("li[aria-current]")
    assert told(page) in line.inner_text()
    box, inner = part(page, "words").bounding_box(), line.bounding_box()
    assert box["y"] <= inner["y"] <= box["y"] + box["height"], "it is in sight"
    page.wait_for_timeout(300)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".heard[aria-live]")).to_have_text(told(page))


def test_a_replay_plays_by_itself_until_it_is_stopped_and_from_the_end_anew(visit, address):
    page = visit(address)
    part(page, "speed").select_option(str(STEPS_A_SECOND))
    page.keyboard.press("Space")
    page.wait_for_function("Number(document.querySelector('[data-part=slider]').value) > 40")
    page.keyboard.press("Space")
    stopped = at(page)
    page.wait_for_timeout(200)
    assert at(page) == stopped
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.wait_for_function("Number(document.querySelector('[data-part=slider]').value) < 100")


def test_the_keys_are_told_and_the_link_is_copied(visit, address):
    page = visit(address)
    page.keyboard.press("?")
    expect(part(page, "keys")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(part(page, "keys")).to_be_hidden()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".choices [role=status]")).not_to_be_empty()
    assert page.url.endswith("#d1s1")


SHARE = """
    window.shared = [];
    navigator.share = async ({ title, url }) => {
        shared.push([title, url]);
        if (location.hash === "#d1s2") throw new DOMException("", "AbortError");
    };
"""


def test_the_moment_that_is_shown_is_shared_where_the_browser_can(visit, address):
    page = visit(address)
    page.context.add_init_script(SHARE)
    page.reload()
    part(page, "speed").select_option("20")
    part(page, "play").click()
    slider = part(page, "slider")
    page.wait_for_function("Number(document.querySelector('[data-part=slider]').value) > 5")
    page.get_by_role("button", name="Share").click()
    title, url = page.evaluate("shared[0]")
    assert "Mittlere Jass" in title
    moment = re.search(r"#d(\d+)s(\d+)$", url)
    assert tuple(map(int, moment.groups())) > (1, 5), "also while it plays"
    part(page, "play").click()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("1")
    page.get_by_role("button", name="Share").click()
    assert page.evaluate("shared.length") == 2
    assert page.locator(".choices [role=status]").inner_text() == "", "who closes the list of ways copies nothing"


def test_a_hostile_name_is_shown_as_text(visit, tmp_path):
    record = record_of("mittlere-3")
    record.seats[0].name = "<img src=x onerror=alert(1)></script>"
    record.seats[1].version = "<b>1</b>\u202e"
    page = visit(written(tmp_path, record))
    assert "<img src=x onerror=alert(1)></script>" in page.locator('[data-seat="0"] .name').inner_text()
    assert "<b>1</b>\\u202e" in page.locator('[data-seat="1"] .name').inner_text()
    assert page.locator("img[onerror], .name b").count() == 0


def test_without_scripts_a_match_is_told_in_words(visit, address):
    page = visit(address, scripts=False)
    expect(part(page, "replay")).to_be_hidden()
    expect(part(page, "whole").locator("pre")).to_be_visible()


def test_a_fast_replay_says_only_the_newest_and_another_view_says_nothing(visit, address):
    page = visit(address)
    stop_clock(page)
    page.reload()
    page.clock.run_for(1000)
    hear(page)
    part(page, "speed").select_option(str(STEPS_A_SECOND))
    page.keyboard.press("Space")
    page.clock.run_for(5000)
    page.keyboard.press("Space")
    page.clock.run_for(1000)
    assert at(page) > 100
    assert 4 <= len(said(page)) <= 7
    assert said(page)[-1] == told(page)
    before = said(page)
    page.keyboard.press("1")
    page.clock.run_for(2000)
    assert said(page) == before


def test_every_control_of_a_replay_is_reached_and_seen_by_keys(visit, address):
    assert wrong_for_keys(visit(address)) == []
