"""How many matches an open event needs until its order is right.

``python research/open_events.py`` plays open events in memory with bots of known strengths, whose matches follow the
model of Plackett and Luce. After each round it compares the order of the estimated strengths with the true one. It
prints for each series of events the matches after which 95 % of them are right, as the mean of five rounds; None if
that takes more than ``--sets``.
"""

import argparse
import math
from collections.abc import Iterator
from random import Random
from typing import Final

from ordago.record import Result
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.schedule.open_rounds import OpenRounds
from ordago_ladder.schedule.schedule import SetMaker
from ordago_ladder.settings.settings import Settings

_SPREADS: Final = {
    "house": (1663, 1609, 1555, 1507, 1459, 1406, 1354, 1301),
    "even, 100 apart": tuple(1850 - 100 * number for number in range(8)),
    "a close pair": (1800, 1700, 1600, 1520, 1480, 1400, 1300, 1200),
    "a hopeless one": (1663, 1609, 1555, 1507, 1459, 1406, 1354, 700),
}
"""Strengths in Elo: the house bots of docs/house.md with one more between each two and beside them, and others."""
_GAMES: Final = {2: ("mitaines", 2), 3: ("mittlere", 3)}
_RIGHT: Final = 0.95


def _event(table: int, entrants: int, sets: int) -> Settings:
    name, seats = _GAMES[table]
    bots = "".join(f'[[entrant]]\nname = "bot-{number}"\nhouse = "random"\n' for number in range(entrants))
    text = f'[event]\nname = "open"\nformat = "open"\nsets_wanted = {sets}\n[[game]]\nname = "{name}"\nseats = {seats}\n'
    return parse_event(text + bots)


def _played(planned: PlannedMatch, elo: dict[str, float], rng: Random) -> MatchResult:
    luck = [-math.log(-math.log(rng.random())) + elo[name] * math.log(10) / 400 for name in planned.entrants]
    placings = tuple(1 + sum(other > mine for other in luck) for mine in luck)
    nothing = ((),) * len(luck)
    result = Result(scores=(0,) * len(luck), placings=placings, faults=nothing, forfeits=(), strikes=nothing)
    return MatchResult(IssuedMatch(planned, f"{planned.row:032x}"), result)


def _course(settings: Settings, strengths: tuple[int, ...], rng: Random) -> Iterator[tuple[int, bool]]:
    """Yield the number of matches after each round, and whether the order is right."""
    names = sorted(entrant.name for entrant in settings.entrants)
    # The names say nothing of the strengths, since ties are broken by names.
    elo = dict(zip(names, rng.sample(strengths, len(strengths)), strict=True))
    order = sorted(range(len(names)), key=lambda number: -elo[names[number]])
    rounds, maker, matches = OpenRounds(settings), SetMaker(settings), 0
    while tables := rounds.next_round(frozenset()):
        played = [_played(planned, elo, rng) for planned in maker.matches(tables)]
        rounds.learn(played, frozenset())
        matches += len(played)
        found = sorted(range(len(names)), key=lambda number: -rounds._strengths._strengths[number])
        yield matches, found == order


def _needed(table: int, strengths: tuple[int, ...], *, events: int, seed: str, sets: int) -> int | None:
    """Return the matches after which 95 % of the events are right."""
    settings = _event(table, len(strengths), sets)
    courses = [list(_course(settings, strengths, Random(f"{seed} {event}"))) for event in range(events)]
    played = [matches for matches, _ in courses[0]]
    shares = [sum(right for _, right in each) / events for each in zip(*courses, strict=True)]
    means = (sum(shares[first : first + 5]) / 5 for first in range(len(shares) - 4))
    return next((matches for matches, mean in zip(played, means, strict=False) if mean >= _RIGHT), None)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--events", type=int, default=200)
    arguments.add_argument("--seeds", type=int, default=3)
    arguments.add_argument("--sets", type=int, default=3000)
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    for name, strengths in _SPREADS.items():
        for table in _GAMES:
            if given.only in f"{name} {table}":
                found = [
                    _needed(table, strengths, events=given.events, seed=f"{seed}", sets=given.sets)
                    for seed in range(1, given.seeds + 1)
                ]
                print(f"{name}, tables of {table}: {found}", flush=True)


if __name__ == "__main__":
    main()
