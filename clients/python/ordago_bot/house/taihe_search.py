"""Policy of the higher levels for Taihe A Bao: that of ``solid``, better informed and more careful.

It imagines deals in which the others would have done what they did, since passes and bids tell much about hands. And it
bids only for a clear gain: a deal that is played out by simple rules is better for the declarer than one at the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final

from ordago.games.taihe.rules import possible_states
from ordago.games.taihe.values import PASS, Phase, TaiheAction, TaiheView
from ordago_bot.house.taihe import candidates, meaning, weigh_in
from ordago_bot.house.taihe_likelihood import Likelihood
from ordago_bot.house.weighing import Weighed, Weighing, policy_by, tallied
from ordago_bot.search.inference import likely

__all__ = ["candidates", "choose", "meaning", "weigh"]

_LEAST_GAIN: Final[Mapping[Phase, float]] = MappingProxyType({Phase.DECLARING: 2.5, Phase.EXCHANGING: 0.8})
"""The least gain over a pass, in points, for which it bids.

333 declarers of ``solid`` expected 2.5 points on average and got -0.2; 201 that exchanged expected 0.8 and got -0.1.
"""


def weigh(view: TaiheView, actions: Sequence[TaiheAction], *, rng: Random, worlds: int) -> Weighing[TaiheAction]:
    """Evaluate actions in points of the deal, plus the worth of the cards that are left, and less for a bid."""
    states = likely(possible_states(view, rng=rng), Likelihood(view), rng=rng, worlds=worlds)
    weighing = weigh_in(states, actions, phase=view.phase, rng=rng)
    least = _LEAST_GAIN.get(view.phase)
    return weighing if least is None else weighing._replace(weighed=tuple(_careful(weighing, least)))


def _careful(weighing: Weighing[TaiheAction], least: float) -> Iterator[Weighed[TaiheAction]]:
    """Yield the evaluations with the least gain taken off each bid."""
    for action, _rank, brought in weighing.weighed:
        off = 0.0 if action == PASS else least
        yield tallied(action, [worth - off for worth in brought()])


choose = policy_by(candidates, weigh)
"""The policy: a function of a view that is called as those of ``solid`` are."""
