"""The language of a visitor: which one a page is in, and what a stranger tries at the choice."""

from pathlib import Path

import pytest
from support.site import Visitor

from ordago_web.context import AppContext
from ordago_web.event_folders import EventFolders
from ordago_web.languages import LANGUAGES, translations
from ordago_web.pages import Pages
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time


@pytest.fixture
def visitor(tmp_path: Path) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), events=EventFolders([tmp_path]))))


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("", "en"),
        ("es-ES,es;q=0.9,en;q=0.8", "es"),
        ("zh-CN", "zh"),
        ("ja, de-CH;q=0.5, en;q=0.4", "de"),
        ("en;q=0.1, fr;q=0.2", "fr"),
        ("fr;q=0, it", "it"),
        ("*", "en"),
        ("es;q=much, fr;q=0.1", "fr"),
        (";;;,,,=;q=1", "en"),
        ("x" * 100_000, "en"),
        ("../../etc/passwd", "en"),
        ("fr;q=nan", "en"),
    ],
)
async def test_a_page_is_in_the_language_that_the_browser_asks_for(visitor: Visitor, asked: str, language: str):
    page = await visitor.get("/", accept_language=asked)
    assert f'<html lang="{language}">' in page.text
    assert page.headers["content-language"] == language
    assert page.headers["vary"].startswith("Accept-Language, Cookie")


async def choose(visitor: Visitor, language: str, to: str = "/"):
    return await visitor.post("/choices", {"language": language, "to": to})


async def test_a_choice_counts_for_more_and_stays(visitor: Visitor):
    answer = await choose(visitor, "it", "/matches?game=mus")
    assert (answer.status, answer.headers["location"]) == (303, "/matches?game=mus")
    kept = answer.headers["set-cookie"].lower()
    assert kept.startswith("language=it;")
    assert "httponly" in kept
    assert "samesite=lax" in kept
    page = await visitor.get("/", accept_language="fr", cookie="language=it")
    assert '<html lang="it">' in page.text
    assert '<option value="it" lang="it" selected>Italiano</option>' in page.text


@pytest.mark.parametrize(
    "to",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil",
        "/\r\nset-cookie: a=b",
        "",
        "/é",
        "javascript:1",
    ],
)
async def test_nobody_is_led_elsewhere_by_it(visitor: Visitor, to: str):
    answer = await choose(visitor, "fr", to)
    assert (answer.status, answer.headers["location"]) == (303, "/")


async def test_there_is_no_other_language(visitor: Visitor):
    answer = await choose(visitor, "../../etc")
    assert answer.status == 400
    assert "set-cookie" not in answer.headers
    page = await visitor.get("/", cookie="language=../../etc")
    assert '<html lang="en">' in page.text


async def test_another_site_chooses_for_nobody(visitor: Visitor):

    answer = await visitor.post("/choices", {"language": "fr", "to": "/"}, origin="https://evil.example")
    assert answer.status == 403


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_a_catalogue(language: str):
    translated = translations(language).gettext("Matches")
    assert (translated == "Matches") == (language == "en")
