"""Leagues: groups that each play a round robin, then a final of the best of each group.

Groups and final are *phases*. The final has seeds: the winners of the groups first, in the order of the groups, then
those in second place, and so on. Those of one group are kept apart in a bracket as long as possible.

The points of a group are those of a knockout. Those who are suspended or have withdrawn by the end of the groups are
last, and the tables at which they sat count for nobody: so all others have the same number of tables.
"""

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from ordago.store import MatchResult
from ordago_ladder.schedule.elimination import Bracket, Elimination
from ordago_ladder.schedule.groups import Group, final_of, groups_of
from ordago_ladder.schedule.round_robin import round_robin
from ordago_ladder.schedule.shares import table_key
from ordago_ladder.schedule.swiss_standings import Unit, ranked_lines, units_of
from ordago_ladder.schedule.tables import Table, seating_count
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import ELIMINATION


class GroupLine(NamedTuple):
    """A line of the table of a group. Lines are ordered by their figures, one after the other, then by seed."""

    rank: int
    entrant: str
    points: Fraction
    """The points of its tables: one for each set of each game in which it beat all opponents."""
    sonneborn_berger: Fraction
    score: int | None
    """The total of its scores at these tables; ``None`` for several games, whose scores do not compare."""
    goes_on: bool
    """True once it goes on to the final; in a final, once it has won."""
    gone: bool
    """True if it is suspended or withdrew: then it is last, whatever the figures."""


class GroupTable(NamedTuple):
    """The table of a group, or of a final in which all meet all."""

    name: str
    """The name of the group; empty for the final."""
    lines: tuple[GroupLine, ...]


class LeagueTables(NamedTuple):
    """A league as far as its results determine it."""

    groups: tuple[GroupTable, ...]
    final: GroupTable | None
    """The final, where it is a round robin and has begun."""
    bracket: Bracket | None
    """The final, where it has a bracket and has begun."""

    @property
    def tables(self) -> tuple[GroupTable, ...]:
        """The tables of the groups, and of a final in which all meet all."""
        return self.groups if self.final is None else (*self.groups, self.final)


class RoundRobins:
    """One round in which each of some groups plays its round robin."""

    def __init__(self, groups: Sequence[Group], *, advance: int) -> None:
        """Begin before the round, with the number that advance from each group."""
        self._groups = groups
        self._advance = advance
        self._begun = False
        self._tables: tuple[GroupTable, ...] = ()

    def next_round(self, gone: frozenset[str]) -> list[Table]:  # noqa: ARG002 - ``learn`` puts the gone last
        """Return the tables of all groups by turns, so that none waits for another."""
        if self._begun:
            return []
        self._begun = True
        by_turns = itertools.zip_longest(*(round_robin(group.settings) for group in self._groups))
        return [table for turn in by_turns for table in turn if table is not None]

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:
        """End the round with its results."""
        self._tables = tuple(group_table(group, played, gone, advance=self._advance) for group in self._groups)

    def tables(self, played: Sequence[MatchResult], gone: frozenset[str]) -> tuple[GroupTable, ...]:
        """Return the final tables of the groups; while the round is open, those by its results so far."""
        return self._tables or tuple(group_table(group, played, gone, advance=0) for group in self._groups)


class League:
    """The rounds of a league: one in which all groups play, then those of the final."""

    def __init__(self, settings: Settings) -> None:
        """Begin before the groups."""
        self._settings = settings
        self._groups = RoundRobins(groups_of(settings), advance=settings.event.advance or 0)
        self._final: RoundRobins | Elimination | None = None

    def enter(self, tables: Sequence[Table]) -> None:  # noqa: ARG002 - other formats need it
        """Take over a round that was played before: groups are drawn once, so it has the tables that follow."""
        self.next_round(frozenset())

    def next_round(self, gone: frozenset[str]) -> list[Table]:
        """Return the tables of all groups, then those of the next round of the final."""
        if tables := self._groups.next_round(gone):
            return tables
        self._final = self._final or self._begin_final()
        return self._final.next_round(gone)

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:
        """Add the results of a round to its phase."""
        (self._final or self._groups).learn(played, gone)

    def _begin_final(self) -> RoundRobins | Elimination:
        tables = self._groups.tables((), frozenset())
        groups = [[line.entrant for line in table.lines if line.goes_on] for table in tables]
        settings = final_of(self._settings, itertools.chain.from_iterable(zip(*groups, strict=True)))
        if settings.event.format in ELIMINATION:
            met = (frozenset(pair) for names in groups for pair in itertools.combinations(names, 2))
            return Elimination(settings, met=met)
        return RoundRobins([Group("", settings)], advance=1)

    def tables(self, played: Sequence[MatchResult], gone: frozenset[str]) -> LeagueTables:
        """Return the tables of all phases; of the open round with its results so far."""
        groups = self._groups.tables(played, gone)
        match self._final:
            case Elimination(bracket=bracket):
                return LeagueTables(groups, None, bracket)
            case RoundRobins() as final:
                return LeagueTables(groups, final.tables(played, gone)[0], None)
        return LeagueTables(groups, None, None)


def group_table(group: Group, played: Sequence[MatchResult], gone: frozenset[str], *, advance: int) -> GroupTable:
    """Return the table of a group.

    Args:
        group: the group.
        played: the results of its phase.
        gone: the entrants that are suspended or withdrew.
        advance: the number of entrants that advance; 0 while that is not known.
    """
    names = [entrant.name for entrant in group.settings.entrants]
    present = set(names) - gone
    counted = [result for result in played if present.issuperset(result.planned.entrants)]
    figures = {line.entrant: line for line in ranked_lines(_units(group.settings, names, counted))}
    scores = _scores(names, counted) if len(group.settings.games) == 1 else {}

    def rank_key(name: str) -> tuple[bool, Fraction, Fraction, int]:
        line = figures[name]
        return name in gone, -line.points, -line.sonneborn_berger, -scores.get(name, 0)

    lines = []
    # The sort is stable, so the better seed is first among equals.
    for rank, name in enumerate(sorted(names, key=rank_key), start=1):
        points, sonneborn_berger = figures[name].points, figures[name].sonneborn_berger
        goes_on, is_gone = rank <= advance, name in gone
        lines.append(GroupLine(rank, name, points, sonneborn_berger, scores.get(name), goes_on, is_gone))
    return GroupTable(group.name, tuple(lines))


def _units(settings: Settings, names: Sequence[str], played: Sequence[MatchResult]) -> Mapping[str, list[Unit]]:
    """Return what each entrant did at each of its tables, weighted by the sets played there so far."""
    tables: dict[object, list[MatchResult]] = {}
    for result in played:
        tables.setdefault(table_key(result), []).append(result)
    units: dict[str, list[Unit]] = {name: [] for name in names}
    for results in tables.values():
        sets = Fraction(len(results), seating_count(len(set(results[0].planned.entrants))))
        for (_, name), unit in units_of(settings, results, ()).items():
            units[name].append([one._replace(weight=one.weight * sets, points=one.points * sets) for one in unit])
    return units


def _scores(names: Sequence[str], played: Sequence[MatchResult]) -> Mapping[str, int]:
    totals = dict.fromkeys(names, 0)
    for result in played:
        for name in result.sides:
            totals[name] += result.score(name)
    return totals
