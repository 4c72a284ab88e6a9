"""The documentation at the site: its pages and index, where they lie, and where a link on one of them leads to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import trio
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ordago.names import quoted
from ordago_web.context import AppContext
from ordago_web.docs.markdown import Document, rendered

_PACKAGED: Final = Path(__file__).parent / "shelf"
_CHECKOUT: Final = Path(__file__).parents[3]
_ROOT: Final = "/docs"
_PATTERNS: Final = ("*.md", "docs/**/*.md", "clients/*/README.md")
_PICTURES: Final = "docs/pictures/*.png"
_ELSEWHERE: Final = ("https", "http", "mailto")
"""The schemes of links that may lead away."""


class Section(NamedTuple):
    """Pages that belong together, as the index lists them."""

    title: str
    paths: Sequence[str]


_ORDER: Final = (
    (
        "First hour",
        r"clients/(?!transcripts|verify-epoch).*|docs/clients\.md|docs/doctor\.md|docs/remote\.md|docs/by-hand\.md",
    ),
    ("Rules", r"docs/rules/.*"),
    ("Protocol", r"docs/(protocol|faults|stability|formats|glossary|house)\.md|clients/transcripts/.*"),
    (
        "Ratings and proof",
        r"docs/(ratings|variance|duplicates|sequential|results|proof|verification|record-digest)\.md|clients/verify.*",
    ),
    ("A standing ladder", r"docs/standing-ladder.*"),
    ("Reference", r"docs/reference/.*"),
    ("The rest", r".*"),
)
"""The sections of the index: a page belongs to the first whose pattern fits its path."""


class Library:
    """The pages below a folder, which is a checkout, or what a package has of one."""

    def __init__(self, folder: Path) -> None:
        """Look into a folder."""
        self._folder = folder

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """The path of each page in the folder, by its address."""
        return {address_of(path): path for path in sorted(self._found(*_PATTERNS))}

    @cached_property
    def pictures(self) -> Mapping[str, str]:
        """The path of each picture in the folder, by its address."""
        return {f"{_ROOT}/{path.removeprefix('docs/')}": path for path in self._found(_PICTURES)}

    @cached_property
    def sections(self) -> Sequence[Section]:
        """All pages in their sections."""
        paths: dict[str, list[str]] = {title: [] for title, _ in _ORDER}
        for path in self.paths.values():
            title = next(title for title, pattern in _ORDER if re.fullmatch(pattern, path))
            paths[title].append(path)
        return [Section(title, found) for title, found in paths.items() if found]

    @cache  # noqa: B019 - there is one library, and it stays
    def page(self, path: str) -> Document:
        """Return a page, rendered, by its path in the folder: one of ``paths``."""
        text = (self._folder / path).read_text(encoding="utf-8")
        return rendered(text, partial(self.leads, path))

    def picture(self, address: str) -> bytes | None:
        """Return a picture by its address, a PNG; ``None`` where there is none."""
        path = self.pictures.get(address)
        return None if path is None else (self._folder / path).read_bytes()

    def leads(self, path: str, link: str) -> str | None:
        """Return where a link leads to that stands on the page of a path; ``None``: to nothing that is shown.

        Only what is one of ours is: a link is looked up, and never opened.
        """
        try:
            parts = urlsplit(link)
        except ValueError:
            return None
        if parts.scheme or parts.netloc:
            return link if parts.scheme in _ELSEWHERE else None
        target = _beside(path, unquote(parts.path)) if parts.path else path
        address = address_of(target)
        if address in self.pictures or address in self.paths:
            return address + (f"#{quote(unquote(parts.fragment))}" if parts.fragment else "")
        return None

    def _found(self, *patterns: str) -> Iterator[str]:
        for pattern in patterns:
            for path in self._folder.glob(pattern):
                yield path.relative_to(self._folder).as_posix()


def _beside(path: str, link: str) -> str:
    """Return the path that a link on a page means, without its dots; one that leads out of the folder means none."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / link).parts:
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            return ""
    return "/".join(parts)


def address_of(path: str) -> str:
    """Return the address of a page, or of a picture, by its path. What a file of the contract says stands on a page."""
    path = re.sub(r"^proto/ordago/v1/(\w+)\.proto$", r"docs/reference/\1.md", path)
    place = re.sub(r"(/README)?\.md$", "", path.removeprefix("docs/"))
    return f"{_ROOT}/{place if '/' in path else place.lower()}"


@cache
def library() -> Library:
    """Return the pages that are shipped: of the installed package, or of the checkout that it lies in."""
    return Library(_PACKAGED if _PACKAGED.is_dir() else _CHECKOUT)


def routes(context: AppContext) -> Sequence[BaseRoute]:
    """Return where the documentation is."""
    return [Route("/docs", partial(_index, context)), Route("/docs/{rest:path}", partial(_page, context))]


async def _index(context: AppContext, request: Request) -> Response:
    return context.pages.render(request, "docs/index.html.jinja", sections=await trio.to_thread.run_sync(_titles))


def _titles() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the sections with their pages: where each is, and what it is called."""
    return [
        (section.title, [(address_of(path), library().page(path).title) for path in section.paths])
        for section in library().sections
    ]


async def _page(context: AppContext, request: Request) -> Response:
    if not request.path_params["rest"]:
        return RedirectResponse("/docs")
    address = request.url.path.rstrip("/")
    picture = library().picture(address)
    if picture is not None:
        return Response(picture, media_type="image/png", headers={"Cache-Control": "public, max-age=3600"})
    path = library().paths.get(address)
    if path is None:
        raise HTTPException(404, f"There is no page {quoted(address)} in the documentation.")
    document = await trio.to_thread.run_sync(library().page, path)
    parts = [heading for heading in document.headings if heading.level == 2]
    return context.pages.render(request, "docs/page.html.jinja", document=document, parts=parts)
