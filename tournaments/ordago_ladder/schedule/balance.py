"""Balance of a schedule: counts of meetings, seats and partners for each entrant."""

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ordago.store import PlannedMatch
from ordago_ladder.schedule.counts import games_in_order
from ordago_ladder.schedule.tables import entrant_names
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

Counts = tuple[tuple[int, ...], ...]
"""Counts by entrant and entrant, both in ascending order of names, or by entrant and seat."""


class GameBalance(NamedTuple):
    """Balance of the matches of one game. All tuples are in ascending order of the entrants' names."""

    game: str
    sets: tuple[int, ...]
    """The number of duplicate sets of each entrant; without duplicates, of matches."""
    seats: Counts
    """The number of matches of each entrant on each seat. It shows also how often the entrant has the first deal."""
    partners: Counts
    """The number of matches with two entrants as partners; on the diagonal, with one on both seats of a side."""


class Balance(NamedTuple):
    """Balance of a schedule, or of its beginning."""

    entrants: tuple[str, ...]
    """The entrants, ascending."""
    games: tuple[GameBalance, ...]
    """The games, ascending."""
    meetings: Counts
    """The number of sets, of any game, in which two entrants are opponents or partners; 0 on the diagonal."""


def balance(settings: Settings, matches: Iterable[PlannedMatch]) -> Balance:
    """Count the meetings, seats and partners in matches of an event."""
    names, chosen = entrant_names(settings), list(matches)
    met: Counter[tuple[str, str]] = Counter()
    for first in _one_of_each_set(chosen):
        met.update(itertools.permutations(sorted(set(first.entrants)), 2))
    return Balance(
        entrants=tuple(names),
        games=tuple(
            _of_game(game, names, [match for match in chosen if match.game == game.name])
            for game in games_in_order(settings)
        ),
        meetings=_square(names, met),
    )


def _of_game(game: GameSettings, names: Sequence[str], matches: Sequence[PlannedMatch]) -> GameBalance:
    sets = Counter(name for first in _one_of_each_set(matches) for name in set(first.entrants))
    seats = Counter((name, seat) for match in matches for seat, name in enumerate(match.entrants))
    partners = Counter(pair for match in matches for pair in _partners(match, game.sides))
    return GameBalance(
        game=game.name,
        sets=tuple(sets[name] for name in names),
        seats=tuple(tuple(seats[name, seat] for seat in range(game.seats)) for name in names),
        partners=_square(names, partners),
    )


def _partners(match: PlannedMatch, sides: Sequence[int]) -> set[tuple[str, str]]:
    seats = itertools.permutations(zip(sides, match.entrants, strict=True), 2)
    return {(name, other) for (side, name), (other_side, other) in seats if side == other_side}


def _one_of_each_set(matches: Iterable[PlannedMatch]) -> Iterable[PlannedMatch]:
    return {match.set_key: match for match in matches}.values()


def _square(names: Sequence[str], counted: Counter[tuple[str, str]]) -> Counts:
    return tuple(tuple(counted[name, other] for other in names) for name in names)


def balance_lines(found: Balance) -> list[str]:
    """Return the balance as text: a heading, then a line for each entrant."""
    heading = ["entrant", *(f"{game.game}: sets, seats" for game in found.games), "met: least, most, never"]
    lines = [heading]
    for number, name in enumerate(found.entrants):
        met = [count for other, count in enumerate(found.meetings[number]) if other != number]
        of_games = (f"{game.sets[number]}, {'/'.join(map(str, game.seats[number]))}" for game in found.games)
        lines.append([name, *of_games, f"{min(met)}, {max(met)}, {met.count(0)}"])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]
