"""What stands beside the order of the layers: pure modules, and grpc at the edges alone."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from ordago.games import game_names

ROOT = Path(__file__).parents[1]
ROOTS = [ROOT / "server", ROOT / "clients" / "python", ROOT / "tournaments"]

# `make check` holds modules to the order of the layers; one line of it may name several packages.
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
LAYERS = [name for line in CONTRACTS[0]["layers"] for name in re.split(r" [:|] ", line)]
PURE = [
    "ordago.cards",
    "ordago.event",
    "ordago.game",
    "ordago.chance",
    "ordago.scene",
    "ordago.wire",
    "ordago.games",
    "ordago.protocol",
    "ordago.record",
    "ordago.match",
    "ordago_bot.back_off",
    "ordago_bot.cards",
    "ordago_bot.match",
    "ordago_bot.seat",
    "ordago_gym.encodings",
    "ordago_gym.table",
    "ordago_ladder.standing.seating",
]
IMPURE_LIBRARIES = {"asyncio", "grpc", "os", "pathlib", "socket", "subprocess", "threading", "time", "trio"}
# What the codecs of games are made of.
KNOWS_PROTOBUF = ("ordago.v1", "google", "ordago.wire", "ordago.games.definition")
KNOWS_GRPC = ("ordago.edge", "ordago_bench", "ordago_doctor", "ordago_bot.transport", "ordago.v1")


@cache
def modules() -> dict[str, Path]:
    """Return all modules by name. Whoever only collects tests does not wait for it."""
    return dict(_modules())


def _modules() -> Iterator[tuple[str, Path]]:
    for root in ROOTS:
        for path in root.glob("ordago*/**/*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if name != "ordago":
                yield name, path


@cache
def imports(name: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(modules()[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def belongs(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def libraries(name: str) -> set[str]:
    return {other.partition(".")[0] for other in imports(name)}


def test_every_module_stands_in_a_layer():
    assert not [name for name in modules() if not any(belongs(name, layer) for layer in LAYERS)]


def test_pure_modules_know_no_input_output_and_no_clock():
    pure = [name for name in modules() if any(belongs(name, package) for package in PURE)]
    assert len(pure) > len(PURE)
    assert not {name: found for name in pure if (found := IMPURE_LIBRARIES & libraries(name))}


def test_grpc_stays_at_the_edges():
    outside = [name for name in modules() if not any(belongs(name, own) for own in KNOWS_GRPC)]
    assert not [name for name in outside if "grpc" in libraries(name)]


def is_inside_a_game(name: str) -> bool:
    """Say whether a module belongs to the rules or the words of a game, and not to its codec."""
    return name.startswith("ordago.games.") and name.count(".") == 3 and not name.endswith(".wire")


def test_rules_and_words_know_no_protobuf():
    assert not [
        (name, other)
        for name in filter(is_inside_a_game, modules())
        for other in imports(name)
        if any(belongs(other, known) for known in KNOWS_PROTOBUF)
    ]


def test_every_game_is_looked_into():
    games = {name.split(".")[2] for name in filter(is_inside_a_game, modules())}
    assert games >= set(game_names())
    assert all(f"ordago.games.{name}.rules" in modules() for name in game_names())


TOLD = [name for name in LAYERS if name != "ordago.__main__"]


def test_the_page_about_the_layers_names_each_of_them():
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    told = page[page.index("## Layers") : page.index("## The way of a decision")]
    assert not [name for name in TOLD if not is_named(name, told)]


def is_named(name: str, told: str) -> bool:
    short = name.removeprefix("ordago.")
    return any(written in told for written in (f"{short}.py`", f"ordago/{short}/`", f"`{name}`", f"`{name}/`"))
