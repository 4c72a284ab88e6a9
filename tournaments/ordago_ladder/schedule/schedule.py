"""The schedule of an event, by its format: from tables to the matches of their sets, and round by round."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ordago.store import MatchResult, PlannedMatch
from ordago_ladder.schedule.open_rounds import OpenRounds
from ordago_ladder.schedule.process_slots import plays_duplicates, process_limits
from ordago_ladder.schedule.round_robin import round_robin
from ordago_ladder.schedule.swiss import Swiss
from ordago_ladder.schedule.tables import Table, first_turn, seatings_of, turns_of
from ordago_ladder.settings.settings import Settings


class Rounds(Protocol):
    """Who plays in the rounds of an event."""

    def next_round(self) -> list[Table]:
        """Return the tables of the next round in order; none if the event is over."""

    def learn(self, played: Sequence[MatchResult]) -> None:
        """Take the results of the whole round that was returned last, in the order of its matches."""


class Plan(NamedTuple):
    """What is known of the schedule of an event."""

    matches: tuple[PlannedMatch, ...]
    """The matches that are due, those that were played among them, in the order of their rows."""
    complete: bool
    """Whether no more will come."""


class RoundSchedule:
    """The schedule of an event that goes by rounds, as it grows with the results."""

    def __init__(self, settings: Settings, rounds: Rounds) -> None:
        """Begin before the first round."""
        self._rounds = rounds
        self._maker = SetMaker(settings)
        self._known: list[PlannedMatch] = []
        self._open: list[PlannedMatch] = []
        self._begin_round()

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return all rounds that are known by the results so far: a round follows when the one before it is played."""
        played = {result.planned: result for result in results}
        while self._open and all(match in played for match in self._open):
            self._rounds.learn([played[match] for match in self._open])
            self._begin_round()
        return Plan(tuple(self._known), complete=not self._open)

    def _begin_round(self) -> None:
        self._open = self._maker.matches(self._rounds.next_round())
        self._known += self._open


class SetMaker:
    """Makes the sets of an event, one table after the other, and remembers what came before.

    The matches of a set are neighbours. Without duplicates the seatings are the same, and each is a set of its own.
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
        """Return the matches of the next sets, one of each table as it comes."""
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
        """Return how a table sits: each time otherwise, and mixed pairs are of those who were least often partners."""
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
        """Return how often those who are partners in a set were so before; twice counts four times as much as once."""
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
    """Return matches by their duplicate sets, which keep their order."""
    sets: dict[str, list[PlannedMatch]] = {}
    for planned in due:
        sets.setdefault(planned.set_key, []).append(planned)
    return list(sets.values())


class Schedule:
    """The schedule of an event, for whoever asks again and again while the results come in.

    Each time it is given all results so far, and goes on from what it knew: a result, once given, does not change.
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
            case "round-robin" | "gauntlet":
                self._plan = Plan(tuple(SetMaker(settings).matches(round_robin(settings))), complete=True)

    def plan(self, results: Iterable[MatchResult]) -> Plan:
        """Return what is known of the schedule by the results so far, in whatever order they come.

        With more results it has the same matches and perhaps more. Results of matches that are not in it do not count.
        """
        return self._plan if self._course is None else self._course.plan(results)


def plan(settings: Settings, results: Iterable[MatchResult] = ()) -> Plan:
    """Return what is known of the schedule of an event by the results so far: the same for the same, always."""
    return Schedule(settings).plan(results)
