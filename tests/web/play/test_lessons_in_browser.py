"""A lesson in a browser: it fits the window, plays itself, asks, and needs no pointer."""

import re

import pytest
from support.browser import picture, too_wide, violations
from support.fitting import SIZES, ZOOMED, resize, span, wrong

from ordago.games import find_game
from ordago_web.languages import COOKIE, LANGUAGES
from ordago_web.play.lessons.pages import LESSONS, lesson_address
from ordago_web.play.lessons.played import played

GAMES = sorted(LESSONS)
SHOWN = "number => Number.parseInt(document.querySelector('#lesson-place').textContent.match(/\\d+/)) === number"
SCROLLS = "(turn => turn.scrollHeight > turn.clientHeight)(document.querySelector('#play-turn'))"
"""True while part of an explanation, or the way to the next one, is out of sight."""
PAGES = {game: played(find_game(game), LESSONS[game])["pages"] for game in GAMES}


def asked(game: str) -> int:
    """Return the number of the first explanation with a choice."""
    return next(number for number, page in enumerate(PAGES[game], 1) if "decision" in page)


def words(page) -> str:
    return page.locator("#lesson-words").text_content()


def told(page) -> str:
    return page.locator("#lesson-told").text_content()


@pytest.fixture
def lesson(visit, site):
    def begin(game: str, number: int = 1, **looks: object):
        page = visit(f"{site}{lesson_address(game)}#{number}", **looks)
        page.wait_for_function("document.querySelector('#lesson-words').textContent")
        return page

    return begin


@pytest.mark.parametrize("game", GAMES)
def test_one_screen_holds_table_hand_explanation_and_next(lesson, game):
    page = lesson(game)
    for number, each in enumerate(PAGES[game][:-1], 1):
        page.evaluate("number => { location.hash = number; }", number)
        page.wait_for_function(
            "text => document.querySelector('#lesson-words').textContent === text", arg=each["words"]
        )
        for size in SIZES if number in (1, asked(game)) else SIZES[:2]:
            resize(page, size)
            assert wrong(page, "#play-turn", "#lesson-words", "#lesson-next") == [], (number, size)
            assert too_wide(page) <= 0
    resize(page, ZOOMED)
    assert span(page) <= ZOOMED[1]


@pytest.mark.parametrize("language", sorted(LANGUAGES.keys() - {"en"}))
@pytest.mark.parametrize("game", GAMES)
def test_no_explanation_scrolls_on_a_small_phone_in_any_language(lesson, game, language):
    page = lesson(game, width=390, height=664)
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": page.url}])
    page.reload()
    scrolled = []
    for number in range(1, len(PAGES[game])):
        page.evaluate("number => { location.hash = number; }", number)
        page.wait_for_function(SHOWN, arg=number)
        scrolled += [number] if page.evaluate(SCROLLS) else []
    assert page.locator("html").get_attribute("lang") == language
    assert scrolled == []


@pytest.mark.parametrize("game", GAMES)
def test_the_keyboard_is_enough(lesson, game):
    page = lesson(game)
    page.locator("#lesson-next").focus()
    for number, each in enumerate(PAGES[game], 1):
        page.wait_for_function(
            "text => document.querySelector('#lesson-words').textContent === text", arg=each["words"]
        )
        assert page.url.endswith(f"#{number}")
        if number < len(PAGES[game]):
            if "decision" in each:
                assert page.evaluate("document.activeElement.matches('#play-plain button, img[role=button]')")
                page.locator("#lesson-next").focus()
            page.keyboard.press("Enter")
            if not words(page):
                page.keyboard.press("Enter")
    assert page.locator("#lesson-end a").count() == 2
    assert page.locator("#lesson-next").is_hidden()
    page.keyboard.press("ArrowLeft")
    assert words(page) == PAGES[game][-2]["words"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(lesson, game, scheme):
    page = lesson(game, asked(game), width=390, scheme=scheme)
    assert violations(page) == []
    picture(page, f"lesson-{game}-{scheme}")
    page.evaluate("number => { location.hash = number; }", len(PAGES[game]))
    page.wait_for_selector("#lesson-end a")
    assert violations(page) == []


def test_the_right_choice_is_confirmed_and_another_one_is_not(lesson):
    number = asked("mitaines")
    for choice, begin in (("Play 10♣: mitten of tens", "Right."), ("Play 10♣", "You could do that.")):
        page = lesson("mitaines", number)
        page.locator("[data-seat='0'] img[role=button]").nth(2).click()
        page.get_by_role("button", name=re.compile(rf"^{re.escape(choice)}( [a-z])?$")).click()
        assert told(page).startswith(begin)
        assert "mitten of tens" in told(page)
        page.wait_for_function(
            "text => document.querySelector('#lesson-words').textContent === text",
            arg=PAGES["mitaines"][number]["words"],
        )


def test_it_plays_by_itself_up_to_the_next_explanation(lesson):
    page = lesson("mittlere", 4)
    page.locator("#lesson-next").click()
    assert words(page) == ""
    page.locator("[data-seat='1'] [data-zone=front] img").wait_for()
    page.locator("#lesson-next").click()
    assert words(page) == PAGES["mittlere"][4]["words"]


def test_it_needs_no_script_to_be_read(lesson):
    page = lesson("mus")
    page.get_by_text("The lesson in words").click()
    assert page.locator("aside li").all_text_contents() == [each["words"] for each in PAGES["mus"]]
