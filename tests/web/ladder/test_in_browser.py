"""The pages of a ladder in a browser: nothing is wrong with them, and they can be used."""

import pytest
from playwright.sync_api import expect
from support.browser import MOST_SHIFTED, SCHEMES, WIDTHS, WINDOWS, picture, shifted, too_wide, violations
from web.replays import at, cards, part

PAGES = {
    "ladder": "/",
    "bot": "/bots/Anna",
    "compare": "/compare?first=Anna&second=solid",
    "likelihoods": "/likelihoods",
    "matches": "/matches?pageSize=20",
    "epochs": "/epochs",
    "api": "/api",
    "courses": "/courses",
    "seasons": "/seasons",
    "author": "/authors/Anna",
    "live": "/live",
    "rules": "/docs/rules/mus/",
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_well_made_at_all_widths_and_in_the_dark(site, visit, name: str):
    page = visit(site.url + PAGES[name], width=WIDTHS[0], scheme=SCHEMES[0])
    assert (too_wide(page), violations(page)) == (0, [])
    picture(page, f"site-{name}-{WIDTHS[0]}-{SCHEMES[0]}")
    page.set_viewport_size({"width": WIDTHS[1], "height": 900})
    page.emulate_media(color_scheme=SCHEMES[1])
    assert (too_wide(page), violations(page)) == (0, [])
    picture(page, f"site-{name}-{WIDTHS[1]}-{SCHEMES[1]}")


def test_an_error_can_be_read_by_everybody(site, visit):
    page = visit(f"{site.url}/no-such-page")
    assert violations(page) == []
    assert [problem for problem in visit.problems if "404" not in problem] == []
    visit.problems.clear()


def names(page) -> list[str]:
    return page.locator("table.ladder tbody tr:visible th a").all_inner_texts()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_first_of_a_ladder_is_in_the_upper_half_of_the_screen(site, visit, width: int, height: int):
    page = visit(f"{site.url}/", width=width)
    page.set_viewport_size({"width": width, "height": height})
    first = page.locator("table.ladder tbody tr").first.bounding_box()
    assert first["y"] + first["height"] <= height / 2


def test_a_ladder_is_sorted(site, visit):
    page = visit(f"{site.url}/")
    by_rank = names(page)
    page.get_by_role("button", name="entrant").click()
    assert names(page) != by_rank
    assert sorted(names(page)) == sorted(by_rank)


def test_a_ladder_is_searched_without_scripts(site, visit):
    page = visit(f"{site.url}/", scripts=False)
    page.get_by_role("searchbox", name="Name contains").fill("ann")
    page.get_by_role("button", name="Search").click()
    assert names(page) == ["Anna"]


def test_bots_are_compared_from_the_ladder_without_scripts(site, visit):
    page = visit(f"{site.url}/", scripts=False)
    page.get_by_label("First bot").fill("Anna")
    page.get_by_label("Second bot").fill("solid")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna – solid")
    page.get_by_role("link", name="Anna").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Anna")


def test_a_ladder_is_filtered_by_its_form(site, visit):
    page = visit(f"{site.url}/")
    page.get_by_text("More filters").click()
    page.get_by_label("Bots").select_option("house bots")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**house=true**")
    assert names(page) == ["solid"]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_match_whose_record_is_not_open_is_replayed_with_hands_closed(site, visit, width: int):
    page = visit(f"{site.url}/matches?epoch=2&running=false&game=mittlere", width=width)
    # The first match is void.
    page.get_by_role("link", name="replay").first.click()
    part(page, "replay").wait_for()
    assert (too_wide(page), violations(page)) == (0, [])
    picture(page, f"site-public-replay-{width}")
    part(page, "play").click()
    expect(part(page, "slider")).not_to_have_value("0")
    part(page, "play").click()
    # In Mittlere Jass no hand is ever laid open; what was played lies on the table.
    for _ in range(8):
        page.locator('[data-step="part-on"]').click()
        assert {card for seat in range(3) for card in cards(page, seat)} <= {"0"}
    assert at(page) > 8
    page.keyboard.press("1")
    assert {card for seat in range(3) for card in cards(page, seat)} <= {"0"}


@pytest.mark.parametrize("size", WINDOWS)
@pytest.mark.parametrize("name", ["ladder", "bot", "matches"])
def test_nothing_moves_while_a_page_is_loaded(site, visit, name: str, size: tuple[int, int]):
    page = visit(site.url + PAGES[name], width=size[0], height=size[1])
    assert shifted(page, "main") < MOST_SHIFTED
