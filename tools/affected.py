"""List the tests that a change may affect, and check whether the SDKs in other languages have changed.

``make affected`` and ``make test`` run it. Tests mirror the packages, so a change affects the test folder of its
package, and each test file that names the changed module. Coverage data would miss the many tests that run programs of
their own.
"""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from foreign_clients import ROOT, say

MIRRORED: Final = {
    "server/ordago": "tests",
    "server/ordago_bench": "tests/bench",
    "server/ordago_cli": "tests/cli",
    "server/ordago_doctor": "tests/doctor",
    "clients/python/ordago_bot": "tests/clients",
    "clients/python/ordago_gym": "tests/gym",
    "tournaments/ordago_ladder": "tests/ladder",
    "tournaments/ordago_web": "tests/web",
    "tools": "tests/tools",
}
"""The folders of sources, each with the folder of its tests."""
ALWAYS: Final = ("tests/test_layers.py", "tests/test_lengths.py")
"""Tests that concern every change of a file."""
PAGES: Final = ("tests/test_docs.py", "tests/test_readme.py", "tests/web/test_documentation.py")
"""Tests that concern every change of a page."""
FOREIGN: Final = ("clients", "proto", ":!clients/python")
"""Git path specifications of the sources of the SDKs in other languages."""
STAMP: Final = ROOT / "out" / "tested"
"""The file with the digest of these sources when their tests last passed."""


def changed_since(commit: str) -> list[Path]:
    """Return the files that differ from a commit, new ones included, as paths from the root."""
    names = git("diff", "-z", "--name-only", commit) + git("ls-files", "-z", "--others", "--exclude-standard")
    return [Path(name) for name in names.split("\0") if name]


def git(*words: str) -> str:
    """Return the output of a git command; empty if it fails."""
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout  # noqa: S603, S607 - our own


def concerned(changed: list[Path]) -> list[str]:
    """Return the test files and folders that changed files may affect, as paths from the root, sorted."""
    found = {test for path in changed for test in _mirroring(path)}
    found.update(_naming([word for path in changed for word in _names(path)]))
    found.update(ALWAYS if changed else ())
    return sorted(test for test in found if not any(str(folder) in found for folder in Path(test).parents))


def _mirroring(path: Path) -> Iterator[str]:
    """Yield the tests at the place that mirrors a file."""
    if path.suffix == ".md":
        yield from PAGES
    if path.parts[0] == "tests" and (ROOT / path).is_file():
        if path.match("test_*.py"):
            yield str(path)
        elif path.parts[1] != "support":
            yield str(path.parent)
    for sources, tests in MIRRORED.items():
        if path.is_relative_to(sources):
            yield from _of_package(Path(tests), path.relative_to(sources).parent)


def _of_package(tests: Path, package: Path) -> Iterator[str]:
    """Yield the test folder of a package, or of the nearest parent that has one; at the top only its own files."""
    while not (ROOT / tests / package).is_dir():
        package = package.parent
    if (folder := tests / package) == Path("tests"):
        yield from (str(path.relative_to(ROOT)) for path in (ROOT / folder).glob("test_*.py"))
    else:
        yield str(folder)


def _names(path: Path) -> Iterator[str]:
    """Yield the name by which a test refers to a file: the dotted module name, or the file name."""
    if path.suffix != ".py":
        yield path.name
        return
    parts = path.with_suffix("").parts
    depth = next((len(Path(root).parent.parts) for root in MIRRORED if path.is_relative_to(root)), 1)
    yield ".".join(parts[depth:-1] if parts[-1] == "__init__" else parts[depth:])


def _naming(names: list[str]) -> Iterator[str]:
    """Yield the test files that contain one of these names."""
    if names:
        name = re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, names))})(?![\w.])")
        for test in (ROOT / "tests").rglob("test_*.py"):
            if name.search(test.read_text(encoding="utf-8")):
                yield str(test.relative_to(ROOT))


def foreign_digest() -> str:
    """Return a digest of the sources of the SDKs in other languages."""
    names = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *FOREIGN).split("\0")
    paths = [ROOT / name for name in sorted(names) if name and (ROOT / name).is_file()]
    return sha256("\n".join(f"{path} {sha256(path.read_bytes()).hexdigest()}" for path in paths).encode()).hexdigest()


def foreign_changed() -> bool:
    """Return True if these sources have changed since their tests last passed; a clean checkout has passed in CI.

    CI itself, which sets ``CI``, knows of no earlier run, so there they always have.
    """
    if os.environ.get("CI"):
        return True
    if STAMP.exists():
        return STAMP.read_text(encoding="utf-8") != foreign_digest()
    return bool(git("status", "--porcelain", "--", *FOREIGN))


def main() -> None:
    """Run a task: print tests, return by exit code 0 that SDKs have changed, or record that tests passed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("tests", "foreign", "passed"))
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="what the checkout is compared with")
    arguments = parser.parse_args()
    if arguments.task == "tests":
        say("\n".join(concerned(changed_since(arguments.since))))
    elif arguments.task == "passed":
        STAMP.parent.mkdir(exist_ok=True)
        STAMP.write_text(foreign_digest(), encoding="utf-8")
    elif not foreign_changed():
        sys.exit("the SDKs in other languages are as when tests passed: left out; make test-all builds and tests them")


if __name__ == "__main__":
    main()
