"""Build the packages of all languages: ``python tools/archives.py FOLDER``.

Two builds of the same commit are the same, byte for byte. C++ has no registry: its package managers build from the
sources of the release.
"""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from packages import build
from versions import versions

ROOT: Final = Path(__file__).parents[1]
GO_MODULE: Final = "github.com/ordago/ordago/clients/go"
NEEDS: Final = ("git", "npm", "cargo", "mvn")
_JARS: Final = ("", "-sources", "-javadoc")
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of files in a ZIP archive, which has none before it."""


def version_of(root: Path) -> str:
    """Return the version of a checkout."""
    return next(versions(root))[1]


def kept(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder that git keeps, relative to it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S607 - git
    yield from map(Path, filter(None, listed.stdout.split("\0")))


def run(*words: str, folder: Path) -> None:
    """Run a program in a folder, without its output."""
    subprocess.run(words, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - ours


def npm_archive(root: Path, folder: Path) -> Path:
    """Pack the SDK for npm, in a copy, since its modules and results would stay."""
    with TemporaryDirectory() as scratch:
        for path in kept(root / "clients/typescript"):
            copy = Path(scratch, path)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / "clients/typescript" / path, copy)
        run("npm", "ci", "--silent", folder=Path(scratch))
        run("npm", "pack", "--silent", "--pack-destination", str(folder), folder=Path(scratch))
    return folder / f"ordago-{version_of(root)}.tgz"


def crate(root: Path, folder: Path) -> Path:
    """Pack the SDK for cargo."""
    with TemporaryDirectory() as scratch:
        words = ("package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir", scratch)
        run("cargo", *words, folder=root / "clients/rust")
        return Path(shutil.copy(Path(scratch, f"package/ordago-{version_of(root)}.crate"), folder))


def go_archive(root: Path, folder: Path) -> Path:
    """Pack the SDK as a module proxy has it; the template is a module of its own."""
    version = f"v{version_of(root)}"
    path = folder / f"{version}.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(file for file in kept(root / "clients/go") if file.parts[0] != "template"):
            entry = zipfile.ZipInfo(f"{GO_MODULE}@{version}/{file}", _EARLIEST)
            archive.writestr(entry, (root / "clients/go" / file).read_bytes(), zipfile.ZIP_DEFLATED)
    return path


def jars(root: Path, folder: Path) -> list[Path]:
    """Pack the SDK for Maven: classes, sources, documentation, and its description."""
    sdk, name = root / "clients/java", f"ordago-bot-{version_of(root)}"
    run("mvn", "-q", "-B", "-P", "release,-bots", "package", "-DskipTests", folder=sdk)
    built = [(sdk / f"target/ordago-bot{kind}.jar", folder / f"{name}{kind}.jar") for kind in _JARS]
    return [Path(shutil.copy(*pair)) for pair in [*built, (sdk / "pom.xml", folder / f"{name}.pom")]]


def sources(root: Path, folder: Path) -> Path:
    """Pack everything that git keeps: what Conan, vcpkg and distributions build from."""
    path = folder / f"ordago-{version_of(root)}-sources.tar.gz"
    prefix = f"--prefix=ordago-{version_of(root)}/"
    run("git", "archive", "--format=tar.gz", prefix, f"--output={path}", "HEAD", folder=root)
    return path


def main() -> None:
    """Build all of them into the folder of the command line."""
    folder = Path(sys.argv[1]).absolute()
    build(folder)
    npm_archive(ROOT, folder)
    crate(ROOT, folder)
    go_archive(ROOT, folder).rename(folder / f"ordago-go-{version_of(ROOT)}.zip")
    jars(ROOT, folder)
    sources(ROOT, folder)


if __name__ == "__main__":
    main()
