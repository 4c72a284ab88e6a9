"""The display settings of a visitor: kept in cookies, applied by the server, and what a stranger tries at them."""

from pathlib import Path

import pytest
from support.site import Visitor

from ordago_web.context import AppContext
from ordago_web.display import DISPLAY
from ordago_web.event_folders import EventFolders
from ordago_web.pages import Pages
from ordago_web.site import site

pytestmark = pytest.mark.virtual_time

SYSTEM = '<meta name="color-scheme" content="light dark">'


@pytest.fixture
def visitor(tmp_path: Path) -> Visitor:
    return Visitor(site(AppContext(pages=Pages(), events=EventFolders([tmp_path]))))


async def test_a_page_follows_the_system_without_a_choice(visitor: Visitor):
    page = await visitor.get("/")
    assert SYSTEM in page.text
    assert '<html lang="en">' in page.text


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_the_first_bytes_of_a_page_have_the_theme(visitor: Visitor, theme: str):
    """The browser knows the scheme before it has a style, so nothing flashes."""
    page = await visitor.get("/", cookie=f"theme={theme}")
    head = page.text.partition("stylesheet")[0]
    assert f'<meta name="color-scheme" content="{theme}">' in head
    assert page.headers["vary"].startswith("Accept-Language, Cookie")


async def test_all_choices_of_the_form_are_kept_and_shown_as_chosen(visitor: Visitor):
    form = {"language": "it", "theme": "dark", "cards": "large", "suits": "four", "to": "/play?game=mus"}
    answer = await visitor.post("/choices", form)
    assert (answer.status, answer.headers["location"]) == (303, "/play?game=mus")
    page = await visitor.get("/", cookie="theme=dark; cards=large; suits=four; language=it")
    assert '<html lang="it" data-cards="large" data-suits="four">' in page.text
    for value in ("it", "dark", "large", "four"):
        assert f'value="{value}" selected>' in page.text or f'lang="{value}" selected>' in page.text


async def test_a_page_with_another_display_has_another_tag(visitor: Visitor):
    light, dark = [await visitor.get("/", cookie=f"theme={theme}") for theme in ("light", "dark")]
    assert light.headers["etag"] != dark.headers["etag"]


@pytest.mark.parametrize(
    "forged", ['"><script>alert(1)</script>', "dark light", "DARK", "", "x" * 8000, "system\u00e9", "None"]
)
@pytest.mark.parametrize("name", DISPLAY)
async def test_a_forged_cookie_stands_for_the_default(visitor: Visitor, name: str, forged: str):
    plain = await visitor.get("/")
    page = await visitor.get("/", cookie=f"{name}={forged}")
    assert page.text == plain.text


@pytest.mark.parametrize("name", [*DISPLAY, "language"])
async def test_the_form_takes_known_values_alone_and_keeps_nothing_else(visitor: Visitor, name: str):
    answer = await visitor.post("/choices", {"theme": "dark", name: "x; Domain=evil.example", "ordago": "stolen"})
    assert answer.status == 400
    assert "set-cookie" not in answer.headers
    answer = await visitor.post("/choices", {"ordago": "stolen", "__Host-ordago": "stolen"})
    assert answer.status == 303
    assert "set-cookie" not in answer.headers
