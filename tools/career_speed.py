"""Measures how long ratings over time take, and how much memory, on a standing ladder that was played for a year.

``python tools/career_speed.py`` makes a million results of 1,000 players in the five games. A third of the players are
there at a time: bots come, are replaced by new versions and go. It prints how long it takes to take them all up, to
rate for the first time, and to take up and rate a hundred more, five times. ``--always`` lets all players be there all
the time, in all games.
"""

import argparse
import json
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Final

import numpy as np

from ordago_ladder.standing.careers import CareerResult, Careers, Player

BEGAN: Final = 2_800 * 7 * 24 * 60 * 60
YEAR: Final = 365 * 24 * 60 * 60
GAMES: Final = (("mus", 4), ("mitaines", 2), ("mitigati", 3), ("mittlere", 3), ("taihe", 4))
VERSIONS: Final = 3


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long something takes, and the most memory that was ever used."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    seconds = f"{time.perf_counter() - wall:7.2f} s, {time.process_time() - processor:7.2f} s of a processor"
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what:34} {seconds}, {memory:5.0f} MB", flush=True)  # noqa: T201 - it is a command


def players_of(count: int, *, versions: int) -> list[Player]:
    """Return players, among them house bots, in the order in which they come: versions of a bot follow each other."""
    bots = -(-count // versions)
    return [
        Player(number, f"bot {(number - 1) % bots}", number - bots if number > bots else None, house=number <= 3)
        for number in range(1, count + 1)
    ]


def results(players: int, *, matches: int, versions: int) -> Iterator[CareerResult]:
    """Yield matches of a year, and go on, whose players meet by chance."""
    random = np.random.RandomState(1)
    strengths = random.normal(0, 1, size=players + 1)
    bots = -(-players // versions)
    number = 0
    while True:
        version = min(versions - 1, number * versions // matches)
        game, seats = GAMES[number % len(GAMES)]
        there = min(bots, players - version * bots)
        table = [1 + version * bots + place for place in random.choice(there, seats, replace=False).tolist()]
        performed = strengths[table] + random.gumbel(size=seats)
        if game == "mus":
            performed = performed[:2].repeat(2).reshape(2, 2).T.ravel()
        placings = tuple((1 + (performed[:, np.newaxis] < performed).sum(axis=1)).tolist())
        yield CareerResult(game, tuple(table), placings, (), BEGAN + number * YEAR // matches)
        number += 1


def main() -> None:
    """Measure, and print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=1_000_000, help="how many (default: %(default)s)")
    parser.add_argument("--players", type=int, default=1_000, help="how many (default: %(default)s)")
    parser.add_argument("--always", action="store_true", help="all players are there all the time")
    arguments = parser.parse_args()
    versions = 1 if arguments.always else VERSIONS
    played = results(arguments.players, matches=arguments.results, versions=versions)
    careers = Careers(anchors={"bot 0": 1700.0, "bot 1": 1300.0})
    careers.enter(players_of(arguments.players, versions=versions))
    with timed("results, made up"):
        made = list(islice(played, arguments.results))
    with timed(f"to take up {len(made):,} results"):
        careers.add(made)
    del made
    with timed("the first ratings"):
        careers.ratings()
    for _ in range(5):
        more = list(islice(played, 100))
        with timed("a hundred more, rated"):
            careers.add(more)
            ratings = careers.ratings()
    with timed("ratings as JSON"):
        size = len(json.dumps(ratings.as_json()))
    print(f"{size:,} bytes of JSON, {len(ratings.overall.ratings):,} players")  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
