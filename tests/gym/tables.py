"""Matches played by chance, for tests of encodings and environments."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from random import Random
from typing import Any

from games.noninterference import Ways, by_chance

from ordago.game import CHANCE, FINISHED, Parts
from ordago.games import find_game
from ordago_gym import ENCODED, Decision, Encoding, encoding_of
from ordago_gym.arrays import mask_of, observation_of

TABLES = [(name, seats) for name in ENCODED for seats in find_game(name).rules.seat_counts]
"""Each game with each number of players."""
SHORT: Mapping[str, Mapping[str, object]] = {
    "mitaines": {"target": 300},
    "mitigati": {"rounds": 1},
    "mittlere": {"deals": 3},
    "mus": {"target": 30, "more_signals": 1},
    "taihe": {"deals": 3},
}
"""Options of matches that end soon."""


def ways_of(name: str) -> Ways:
    ways: Ways = import_module(f"games.{name}.table").WAYS
    return ways


def seen(encoding: Encoding, decision: Decision) -> tuple[bytes, bytes]:
    """Return the observation and the mask of a decision."""
    return observation_of(encoding, decision).tobytes(), mask_of(encoding, decision).tobytes()


def decision_at(encoding: Encoding, state: Any, seat: int) -> Decision:
    """Return what a seat is told in a state, whether it is to act or not."""
    if state.actor == seat:
        return encoding.decision(state.view(seat), state.legal_actions(), state.extras())
    return encoding.decision(state.view(seat))


def filled(legal: Any, extras: Any, rng: Random, fill: Any) -> Any:
    """Return a legal action with its open parts filled by chance, and with an extra now and then."""
    amount = None if legal.amount is None else rng.randint(*legal.amount)
    cards = [card for pick in legal.picks for card in rng.sample(pick.cards, rng.randint(pick.min, pick.max))]
    extra = rng.choice(extras) if extras and rng.random() < 0.3 else None
    return fill(legal, Parts(amount, tuple(sorted(cards)), extra))


def decisions(name: str, seats: int, rng: Random) -> Iterator[tuple[Encoding, Any]]:
    """Play matches by chance without end, and yield the state at each decision; it changes with the next."""
    rules, options = find_game(name).rules, SHORT[name]
    encoding = encoding_of(name, seats=seats, options=options)
    choices = ways_of(name).choices or (by_chance,)
    while True:
        state = rules.new_match(seats=seats, options=rules.options(options))
        while state.actor != FINISHED:
            if state.actor == CHANCE:
                cards = list(state.shuffle_due().cards)
                rng.shuffle(cards)
                state.supply(cards)
                continue
            yield encoding, state
            state.apply(rng.choice(choices)(state, rng))
