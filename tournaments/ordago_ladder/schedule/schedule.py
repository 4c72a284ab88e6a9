"""The schedule of an event, by its format: tables become the matches of their sets, round by round."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.elimination import Bracket, Elimination
from ordago_ladder.schedule.open_rounds import OpenRounds
from ordago_ladder.schedule.process_slots import plays_duplicates, process_limits
from ordago_ladder.schedule.round_robin import round_robin
from ordago_ladder.schedule.swiss import Swiss
from ordago_ladder.schedule.tables import Table, first_turn, seatings_of, turns_of
from ordago_ladder.settings.settings import Settings


class Rounds(Protocol):
    """A source of rounds, each made of tables; later rounds may depend on results."""

    def next_round(self) -> list[Table]:
        """Return the tables of the next round in order; none if the event is over."""

    def learn(self, played: Sequence[MatchResult]) -> None:
        """Add the results of the whole round returned last, in the order of its matches."""


class Plan(NamedTuple):
    """The schedule of an event as far as it is known."""

    matches: tuple[PlannedMatch, ...]
    """The matches that are due, including those already played, in the order of their rows."""
    complete: bool
    """True once no more will come."""
    rounds: tuple[int, ...] = ()
    """The number of matches after each round that is known, in the formats in which results decide who plays next."""


class RoundSchedule:
    """The schedule of an event in rounds, which grows with the results."""

    def __init__(self, settings: Settings, rounds: Rounds) -> None:
        """Begin before the first round."""
        self._rounds = rounds
        self._maker = SetMaker(settings)
        self._known: list[PlannedMatch] = []
        self._open: list[PlannedMatch] = []
        self._ends: list[int] = []
        self._begin_round()

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return all rounds known by the results so far. A round follows when the one before it is played."""
        played = {result.planned: result for result in results}
        while self._open and all(match in played for match in self._open):
            self._rounds.learn([played[match] for match in self._open])
            self._begin_round()
        return Plan(tuple(self._known), complete=not self._open, rounds=tuple(self._ends))

    def _begin_round(self) -> None:
        self._open = self._maker.matches(self._rounds.next_round())
        self._known += self._open
        if self._open:
            self._ends.append(len(self._known))


class SetMaker:
    """Maker of the sets of an event, table after table; it varies seatings and partners over the sets of a table.

    The matches of a set have successive rows. Without duplicates the seatings are the same, and each is its own set.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin a schedule."""
        self._settings = settings
        self._games = {game.name: game for game in settings.games}
        self._limits = process_limits(settings)
        self._played: Counter[Table] = Counter()
        self._partners: Counter[tuple[str, str, str]] = Counter()
        self._seated: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._rows = itertools.count()

    def matches(self, tables: Iterable[Table]) -> list[PlannedMatch]:
        """Return the matches of the next sets, one set for each table in order."""
        return [match for table in tables for match in self._set(table)]

    def _set(self, table: Table) -> Iterator[PlannedMatch]:
        repetition = self._played[table]
        self._played[table] += 1
        duplicates = plays_duplicates(self._settings, self._games[table.game], table.entrants, limits=self._limits)
        seatings = self._seatings(table, repetition)
        for number, entrants in enumerate(seatings):
            set_number = repetition if duplicates else repetition * len(seatings) + number
            yield PlannedMatch(
                row=next(self._rows),
                game=table.game,
                set_key=f"{table.name}|{set_number}",
                seating=number,
                repetition=set_number,
                entrants=entrants,
            )

    def _seatings(self, table: Table, repetition: int) -> Sequence[tuple[str, ...]]:
        """Return the seatings of a table's set: they vary by repetition, and partners are those paired least often."""
        turn = first_turn(table) + repetition
        if not self._games[table.game].mixed:
            return seatings_of(table, turn)
        choices = (seatings_of(table, turn + later) for later in range(turns_of(table)))
        chosen = min(
            choices,
            key=lambda seatings: (self._partnership(table.game, seatings), self._seated[table.game, seatings[0]]),
        )
        self._seated[table.game, chosen[0]] += 1
        self._partners.update(self._partner_pairs(table.game, chosen))
        return chosen

    def _partnership(self, game: str, seatings: Sequence[tuple[str, ...]]) -> int:
        """Return the sum, over the pairs of partners in a set, of the square of how often they were partners before."""
        return sum(self._partners[pair] ** 2 for pair in set(self._partner_pairs(game, seatings)))

    def _partner_pairs(self, game: str, seatings: Sequence[tuple[str, ...]]) -> list[tuple[str, str, str]]:
        sides = self._games[game].sides
        seats = [pair for pair in itertools.combinations(range(len(sides)), 2) if sides[pair[0]] == sides[pair[1]]]
        return [
            (game, *sorted((entrants[first], entrants[second])))  # type: ignore[misc]  # sorted forgets that it is a pair
            for entrants in seatings
            for first, second in seats
        ]


def sets_of(due: Iterable[PlannedMatch]) -> list[list[PlannedMatch]]:
    """Group matches by duplicate set, in the order in which the sets first appear."""
    sets: dict[str, list[PlannedMatch]] = {}
    for planned in due:
        sets.setdefault(planned.set_key, []).append(planned)
    return list(sets.values())


class Schedule:
    """The schedule of an event, to be asked repeatedly while the results come in.

    Each call gets all results so far, and continues from the state of the last: a result, once given, does not change.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin with no results."""
        self._course: RoundSchedule | None = None
        self._plan = Plan((), complete=False)
        match settings.event.format:
            case "swiss":
                self._course = RoundSchedule(settings, Swiss(settings))
            case "open":
                self._course = RoundSchedule(settings, OpenRounds(settings))
            case "knockout" | "double-elimination":
                self._course = RoundSchedule(settings, Elimination(settings))
            case "round-robin" | "gauntlet":
                self._plan = Plan(tuple(SetMaker(settings).matches(round_robin(settings))), complete=True)

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return the schedule as far as the results so far determine it; their order does not matter.

        More results only ever add matches. Results of matches outside the schedule do not count.
        """
        return self._plan if self._course is None else self._course.plan(results)


def plan(settings: Settings, results: Iterable[MatchResult] = ()) -> Plan:
    """Return the schedule of an event as far as the results so far determine it, as a pure function of both."""
    return Schedule(settings).plan(results)


def bracket_of(settings: Settings, results: Iterable[MatchResult]) -> Bracket:
    """Return the bracket of a knockout or a double elimination as its results determine it, whatever their order."""
    elimination = Elimination(settings)
    RoundSchedule(settings, elimination).plan(results)
    return elimination.bracket
