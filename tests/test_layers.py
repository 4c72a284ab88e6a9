"""The layers: each knows only those below it, and grpc stands at the edges alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordago.games import game_names

ROOT = Path(__file__).parents[1]
ROOTS = [ROOT / "server", ROOT / "clients" / "python", ROOT / "tournaments"]

# From the lowest to the highest. What is not named here belongs to the module above it in the tree.
LAYERS = [
    [
        "ordago.version",
        "ordago.build",
        "ordago.native",
        "ordago.nearest",
        "ordago.confusables",
        "ordago.names",
        "ordago.kept",
        "ordago.tuples",
        "ordago.fields",
        "ordago.files",
        "ordago.fingerprint",
        "ordago.one_thread",
        "ordago.v1",
    ],
    ["ordago.cards", "ordago.event", "ordago.game"],
    ["ordago.chance", "ordago.scene"],
    ["ordago.games"],
    ["ordago.session"],
    ["ordago.record"],
    ["ordago.match", "ordago_bot"],
    ["ordago.store"],
    ["ordago.journal"],
    ["ordago.telemetry"],
    ["ordago.arena"],
    ["ordago.edge"],
    ["ordago.ops"],
    ["ordago.bench", "ordago.doctor", "ordago_ladder", "ordago.cli", "ordago.__main__", "ordago_web"],
]
PURE = [
    "ordago.cards",
    "ordago.event",
    "ordago.game",
    "ordago.chance",
    "ordago.scene",
    "ordago.games",
    "ordago.session",
    "ordago.record",
    "ordago.match",
    "ordago_bot.back_off",
    "ordago_bot.cards",
    "ordago_bot.match",
    "ordago_bot.seat",
    "ordago_ladder.standing.seating",
]
IMPURE_LIBRARIES = {"asyncio", "grpc", "os", "pathlib", "socket", "subprocess", "threading", "time", "trio"}
# What the codecs of games are made of.
KNOWS_PROTOBUF = (
    *("ordago.v1", "google", "ordago.fields"),
    *("ordago.games.codec", "ordago.games.mirror", "ordago.games.folder"),
)
KNOWS_GRPC = ("ordago.edge", "ordago.bench", "ordago.doctor", "ordago_bot.transport", "ordago.v1")


def modules() -> Iterator[tuple[str, Path]]:
    for root in ROOTS:
        for path in root.glob("ordago*/**/*.py"):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            if name != "ordago":
                yield name, path


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def belongs(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def layer_of(name: str) -> int | None:
    return next((n for n, layer in enumerate(LAYERS) if any(belongs(name, package) for package in layer)), None)


MODULES = dict(modules())


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_knows_no_higher_layer(name: str):
    own = layer_of(name)
    assert own is not None, "the module stands in no layer"
    higher = [other for other in imports(MODULES[name]) if (layer := layer_of(other)) is not None and layer > own]
    assert not higher


@pytest.mark.parametrize("name", sorted(name for name in MODULES if any(belongs(name, pure) for pure in PURE)))
def test_a_pure_module_knows_no_input_output_and_no_clock(name: str):
    assert not IMPURE_LIBRARIES & {other.partition(".")[0] for other in imports(MODULES[name])}


@pytest.mark.parametrize("name", sorted(name for name in MODULES if not any(belongs(name, own) for own in KNOWS_GRPC)))
def test_grpc_stays_at_the_edges(name: str):
    assert "grpc" not in {other.partition(".")[0] for other in imports(MODULES[name])}


def is_inside_a_game(name: str) -> bool:
    """Say whether a module belongs to the rules or the words of a game, and not to its codec."""
    return name.startswith("ordago.games.") and name.count(".") == 3 and not name.endswith(".wire")


@pytest.mark.parametrize("name", sorted(filter(is_inside_a_game, MODULES)))
def test_rules_and_words_know_no_protobuf(name: str):
    assert not [other for other in imports(MODULES[name]) if any(belongs(other, known) for known in KNOWS_PROTOBUF)]


def test_every_game_is_looked_into():
    games = {name.split(".")[2] for name in filter(is_inside_a_game, MODULES)}
    assert games >= set(game_names())
    assert all(f"ordago.games.{name}.rules" in MODULES for name in game_names())


TOLD = [name for layer in LAYERS for name in layer if belongs(name, "ordago") and name != "ordago.__main__"]


@pytest.mark.parametrize("name", TOLD)
def test_the_page_about_the_layers_names_each_of_them(name: str):
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    told = page[page.index("## Layers") : page.index("## The way of a decision")]
    short = name.removeprefix("ordago.")
    assert any(written in told for written in (f"{short}.py`", f"ordago/{short}/`", f"`{name}`"))
