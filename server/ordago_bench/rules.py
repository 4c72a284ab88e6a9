"""The speed of the rules alone, in random play of whole matches, compared with other libraries if installed."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from random import Random
from statistics import median
from typing import Any, Final

from ordago.chance import SecretDeals
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game, game_names
from ordago.games.definition import AnyGame
from ordago.search.playouts import any_action

_SEED: Final = 7
_OPENSPIEL_GAMES: Final = ("tarok", "euchre", "dou_dizhu", "hearts")
_RLCARD_GAMES: Final = ("doudizhu",)

PlayMatch = Callable[[Random], int]
"""A function that plays a whole match at random and returns the number of decisions."""


def measure_rules(*, seconds: float) -> dict[str, float]:
    """Return the decisions per second of each game in random play: listing actions, choosing and applying one."""
    return {name: _rate(own_match(find_game(name)), seconds) for name in game_names()}


def measure_peers(*, seconds: float) -> dict[str, float]:
    """Return the decisions per second of the games of other installed libraries, by name."""
    return {name: _rate(play, seconds) for name, play in _peers()}


class OpenSpielMissingError(Exception):
    """OpenSpiel is not installed."""


def measure_beside_openspiel(name: str, peers: Sequence[str], *, seconds: float, rounds: int) -> tuple[float, float]:
    """Return the decisions per second of a game, and their ratio to the median of some OpenSpiel games.

    Both are medians of rounds in which they take turns, each for ``seconds``.

    Raises:
        OpenSpielMissingError: OpenSpiel is not installed.
    """
    try:
        pyspiel = import_module("pyspiel")
    except ModuleNotFoundError:
        raise OpenSpielMissingError("OpenSpiel is not installed: pip install 'ordago[bench]'") from None
    own, others = own_match(find_game(name)), [openspiel_match(pyspiel.load_game(peer)) for peer in peers]
    turns = [(_rate(own, seconds), median(_rate(other, seconds) for other in others)) for _ in range(rounds)]
    return median(rate for rate, _ in turns), median(rate / other for rate, other in turns)


def _rate(play: PlayMatch, seconds: float) -> float:
    rng = Random(_SEED)
    play(rng)  # Fill the caches before timing.
    decisions, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        decisions += play(rng)
    return round(decisions / elapsed, 1)


def own_match(game: AnyGame) -> PlayMatch:
    """Return a function that plays a match of a game at random, with default options and the fewest seats."""
    rules = game.rules
    options = rules.options({})
    seats = rules.seat_counts[0]

    def play(rng: Random) -> int:
        state = rules.new_match(seats=seats, options=options)
        deals = SecretDeals(rng.randbytes(32), "bench")
        decisions = 0
        while (actor := state.actor) != FINISHED:
            if actor == CHANCE:
                state.supply(deals.shuffled(state.shuffle_due()))
                continue
            legal = rng.choice(state.legal_actions())
            action, amount, picks = legal
            # Actions of the peers have no open parts, so an action without any avoids the call here.
            state.apply(action if amount is None and not picks else any_action(game, legal, rng))
            decisions += 1
        return decisions

    return play


def _peers() -> Iterator[tuple[str, PlayMatch]]:
    with suppress(ModuleNotFoundError):
        pyspiel = import_module("pyspiel")
        for name in _OPENSPIEL_GAMES:
            yield f"openspiel:{name}", openspiel_match(pyspiel.load_game(name))
    with suppress(ModuleNotFoundError):
        rlcard = import_module("rlcard")
        for name in _RLCARD_GAMES:
            yield f"rlcard:{name}", rlcard_match(rlcard.make(name))


def openspiel_match(game: Any, look: Callable[[Any], object] | None = None) -> PlayMatch:  # noqa: ANN401 - no types
    """Return a function that plays a match of OpenSpiel at random, and looks at each state that asks for a decision."""

    def play(rng: Random) -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            if look is not None:
                look(state)
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def rlcard_match(environment: Any) -> PlayMatch:  # noqa: ANN401 - the library is untyped
    """Return a function that plays a match of RLCard at random."""

    def play(rng: Random) -> int:
        state, _ = environment.reset()
        decisions = 0
        while not environment.is_over():
            state, _ = environment.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def as_json(own: Mapping[str, float], peers: Mapping[str, float]) -> dict[str, object]:
    """Return the figures as JSON."""
    return {"ordago": dict(own), "peers": dict(peers)}
