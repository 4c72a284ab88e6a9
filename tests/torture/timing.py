"""How long a server takes to refuse an answer, in two worlds that look the same to the one who is refused."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import NamedTuple

import trio
from support.matches import match_terms
from torture.leaks import TellingTime, leaking, neighbours_hand
from torture.telling import MOST_SEATS, Line
from torture.worlds import ScriptedShuffles, Twins, World, twins

from ordago import v1
from ordago.arena.admission.authenticator import AllowEverybody
from ordago.arena.bot import Bot
from ordago.arena.play import play
from ordago.arena.server import Server
from ordago.edge import Edge
from ordago.games import game_names

_REFUSALS = 12
_DECISION_MS = 60_000
_START_SECONDS = 20.0


class Effect(NamedTuple):
    """How much two worlds differ in the times of their answers."""

    slower: float
    """The likelihood that an answer in the first world takes longer than one in the second: 0.5 if nothing shows."""
    error: float
    """Half of the width of its 95 % interval."""
    microseconds: float
    """The difference of the medians, in microseconds, on average."""
    answers: int
    """How many were timed."""


def first_asked(name: str, seed: int) -> Twins:
    """Return two worlds in which the watched seat is asked for the first time."""
    rng = Random(f"timing {name} {seed}")
    while True:
        found = twins(name, rng, deals_before=0)
        if not found.first.actions and found.first != found.second and found.probes[-1] and _held(found):
            return found


def _held(worlds: Twins) -> int:
    """Return what the neighbour of the watched seat holds in the first world, and not in the second."""
    return _neighbours(worlds, worlds.first) & ~_neighbours(worlds, worlds.second)


def _neighbours(worlds: Twins, world: World) -> int:
    state = worlds.game.rules.new_match(seats=worlds.seats, options=worlds.options)
    state.supply(world.shuffles[0])
    return neighbours_hand(state)


def with_leak(worlds: Twins, *, seconds: float) -> Twins:
    """Return the same worlds in a game that takes so much longer if the neighbour holds a card."""
    card = _held(worlds).bit_length() - 1
    leak = type("TellingTimeOfCard", (TellingTime,), {"__slots__": (), "card": card, "seconds": seconds})
    return worlds._replace(game=leaking(worlds.game, leak))


def measured(worlds: Twins, *, pairs: int) -> Effect:
    """Play each of two worlds so often over a real wire, in pairs in random order, and compare the times."""
    return trio.run(partial(_measured, worlds, pairs))


async def _measured(worlds: Twins, pairs: int) -> Effect:
    bots = list[Bot]()
    arrived = trio.Event()

    def come_in(bot: Bot) -> None:
        bots.append(bot)
        arrived.set()

    server = Server(authenticator=AllowEverybody(come_in), games=[worlds.game.name])
    rng = Random("order")
    order = [world for _ in range(pairs) for world in rng.sample((0, 1), 2)]
    async with Edge.open("127.0.0.1:0", server) as edge:
        prober = _start_prober(worlds, edge.port)
        with trio.fail_after(_START_SECONDS):
            await arrived.wait()
        others = _Others()
        for world in order:
            await _play(worlds, (worlds.first, worlds.second)[world], bots[0], others)
        server.sessions.close("that is all")
        said, _ = await trio.to_thread.run_sync(prober.communicate)
    return _effect(order, [json.loads(line) for line in said.splitlines()])


def _start_prober(worlds: Twins, port: int) -> "subprocess.Popen[str]":
    answer = v1.Answer(action=worlds.game.codec.action(worlds.probes[-1][0]))
    return subprocess.Popen(  # noqa: S603 - ours
        [sys.executable, "-m", "torture.prober", str(port), answer.SerializeToString().hex()],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


async def _play(worlds: Twins, world: World, prober: Bot, others: "_Others") -> None:
    """Play up to the end of the first decision of the prober, which all its answers are refused at."""
    terms = match_terms(
        worlds.game,
        options=worlds.options,
        seats=match_terms(worlds.game).seats[:1] * worlds.seats,
        source=ScriptedShuffles(world.shuffles),
        decision_ms=_DECISION_MS,
        strikes=_REFUSALS + 1,
    )
    bots = [prober if seat == worlds.watched else others.bots[seat] for seat in range(worlds.seats)]
    with trio.CancelScope() as others.over:
        await play(terms, [bot.take_seat() for bot in bots])


class _Others:
    """The other bots at the table, in memory: as soon as one of them is asked, the match is over."""

    def __init__(self) -> None:
        self.bots: list[Bot] = []
        self.over = trio.CancelScope()
        server = Server(authenticator=AllowEverybody(self.bots.append), games=game_names())
        for _ in range(MOST_SEATS):
            Line(server).take = self._sent

    def _sent(self, _line: Line, message: v1.ServerMessage, _frame: bytes) -> None:
        if message.HasField("decision"):
            self.over.cancel()


def _effect(order: Sequence[int], times: Sequence[Sequence[float]]) -> Effect:
    """Compare the two worlds pair by pair, since a machine is now quicker and now slower."""
    slower, differences = [], []
    for number in range(0, len(order), 2):
        # The first answer of a match comes after a pause, and tells of that.
        two = {order[place]: times[place][1:] for place in (number, number + 1)}
        slower.append(_share_of_slower(two[0], two[1]))
        differences.append(statistics.median(two[0]) - statistics.median(two[1]))
    error = 1.96 * statistics.stdev(slower) / len(slower) ** 0.5
    answers = sum(len(match) - 1 for match in times)
    return Effect(statistics.mean(slower), error, 1e6 * statistics.mean(differences), answers)


def _share_of_slower(first: Sequence[float], second: Sequence[float]) -> float:
    return statistics.mean((one > other) + (one == other) / 2 for one in first for other in second)
