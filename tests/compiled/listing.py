"""The list of what is compiled, as the tool has it and as a build has it."""

import importlib.util
from pathlib import Path

from ordago.build import ORIGIN

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "server"

_spec = importlib.util.spec_from_file_location("compiled_modules", ROOT / "tools/compiled_modules.py")
assert _spec is not None
assert _spec.loader is not None
compiled_modules = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(compiled_modules)

MODULES: list[str] = compiled_modules.compiled_modules(SERVER)
"""What is to be compiled."""


def listed(folder: Path) -> list[str]:
    """Return what a build that was installed into a folder says that it was compiled from."""
    lines = (folder / "ordago" / ORIGIN).read_text(encoding="utf-8").splitlines()
    return [line.partition("  ")[2] for line in lines]
