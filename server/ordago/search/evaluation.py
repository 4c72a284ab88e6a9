"""The worth of actions, by playouts in worlds that fit a view. All actions are tried in the same worlds."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from ordago.game import LegalAction
from ordago.games.definition import AnyGame
from ordago.search.playouts import AnyState, Playouts
from ordago_bot.house.solid import weigher_of


class Value(NamedTuple):
    """The worth of an action."""

    action: Hashable
    """The complete action."""
    scores: Sequence[float]
    """The average score of each seat."""
    lead: float
    """The average by which the score of the seat exceeds the mean of those of the other sides."""
    lead_error: float | None
    """The standard error of the lead over the worlds; ``None`` with a single world."""


class Evaluation(NamedTuple):
    """The worth of all actions."""

    values: Sequence[Value]
    """The actions, in the order of the call."""
    worlds: int
    """The number of worlds in which they were tried."""

    @property
    def best(self) -> int:
        """The place of the action with the greatest lead, the first among equals."""
        leads = [value.lead for value in self.values]
        return leads.index(max(leads))


def candidates_of(game: AnyGame, view: object, legal: Sequence[LegalAction[Any]]) -> Sequence[Any]:
    """Return the actions that the house would consider, or all legal ones without open parts where it does not play."""
    weigher = weigher_of(game.name)
    if weigher is not None:
        return weigher.candidates(view, legal)
    return [each.action for each in legal if each.amount is None and not each.picks]


def evaluate(
    actions: Sequence[Hashable],
    worlds: Iterable[AnyState],
    *,
    seat: int,
    sides_of: Callable[[int], Sequence[int]],
    playouts: Playouts,
    is_time_up: Callable[[], bool],
) -> Evaluation:
    """Evaluate actions of a seat.

    Args:
        actions: the complete actions, legal in all worlds; at least one.
        worlds: the states in which to try them; at least one.
        seat: the seat whose turn it is.
        sides_of: returns the side of each of so many seats.
        playouts: plays on after an action.
        is_time_up: asked after each world; True ends the evaluation.
    """
    ends: list[list[Sequence[float]]] = [[] for _ in actions]
    for world in worlds:
        deal = playouts.deal_of(world)
        for action, of_action in zip(actions, ends, strict=True):
            state = world.clone()
            state.apply(action)
            of_action.append(playouts.average(state, deal=deal))
        if is_time_up():
            break
    sides = sides_of(len(ends[0][0]))
    values = [_value(action, of_action, seat, sides) for action, of_action in zip(actions, ends, strict=True)]
    return Evaluation(values, len(ends[0]))


def _value(action: Hashable, ends: Sequence[Sequence[float]], seat: int, sides: Sequence[int]) -> Value:
    leads = [lead(scores, seat, sides) for scores in ends]
    error = stdev(leads) / sqrt(len(leads)) if len(leads) > 1 else None
    return Value(action, [fmean(of_seat) for of_seat in zip(*ends, strict=True)], fmean(leads), error)


def lead(scores: Sequence[float], seat: int, sides: Sequence[int]) -> float:
    """Return by how much the score of a seat exceeds the mean of those of the other sides."""
    others = {side: score for side, score in zip(sides, scores, strict=True) if side != sides[seat]}
    return scores[seat] - fmean(others.values())
