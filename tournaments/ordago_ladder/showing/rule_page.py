"""The rule pages of games, in Markdown: one for people, in several languages, and one for authors of bots."""

from pathlib import Path
from typing import Final

from ordago.games.definition import AnyGame

_PACKAGE: Final = Path(__file__).parents[1]
_FOLDERS: Final = (_PACKAGE / "rule_pages", _PACKAGE.parents[1] / "docs" / "rules")
"""The folders of the built-in rule pages: in the installed package, and in a checkout."""


def rule_page(game: AnyGame, *, language: str = "en") -> str:
    """Return the rule page of a game for people, in English if there is none in a language; empty if there is none.

    Args:
        game: the game.
        language: a code of letters alone, such as ``es``. No other text names a folder.
    """
    translated = (f"{language}/{game.name}",) if language.isalpha() else ()
    return game.rule_page or _first(*translated, game.name)


def bot_rule_page(game: AnyGame) -> str:
    """Return the page of a game that has all rules, for authors of bots; empty if there is none."""
    return game.rule_page or _first(f"{game.name}-for-bots", game.name)


def _first(*names: str) -> str:
    pages = (folder / f"{name}.md" for name in names for folder in _FOLDERS)
    return next((page.read_text(encoding="utf-8") for page in pages if page.exists()), "")
