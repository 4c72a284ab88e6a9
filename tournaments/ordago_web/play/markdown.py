"""Markdown to HTML: no raw HTML, anchors for headings, and links that the caller resolves."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

_COMMENT: Final = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
"""A comment at the start of a page is a note for its authors."""
_PICTURE: Final = "image"


class Heading(NamedTuple):
    """A heading of a page."""

    level: int
    """From 1."""
    anchor: str
    text: str


class Document(NamedTuple):
    """A rendered page."""

    title: str
    headings: Sequence[Heading]
    html: Markup


Leads = Callable[[str], str | None]
"""A function that resolves the target of a link; ``None`` for a target that is not shown."""


def rendered(text: str, leads: Leads) -> Document:
    """Render a page."""
    reader = MarkdownIt("commonmark", {"html": False, "xhtmlOut": False}).enable("table")
    tokens = reader.parse(_COMMENT.sub("", text))
    headings = _named(tokens)
    _lower(tokens)
    _empty_heads(tokens)
    for token in tokens:
        if token.type in ("th_open", "td_open"):
            _align(token)
        elif token.type in ("fence", "code_block"):
            token.attrSet("tabindex", "0")
        elif token.children:
            _lead(token.children, leads)
    html = reader.renderer.render(_framed(tokens), reader.options, {})
    return Document(headings[0].text if headings else "", headings, Markup(html))  # noqa: S704 - raw HTML is off


def _named(tokens: Sequence[Token]) -> list[Heading]:
    """Give headings their anchors, and return them."""
    found: list[Heading] = []
    taken: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open":
            text = "".join(_words(inline.children or ()))
            heading = Heading(int(opening.tag[1:]), _unique(anchor_of(text), taken), text)
            opening.attrSet("id", heading.anchor)
            found.append(heading)
    return found


def _lower(tokens: Sequence[Token]) -> None:
    """Lower headings by a level, since the page that shows a document has a heading of its own."""
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"


def _words(children: Sequence[Token]) -> Iterator[str]:
    yield from (child.content for child in children if child.type in ("text", "code_inline"))


def anchor_of(text: str) -> str:
    """Return the anchor of a heading with this text, as code hosting sites make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _unique(anchor: str, taken: dict[str, int]) -> str:
    count = taken[anchor] = taken.get(anchor, -1) + 1
    return f"{anchor}-{count}" if count else anchor


def _empty_heads(tokens: Sequence[Token]) -> None:
    """Turn empty header cells into plain ones: they head no column."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inline.content:
            opening.tag = closing.tag = "td"


def _align(cell: Token) -> None:
    """Replace the style attribute by a class, since the security policy forbids inline styles."""
    style = cell.attrs.pop("style", None)
    if isinstance(style, str):
        cell.attrSet("class", style.removeprefix("text-align:"))


def _lead(children: Sequence[Token], leads: Leads) -> None:
    """Resolve links and pictures. A link without a target becomes plain text."""
    open_links: list[Token] = []
    for token in children:
        if token.type == "link_open":
            _lead_on(token, "href", leads)
            if token.tag == "a":
                # A click at a table must not leave it.
                token.attrSet("target", "_blank")
            open_links.append(token)
        elif token.type == "link_close":
            token.tag = open_links.pop().tag
        elif token.type == _PICTURE:
            _lead_on(token, "src", leads)


def _lead_on(token: Token, attribute: str, leads: Leads) -> None:
    target = str(token.attrs.pop(attribute, ""))
    place = leads(target)
    if place is not None:
        token.attrSet(attribute, place)
    else:
        token.tag = "span" if token.type == "link_open" else token.tag
        token.attrSet("class", "elsewhere")


def _framed(tokens: Sequence[Token]) -> list[Token]:
    """Wrap tables into frames that can be scrolled, with the keyboard too."""
    framed: list[Token] = []
    count = 0
    for token in tokens:
        if token.type == "table_open":
            count += 1
            frame = Token("frame_open", "div", 1, block=True)
            frame.attrs = {"class": "sheet scroll", "tabindex": "0", "role": "region", "aria-label": f"Table {count}"}
            framed.append(frame)
        framed.append(token)
        if token.type == "table_close":
            framed.append(Token("frame_close", "div", -1, block=True))
    return framed
