"""Build the distributions for registries: ``python tools/packages.py FOLDER``, with ``--compile 1`` compiled.

``ordago`` is for bots, ``ordago-server`` for organisers, who install it as ``ordago[server]``. Both install into the
same packages, each its own files. The layers in ``pyproject.toml`` divide them: those up to the SDK, which the linter
proves to import none above it, are ``ordago``. A compiled wheel of the server brings the compiled modules of ``ordago``
too; Python prefers them to the sources.

Each source distribution has the files of the checkout that it needs and a ``pyproject.toml`` made from the checkout's.
The wheels are built from the source distributions.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import tomlkit

Table = dict[str, Any]
"""A table of a ``pyproject.toml``."""
ROOT: Final = Path(__file__).parents[1]
BOTS: Final = "ordago"
SERVER: Final = "ordago-server"
_HIGHEST_OF_BOTS: Final = "ordago_bot"
_COMMAND: Final = "ordago.__main__"
"""The command, which knows the server and is in ``ordago`` all the same, where it says what to install."""
_ALWAYS_OF_BOTS: Final = ["/server/ordago/__init__.py", "/server/ordago/__main__.py", "/server/ordago/py.typed"]
_OF_BOTS: Final = ("gym", "onnx", "openspiel")
"""The extras that need no server."""
_OF_CHECKOUTS: Final = ("dev", "docs", "mutants", "release")
"""The extras that only a checkout has."""
_DESCRIPTIONS: Final = {
    BOTS: "Bots for card games with hidden information: the SDK and training environments of the Ordago game server.",
    SERVER: "The game server of Ordago, with its ladders and its site. Install it as ordago[server].",
}


def layers_of(settings: Table) -> dict[str, list[str]]:
    """Return the layers of each distribution, as names of modules and packages."""
    [lines] = [row["layers"] for row in settings["tool"]["importlinter"]["contracts"] if row["id"] == "layers"]
    names = [name for line in lines for name in re.split(r" [:|] ", line) if name != _COMMAND]
    border = names.index(_HIGHEST_OF_BOTS)
    return {SERVER: names[:border], BOTS: names[border:]}


def manifest(name: str, text: str, *, version: str) -> str:
    """Return the ``pyproject.toml`` of a distribution, made from that of the checkout."""
    settings: Table = tomlkit.parse(text)
    settings["project"] |= {"name": name, "description": _DESCRIPTIONS[name]}
    (_require_for_bots if name == BOTS else _require_for_server)(settings["project"], version)
    build, layers = settings["tool"]["hatch"]["build"], layers_of(settings)
    build["ignore-vcs"] = True  # The ignore files of a folder above are not meant for this one.
    (_select_for_bots if name == BOTS else _select_for_server)(build["targets"], layers)
    return tomlkit.dumps(settings)


def _extras(project: Table) -> dict[str, list[str]]:
    """Return the extras that are published; most need the server."""
    extras = project["optional-dependencies"].items()
    return {
        extra: [need for need in needs if need != "ordago[server]"]
        for extra, needs in extras
        if extra not in _OF_CHECKOUTS
    }


def _require_for_bots(project: Table, version: str) -> None:
    extras = _extras(project)
    of_server = {extra: [f"{SERVER}[{extra}]=={version}"] for extra in extras if extra not in (*_OF_BOTS, "server")}
    project["optional-dependencies"] = {
        "server": [f"{SERVER}=={version}"],
        **of_server,
        **{extra: extras[extra] for extra in _OF_BOTS},
    }


def _require_for_server(project: Table, version: str) -> None:
    extras = _extras(project)
    project["dependencies"] = [f"{BOTS}=={version}", *extras.pop("server")]
    project["optional-dependencies"] = {extra: needs for extra, needs in extras.items() if extra not in _OF_BOTS}
    del project["scripts"]


def _select_for_bots(targets: Table, layers: dict[str, list[str]]) -> None:
    wheel, source = targets["wheel"], targets["sdist"]
    wheel["packages"] = _folders(wheel, layers[BOTS])
    del wheel["force-include"], wheel["hooks"]
    source["only-include"] = ["CHANGELOG.md", "README.md", "tools/package_page.py", *wheel["packages"]]
    source["exclude"] = wheel["exclude"] = _files_of(layers[SERVER])


def _select_for_server(targets: Table, layers: dict[str, list[str]]) -> None:
    wheel, source = targets["wheel"], targets["sdist"]
    wheel["packages"] = _folders(wheel, layers[SERVER])
    wheel["exclude"] = [*_ALWAYS_OF_BOTS, *_files_of(layers[BOTS])]
    # The documentation that the site shows is built there.
    source["only-include"].append("out/docs")
    del source["exclude"]


def _folders(wheel: Table, layers: list[str]) -> list[str]:
    return [folder for folder in wheel["packages"] if (name := Path(folder).name) == "ordago" or name in layers]


def _files_of(layers: list[str]) -> list[str]:
    """Return the modules and folders of layers in the shared package, as patterns of an ignore file."""
    paths = ["/server/" + layer.replace(".", "/") for layer in layers if layer.startswith("ordago.")]
    return [f"{path}.py" if (ROOT / f".{path}.py").exists() else f"{path}/" for path in paths]


def build(folder: Path, *, compiled: str = "") -> list[Path]:
    """Build the source distributions and wheels of the checkout into a folder, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = [source_of(name, folder) for name in (BOTS, SERVER)]
    environment = {**os.environ, "ORDAGO_COMPILE": compiled}
    with TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", scratch]
        # What a pure build needs is here. A compiled one asks for the compiler.
        how = [] if compiled else ["--no-build-isolation"]
        subprocess.run([*pip, *how, *map(str, sources)], check=True, env=environment)  # noqa: S603 - our own
        return sources + [Path(shutil.copy(wheel, folder)) for wheel in sorted(Path(scratch).glob("*.whl"))]


def source_of(name: str, folder: Path) -> Path:
    """Build the source distribution with this name into a folder, and return its path."""
    with TemporaryDirectory() as scratch:
        _hatch(ROOT, Path(scratch))
        [archive] = Path(scratch).iterdir()
        with tarfile.open(archive) as files:
            files.extractall(scratch, filter="data")
        tree = Path(scratch, archive.name.removesuffix(".tar.gz"))
        version = tree.name.rpartition("-")[2]
        # It has the metadata of the checkout, which would be taken over.
        (tree / "PKG-INFO").unlink()
        if (ROOT / "out/docs/index.html").exists():
            shutil.copytree(ROOT / "out/docs", tree / "out/docs")
        text = (tree / "pyproject.toml").read_text(encoding="utf-8")
        (tree / "pyproject.toml").write_text(manifest(name, text, version=version), encoding="utf-8")
        _hatch(tree, folder)
    return folder / f"{name.replace('-', '_')}-{version}.tar.gz"


def _hatch(tree: Path, folder: Path) -> None:
    """Build the source distribution of a tree into a folder."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(folder)]
    subprocess.run(command, cwd=tree, check=True, stderr=subprocess.DEVNULL)  # noqa: S603 - our own


def main(words: Sequence[str] | None = None) -> None:
    """Build what the command line asks for, and print the sizes."""
    parser = argparse.ArgumentParser(description="Build the distributions ordago and ordago-server.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--compile", choices=["1", "quick"], default="", help="compile the wheel of the server")
    asked = parser.parse_args(words)
    for path in build(asked.folder.absolute(), compiled=asked.compile):
        print(f"{path.stat().st_size:>12,} {path}")  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
