"""The rule pages of games, in Markdown."""

from pathlib import Path
from typing import Final

from ordago.games.definition import AnyGame

_PACKAGE: Final = Path(__file__).parents[1]
_FOLDERS: Final = (_PACKAGE / "rule_pages", _PACKAGE.parents[1] / "docs" / "rules")
"""The folders of the built-in rule pages: in the installed package, and in a checkout."""


def rule_page(game: AnyGame) -> str:
    """Return the rule page of a game; empty if there is none."""
    if game.rule_page:
        return game.rule_page
    pages = (folder / f"{game.name}.md" for folder in _FOLDERS)
    return next((page.read_text(encoding="utf-8") for page in pages if page.exists()), "")
