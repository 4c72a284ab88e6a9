"""The schedule of an event, by its format: tables become the matches of their sets, round by round."""

import itertools
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.conduct import Suspensions, suspended_by
from ordago_ladder.schedule.decisions import RepetitionRounds
from ordago_ladder.schedule.elimination import Bracket, Elimination
from ordago_ladder.schedule.league import League, LeagueTables
from ordago_ladder.schedule.open_rounds import OpenRounds
from ordago_ladder.schedule.process_slots import plays_duplicates, process_limits
from ordago_ladder.schedule.round_robin import round_robin
from ordago_ladder.schedule.stages import Stage, staged_matches
from ordago_ladder.schedule.swiss import Swiss
from ordago_ladder.schedule.tables import Table, first_turn, seatings_of, turns_of
from ordago_ladder.settings.settings import Settings

ResultOf: TypeAlias = Callable[[PlannedMatch], MatchResult | None]
"""A function that returns the result of a match; ``None`` for one without."""


class Rounds(Protocol):
    """A source of rounds, each made of tables; later rounds may depend on results."""

    def next_round(self, gone: frozenset[str]) -> list[Table]:
        """Return the tables of the next round in order, without those who are gone; none if the event is over."""

    def enter(self, tables: Sequence[Table]) -> None:
        """Take over a round that was played before the event changed, as ``next_round`` returned it."""

    def learn(self, played: Sequence[MatchResult], gone: frozenset[str]) -> None:
        """Add the results of the whole round returned last, in the order of its matches, and who is gone after it."""


_RoundsT = TypeVar("_RoundsT", bound=Rounds)


class Plan(NamedTuple):
    """The schedule of an event as far as it is known."""

    matches: tuple[PlannedMatch, ...]
    """The matches that are due, including those already played, in the order of their rows. Those that an entrant had
    not played when it was suspended or withdrew are not due any more."""
    complete: bool
    """True once no more will come."""
    rounds: tuple[int, ...] = ()
    """The number of matches after each round that is known, in the formats in which results decide who plays next."""


class RoundSchedule(Generic[_RoundsT]):
    """The schedule of an event in rounds, which grows with the results."""

    def __init__(self, stages: Sequence[Stage], begin: Callable[[Settings], _RoundsT]) -> None:
        """Begin before the first round of the first stage; ``begin`` makes the rounds of a stage from its settings."""
        self._begin = begin
        self._later = deque(stages[1:])
        self._settings = stages[0].settings
        self.rounds = begin(self._settings)
        """The rounds of the last stage that has begun."""
        self._maker = SetMaker(self._settings)
        self._past: list[tuple[Sequence[Table], Sequence[MatchResult], frozenset[str]]] = []
        self._suspensions = Suspensions(suspend_after=self._settings.event.suspend_after)
        self._known: list[PlannedMatch] = []
        self._dropped: set[PlannedMatch] = set()
        self.boundaries = [0]
        """The numbers of matches that were issued after each round."""
        self._begin_round()

    def plan(self, result_of: ResultOf) -> Plan:
        """Return all rounds known by the results so far. A round follows when the one before it is played."""
        found = self._found(result_of)
        while self._open and len(found) + len(dropped := self._missing(found)) == len(self._open):
            self._end_round(found, dropped)
            found = self._found(result_of)
        left_out = self._dropped | self._missing(found)
        matches = (match for match in self._known if match not in left_out) if left_out else self._known
        return Plan(tuple(matches), complete=not self._open, rounds=tuple(self.boundaries[1:]))

    @property
    def known(self) -> Sequence[PlannedMatch]:
        """The matches of all rounds so far."""
        return self._known

    def _found(self, result_of: ResultOf) -> list[MatchResult]:
        """Return the results of the open round, in the order of its matches."""
        return [found for match in self._open if (found := result_of(match)) is not None]

    def _missing(self, found: Sequence[MatchResult]) -> set[PlannedMatch]:
        """Return the matches of the open round that are not played, since an entrant is gone."""
        suspensions = self._suspensions.copy()
        for result in found:
            suspensions.count(result.planned.entrants, result.result)
        gone = suspensions.names | self._withdrawn
        left = set(self._open).difference(result.planned for result in found)
        return {match for match in left if not gone.isdisjoint(match.entrants)}

    @property
    def _withdrawn(self) -> frozenset[str]:
        """The entrants that had withdrawn before another round was issued."""
        by_now = [stage.settings for stage in self._later if stage.issued <= len(self._known)]
        return (by_now[-1] if by_now else self._settings).withdrawn

    def _end_round(self, found: Sequence[MatchResult], dropped: set[PlannedMatch]) -> None:
        for result in found:
            self._suspensions.count(result.planned.entrants, result.result)
        self._dropped |= dropped
        gone = self._suspensions.names | self._withdrawn
        self._past.append((self._tables, found, gone))
        self.rounds.learn(found, gone)
        self._begin_round()

    def _begin_round(self) -> None:
        while self._later and self._later[0].issued <= len(self._known):
            self._change(self._later.popleft().settings)
        self._tables = self.rounds.next_round(self._suspensions.names | self._settings.withdrawn)
        self._open = self._maker.matches(self._tables)
        self._known += self._open
        if self._open:
            self.boundaries.append(len(self._known))

    def _change(self, settings: Settings) -> None:
        """Go on by other settings, from the rounds that were played."""
        self._settings = settings
        self._maker.change(settings)
        self.rounds = self._begin(settings)
        for tables, found, gone in self._past:
            self.rounds.enter(tables)
            self.rounds.learn(found, gone)


class SetMaker:
    """Maker of the sets of an event, table after table; it varies seatings and partners over the sets of a table.

    The matches of a set have successive rows. Without duplicates the seatings are the same, and each is its own set.
    """

    def __init__(self, settings: Settings) -> None:
        """Begin a schedule."""
        self.change(settings)
        self._played: Counter[Table] = Counter()
        self._partners: Counter[tuple[str, str, str]] = Counter()
        self._seated: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._rows = itertools.count()

    def change(self, settings: Settings) -> None:
        """Make the sets that follow by other settings."""
        self._settings = settings
        self._games = {game.name: game for game in settings.games}
        self._limits = process_limits(settings)

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


class Schedule:
    """The schedule of an event, to be asked repeatedly while the results come in.

    Each call gets all results so far, and continues from the state of the last: a result, once given, does not change.
    """

    def __init__(self, settings: Settings, later: Sequence[Stage] = ()) -> None:
        """Begin with no results.

        Args:
            settings: the event; as it was at first, if its file changed.
            later: its later stages.
        """
        stages = [Stage(settings, None), *later]
        self._course: RoundSchedule[Rounds] | None = None
        self._matches: tuple[PlannedMatch, ...] = ()
        self._withdrawn, self._suspend_after = stages[-1].settings.withdrawn, settings.event.suspend_after
        match settings.event.format:
            case "round-robin" if settings.event.until_decided is not None:
                self._course = RoundSchedule(stages, RepetitionRounds)
            case "swiss":
                self._course = RoundSchedule(stages, Swiss)
            case "open":
                self._course = RoundSchedule(stages, OpenRounds)
            case "knockout" | "double-elimination":
                self._course = RoundSchedule(stages, Elimination)
            case "league":
                self._course = RoundSchedule(stages, League)
            case "round-robin" | "gauntlet":
                self._matches = staged_matches(stages, round_robin_matches)

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return the schedule as far as the results so far determine it; their order does not matter.

        More results only ever add matches, but for those of entrants that are suspended by them. Results of matches
        outside the schedule do not count.
        """
        return self.plan_by({result.planned: result for result in results}.get)

    def plan_by(self, result_of: ResultOf) -> Plan:
        """Return the schedule as ``plan`` does, by a function that returns the result of a match."""
        if self._course is not None:
            return self._course.plan(result_of)
        found = {match: result for match in self._matches if (result := result_of(match)) is not None}
        gone = suspended_by(found.values(), suspend_after=self._suspend_after) | self._withdrawn
        if not gone:
            return Plan(self._matches, complete=True)
        due = (match for match in self._matches if match in found or gone.isdisjoint(match.entrants))
        return Plan(tuple(due), complete=True)

    @property
    def known(self) -> Sequence[PlannedMatch]:
        """All matches that ever came due, as far as the last results tell, with those that were dropped."""
        return self._course.known if self._course is not None else self._matches

    @property
    def boundaries(self) -> Sequence[int]:
        """The numbers of matches that were issued after each round, as far as the last results tell."""
        return self._course.boundaries if self._course is not None else (0, len(self._matches))


def round_robin_matches(settings: Settings) -> list[PlannedMatch]:
    """Return the matches of a round robin or gauntlet that has one stage."""
    return SetMaker(settings).matches(round_robin(settings))


def plan(settings: Settings, results: Iterable[MatchResult] = (), later: Sequence[Stage] = ()) -> Plan:
    """Return the schedule of an event as far as the results so far determine it, as a pure function of both."""
    return Schedule(settings, later).plan(results)


def bracket_of(settings: Settings, results: Iterable[MatchResult], later: Sequence[Stage] = ()) -> Bracket:
    """Return the bracket of a knockout or a double elimination as its results determine it, whatever their order."""
    course = RoundSchedule([Stage(settings, None), *later], Elimination)
    course.plan({result.planned: result for result in results}.get)
    return course.rounds.bracket


def league_of(settings: Settings, results: Iterable[MatchResult], later: Sequence[Stage] = ()) -> LeagueTables:
    """Return the groups and the final of a league as its results determine them, whatever their order."""
    stages, played = [Stage(settings, None), *later], sorted(results)
    course = RoundSchedule(stages, League)
    course.plan({result.planned: result for result in played}.get)
    open_round = [result for result in played if result.planned.row >= course.boundaries[-2]]
    gone = suspended_by(played, suspend_after=settings.event.suspend_after) | stages[-1].settings.withdrawn
    return course.rounds.tables(open_round, gone)
