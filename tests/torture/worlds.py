"""Deals of each game that look the same to one seat, from the beginning of a match, and how to tell them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any, NamedTuple

from games.noninterference import AnyState, Step, Ways, look_alikes, play_deal, take

from ordago.game import FINISHED, Shuffle
from ordago.games import find_game
from ordago.games.definition import AnyGame


class World(NamedTuple):
    """A match up to a decision: its shuffles and its actions, each in order."""

    shuffles: Sequence[Sequence[int]]
    actions: Sequence[Hashable]

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "World":
        """Return the world in which these steps are taken."""
        shuffles = [step.shuffled for step in steps if step.shuffled is not None]
        return cls(shuffles, [step.action for step in steps if step.shuffled is None])


@dataclass(slots=True)
class ScriptedShuffles:
    """Shuffles one after the other, and the cards as they come where there are no more: ``chance.Deals`` of a match."""

    shuffles: Sequence[Sequence[int]]
    _next: int = field(default=0, init=False)

    def shuffled(self, due: Shuffle) -> tuple[int, ...]:
        """Return the cards that are dealt next."""
        self._next += 1
        return due.cards if self._next > len(self.shuffles) else tuple(self.shuffles[self._next - 1])


class Twins(NamedTuple):
    """Two worlds that look the same to a seat."""

    game: AnyGame
    seats: int
    options: Any
    watched: int
    """The seat that they look the same to."""
    first: World
    second: World
    probes: Sequence[Sequence[Hashable]]
    """For each decision what is illegal there: answers of the watched seat that are to be refused."""


def ways_of(name: str) -> Ways:
    """Return how a game is played by chance. Every game has to say so beside its tests."""
    page = f"tests/games/{name}/table.py"
    try:
        ways = getattr(import_module(f"games.{name}.table"), "WAYS", None)
    except ModuleNotFoundError as error:
        if error.name not in (f"games.{name}", f"games.{name}.table"):
            raise
        ways = None
    assert isinstance(ways, Ways), f"non-interference: {page} has to say in WAYS how {name} is played and dealt again"
    return ways


def twins(name: str, rng: Random, *, deals_before: int) -> Twins:
    """Return two worlds of a game whose last deal differs in what one seat does not see, after some other deals."""
    game, ways = find_game(name), ways_of(name)
    seats = rng.choice(game.rules.seat_counts)
    options = game.rules.options(rng.choice(ways.options))
    beginning = game.rules.new_match(seats=seats, options=options)
    start, before = _after_deals(beginning, ways, rng, deals=deals_before)
    played = {"choose": rng.choice(ways.choices)} if ways.choices else {}
    watched, steps, other_steps = look_alikes(game, start, rng=rng, **ways.of_look_alikes(), **played)
    first, second = World.of([*before, *steps]), World.of([*before, *other_steps])
    return Twins(game, seats, options, watched, first, second, list(_illegal(beginning, [*before, *steps], ways, rng)))


def _after_deals(beginning: AnyState, ways: Ways, rng: Random, *, deals: int) -> tuple[AnyState, list[Step]]:
    """Play as many deals as wanted, or as there are before the match ends; return where that leads, and the steps."""
    state, steps = beginning.clone(), list[Step]()
    for _ in range(deals):
        more = play_deal(state.clone(), rng=rng, **({"choose": ways.choices[0]} if ways.choices else {}))
        after = state.clone()
        for step in more:
            take(after, step)
        if after.actor == FINISHED:
            break
        state, steps = after, [*steps, *more]
    return state, steps


_ILLEGAL_A_DECISION = 1
_ILLEGAL_AT_THE_LAST = 10


def _illegal(beginning: AnyState, steps: Sequence[Step], ways: Ways, rng: Random) -> "Any":
    """Yield some illegal actions for each decision, the one after the steps included."""
    state = beginning.clone()
    for step in steps:
        if step.shuffled is None:
            yield _some_illegal(state, ways, rng, most=_ILLEGAL_A_DECISION)
        take(state, step)
    yield _some_illegal(state, ways, rng, most=_ILLEGAL_AT_THE_LAST)


def _some_illegal(state: AnyState, ways: Ways, rng: Random, *, most: int) -> list[Hashable]:
    tried = rng.sample(ways.probes, min(most, len(ways.probes)))
    return [action for action in tried if state.check(action) is not None]
