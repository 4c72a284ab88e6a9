"""Policy of the higher levels for Mitaines: that of ``solid``, in deals in which the others would have played so."""

from collections.abc import Sequence
from random import Random

from ordago.games.mitaines.rules import possible_states
from ordago.games.mitaines.values import MitainesView, PlayCard
from ordago_bot.house.mitaines import candidates, meaning, weigh_in
from ordago_bot.house.mitaines_likelihood import Likelihood
from ordago_bot.house.weighing import Weighing, policy_by
from ordago_bot.search.inference import likely

__all__ = ["candidates", "choose", "meaning", "weigh"]


def weigh(view: MitainesView, actions: Sequence[PlayCard], *, rng: Random, worlds: int) -> Weighing[PlayCard]:
    """Evaluate actions as ``solid`` does, in likely deals."""
    states = likely(possible_states(view, rng=rng), Likelihood(view), rng=rng, worlds=worlds)
    return weigh_in(states, actions, rng=rng)


choose = policy_by(candidates, weigh)
"""The policy: a function of a view that is called as those of ``solid`` are."""
