"""What the house weighs at a decision: the actions that it compares, and what each of them would bring."""

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
    """What an action brings is counted in."""

    POINTS = "points"
    """What the rules score, of a deal."""
    CHIPS = "chips"
    CHANCE = "chance to win the game"
    """From 0 to 1."""
    HAND = "value of the hand"
    """How a hand compares with all hands that there are, from 0 to about 5."""


class Weighed(NamedTuple, Generic[ActionT]):
    """An action, and what it would bring."""

    action: ActionT
    """The complete action."""
    rank: float
    """What the house compares: it takes the action with the greatest, the first of them where several have it."""
    brought: Callable[[], Sequence[float]]
    """Returns what it brought in each deal imagined. Whoever only plays has no use for it, and need not wait for it."""

    @property
    def samples(self) -> Sequence[float]:
        """What it brought in each deal imagined; the same place is the same deal for all actions. One if none were."""
        return self.brought()


class Weighing(NamedTuple, Generic[ActionT]):
    """What the house makes of the actions that can be taken at a decision."""

    unit: Unit
    """What they bring is counted in."""
    weighed: tuple[Weighed[ActionT], ...]
    """The actions in the order in which they were handed in, but for those of which the house cannot tell."""
    searched: bool = True
    """Whether deals were imagined and played on; a rule of thumb compares them otherwise."""
    margin: float = 0.0
    """How large a difference must be to say anything, beyond chance: rules of thumb are no more exact than that."""


def best_of(weighing: Weighing[ActionT]) -> Weighed[ActionT]:
    """Return the action that the house takes."""
    return max(weighing.weighed, key=lambda weighed: weighed.rank)


def tallied(action: ActionT, parts: Sequence[float], *, each: int = 1, at_first: float = 0.0) -> Weighed[ActionT]:
    """Return an action weighed by what it brought.

    Args:
        action: the action.
        parts: what it brought, deal by deal.
        each: how often it was tried in each deal.
        at_first: what it is worth before any deal, as much as in one of them.
    """
    # Added one by one: what ``sum`` makes of them depends on the version of Python, and with it who wins a near tie.
    return Weighed(action, reduce(add, parts, at_first), partial(_by_deal, parts, each, at_first))


def _by_deal(parts: Sequence[float], each: int, at_first: float) -> Sequence[float]:
    deals = len(parts) // each
    return [fmean(parts[deal * each : deal * each + each]) + at_first / deals for deal in range(deals)]


def known(action: ActionT, worth: float) -> Weighed[ActionT]:
    """Return an action that a rule of thumb says the worth of, without chance."""
    return Weighed(action, worth, lambda: [worth])


class Weigher(Protocol):
    """How the house weighs the actions of one game."""

    def candidates(
        self,
        view: Any,  # noqa: ANN401 - of the game
        legal: Sequence[LegalAction[Any]],
    ) -> Sequence[Any]:
        """Return the complete actions that the house considers at a view, in the order in which it prefers equals."""

    def meaning(
        self,
        action: Any,  # noqa: ANN401 - of the game
    ) -> Hashable:
        """Return what matters of an action: two that mean the same are weighed as one."""

    def weigh(
        self,
        view: Any,  # noqa: ANN401 - of the game
        actions: Sequence[Any],
        *,
        rng: Random,
        worlds: int,
    ) -> Weighing[Any]:
        """Weigh some complete actions in so many deals imagined, the same for all of them."""
