"""Measures how long ratings over time take, and how much memory, on a standing ladder that was played for a year.

``python research/career_speed.py`` makes a million results of 1,000 players in the five games. A third of the players are
there at a time: bots come, are replaced by new versions and go. It prints how long it takes to take them all up, to
rate for the first time, and to take up and rate a hundred more, five times; then to copy it, and to take up and rate a
day of results from there, as it is done when a match of an earlier epoch ends late. ``--always`` lets all players be
there all the time, in all games.
"""

import argparse
import json
from collections.abc import Iterator
from copy import deepcopy
from itertools import count, islice
from typing import Final

import numpy as np
from rating_speed import timed

from ordago_ladder.standing.ratings import CareerResult, Careers, Player

WEEK: Final = 7 * 24 * 60 * 60
BEGAN: Final = 2_800 * WEEK
GAMES: Final = (("mus", 4), ("mitaines", 2), ("mitigati", 3), ("mittlere", 3), ("taihe", 4))
VERSIONS: Final = 3


def players_of(players: int, *, versions: int) -> list[Player]:
    """Return players, among them house bots, in the order in which they come: versions of a bot follow each other."""
    bots = -(-players // versions)
    return [
        Player(number, f"bot {(number - 1) % bots}", number - bots if number > bots else None, house=number <= 3)
        for number in range(1, players + 1)
    ]


def results(players: int, *, matches: int, versions: int, weeks: int) -> Iterator[CareerResult]:
    """Yield matches of so many weeks, and go on, whose players meet by chance."""
    random = np.random.RandomState(1)
    strengths = random.normal(0, 1, size=players + 1)
    bots = -(-players // versions)
    for number in count():
        version = min(versions - 1, number * versions // matches)
        game, seats = GAMES[number % len(GAMES)]
        there = min(bots, players - version * bots)
        first, step = random.randint(there), 1 + random.randint(there // seats)
        table = [1 + version * bots + (first + place * step) % there for place in range(seats)]
        performed = (strengths[table] + random.gumbel(size=seats)).tolist()
        if game == "mus":
            performed = performed[:2] * 2
        placings = tuple(1 + sum(other > own for other in performed) for own in performed)
        yield CareerResult(game, tuple(table), placings, (), BEGAN + number * weeks * WEEK // matches)


def main() -> None:
    """Measure, and print a line for each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=int, default=1_000_000, help="how many (default: %(default)s)")
    parser.add_argument("--players", type=int, default=1_000, help="how many (default: %(default)s)")
    parser.add_argument("--weeks", type=int, default=52, help="in how many they are played (default: %(default)s)")
    parser.add_argument("--always", action="store_true", help="all players are there all the time")
    arguments = parser.parse_args()
    versions = 1 if arguments.always else VERSIONS
    played = results(arguments.players, matches=arguments.results, versions=versions, weeks=arguments.weeks)
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
    with timed("a copy"):
        copied = deepcopy(careers)
    day = list(islice(played, arguments.results // (7 * arguments.weeks)))
    with timed(f"a day of {len(day):,} from there, rated"):
        copied.add(day)
        copied.ratings()
    with timed("ratings as JSON"):
        size = len(json.dumps(ratings.as_json()))
    print(f"{size:,} bytes of JSON, {len(ratings.overall.ratings):,} players")  # noqa: T201 - it is a command


if __name__ == "__main__":
    main()
