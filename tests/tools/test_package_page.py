"""The page of the package works in a registry, which has none of the files that the README links to."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from package_page import PageHook, with_whole_links

ROOT = Path(__file__).parents[2]
BLOB = "https://github.com/ordago/ordago/blob/main"


def test_links_lead_to_the_repository_and_others_stay() -> None:
    assert with_whole_links("[a](docs/a.md#b) [c](https://c.org) [d](#d)\n[e\nf](LICENSE)") == (
        f"[a]({BLOB}/docs/a.md#b) [c](https://c.org) [d](#d)\n[e\nf]({BLOB}/LICENSE)"
    )
    assert with_whole_links("![a](b.png)") == "![a](https://github.com/ordago/ordago/raw/main/b.png)"


def test_the_page_is_the_readme_with_addresses_alone() -> None:
    metadata: dict[str, dict[str, str]] = {}
    PageHook(str(ROOT), {}).update(metadata)
    assert metadata["readme"]["content-type"] == "text/markdown"
    page = metadata["readme"]["text"]
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) == len(re.findall(r"\]\(", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert all(link.startswith(("https://", "#")) for link in links)
