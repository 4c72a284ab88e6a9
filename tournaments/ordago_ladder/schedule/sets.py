"""From tables to the matches of their sets."""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ordago.store import PlannedMatch
from ordago_ladder.schedule.process_slots import plays_duplicates, process_limits
from ordago_ladder.schedule.tables import Table, first_turn, seatings_of, turns_of
from ordago_ladder.settings.settings import Settings


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
