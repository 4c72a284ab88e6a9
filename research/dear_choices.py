"""Measures whether choices that an analysis calls dear really cost something when both are played out by stronger play.

``python research/dear_choices.py mittlere --matches 3`` plays matches of ``solid`` with noise, analyses them, and plays
each dear choice and the one that the house prefers on to the end of the deal by ``solid`` with 8 worlds in all seats, in
the same imagined deals. Printed is what the analysis says that they cost, what they cost when played out, and how many
cost anything, with standard errors over the choices. ``--by solid`` has ``solid`` analyse, not the strongest level.
"""

import argparse
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random
from statistics import fmean, stdev
from typing import Any
from unittest.mock import patch

from in_process import OPTIONS, Player, Table, player_of

from ordago import v1
from ordago.games.definition import AnyGame
from ordago.record.opening import opening
from ordago_bot.house import analysis
from ordago_bot.house.analysis import Judgement, opinions, words_of
from ordago_bot.house.levels import strongest_weigher
from ordago_bot.house.solid import SolidBot, weigher_of
from ordago_bot.house.weighing import Unit
from ordago_bot.local import play_locally

STRONG = "solid-8"
NOISE = 20


def states_of(record: v1.MatchRecord) -> Iterator[tuple[int, Any, Any]]:
    """Yield each choice's entry, the state before it, which the next one changes, and the action."""
    begun = opening(record)
    state: Any = begun.state
    for place, entry in enumerate(record.entries):
        if entry.HasField("shuffle"):
            state.supply(tuple(entry.shuffle.cards))
        elif entry.HasField("choice"):
            action = begun.game.codec.action_from(entry.choice.action)
            yield place, state, action
            state.apply(action)


def action_of(game: AnyGame, state: Any, words: str) -> Any:  # noqa: ANN401 - of the game
    """Return the action of the house that these words are for."""
    weigher = strongest_weigher(game.name)
    assert weigher is not None
    actions = weigher.candidates(state.view(state.actor), state.legal_actions())
    return next(action for action in actions if words_of(game, action) == words)


def gain(game: AnyGame, state: Any, action: Any, *, strong: Player, rng: Random) -> float:  # noqa: ANN401 - of the game
    """Return what a seat gains on the others in the deal by an action, with strong play after it."""
    assert game.standing is not None
    seat, before = state.actor, game.standing(state)
    state.apply(action)
    while state.actor >= 0 and game.standing(state).deal == before.deal:
        state.apply(strong(state, rng))
    gained = [now - then for now, then in zip(game.standing(state).scores, before.scores, strict=True)]
    sides = game.rules.sides(len(gained))
    others = [each for each, side in zip(gained, sides, strict=True) if side != sides[seat]]
    return gained[seat] - fmean(others)


def played_out(game: AnyGame, state: Any, taken: Any, found: Judgement, *, strong: Player, deals: int) -> float:  # noqa: ANN401
    """Return what a choice costs when it and the better one are played out in the same deals."""
    assert game.possible_states is not None
    better = action_of(game, state, found.options[0].words)
    drawn = islice(game.possible_states(state.view(state.actor), rng=Random(f"deals {found.entry}")), deals)
    play_on = partial(gain, game, strong=strong)
    return fmean(
        play_on(deal.clone(), better, rng=Random(number)) - play_on(deal.clone(), taken, rng=Random(number))
        for number, deal in enumerate(drawn)
    )


def main() -> None:
    """Measure, and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=["mittlere", "taihe"])
    parser.add_argument("--matches", type=int, default=3)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--by", choices=["solid", "strongest"], default="strongest")
    parsed = parser.parse_args()
    table = Table.of(parsed.game)
    bots = [partial(SolidBot, worlds=8, noise=NOISE)] * table.seats
    strong = player_of(STRONG, table.game)
    by = weigher_of if parsed.by == "solid" else strongest_weigher
    claimed, costs = [], []
    with patch.object(analysis, "strongest_weigher", by):
        options = OPTIONS.get(parsed.game, {})
        for match in play_locally(bots, parsed.game, options=options, seed="dear", matches=parsed.matches):
            dear = {
                each.entry: each
                for each in opinions(match.record)
                if isinstance(each, Judgement) and each.dear and each.unit is not Unit.HAND
            }
            for place, state, taken in states_of(match.record):
                if place in dear:
                    claimed.append(dear[place].cost)
                    costs.append(played_out(table.game, state, taken, dear[place], strong=strong, deals=parsed.deals))
    number = len(costs)
    print(  # noqa: T201 - what it is for
        f"{parsed.game:9} by {parsed.by:9} {number} dear choices, said to cost {fmean(claimed):.2f}, "
        f"played out {fmean(costs):.2f} ± {stdev(costs) / number**0.5:.2f}, "
        f"{sum(cost > 0 for cost in costs)} of them cost something"
    )


if __name__ == "__main__":
    main()
