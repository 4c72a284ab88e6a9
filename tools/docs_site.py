"""The documentation site for Sphinx: addresses of pages, targets of links, and the tree of the sidebar.

The pages are the Markdown files of the checkout, at the places where a reader of the repository expects them. This
module makes their links work on the site, too: to folders, to files of the contract, and from pages that list others.
"""

import os
import re
from pathlib import Path, PurePosixPath
from typing import Any, Final

from docutils import nodes
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from pygments.lexers.rust import RustLexer
from pygments.lexers.special import TextLexer
from sphinx.addnodes import download_reference, pending_xref, toctree
from sphinx.application import Sphinx
from sphinx.builders.dirhtml import DirectoryHTMLBuilder
from sphinx.ext.napoleon import Config, GoogleDocstring

from ordago_web.play.lessons.pages import lesson_address

ROOT: Final = Path(__file__).parents[1]
LISTS: Final = (
    "docs/index",
    "docs/start/README",
    "docs/bot-authors",
    "docs/organisers",
    "docs/client-authors",
    "docs/games",
    "docs/how-it-works",
    "docs/api/README",
)
"""The first page, and one for each group of readers. Below each, the sidebar shows the pages that it lists."""
_REST: Final = "docs/how-it-works"
"""The page that adopts unlisted pages, so that a new page is on the site before a list names it."""
_ACCESSIBLE: Final = {
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<th class="head"><p></p></th>': "<td></td>",
    "<pre>": '<pre tabindex="0">',
}
"""Replacements in the HTML of Furo that screen readers and keyboard users need."""
_MESSAGES: Final = "docs/reference/README"
"""The page that lists the files of the contract."""
_RULES: Final = r"docs/rules/([a-z]+)"
"""The rule page of a game for people. The lesson is a page of the site that serves the documentation."""


def address_of(name: str) -> str:
    """Return the address of a page by its name, which is its path in the checkout without ``.md``."""
    place = re.sub(r"(^|/)README$", "", name.removeprefix("docs/")) or "readme"
    return place if "/" in name else place.lower()


class SiteBuilder(DirectoryHTMLBuilder):
    """A builder of HTML with a folder for each page. ``docs/rules/mus.md`` gets the address ``rules/mus/``."""

    name = "dirhtml"
    """The name of the builder that it replaces, since the search script derives its links from this name."""

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """Return the address of a page, relative to the site."""
        return super().get_target_uri(address_of(docname), typ)

    def get_output_path(self, page_name: str, /) -> Path:
        """Return the path of the file of a page."""
        return super().get_output_path(address_of(page_name))

    def prepare_writing(self, docnames: set[str]) -> None:
        """Prepare the entries of the sidebar: titles alone, since Sphinx copies all of them for each page."""
        super().prepare_writing(docnames)
        self._titles = {name: _without_headings(toc) for name, toc in self.env.tocs.items()}

    def _get_local_toctree(self, docname: str, collapse: bool = True, **options: Any) -> str:  # noqa: ANN401, FBT001, FBT002 - theirs
        whole, self.env.tocs = self.env.tocs, self._titles
        try:
            return super()._get_local_toctree(docname, collapse, **options)
        finally:
            self.env.tocs = whole

    def load_indexer(self, docnames: set[str]) -> None:
        """Start with an empty search index. The old one has addresses, from which names cannot be derived."""

    def dump_search_index(self) -> None:
        """Write the search index with the addresses of pages in place of their names, for links by scripts."""
        if self.indexer is not None:
            frozen = self.indexer.freeze

            def freeze() -> dict[str, Any]:
                found = frozen()
                return found | {"docnames": [address_of(name) for name in found["docnames"]]}

            self.indexer.freeze = freeze  # type: ignore[method-assign]  # of this one object
        super().dump_search_index()


def _without_headings(toc: nodes.bullet_list) -> nodes.bullet_list:
    """Return the contents of a page without those below its title, unless other pages are below it."""
    if next(toc.findall(toctree), None) is not None:
        return toc
    title = toc.deepcopy()
    for item in title.children:
        assert isinstance(item, nodes.Element)
        del item[1:]
    return title


def listed(name: str) -> list[str]:
    """Return the names of the pages that a page lists, in order: the first link of each item."""
    page = ROOT / f"{name}.md"
    links = re.findall(r"^- \[[^\]]*\]\(([^)#]+)\.md\)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [os.path.relpath(page.parent / link, ROOT) for link in links]


def children(name: str, found: set[str]) -> list[str]:
    """Return the names of the pages below a page in the sidebar.

    Args:
        name: the page.
        found: the names of all pages.
    """
    if name == _MESSAGES:
        return sorted(page for page in found if page.startswith("docs/reference/") and page != name)
    if name == _REST:
        placed = {*LISTS, *(page for each in (*LISTS, _MESSAGES) for page in _children_listed(each, found))}
        return listed(name) + sorted(found - placed)
    return listed(name)


def _children_listed(name: str, found: set[str]) -> list[str]:
    return listed(name) if name == _REST else children(name, found)


def take_in(app: Sphinx, name: str, source: list[str]) -> None:
    """Add a hidden table of contents with the children of a page, for the sidebar."""
    if name in (*LISTS, _MESSAGES):
        pages = "".join(f"/{page}\n" for page in children(name, set(app.env.found_docs)))
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{pages}```\n"


def teach(_app: Sphinx, name: str, source: list[str]) -> None:
    """Link the lesson of a game below the heading of its rule page, if there is one."""
    if (page := re.fullmatch(_RULES, name)) and (address := lesson_address(page[1])):
        heading, rest = source[0].split("\n", 1)
        source[0] = f'{heading}\n\n<p><a href="{address}">{heading.lstrip("# ")} in five minutes</a></p>\n{rest}'


def lead(app: Sphinx, document: nodes.document) -> None:
    """Redirect links to folders and contract files to their pages, and make links to other files downloads."""
    for link in list(document.findall(lambda node: isinstance(node, pending_xref | download_reference))):
        assert isinstance(link, nodes.Element)
        if link.get("reftype") == "myst":
            _lead(app.env.found_docs, link)


def _lead(found: set[str], link: nodes.Element) -> None:
    is_page = link.get("refdomain") == "doc"
    target = link["reftarget"] if is_page else _within(link["refdoc"], link["reftarget"])
    contract = re.fullmatch(r"proto/ordago/v1/(\w+)\.proto", target)
    page = f"docs/reference/{contract[1]}" if contract else f"{target}/README"
    if is_page and target not in found:
        file = os.path.relpath(f"{target}.md", Path(link["refdoc"]).parent)
        link.replace_self(_made(download_reference, link, reftarget=file, refdomain=None))
    elif page in found:
        link.replace_self(_made(pending_xref, link, reftarget=page, refdomain="doc", reftargetid=None))
    elif (ROOT / target).is_dir() and not is_page:
        link.replace_self(link.children)


def _made(kind: type[nodes.Element], link: nodes.Element, **values: str | None) -> nodes.Element:
    """Return a link of another kind with the same text."""
    return kind("", *link.children, reftype="myst", refexplicit=True, refdoc=link["refdoc"], **values)


def _within(page: str, link: str) -> str:
    """Return the target of a link on a page, as a path in the checkout."""
    return os.path.normpath(PurePosixPath(page).parent / link.partition("#")[0])


def read_docstring(_app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Convert a Google-style docstring. Docstrings of attributes are plain text, since Napoleon would see a type."""
    if what not in ("attribute", "data", "property"):
        lines[:] = GoogleDocstring(lines, Config(), what=what, name=name, obj=obj, options=options).lines()


def make_accessible(app: Sphinx, problem: Exception | None) -> None:
    """Apply ``_ACCESSIBLE`` to the built pages, since the templates of the theme have no option for it."""
    for page in [] if problem else app.outdir.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for written, better in _ACCESSIBLE.items():
            text = text.replace(written, better)
        page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension with Sphinx."""
    # In signatures, instead of an address in memory that differs from build to build.
    EnumTypeWrapper.__repr__ = lambda enum: enum.DESCRIPTOR.full_name
    app.setup_extension("sphinx.ext.autodoc")
    app.add_builder(SiteBuilder, override=True)
    app.connect("source-read", take_in)
    app.connect("source-read", teach)
    # Before Sphinx collects downloads.
    app.connect("doctree-read", lead, priority=400)
    app.connect("autodoc-process-docstring", read_docstring)
    app.connect("build-finished", make_accessible)
    # Dialogues of the protocol are plain text.
    app.add_lexer("dialogue", TextLexer)
    # An example that rustdoc compiles, but does not run.
    app.add_lexer("rust,no_run", RustLexer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
