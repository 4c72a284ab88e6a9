"""Evaluated actions at a decision, the interface between the policies of the house and its analysis."""

from collections.abc import Callable, Hashable, Sequence
from enum import StrEnum, unique
from functools import partial, reduce
from operator import add
from random import Random
from statistics import fmean
from typing import Any, Generic, NamedTuple, Protocol

from ordago.game import ActionT, LegalAction


@unique
class Unit(StrEnum):
    """The unit in which actions are evaluated."""

    POINTS = "points"
    """Points of a deal, as the rules score it."""
    CHIPS = "chips"
    CHANCE = "chance to win the game"
    """The chance to win the game, from 0 to 1."""
    HAND = "value of the hand"
    """The value of a hand of Mus compared with all possible hands, from 0 to about 5."""


class Weighed(NamedTuple, Generic[ActionT]):
    """An action and its value."""

    action: ActionT
    """The complete action."""
    rank: float
    """The value that the house compares: it takes the action with the greatest, the first among equals."""
    brought: Callable[[], Sequence[float]]
    """A function that returns ``samples``. A bot that only plays never calls it, which saves time."""

    @property
    def samples(self) -> Sequence[float]:
        """Its value in each deal imagined, in the same order of deals for all actions; one value if none were."""
        return self.brought()


class Weighing(NamedTuple, Generic[ActionT]):
    """The evaluation of the actions at a decision."""

    unit: Unit
    """The unit of the values."""
    weighed: tuple[Weighed[ActionT], ...]
    """The actions in the order of the call, without those that the house cannot evaluate."""
    searched: bool = True
    """True if deals were imagined and played on; False if a rule of thumb compared the actions."""
    margin: float = 0.0
    """The smallest difference that means anything, apart from chance: rules of thumb are no more exact than this."""


def best_of(weighing: Weighing[ActionT]) -> Weighed[ActionT]:
    """Return the action of the greatest rank, the first among equals."""
    return max(weighing.weighed, key=lambda weighed: weighed.rank)


def policy_by(
    candidates: Callable[[Any, Sequence[LegalAction[ActionT]]], Sequence[ActionT]],
    weigh: Callable[..., Weighing[ActionT]],
) -> Callable[..., ActionT]:
    """Return the policy that takes the best of the candidates, and the only one without weighing it."""

    def choose(
        view: Any,  # noqa: ANN401 - of the game
        *,
        legal: Sequence[LegalAction[ActionT]],
        rng: Random,
        worlds: int,
    ) -> ActionT:
        actions = candidates(view, legal)
        return actions[0] if len(actions) == 1 else best_of(weigh(view, actions, rng=rng, worlds=worlds)).action

    return choose


def tallied(action: ActionT, parts: Sequence[float], *, each: int = 1, at_first: float = 0.0) -> Weighed[ActionT]:
    """Rank an action by the sum of its values over the deals imagined.

    Args:
        action: the action.
        parts: its values, deal by deal.
        each: the number of values for each deal.
        at_first: a value known before any deal, which counts like that of one deal.
    """
    # Added one by one: the rounding of ``sum`` depends on the version of Python, and it can decide near ties.
    return Weighed(action, reduce(add, parts, at_first), partial(_by_deal, parts, each, at_first))


def _by_deal(parts: Sequence[float], each: int, at_first: float) -> Sequence[float]:
    deals = len(parts) // each
    return [fmean(parts[deal * each : deal * each + each]) + at_first / deals for deal in range(deals)]


def known(action: ActionT, worth: float) -> Weighed[ActionT]:
    """Return an action with a worth that comes from a rule of thumb, without chance."""
    return Weighed(action, worth, lambda: [worth])


class Weigher(Protocol):
    """The evaluation of actions in one game."""

    def candidates(
        self,
        view: Any,  # noqa: ANN401 - of the game
        legal: Sequence[LegalAction[Any]],
    ) -> Sequence[Any]:
        """Return the complete actions that the house considers at a view; among equals it prefers earlier ones."""

    def meaning(
        self,
        action: Any,  # noqa: ANN401 - of the game
    ) -> Hashable:
        """Return a key of an action: two actions with the same key are weighed as one."""

    def weigh(
        self,
        view: Any,  # noqa: ANN401 - of the game
        actions: Sequence[Any],
        *,
        rng: Random,
        worlds: int,
    ) -> Weighing[Any]:
        """Evaluate complete actions in the same ``worlds`` imagined deals."""
