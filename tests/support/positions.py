"""Positions of matches played at random, and what a bot would tell the rules service of them."""

from collections.abc import Iterator
from random import Random
from typing import Any

from ordago import v1
from ordago.game import CHANCE, FINISHED
from ordago.games.definition import AnyGame
from ordago.search.playouts import any_action, shuffle


def positions(game: AnyGame, *, seed: int, number: int, seats: int | None = None) -> Iterator[Any]:
    """Yield states in which a player is to act, from whole matches at random; each is a copy."""
    rng = Random(seed)
    options = game.rules.options({})
    while True:
        state = game.rules.new_match(seats=seats or game.rules.seat_counts[0], options=options)
        while state.actor != FINISHED:
            if state.actor == CHANCE:
                shuffle(state, rng)
                continue
            # Not every one: those next to each other differ little.
            if not rng.randrange(7):
                yield state.clone()
                number -= 1
                if not number:
                    return
            state.apply(any_action(game, rng.choice(state.legal_actions()), rng))


def situation(game: AnyGame, state: Any) -> v1.Situation:
    """Return what the actor of a state knows, as in a decision."""
    view = v1.View.FromString(game.codec.views()(state.view(state.actor)))
    return v1.Situation(game=game.name, seat=state.actor, view=view)
