"""Single-observer information set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012).

All imagined deals share one tree, whose branches are actions that every seat sees. Each simulation goes down the tree
in a deal of its own, among the actions that are legal there, adds one node, and plays the deal out. Each seat prefers
actions that were worth most to itself, and those that were legal often but seldom tried.

The tree is made anew for each decision, so that a bot may forget everything between two of them.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from typing import Any, Final, Protocol

_WORST: Final = float("-inf")


class Playout(Protocol):
    """The moves of one game and their worths, as the search needs them."""

    def actions(
        self,
        state: Any,  # noqa: ANN401 - of the game
    ) -> Sequence[Any]:
        """Return the complete actions of the actor that the search considers; at least one."""

    def key(
        self,
        action: Any,  # noqa: ANN401 - of the game
    ) -> Hashable:
        """Return the branch of an action: actions of equal meaning have the same."""

    def after(
        self,
        state: Any,  # noqa: ANN401 - of the game
        action: Any,  # noqa: ANN401 - of the same
    ) -> Sequence[float] | None:
        """Take an action, and return the worth of the deal to each seat, or ``None`` if the deal goes on."""

    def played_out(
        self,
        state: Any,  # noqa: ANN401 - of the game
        *,
        rng: Random,
    ) -> Sequence[float]:
        """Play on to the end of the deal, and return its worth to each seat."""


class Node:
    """An action in the tree: how often it was legal and taken, and what it was worth to the seat that took it."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        """Begin a node that was legal once and is still to be visited."""
        self.available = 1
        self.visits = 0
        self.total = 0.0
        self.children: dict[Hashable, Node] = {}


@dataclass(frozen=True, slots=True)
class Search:
    """A search in one game."""

    playout: Playout
    """The moves of the game."""
    exploration: float
    """The weight of trying what was seldom tried, in the unit of the worths."""
    rng: Random
    """The source of chance."""

    def visits(self, states: Iterable[Any]) -> dict[Hashable, int]:
        """Return how often each first action was taken, by its key. The greatest number marks the action to take.

        Args:
            states: the states imagined, one for each simulation, which changes it. The same seat acts in all.
        """
        root = Node()
        for state in states:
            self._simulate(root, state)
        return {key: node.visits for key, node in root.children.items()}

    def tried(self, states: Iterable[Any], actions: Sequence[Any]) -> dict[Any, list[float]]:
        """Return what each of some first actions was worth to the seat that acts, state by state.

        All of them are tried in each state, so that they are compared in the same deals; what follows is searched.

        Args:
            states: the states imagined, which are cloned. The same seat acts in all.
            actions: the complete first actions, legal in all.
        """
        worths: dict[Any, list[float]] = {action: [] for action in actions}
        nodes = {action: Node() for action in actions}
        for state in states:
            for action, node in nodes.items():
                worths[action].append(self._begun(node, state.clone(), action))
        return worths

    def _begun(self, node: Node, state: Any, action: Any) -> float:  # noqa: ANN401 - of the game
        """Take a first action, go on by the search below its node, and return its worth to the seat that took it."""
        seat: int = state.actor
        worths = self.playout.after(state, action)
        if worths is None:
            known = node.visits > 0
            worths = self._simulate(node, state) if known else self.playout.played_out(state, rng=self.rng)
        node.visits += 1
        return worths[seat]

    def _simulate(self, node: Node, state: Any) -> Sequence[float]:  # noqa: ANN401 - of the game
        path: list[tuple[int, Node]] = []
        worths: Sequence[float] | None = None
        while worths is None:
            seat = state.actor
            action, node = self._selected(node, self.playout.actions(state))
            path.append((seat, node))
            worths = self.playout.after(state, action)
            if worths is None and not node.visits:
                worths = self.playout.played_out(state, rng=self.rng)
        for seat, visited in path:
            visited.visits += 1
            visited.total += worths[seat]
        return worths

    def _selected(self, node: Node, actions: Sequence[Any]) -> tuple[Any, Node]:
        """Return the action to follow and its node: an untried one if there is any, else by its confidence bound."""
        children, untried = node.children, []
        best, best_child, greatest = None, None, _WORST
        for action in actions:
            child = children.get(self.playout.key(action))
            if child is None:
                untried.append(action)
                continue
            child.available += 1
            bound = child.total / child.visits + self.exploration * sqrt(log(child.available) / child.visits)
            if bound > greatest:
                best, best_child, greatest = action, child, bound
        if not untried and best_child is not None:
            return best, best_child
        action = untried[int(self.rng.random() * len(untried))]
        return action, children.setdefault(self.playout.key(action), Node())
