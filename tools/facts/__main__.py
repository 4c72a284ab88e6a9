"""Generate the card tables of the SDKs, or check that they are up to date: ``make proto`` and ``make drift``."""

import argparse
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from facts import ROOT, Facts, read_facts

_FOLDERS: Final = {"golang": "go"}
"""The folders of languages whose module has another name."""


def written(facts: Facts) -> Iterator[tuple[Path, str]]:
    """Yield each file with its text."""
    for module in iter_modules([str(Path(__file__).parent)]):
        if module.name != "__main__":
            folder = ROOT / "clients" / _FOLDERS.get(module.name, module.name)
            for path, text in import_module(f"facts.{module.name}").written(facts).items():
                yield folder / path, text


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m facts", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    files = dict(written(read_facts()))
    if not check:
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
    elif wrong := [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]:
        names = ", ".join(str(path.relative_to(ROOT)) for path in wrong)
        sys.exit(f"these files do not say what proto/cards.json says; make proto writes them anew: {names}")


if __name__ == "__main__":
    main()
