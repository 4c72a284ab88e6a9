"""Draw the faces of all cards, or check that the files are up to date: ``make proto`` and ``make drift``."""

import argparse
import sys
from pathlib import Path

from facts import ROOT, read_facts

from faces import ASSETS, written


def differing(files: dict[Path, str]) -> list[Path]:
    """Return the files that are missing or outdated, and the face files and rule pictures that nothing draws."""
    wrong = [path for path, text in files.items() if not path.exists() or path.read_text("utf-8") != text]
    return wrong + [
        path for folder in ("faces", "rules") for path in sorted((ASSETS / folder).rglob("*.svg")) if path not in files
    ]


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m faces", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    check = parser.parse_args().check
    files = dict(written(read_facts()))
    if not check:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    elif wrong := differing(files):
        names = ", ".join(str(path.relative_to(ROOT)) for path in wrong)
        sys.exit(f"these files are not what tools/faces draws; make proto writes them anew: {names}")


if __name__ == "__main__":
    main()
