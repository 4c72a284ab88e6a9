"""The browser of the tests sees what is wrong with a page."""

import pytest
from support.browser import Visits, too_wide, violations

WELL = (
    "<!doctype html><html lang=en><meta name=viewport content=width=device-width><title>T</title>"
    "<main><h1>T</h1></main>"
)


@pytest.fixture
def page_of(tmp_path):
    def write(markup: str) -> str:
        path = tmp_path / "page.html"
        path.write_text(markup, encoding="utf-8")
        return path.as_uri()

    return write


def test_a_page_that_is_well_has_no_problems(visit, page_of):
    page = visit(page_of(WELL), width=360)
    assert violations(page) == []
    assert too_wide(page) == 0


@pytest.mark.parametrize(
    ("markup", "told"),
    [
        ("<script>console.error('x')</script>", "the console says: x"),
        ("<script>throw new Error('x')</script>", "a script failed: x"),
        ("<img src=http://127.0.0.2:9/x alt=x>", "another host was asked: http://127.0.0.2:9/x"),
    ],
)
def test_what_a_page_must_not_do_is_seen(chromium, page_of, markup, told):
    visits = Visits(chromium)
    visits(page_of(WELL + markup))
    visits.close()
    assert told in visits.problems


def test_what_cannot_be_read_by_everybody_is_seen(visit, page_of):
    page = visit(page_of(f"{WELL}<button></button><p style='color:#ccc;background:#fff'>faint"))
    assert {told.split()[0] for told in violations(page)} == {"button-name", "color-contrast", "region"}


def test_a_page_that_is_too_wide_is_seen(visit, page_of):
    assert too_wide(visit(page_of(f"{WELL}<div style=width:500px>x"), width=360)) > 100
