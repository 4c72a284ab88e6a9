"""Measures `ordago rules`: playouts per second by the size of a call, beside the same playouts in process.

``python research/rules_service.py`` prints the table of docs/rules-service.md: for each game, a decision in the middle of
a deal, and random playouts to its end. It takes two minutes; nothing else should run meanwhile.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import grpc

from ordago import v1
from ordago.game import CHANCE
from ordago.games import find_game, game_names
from ordago.games.definition import AnyGame
from ordago.search.evaluation import candidates_of, evaluate
from ordago.search.playouts import Manner, Playouts, any_action, shuffle
from ordago.v1.rules_service_pb2_grpc import RulesServiceStub

SIZES = (1, 10, 100, 1000)
SECONDS = 0.5
ROUNDS = 5
STEPS = {"mitaines": 12, "mitigati": 30, "mittlere": 9, "mus": 0, "taihe": 12}
"""Actions before the decision, so that the deal is in its middle and several actions are legal."""


def rate(call: Callable[[], int]) -> float:
    """Return the playouts per second of a call that returns how many it made: the median of some rounds."""
    call()
    return median(_rate(call) for _ in range(ROUNDS))


def _rate(call: Callable[[], int]) -> float:
    made, start = 0, perf_counter()
    while (elapsed := perf_counter() - start) < SECONDS:
        made += call()
    return made / elapsed


def middle(game: AnyGame) -> Any:
    """Return a state in the middle of a deal."""
    rng = Random(5)
    state = game.rules.new_match(seats=game.rules.seat_counts[0], options=game.rules.options({}))
    for _ in range(STEPS[game.name]):
        while state.actor == CHANCE:
            shuffle(state, rng)
        state.apply(any_action(game, rng.choice(state.legal_actions()), rng))
    while state.actor == CHANCE:
        shuffle(state, rng)
    return state


def in_process(game: AnyGame, view: Any, actions: Any) -> int:
    rng = Random(1)
    found = evaluate(
        actions,
        islice(game.possible_states(view, rng=rng), 1000 // len(actions)),
        seat=view.seat,
        sides_of=game.rules.sides,
        playouts=Playouts(game, Manner(), rng=rng),
        is_time_up=lambda: False,
    )
    return found.worlds * len(actions)


def figures(game: AnyGame, stub: RulesServiceStub) -> Iterator[float]:
    state = middle(game)
    view = state.view(state.actor)
    message = v1.View.FromString(game.codec.views()(view))
    situation = v1.Situation(game=game.name, seat=state.actor, view=message)
    actions = candidates_of(game, view, state.legal_actions())[:1]
    candidates = [game.codec.action(action) for action in actions]
    yield rate(lambda: in_process(game, view, actions))
    for size in SIZES:
        request = v1.EvaluateActionsRequest(situation=situation, worlds=size, candidates=candidates)
        yield rate(lambda request=request: stub.EvaluateActions(request).playouts)
    states = stub.DrawWorlds(v1.DrawWorldsRequest(situation=situation, worlds=max(SIZES))).states
    for size in SIZES:
        request = v1.PlayOutRequest(states=states[:size])
        yield rate(lambda request=request: len(stub.PlayOut(request).results))


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="ordago-") as folder:
        path = Path(folder) / "s"
        command = [sys.executable, "-m", "ordago", "rules", "--unix", str(path), "--processes", "1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as service:
            service.stdout.readline()
            options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
            with grpc.insecure_channel(f"unix:{path}", options=options) as channel:
                stub = RulesServiceStub(channel)
                for name in game_names():
                    row = [f"{figure:,.0f}" for figure in figures(find_game(name), stub)]
                    print(f"| {name} | {' | '.join(row)} |", flush=True)
            service.terminate()


if __name__ == "__main__":
    main()
