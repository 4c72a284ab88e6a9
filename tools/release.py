"""Prepare a release: ``make release VERSION=0.1.0`` does everything that needs no rights at a registry.

It commits and tags in a clone, never in this checkout, builds all packages there and once more in a second clone,
compares both byte for byte, and writes archives, checksums, licences and a bill of materials to
``out/release/VERSION``.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from archives import NEEDS, ROOT
from versions import cut_changelogs, set_version, unreleased

_VERSION: Final = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)
_EXTRAS: Final = "server,web,postgres,encryption,parquet,cluster,gym,onnx"
"""The extras in the bill of materials: all but those of the peers that the rules are measured beside."""


class RefusedError(Exception):
    """The release cannot be prepared; the message says why, and what to do."""


def prepare(root: Path, version: str, out: Path) -> None:
    """Prepare a release of a checkout into a folder that does not exist yet."""
    check(root, version, out)
    with TemporaryDirectory(prefix="release-") as scratch:
        first, second, made = (Path(scratch, name) for name in ("source", "second", "made"))
        _clone(root, first)
        _commit(first, version)
        _clone(first, second)
        made.mkdir()
        archives = _built(first, made / "archives")
        if different := differing(archives, _built(second, Path(scratch, "again"))):
            raise RefusedError(f"two builds of {version} differ: {', '.join(different)}")
        _check_archives(archives)
        _write_materials(archives, made / "ordago.cdx.json", Path(scratch, "installed"))
        (made / "SHA256SUMS").write_text("".join(sums(made)), encoding="utf-8")
        _clean_clone(first, made / "source")
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(made, out)


def check(root: Path, version: str, out: Path) -> None:
    """Check that a version can be released from a checkout.

    Raises:
        RefusedError: it cannot.
    """
    if not _VERSION.fullmatch(version):
        raise RefusedError(f"{version!r} is not a version: write three numbers, as in VERSION=0.1.0")
    tags = _git(root, "tag", "--list", "v*").split()
    if f"v{version}" in tags:
        raise RefusedError(f"the tag v{version} exists: a version is released once, so choose the next one")
    if higher := [tag for tag in tags if _VERSION.fullmatch(tag[1:]) and _numbers(tag[1:]) > _numbers(version)]:
        raise RefusedError(f"{version} is lower than {max(higher, key=lambda tag: _numbers(tag[1:]))}")
    if changed := _git(root, "status", "--porcelain"):
        raise RefusedError(f"the checkout has changes that are not committed: commit or stash them\n{changed}")
    if not unreleased(root):
        raise RefusedError("CHANGELOG.md has nothing under Unreleased: say there what changed")
    if missing := [program for program in NEEDS if shutil.which(program) is None]:
        raise RefusedError(f"{', '.join(missing)} is missing: a release has the packages of all languages")
    if out.exists():
        raise RefusedError(f"{out} exists: remove it, or go on with what is there")


def _numbers(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def _git(folder: Path, *words: str) -> str:
    ended = subprocess.run(["git", *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603, S607 - git
    return ended.stdout


def _clone(source: Path, target: Path) -> None:
    _git(source, "clone", "--quiet", "--no-hardlinks", str(source), str(target))


def _commit(tree: Path, version: str) -> None:
    """Write the version and the changelogs, and tag them; Go wants a tag with the folder of its module."""
    set_version(tree, version)
    cut_changelogs(tree, version, f"{datetime.now(UTC):%Y-%m-%d}")
    _git(tree, "commit", "--quiet", "--all", "--message", f"Release {version}")
    for tag in (f"v{version}", f"clients/go/v{version}"):
        _git(tree, "tag", "--annotate", "--message", f"Ordago {version}", tag)


def _built(tree: Path, folder: Path) -> Path:
    """Build the documentation, which the site shows, and all packages of a tree into a folder."""
    sources = os.pathsep.join(str(tree / name) for name in ("server", "clients/python", "tournaments"))
    date = _git(tree, "log", "-1", "--format=%ct").strip()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ORDAGO")}
    environment = {**inherited, "PYTHONPATH": sources, "SOURCE_DATE_EPOCH": date}
    sphinx = ("sphinx", "--quiet", "--builder", "dirhtml", "--conf-dir", "docs", "--doctree-dir", "out/doctrees")
    for words in (("-m", *sphinx, ".", "out/docs"), ("tools/archives.py", str(folder))):
        subprocess.run([sys.executable, *words], cwd=tree, check=True, env=environment)  # noqa: S603 - ours
    return folder


def differing(one: Path, other: Path) -> list[str]:
    """Return the names of files that are not the same in both folders, or missing in one."""
    names = {path.name for folder in (one, other) for path in folder.iterdir()}
    return sorted(name for name in names if _content(one / name) != _content(other / name))


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _check_archives(archives: Path) -> None:
    """Let the tools of PyPI look at what goes there."""
    wheels = sorted(map(str, archives.glob("*.whl")))
    of_python = [*wheels, *map(str, archives.glob("ordago*-[0-9.]*[0-9].tar.gz"))]
    _run_tool("twine", "check", "--strict", *of_python)
    _run_tool("check_wheel_contents", *wheels)


def _run_tool(module: str, *words: str) -> None:
    ended = subprocess.run([sys.executable, "-m", module, *words], capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if ended.returncode:
        raise RefusedError(f"{module} finds fault with the packages:\n{ended.stdout}{ended.stderr}")


def _write_materials(archives: Path, file: Path, installed: Path) -> None:
    """Install the packages with their dependencies, and write their bill of materials and licences."""
    venv.create(installed, with_pip=True)
    python = installed / "bin/python"
    wheels = [f"{wheel}[{_EXTRAS}]" if wheel.name.startswith("ordago-") else wheel for wheel in archives.glob("*.whl")]
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wheels]
    subprocess.run(pip, check=True)  # noqa: S603 - ours
    _run_tool("cyclonedx_py", "environment", "--output-reproducible", "--output-file", str(file), str(python))
    listed = ("--python", str(python), "--format", "markdown", "--output-file", str(file.with_name("LICENCES.md")))
    _run_tool("piplicenses", *listed)


def sums(folder: Path) -> Iterator[str]:
    """Yield a line of ``sha256sum`` for each file in a folder."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"


def _clean_clone(source: Path, target: Path) -> None:
    """Keep the commit and its tags, without what was built there."""
    _git(source, "clone", "--quiet", "--bare", "--no-hardlinks", str(source), str(target))


def main() -> None:
    """Prepare the version of the command line, and say what a person does next."""
    version = sys.argv[1] if len(sys.argv) > 1 else ""
    out = ROOT / "out/release" / version
    try:
        prepare(ROOT, version, out)
    except RefusedError as error:
        sys.exit(f"release: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"release: {error.cmd[0]} ended with {error.returncode}; nothing was written to {out}")
    print((out / "SHA256SUMS").read_text(encoding="utf-8"))  # noqa: T201 - a command
    tags = f"HEAD:main v{version} clients/go/v{version}"
    print(f"Look at what is in {out}. To publish the commit: git -C {out}/source push REPOSITORY {tags}")  # noqa: T201 - a command


if __name__ == "__main__":
    main()
