"""The version of all packages: ``server/ordago/version.py`` has it, and manifests in other languages repeat it.

Versions of bots in examples and templates are their authors' and stay as they are.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_NAMED: Final = r'"?name"? ?[:=] "ordago",?\s+"?version"? ?[:=] "([^"]+)"'
"""The version after the name, in the manifests and lock files of npm and cargo."""
PLACES: Final = (
    ("server/ordago/version.py", r'__version__ = "([^"]+)"'),
    ("clients/cpp/CMakeLists.txt", r"\n  VERSION (\S+)"),
    ("clients/cpp/conanfile.py", r'\n    version = "([^"]+)"'),
    ("clients/cpp/vcpkg.json", r'"version-semver": "([^"]+)"'),
    ("clients/go/README.md", r"`clients/go/v([^`]+)`"),
    ("clients/go/bot.go", r'\nconst Version = "([^"]+)"'),
    ("clients/go/example_test.go", r"\(ordago go ([^)]+)\)"),
    ("clients/go/project.toml", r'"clients/go v(\d[^"]+)"'),
    ("clients/go/template/go.mod", r"clients/go v(\S+)"),
    ("clients/java/README.md", r"<artifactId>ordago-bot</artifactId>\s+<version>([^<]+)<"),
    ("clients/java/pom.xml", r"<artifactId>ordago-bot</artifactId>\s+<version>([^<]+)<"),
    ("clients/java/project.toml", r"ordago-bot</artifactId>\s+<version>(\d[^<]+)<"),
    ("clients/java/src/main/java/org/ordago/bot/Player.java", r' VERSION = "([^"]+)"'),
    ("clients/java/template/bot/pom.xml", r"<artifactId>ordago-bot</artifactId>\s+<version>([^<]+)<"),
    ("clients/rust/Cargo.lock", _NAMED),
    ("clients/rust/Cargo.toml", _NAMED),
    ("clients/typescript/package-lock.json", _NAMED),
    ("clients/typescript/package.json", _NAMED),
    ("clients/typescript/src/version.ts", r' VERSION = "([^"]+)"'),
)
"""Each file with the version, and the text around it."""
_CHANGELOGS: Final = ("CHANGELOG.md", "clients/*/CHANGELOG.md")
_UNRELEASED: Final = "## [Unreleased]\n"


def versions(root: Path) -> Iterator[tuple[str, str]]:
    """Yield each file that has the version, with the version that it has; a file without one has ``""``."""
    for path, pattern in PLACES:
        found = re.findall(pattern, (root / path).read_text(encoding="utf-8"))
        yield from ((path, version) for version in found or [""])


def set_version(root: Path, version: str) -> None:
    """Write the version into all files that have it."""
    for path, pattern in PLACES:
        file = root / path
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(pattern, lambda found: _replaced(found, version), text), encoding="utf-8")


def _replaced(found: re.Match[str], version: str) -> str:
    start, end = (place - found.start() for place in found.span(1))
    return f"{found[0][:start]}{version}{found[0][end:]}"


def unreleased(root: Path) -> str:
    """Return what the changelog says of the next version; empty for nothing."""
    text = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    return text.partition(_UNRELEASED)[2].partition("\n## ")[0].strip()


def cut_changelogs(root: Path, version: str, day: str) -> None:
    """Give what is unreleased in all changelogs its version and day, written 2026-11-29."""
    for file in (file for pattern in _CHANGELOGS for file in root.glob(pattern)):
        head, mark, rest = file.read_text(encoding="utf-8").partition(_UNRELEASED)
        if rest.partition("\n## ")[0].strip():
            file.write_text(f"{head}{mark}\n## [{version}] - {day}\n{rest}", encoding="utf-8")
