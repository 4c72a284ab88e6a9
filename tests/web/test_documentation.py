"""The documentation site: it is built without a warning, its links lead somewhere, and it is shown under the policy."""

import re
import subprocess
import sys
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect
from support.browser import SCHEMES, WIDTHS, too_wide, violations
from support.served_site import ServedSite
from support.site import Visitor

from ordago.games import game_names
from ordago_web.context import AppContext
from ordago_web.pages import Pages
from ordago_web.play.lessons.pages import lesson_address
from ordago_web.security import POLICY
from ordago_web.site import site

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
LOOKED_AT = ("", "bot-authors/", "rules/mus/", "protocol/", "api/sdk/", "api/command-line/", "api/files/", "search/")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as ``make docs`` does, and return its folder."""
    folder = tmp_path_factory.mktemp("docs")
    [line] = re.findall(r"sphinx-build (.*) --doctree-dir", (ROOT / "Makefile").read_text(encoding="utf-8"))
    words = [sys.executable, "-m", "sphinx", *line.split(), "--doctree-dir", folder / "trees", ROOT, folder / "html"]
    built = subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S603 - ours
    assert built.returncode == 0, built.stderr
    assert "--fail-on-warning" in words
    return folder / "html"


@pytest.fixture(scope="module")
def address(built: Path):
    with ServedSite(None, documentation=built) as served:
        yield f"{served.url}/docs/"


def pages_of(built: Path) -> list[Path]:
    return sorted(built.rglob("*.html"))


@cache
def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


# What is built.


def test_every_page_of_the_checkout_is_there(built: Path) -> None:
    assert all((built / "rules" / name / "index.html").exists() for name in game_names())
    expected = {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}
    assert {name for name in expected if not (built / name / "index.html").exists()} == set()
    assert (built / "clients" / "go" / "index.html").exists()


def test_links_lead_somewhere(built: Path) -> None:
    dead = {
        (str(page.relative_to(built)), link)
        for page in pages_of(built)
        for link in map(unescape, re.findall(r'(?:href|src)="([^"]*)"', text_of(page)))
        if not leads_somewhere(built, page, link)
    }
    assert dead == set()


def leads_somewhere(built: Path, page: Path, link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return parts.scheme in ("https", "http", "mailto")
    if parts.path in map(lesson_address, game_names()):
        return True  # a lesson, at the same site
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target == built.parent:
        return True  # back to the site that the documentation is a part of
    target = target / "index.html" if target.is_dir() else target
    if not target.exists() or not target.is_relative_to(built):
        return False
    return not parts.fragment or target.suffix != ".html" or f'id="{unquote(parts.fragment)}"' in text_of(target)


@pytest.mark.parametrize("game", game_names())
def test_the_rules_of_a_game_lead_to_its_lesson(built: Path, game: str) -> None:
    assert f'<a href="{lesson_address(game)}">' in text_of(built / "rules" / game / "index.html")


def test_a_dead_link_is_found(built: Path) -> None:
    page = built / "protocol" / "index.html"
    assert not leads_somewhere(built, page, "../nothing/")
    assert not leads_somewhere(built, page, "../faults/#nothing")
    assert leads_somewhere(built, page, "../faults/")


def test_no_page_holds_scripts_or_styles_and_none_comes_from_elsewhere(built: Path) -> None:
    forbidden = re.compile(
        r'<script(?![^>]*\bsrc=)|<style|<[^>]*\s(?:style|on\w+)="|(?:src|<link[^>]*href)="(?:https?:)?//'
    )
    assert {str(page): found[0] for page in pages_of(built) if (found := forbidden.search(text_of(page)))} == {}


def test_the_keys_of_files_say_what_they_are(built: Path) -> None:
    rows = re.findall(r"<tr[^>]*><td>(.*?)</tr>", text_of(built / "api" / "files" / "index.html"), flags=re.DOTALL)
    assert len(rows) > 60
    assert [row for row in rows if not re.sub(r"<[^>]*>", "", row.rpartition("<td>")[2]).strip()] == []


# At a site.


async def test_it_is_served_under_the_policy_of_all_pages(built: Path) -> None:
    visitor = Visitor(site(AppContext(pages=Pages(), documentation=built)))
    page = await visitor.get("/docs/protocol/")
    assert (page.status, page.headers["content-security-policy"]) == (200, POLICY)
    assert "unsafe" not in POLICY
    moved = await visitor.get("/docs/protocol")
    assert (moved.status, moved.headers["location"]) == (307, "/docs/protocol/")
    assert (await visitor.get("/docs/nothing/")).status == 404
    assert (await visitor.get("/docs/..%2f..%2fetc/passwd")).status == 404


@pytest.mark.parametrize("place", ["/docs", "/docs/", "/docs/rules/mus/"])
async def test_where_it_is_not_built_a_page_says_how(place: str) -> None:
    page = await Visitor(site(AppContext(pages=Pages()))).get(place)
    assert page.status == 200
    assert "make docs" in page.text


@pytest.mark.parametrize("page", LOOKED_AT)
def test_a_page_is_well_made_at_all_widths_and_in_the_dark(address: str, visit, page: str) -> None:
    seen = visit(address + page, width=WIDTHS[0], scheme=SCHEMES[0])
    assert (too_wide(seen), violations(seen)) == (0, [])
    seen.set_viewport_size({"width": WIDTHS[1], "height": 900})
    seen.emulate_media(color_scheme=SCHEMES[1])
    assert (too_wide(seen), violations(seen)) == (0, [])


def test_what_is_searched_is_found_without_another_host(address: str, visit) -> None:
    page = visit(address)
    page.get_by_role("searchbox").or_(page.get_by_placeholder("Search")).first.fill("half_width")
    page.keyboard.press("Enter")
    page.locator("#search-results").get_by_role("link", name="Keys of event and ladder files").first.click()
    page.wait_for_url("**/docs/api/files/**")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Keys of event and ladder files")


def test_the_scheme_that_a_reader_chooses_stays(address: str, visit) -> None:
    page = visit(address)
    page.locator(".theme-toggle-content button").click()
    chosen = page.locator("body").get_attribute("data-theme")
    assert chosen in ("light", "dark")
    page.reload()
    assert page.locator("body").get_attribute("data-theme") == chosen
