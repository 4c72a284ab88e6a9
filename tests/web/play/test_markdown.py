"""Pages as HTML: what hostile Markdown could do, and what links to headings need."""

import re

import pytest

from ordago_web.play.markdown import Heading, rendered


def page(text: str, leads=lambda link: f"/docs/{link}") -> str:
    return str(rendered(text, leads).html)


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[x](javascript:alert(1))",
        "[x](  JaVaScRiPt:alert(1))",
        "[x](data:text/html,<script>alert(1)</script>)",
        "![x](javascript:alert(1))",
        "<javascript:alert(1)>",
        '[x](y "\\" onmouseover=\\"alert(1)")',
        '```"><script>alert(1)</script>\nx\n```',
        "| a |\n|:-:|\n| <script>alert(1)</script> |",
        "# <script>alert(1)</script>",
    ],
)
def test_no_markup_gets_through(text: str):
    html = page(text, leads=lambda link: link if ":" not in link else None)
    tags = re.findall(r"<([^>]*)>", html)
    assert not [tag for tag in tags if tag.startswith(("script", "img src=x")) or re.search(r"\bon\w+=", _bare(tag))]
    assert not re.search(r'(href|src)="\s*(javascript|data):', html, re.IGNORECASE)
    assert "style=" not in html


def _bare(tag: str) -> str:
    """Return a tag without the values of its attributes."""
    return re.sub(r'"[^"]*"', "", tag)


def test_headings_have_the_anchors_that_links_name():
    document = rendered(
        "# A title, with `code`\n\n## Where — and why?\n\n## Twice\n\n## Twice\n\n## Ärger_1", lambda _: None
    )
    assert document.title == "A title, with code"
    assert document.headings[1] == Heading(2, "where--and-why", "Where — and why?")
    assert [heading.anchor for heading in document.headings[2:]] == ["twice", "twice-1", "ärger_1"]
    assert '<h3 id="twice-1">' in document.html


def test_what_leads_nowhere_is_no_link():
    html = page("[in](a.md) and [out](../secret) and ![no](x.png)", leads=lambda link: "/a" if link == "a.md" else None)
    assert '<a href="/a" target="_blank">in</a>' in html
    assert '<span class="elsewhere">out</span>' in html
    assert "secret" not in html
    assert "src=" not in html


def test_tables_can_be_scrolled_and_have_no_styles():
    html = page("| a | |\n|:--|--:|\n| 1 | 2 |")
    assert '<div class="sheet scroll" tabindex="0" role="region" aria-label="Table 1">' in html
    assert html.count("<th") == html.count("</th") == 2  # with thead
    assert '<td class="right">2</td>' in html


def test_who_writes_a_page_does_not_stand_on_it():
    assert "Written" not in page("<!-- Written by a tool -->\n\n# Title")
