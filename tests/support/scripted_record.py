"""Records of matches that are played as a test wants them."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from ordago import v1
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game
from ordago.record import FORMAT_VERSION, RecordBuilder


def scripted_record(
    name: str,
    choose: Callable[[Any, int], Any],
    *,
    seats: int | None = None,
    options: Mapping[str, object] | None = None,
    first: Callable[[Any], Sequence[int]] | None = None,
    faults: frozenset[int] = frozenset(),
    seed: int = 0,
    match_id: str = "0" * 32,
) -> v1.MatchRecord:
    """Play a match and record it.

    Args:
        name: the game.
        choose: returns the action for a state and the number of the choice, from 0; ``None`` is the default action.
        seats: how many play; as few as can where it is not given.
        options: what is played with.
        first: returns the outcome of the first shuffle for the state before it.
        faults: the numbers of the choices that are recorded as made by default, for a fault.
        seed: what the other shuffles come from.
        match_id: the name of the match.
    """
    game = find_game(name)
    seats = seats or game.rules.seat_counts[0]
    values = game.rules.options(options or {})
    state = game.rules.new_match(seats=seats, options=values)
    named = [v1.RecordSeat(name=f"bot {seat}", side=side) for seat, side in enumerate(game.rules.sides(seats))]
    builder = RecordBuilder(
        v1.MatchRecord(
            format_version=FORMAT_VERSION,
            match_id=match_id,
            game=name,
            rules_version=game.rules.version,
            options=game.codec.options(values),
            seats=named,
        )
    )
    rng, number = Random(seed), 0
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            due = state.shuffle_due()
            cards = (
                first(state) if first and not due.deal and not due.shuffle else rng.sample(due.cards, len(due.cards))
            )
            builder.shuffled(due, cards)
            events = state.supply(cards)
        else:
            action = None if number in faults else choose(state, number)
            action = state.default_action() if action is None else action
            fault = v1.FAULT_TOO_LATE if number in faults else v1.FAULT_UNSPECIFIED
            builder.chosen(state.actor, game.codec.action(action).SerializeToString(), charged_ms=0, fault=fault)
            number += 1
            events = state.apply(action)
        builder.happened(*(game.codec.event(event.full) for event in events))
    assert state.outcome is not None
    return builder.finish(state.outcome).message
