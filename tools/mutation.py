"""Mutants: the places for small mistakes in the code, and the code with such a mistake.

cosmic-ray has most kinds of them: operators, numbers, conditions, loops, decorators, exceptions.
"""

import difflib
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Example, Operator
from cosmic_ray.plugins import get_operator, operator_names
from foreign_clients import ROOT
from parso.python.tree import Keyword
from parso.tree import NodeOrLeaf

SOURCES: Final = Path("server/ordago")
_ALWAYS: Final = ("atom_expr", "raise_stmt", "del_stmt")
_SAME_FOR_NUMBERS: Final = ("_Eq_Is", "_NotEq_IsNot", "_Is_Eq", "_IsNot_NotEq")
"""Endings of operators whose mutants are mostly equivalent to it, since small numbers and enums are singletons."""

Position: TypeAlias = tuple[int, int]
"""Line and column in a file."""


class Mutant(NamedTuple):
    """A mutant: one small mistake in the code."""

    path: Path
    """The file, from the root of the checkout."""
    line: int
    operator: str
    """The name of the operator that makes the mistake."""
    occurrence: int
    """The index among the places in the file where this operator applies."""

    @property
    def package(self) -> str:
        """The package that it is counted in; each game is a package of its own."""
        return "/".join(self.path.relative_to(SOURCES).parts[:-1])

    @property
    def tests(self) -> Path:
        """The folder of the tests that should notice it."""
        return Path("tests") / self.package


class RemoveStatement(Operator):
    """An operator that removes statements with side effects: calls, assignments to attributes or items, ``raise``."""

    def mutation_positions(self, node: NodeOrLeaf) -> Iterator[tuple[Position, Position]]:
        """See ``Operator``."""
        if node.type == "simple_stmt" and _has_effect(node.children[0]):
            yield node.start_pos, node.end_pos

    def mutate(self, node: NodeOrLeaf, index: int) -> NodeOrLeaf:  # noqa: ARG002 - the signature of the base class
        """See ``Operator``."""
        first = node.get_first_leaf()
        node.children[0] = Keyword("pass", first.start_pos, first.prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        """See ``Operator``."""
        return (
            Example("close()\n", "pass\n"),
            Example("self.size = 0\n", "pass\n"),
            Example("raise Error\n", "pass\n"),
        )


def _has_effect(statement: NodeOrLeaf) -> bool:
    # Assignments to names are excluded: without them the next line fails, which any test notices.
    return statement.type in _ALWAYS or (statement.type == "expr_stmt" and statement.children[0].type == "atom_expr")


def operators() -> dict[str, Operator]:
    """Return the mutation operators, by name."""
    known = {name: get_operator(name) for name in operator_names() if not name.endswith(_SAME_FOR_NUMBERS)}
    ready = {name: made() for name, made in known.items() if not made.arguments()}
    return {**ready, "RemoveStatement": RemoveStatement()}


OPERATORS: Final = operators()


def mutants_of(path: Path, *, chance: random.Random) -> list[Mutant]:
    """Return the mutants of a file, one chosen at random for each place and kind of mistake."""
    places: dict[tuple[str, Position], list[Mutant]] = defaultdict(list)
    nodes = list(ast_nodes(get_ast((ROOT / path).read_text(encoding="utf-8"))))
    for name, operator in OPERATORS.items():
        found = [(node, start) for node in nodes for start, _ in operator.mutation_positions(node)]
        for occurrence, (node, start) in enumerate(found):
            if not does_nothing(node):
                places[name.split("_")[0], start].append(Mutant(path, start[0], name, occurrence))
    return [chance.choice(alike) for alike in places.values()]


def spread(files: Sequence[Sequence[Mutant]]) -> list[Mutant]:
    """Return all mutants in an order in which any beginning has the same share of each file."""
    ranked = [((place + 0.5) / len(mutants), mutant) for mutants in files for place, mutant in enumerate(mutants)]
    return [mutant for _, mutant in sorted(ranked)]


def all_mutants(packages: Sequence[str], *, seed: int) -> list[Mutant]:
    """Return the mutants of packages in the order in which they are tried."""
    files = []
    for package in packages:
        for path in sorted((ROOT / SOURCES / package).rglob("*.py")):
            chance = random.Random(f"{seed} {path.relative_to(ROOT)}")
            mutants = mutants_of(path.relative_to(ROOT), chance=chance)
            chance.shuffle(mutants)
            files.append(mutants)
    return spread(files)


def broken(whole: str, mutant: Mutant) -> str:
    """Return the text of a file with the mistake."""
    return mutate_code(whole, OPERATORS[mutant.operator], mutant.occurrence)


def difference(before: str, after: str) -> list[str]:
    """Return the lines that differ, as in a diff."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    return [line for line in lines if line[1:].strip() and not line.startswith(("---", "+++", "@@"))]


def does_nothing(node: NodeOrLeaf) -> bool:
    """Return True for nodes that hardly affect behaviour: annotations, arguments of decorators, caches."""
    if node.type == "decorator" and "cache" in node.get_code():
        return True
    if node.type == "operator" and node.parent.type in ("parameters", "dictorsetmaker"):
        return True  # The star before keyword-only parameters, and ** in a dict display.
    while (parent := node.parent) is not None:
        if parent.type == "decorator" or (parent.type == "funcdef" and node is parent.annotation):
            return True
        if parent.type == "tfpdef" and node is not parent.children[0]:
            return True
        if parent.type == "annassign" and (node is parent.children[1] or _is_alias(parent.children[1])):
            return True
        node = parent
    return False


def _is_alias(annotation: NodeOrLeaf) -> bool:
    return "TypeAlias" in annotation.get_code()
