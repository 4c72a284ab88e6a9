"""The pages of an event in a browser: opened from the disk, at all widths, by everybody, by keyboard and on paper."""

import re
from pathlib import Path

import pytest
from support.browser import picture, too_wide, violations
from support.hostile_event import HOSTILE, hostile_files

LOOKS = ((360, "dark"), (1280, "light"))
MORE_LOOKS = ((360, "light"), (1600, "dark"))
"""Of the pages that have most of what others have."""
PAGES = (
    *("index.html", "games.html", "games/mus.html", "sets/1.html", "schedule.html", "matches/1.html"),
    *("meetings.html", "likelihoods.html", "course.html", "entrants.html", "entrants/1.html", "proof.html"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A published event all of whose texts would like to be markup."""
    path = tmp_path_factory.mktemp("event")
    for name, content in hostile_files().items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


@pytest.mark.parametrize("name", PAGES)
def test_everybody_can_read_it(visit, folder: Path, name: str) -> None:
    for width, scheme in (*LOOKS, *(MORE_LOOKS if name in ("index.html", "sets/1.html") else ())):
        page = visit((folder / name).as_uri(), width=width, scheme=scheme)
        assert violations(page) == [], (width, scheme)
        assert too_wide(page) == 0, (width, scheme)
        picture(page, f"event-{name.replace('/', '-').removesuffix('.html')}-{width}-{scheme}")
        page.close()


def test_every_link_leads_to_what_is_published(folder: Path) -> None:
    pages = [name for name in hostile_files() if name.endswith(".html")]
    assert {re.sub(r"\d+", "1", name) for name in PAGES} <= {re.sub(r"\d+", "1", name) for name in pages}
    for name in pages:
        text = (folder / name).read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"#]+)', text):
            target = (folder / name).parent / link
            assert target.exists() or "/records/" in link or "/told/" in link, (name, link)


def test_all_pages_are_reached_by_keyboard(visit, folder: Path) -> None:
    page = visit((folder / "index.html").as_uri())
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    for _ in range(11):
        page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Proof"
    page.keyboard.press("Enter")
    page.wait_for_url("**/proof.html")
    assert page.locator("nav a[aria-current]").inner_text() == "Proof"


def test_nothing_hostile_becomes_markup(visit, folder: Path) -> None:
    """No element comes of a name, none is shown where it could reverse a line, and no script runs."""
    for name in ("index.html", "entrants.html", "entrants/1.html", "course.html"):
        page = visit((folder / name).as_uri())
        assert page.evaluate("window.owned") is None
        assert page.locator("main img, main script, main iframe, main [onerror]").count() == 0
        page.close()


def test_it_prints_without_what_is_for_the_screen(visit, folder: Path) -> None:
    page = visit((folder / "index.html").as_uri())
    page.emulate_media(media="print")
    assert not page.locator(".top nav").is_visible()
    assert not page.locator(".filters").first.is_visible()
    assert page.locator("h1").is_visible()
    assert page.locator("table.ladder tbody tr").first.is_visible()
    assert len(page.pdf(format="A4")) > 10_000


def test_a_sorted_and_filtered_ladder_can_be_linked(visit, folder: Path) -> None:
    page = visit((folder / "index.html").as_uri())
    page.get_by_role("button", name="Elo").click()
    page.get_by_role("button", name="Elo").click()
    page.get_by_label("Language").select_option(HOSTILE)
    again = visit(page.url)
    assert again.get_by_label("Language").input_value() == HOSTILE
    assert again.locator("table.ladder tbody tr:visible").count() == 2
