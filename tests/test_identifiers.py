"""Names in the code are terms of the field: words that only its authors knew do not come back."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOTS = ("server", "tournaments", "clients/python")
GONE = {
    "annexe": "hosted events",
    "belief": "posterior",
    "books": "repository",
    "carving": "masked paths",
    "crew": "pool",
    "desk": "handlers",
    "door": "call gate",
    "edition": "page layout",
    "greeter": "hello key",
    "hall": "event entry",
    "halls": "event router",
    "lives": "process slots",
    "lottery": "pairing draw",
    "office": "run context",
    "parlour": "play sessions",
    "premises": "context",
    "refereed": "pooled match",
    "shelf": "cache",
    "shield": "security middleware",
    "sittings": "human matches",
    "summit": "MAP estimate",
    "telecast": "live view",
    "told": "reported, notified, text",
}
"""Each word that is gone, with what is said instead."""


_ANY_GONE = re.compile("|".join(GONE), re.IGNORECASE)


def _files() -> Iterator[Path]:
    for root in ROOTS:
        for path in sorted((ROOT / root).rglob("*.py")):
            if not path.name.endswith("_pb2.py") and "__pycache__" not in path.parts:
                yield path


def _may_have_one(path: Path) -> bool:
    """Return whether to parse a file: one without any of the letters holds no such name."""
    return _ANY_GONE.search(f"{path.stem} {path.read_text(encoding='utf-8')}") is not None


def _names(tree: ast.Module) -> Iterator[str]:
    """Yield what a module defines and binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _words(name: str) -> set[str]:
    """Return the words of a name in snake or camel case, in lower case."""
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}


def test_a_name_is_cut_into_its_words() -> None:
    assert _words("_CrewOfTwo") == {"crew", "of", "two"}
    assert _words("_MOST_BOOKS") == {"most", "books"}


def test_no_name_has_a_word_that_is_gone() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {name}": GONE[word]
        for path in _files()
        if _may_have_one(path)
        for name in {path.stem, *_names(ast.parse(path.read_text()))}
        for word in sorted(_words(name) & GONE.keys())
    }
    assert not found, "each is called what stands beside it"
