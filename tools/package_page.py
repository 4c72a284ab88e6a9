"""The page of the package: the README, whose links and pictures lead to the repository from anywhere."""

import re
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

_REPOSITORY: Final = "https://github.com/ordago/ordago"


class PageHook(MetadataHookInterface):
    """A metadata hook that adds the page."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the page to the metadata of the package."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_whole_links(text)}


def with_whole_links(text: str) -> str:
    """Return a page in which each link to a file of the repository is an address, and each picture is one of a file."""
    return re.sub(
        r"(!?)(\[[^]]*\])\((?!https?:|#)([^)]+)\)",
        lambda link: f"{link[1]}{link[2]}({_REPOSITORY}/{'raw' if link[1] else 'blob'}/main/{link[3]})",
        text,
    )
