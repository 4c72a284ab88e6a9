"""The group ``ordago game`` and its command."""

import ast
import importlib.util
import keyword
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
from google.protobuf import json_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from ordago import v1
from ordago.games import game_names
from ordago.names import PLAIN_NAME, is_plain_name, quoted
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE, CommandError
from ordago_cli.game.checkout import MESSAGES, TEMPLATE, in_checkout, renamed
from ordago_cli.game.conformance.command import conformance

_CARDS: Final = "proto/ordago/v1/cards.proto"
_CONTRACT: Final = (Path(__file__).parents[1] / "sdk", Path(__file__).parents[3])
"""The possible places of the protocol files: in an installed package, and in a checkout."""
_OF_A_PACKAGE: Final = ("README.md", "ordago_highcard", "pyproject.toml", "tests")
_TEXTS: Final = frozenset({".md", ".proto", ".py", ".pyi", ".toml", ".typed"})
"""The suffixes of source files; the others in the template are generated from them."""
_LONGEST_TITLE: Final = 40
"""The title is in the first line of each file, which has at most 120 characters."""
_NAME: Final = re.compile("[a-z][a-z0-9]{1,19}")


@click.group(epilog="Example: ordago game new whist")
def game() -> None:
    """Start a new game, or write files against which a port of a game's rules can be checked."""


game.add_command(conformance)


@game.command(epilog="Example: ordago game new whist --title 'Knock-out Whist'")
@click.argument("name")
@click.option("--title", help="Title of the game; default: NAME with a capital letter.")
@click.option("--folder", type=click.Path(path_type=Path), help="Write a separate package into this folder.")
def new(name: str, title: str | None, folder: Path | None) -> None:
    """Write the skeleton of the game NAME: into the current checkout, or else as a package of its own."""
    title = title or name.capitalize()
    _check(name, title)
    root = Path()
    if folder is None and (root / "server/ordago/games/__init__.py").is_file():
        files, steps = in_checkout(root, name, title), _STEPS_IN_CHECKOUT
    else:
        root = folder or Path(f"ordago-{name}")
        files, steps = _package(root, name, title), _STEPS_OF_PACKAGE
    try:
        _write(files)
    except OSError as error:
        raise CommandError(f"cannot write to {root}: {error.strerror}", exit_code=EXIT_OUTSIDE) from None
    click.echo("\n".join(["written:", *(f"  {path}" for path in files), "", steps.format(name=name, folder=root)]))


_STEPS_IN_CHECKOUT: Final = """\
Next: make proto texts, since without its messages no game of this checkout can be imported, then
  .venv/bin/pytest tests/games/{name}
  .venv/bin/ordago play {name} --bot house:random --bot house:default
CONTRIBUTING.md says what else belongs to a game."""
_STEPS_OF_PACKAGE: Final = """\
Next, where Ordago is installed:
  python -m pip install --no-deps --editable {folder}
  python -m pytest {folder}
  ordago play {name} --bot 'cmd:python -m ordago_{name}.bot' --bot house:random"""


def _check(name: str, title: str) -> None:
    """Refuse an unusable name or title of a game."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name in ("other", "v1"):
        problem = (
            f"{quoted(name)} cannot name a game: take 2 to 20 small letters and digits, a letter first, such as whist"
        )
        raise CommandError(problem, exit_code=EXIT_USAGE)
    if name in game_names():
        raise CommandError(f"there is a game {name!r} already; ordago games lists them", exit_code=EXIT_USAGE)
    if taken := [part for part in (*MESSAGES, "Play", "EventKind") if hasattr(v1, name.capitalize() + part)]:
        problem = f"the contract has a {name.capitalize()}{taken[0]} already; give the game another name"
        raise CommandError(problem, exit_code=EXIT_USAGE)
    if not is_plain_name(title) or len(title) > _LONGEST_TITLE:
        problem = (
            f"a title takes {PLAIN_NAME.removesuffix(', 64 at most')}, {_LONGEST_TITLE} at most, not {quoted(title)}"
        )
        raise CommandError(problem, exit_code=EXIT_USAGE)


def _package(root: Path, name: str, title: str) -> dict[Path, str]:
    """Return the files of a package."""
    if root.exists() and not (root.is_dir() and not any(root.iterdir())):
        problem = f"{root} already exists; choose a new or an empty --folder"
        raise CommandError(problem, exit_code=EXIT_OUTSIDE)
    files = {}
    for path in sorted(TEMPLATE.rglob("*")):
        place = path.relative_to(TEMPLATE)
        if path.suffix in _TEXTS and place.parts[0] in _OF_A_PACKAGE:
            text = path.read_text(encoding="utf-8")
            written = _stub if path.name.endswith("_pb2.py") else renamed
            files[root / renamed(str(place), name, title)] = written(text, name, title)
    contract = next(folder for folder in _CONTRACT if (folder / _CARDS).is_file())
    return files | {root / _CARDS: (contract / _CARDS).read_text(encoding="utf-8")}


def _stub(text: str, name: str, title: str) -> str:
    """Return the generated module of the messages. Its serialized descriptor contains lengths, so it is rebuilt."""
    literal = re.search(r"(?<=AddSerializedFile\()b'.*'(?=\)\n)", text)
    assert literal is not None, "protoc writes it like this"
    described = FileDescriptorProto.FromString(ast.literal_eval(literal[0]))
    described = json_format.Parse(renamed(json_format.MessageToJson(described), name, title), FileDescriptorProto())
    before, after = text[: literal.start()], re.sub(r"\n  _globals\['.*", "", text[literal.end() :])
    return renamed(before, name, title) + repr(described.SerializeToString()) + renamed(after, name, title)


def _write(files: Mapping[Path, str]) -> None:
    """Write files, and sort and format Python ones if ruff is installed: a new name changes lengths and order."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    python = [str(path) for path in files if path.suffix == ".py" and "_pb2" not in path.name]
    if importlib.util.find_spec("ruff") is not None:
        for command in (("check", "--select", "I", "--fix"), ("format",)):
            subprocess.run([sys.executable, "-m", "ruff", *command, "--quiet", "--no-cache", *python], check=False)  # noqa: S603 - own
