"""The modules of Ordago that a game in a package of its own may rely on: those that the skeleton imports."""

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from support.packages import PROJECT

CONTRIBUTING = (Path(__file__).parents[3] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def imported(path: Path) -> Iterator[str]:
    """Yield the modules of Ordago that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith("ordago"))
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").startswith("ordago"):
            names = [f"ordago.{name.name}" for name in node.names]
            yield from names if node.module == "ordago" else [str(node.module)]


def test_the_page_lists_the_modules_that_the_skeleton_imports() -> None:
    written = (path for path in PROJECT.rglob("*.py") if not path.name.endswith("_pb2.py"))
    used = {name for path in written for name in imported(path) if not name.startswith("ordago_highcard")}
    [listed] = re.findall(
        r"may rely on the modules that the skeleton imports: (.*?)\. All others", CONTRIBUTING, re.DOTALL
    )
    assert set(re.findall(r"`([\w.]+)`", listed)) == used
    for name in used:
        import_module(name)
