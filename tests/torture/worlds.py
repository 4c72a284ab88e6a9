"""Deals of each game that look the same to one seat, from the beginning of a match, and how to tell them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from games.mitaines import table as mitaines
from games.mitigati import table as mitigati
from games.mittlere import table as mittlere
from games.mus import table as mus
from games.noninterference import AnyState, Choose, Redeal, Redo, Reenact, Step, look_alikes, play_deal, take
from games.taihe import table as taihe

from ordago.game import FINISHED, Shuffle
from ordago.games import find_game
from ordago.games.folder import AnyGame
from ordago.games.mittlere.values import PLAY


@dataclass(frozen=True, slots=True)
class Ways:
    """How a game is played by chance, dealt again and asked for what is illegal."""

    probes: Sequence[Hashable]
    """Actions to be tried at any decision."""
    options: Sequence[Mapping[str, object]]
    """What matches are played with, one after the other."""
    redeal: Redeal | None = None
    choices: Sequence[Choose] = ()
    redo: Redo | None = None
    reenact: Reenact | None = None

    def of_look_alikes(self) -> dict[str, Any]:
        """Return what ``look_alikes`` takes."""
        ways = {"redeal": self.redeal, "redo": self.redo, "reenact": self.reenact}
        return {name: way for name, way in ways.items() if way is not None}


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


WAYS: Mapping[str, Ways] = {
    "mittlere": Ways(tuple(PLAY.values()), options=({"deals": 3},), redeal=mittlere.redeal),
    "mus": Ways(
        mus.PROBES,
        options=[{"signals": signals, "kings": kings} for signals in ("off", "partner", "open") for kings in (8, 4)],
        redeal=mus.redeal,
        choices=(mus.willing,),
        redo=lambda other, _actions: mus.actions_of(other),
    ),
    "taihe": Ways(
        taihe.PROBES,
        options=({"deals": 3},),
        redeal=taihe.redeal,
        choices=(taihe.mixed, taihe.exchanging),
        redo=taihe.redo,
    ),
    "mitaines": Ways(
        mitaines.PROBES, options=({"target": 300},), redeal=mitaines.redeal, choices=(mitaines.declaring_often,)
    ),
    "mitigati": Ways(
        mitigati.PROBES,
        options=({"rounds": 1},),
        choices=(mitigati.any_action, mitigati.any_card),
        reenact=mitigati.reenact,
    ),
}
"""Game by game."""


def twins(name: str, rng: Random, *, deals_before: int) -> Twins:
    """Return two worlds of a game whose last deal differs in what one seat does not see, after some other deals."""
    game, ways = find_game(name), WAYS[name]
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
