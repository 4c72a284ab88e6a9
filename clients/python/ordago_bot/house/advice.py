"""Advice at a decision: what the house would do, and the values of the actions that it considers.

It is a function of the messages that the seat got. So it knows no more than the seat, and is the same whenever the seat
asks again.
"""

from collections.abc import Hashable
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from ordago import v1
from ordago.games import find_game
from ordago_bot.house.levels import strongest_weigher
from ordago_bot.house.solid import legal_action, policy_of
from ordago_bot.house.weighing import Unit

WORLDS: Final = 48
"""The number of deals imagined. With it, advice takes some 50 to 200 ms."""
_OPTIONS_SHOWN: Final = 3


class Advice(NamedTuple):
    """Actions at a decision, the one that the house would take first."""

    options: tuple[tuple[Hashable, float | None], ...]
    """Complete actions and their values, three at most; ``None`` where the house compared nothing."""
    unit: Unit = Unit.POINTS
    """The unit of the values."""
    searched: bool = False
    """True if deals were imagined; False if a rule of thumb compared the actions."""


def advice(game_name: str, decision: v1.Decision, *, worlds: int = WORLDS) -> Advice | None:
    """Return the advice of the house at a decision; ``None`` if it has no policy for the game.

    Args:
        game_name: the name of the game.
        decision: the decision, as a bot gets it.
        worlds: the number of deals to imagine.
    """
    weigher, policy, game = strongest_weigher(game_name), policy_of(game_name), find_game(game_name)
    if weigher is None or policy is None:
        return None
    # Chance comes from what the seat sees, so that asking again tells nothing new.
    rng = Random(decision.SerializeToString(deterministic=True))
    view = game.codec.view_from(decision.view, seat=decision.seat)
    legal = [legal_action(game, message) for message in decision.actions]
    considered = weigher.candidates(view, legal)
    if len(considered) < 2:
        return Advice(((policy(view, legal=legal, rng=rng, worlds=worlds), None),))
    weighing = weigher.weigh(view, considered, rng=rng, worlds=worlds)
    ranked = sorted(weighing.weighed, key=lambda weighed: -weighed.rank)[:_OPTIONS_SHOWN]
    options = tuple((weighed.action, fmean(weighed.samples)) for weighed in ranked)
    return Advice(options, weighing.unit, weighing.searched)
