"""The pages that are shipped: all of them, and nothing else."""

import re
import tomllib
from pathlib import Path

import pytest

from ordago_web.docs.library import Library, address_of, library

ROOT = Path(__file__).parents[3]
PATHS = sorted(library().paths.values())


def test_all_documentation_is_there():
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")} <= set(PATHS)
    assert {f"clients/{name}/README.md" for name in ("python", "go", "rust", "java", "cpp", "typescript")} <= set(PATHS)
    assert len({address_of(path) for path in PATHS}) == len(PATHS)


def test_the_index_lists_every_page_once():
    listed = [path for section in library().sections for path in section.paths]
    assert sorted(listed) == PATHS


@pytest.mark.parametrize("path", PATHS)
def test_every_page_has_a_title_and_links_that_lead_somewhere(path: str):
    document = library().page(path)
    assert document.title
    for place in re.findall(r'(?:href|src)="(/docs[^"]*)"', document.html):
        address, _, anchor = place.partition("#")
        if address in library().pictures:
            continue
        there = library().page(library().paths[address])
        assert not anchor or anchor in {heading.anchor for heading in there.headings}


@pytest.mark.parametrize(
    ("link", "place"),
    [
        ("faults.md", "/docs/faults"),
        ("./rules/../faults.md#the-table", "/docs/faults#the-table"),
        ("#here", "/docs/protocol#here"),
        ("../clients/go/README.md", "/docs/clients/go"),
        ("../clients/go", "/docs/clients/go"),
        ("../proto/ordago/v1/match.proto", "/docs/reference/match"),
        ("pictures/ladder.png", "/docs/pictures/ladder.png"),
        ("https://example.org/x", "https://example.org/x"),
        ("../server/ordago/names.py", None),
        ("../../../../etc/passwd", None),
        ("..%2f..%2f..%2fetc/passwd", None),
        ("/etc/passwd", None),
        ("//evil.example/docs/faults.md", None),
        ("file:///etc/passwd", None),
        ("javascript:alert(1)", None),
        ("http://[", None),
        ("faults.md%00", None),
        ("../.git/config", None),
    ],
)
def test_links_lead_to_pages_that_there_are_and_out_of_the_folder_never(link: str, place: str | None):
    assert library().leads("docs/protocol.md", link) == place


def test_a_hostile_page_opens_nothing(tmp_path: Path):
    (tmp_path / "secret.txt").write_text("secret")
    folder = tmp_path / "book"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "evil.md").write_text(
        "# Evil\n\n![x](../../secret.txt) [y](../../secret.txt) [z](../docs/evil.md)"
    )
    book = Library(folder)
    html = book.page("docs/evil.md").html
    assert "secret" not in html
    assert 'href="/docs/evil"' in html
    assert book.picture("/docs/../../secret.txt") is None


def test_the_package_takes_all_of_it_along():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packaged = told["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    within = {source for source, place in packaged.items() if place == f"ordago_web/docs/shelf/{source}"}
    assert not [path for path in PATHS if not any(path == source or path.startswith(f"{source}/") for source in within)]
