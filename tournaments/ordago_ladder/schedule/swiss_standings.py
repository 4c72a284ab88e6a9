"""Standings of a Swiss event round by round, as a pure function of its results.

Points are those of the pairing. The tie-breaks follow FIDE's definitions (C.07), for tables in place of games:

- *Buchholz*: the sum, over all tables, of the mean points of the opponents there.
- *Sonneborn–Berger*: the sum, over all opponents, of their points times the share that was won from them.
- *Median Buchholz*: Buchholz without the table that adds most and the one that adds least.

A bye counts in them as a tie with an imaginary opponent that has the entrant's own points. A forfeited match counts as
played: default answers play it to its end. Entrants that are equal in everything share a rank.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.counts import games_in_order
from ordago_ladder.schedule.shares import shares_of
from ordago_ladder.schedule.swiss import BYE
from ordago_ladder.schedule.tables import entrant_names
from ordago_ladder.settings.settings import Settings


class SwissLine(NamedTuple):
    """A line of the standings, which are ordered by its figures, one after the other."""

    rank: int
    entrant: str
    points: Fraction
    buchholz: Fraction
    sonneborn_berger: Fraction
    median_buchholz: Fraction


class SwissTable(NamedTuple):
    """A table of a round."""

    game: str
    entrants: tuple[str, ...]
    """The entrants, those with most points before the round first."""
    points: Mapping[str, Fraction]
    """The points that each made in the round; empty until all matches of the round are played."""


class SwissRound(NamedTuple):
    """A round: complete, or the one that is being played."""

    number: int
    """The number of the round, from 1."""
    before: Mapping[str, Fraction]
    """The points of each entrant before the round."""
    tables: tuple[SwissTable, ...]
    byes: tuple[tuple[str, str], ...]
    """The game and the name of each entrant without a table."""
    standings: tuple[SwissLine, ...]
    """The standings after the round; empty until it is complete."""


class Against(NamedTuple):
    """An opponent at a table, or with no name an imaginary one."""

    opponent: str
    weight: Fraction
    points: Fraction


Unit: TypeAlias = list[Against]
"""The opponents of an entrant in a game of a round."""
_NO_TABLE: Final = Against("", Fraction(1), BYE)


def swiss_rounds(
    settings: Settings, matches: Sequence[PlannedMatch], rounds: Sequence[int], results: Collection[MatchResult]
) -> tuple[SwissRound, ...]:
    """Return the rounds of a Swiss event.

    Args:
        settings: the event.
        matches: the matches in the order of their rows, as far as they are known.
        rounds: the number of matches after each round, as a plan has them.
        results: the results so far, in any order.
    """
    played = {result.planned.row: result for result in results}
    units: dict[str, list[Unit]] = {name: [] for name in entrant_names(settings)}
    found: list[SwissRound] = []
    for number, (start, end) in enumerate(pairwise((0, *rounds)), start=1):
        some = [planned for planned in matches if start <= planned.row < end]
        of_round = [played[planned.row] for planned in some if planned.row in played]
        found.append(_round(settings, number, some, of_round, units))
    return tuple(found)


def _round(
    settings: Settings,
    number: int,
    matches: Sequence[PlannedMatch],
    results: Sequence[MatchResult],
    units: Mapping[str, list[Unit]],
) -> SwissRound:
    """Return a round, and add it to the units of each entrant if it is complete."""
    before = {name: _points(of_name) for name, of_name in units.items()}
    sat = {(planned.game, tuple(sorted(set(planned.entrants)))): None for planned in matches}
    byes = tuple(_byes(settings, sat))
    added = units_of(settings, results, byes) if len(results) == len(matches) else {}
    for (_, name), unit in added.items():
        units[name].append(unit)
    tables = (
        SwissTable(
            game,
            tuple(sorted(names, key=lambda name: (-before[name], name))),
            {name: _points([added[game, name]]) for name in names} if added else {},
        )
        for game, names in sat
    )
    return SwissRound(number, before, tuple(tables), byes, ranked_lines(units) if added else ())


def _byes(settings: Settings, sat: Iterable[tuple[str, tuple[str, ...]]]) -> Iterable[tuple[str, str]]:
    for game in games_in_order(settings):
        at_tables = {name for played, names in sat if played == game.name for name in names}
        yield from ((game.name, name) for name in entrant_names(settings) if name not in at_tables)


def units_of(
    settings: Settings, results: Sequence[MatchResult], byes: Iterable[tuple[str, str]]
) -> dict[tuple[str, str], Unit]:
    """Return what each entrant did in each game of a round, by game and name."""
    units: dict[tuple[str, str], Unit] = {bye: [_NO_TABLE] for bye in byes}
    for share in shares_of(results, settings):
        against = Against(share.opponent, share.weight, share.points)
        units.setdefault((share.game, share.entrant), []).append(against)
    return units


def _points(units: Iterable[Unit]) -> Fraction:
    return sum((one.points for unit in units for one in unit), Fraction(0))


def ranked_lines(units: Mapping[str, list[Unit]]) -> tuple[SwissLine, ...]:
    """Return the standings that follow from the units of each entrant."""
    totals = {name: _points(of_name) for name, of_name in units.items()}
    lines = sorted((_line(name, units[name], totals) for name in units), key=_key)
    keys = [_key(line)[:-1] for line in lines]
    return tuple(line._replace(rank=1 + keys.index(key)) for line, key in zip(lines, keys, strict=True))


def _line(name: str, units: Sequence[Unit], totals: Mapping[str, Fraction]) -> SwissLine:
    def strength(one: Against) -> Fraction:
        return totals[one.opponent or name]

    tables = sorted(sum((one.weight * strength(one) for one in unit), Fraction(0)) for unit in units)
    won = sum((one.points * strength(one) for unit in units for one in unit), Fraction(0))
    return SwissLine(0, name, totals[name], sum(tables, Fraction(0)), won, sum(tables[1:-1], Fraction(0)))


def _key(line: SwissLine) -> tuple[Fraction | str, ...]:
    return -line.points, -line.buchholz, -line.sonneborn_berger, -line.median_buchholz, line.entrant


def complete_rounds(
    settings: Settings, rounds: Sequence[int], results: Collection[MatchResult], *, over: bool
) -> tuple[SwissRound, ...]:
    """Return the rounds of a Swiss event of which all matches are played.

    Args:
        settings: the event.
        rounds: the number of matches after each round, as a plan has them.
        results: the results so far, in any order.
        over: true once all rounds are played; before, the last one is being played.
    """
    ends = rounds if over else rounds[:-1]
    played = sorted((result.planned for result in results), key=lambda planned: planned.row)
    return swiss_rounds(settings, played, ends, results)
