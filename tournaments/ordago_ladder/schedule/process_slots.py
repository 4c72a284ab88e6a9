"""Process slots: the number of processes of each entrant, and the one that plays each seat.

An entrant with fewer processes than a duplicate set takes keeps its tables from duplicates, since a process that sees a
deal twice knows the cards. A remote entrant does not if the event file itself says ``duplicates = true``: its processes
then *take turns*, and play the seatings of a set one after the other, with other matches in between. They could
remember the cards. Several processes on one laptop could tell each other as much, so this asks for no more trust.
"""

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ordago.record.ledgers.event import Ledger
from ordago.store import PlannedMatch
from ordago_ladder.schedule.tables import seating_count
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings


def process_limits(settings: Settings) -> dict[str, int]:
    """Return the number of processes of each entrant whose number is limited."""
    return {entrant.name: entrant.processes for entrant in settings.entrants if entrant.processes is not None}


def as_played(settings: Settings, ledger: Ledger) -> Settings:
    """Return an event with the processes that checked in: fewer than its file says for some entrants.

    The schedule follows from this; the commitment of the event follows from the file alone. An entrant never has fewer
    processes here than seats at a table: those that are missing are forfeited.
    """
    fewer = ledger.fewer_processes
    if not fewer:
        return settings
    least = max(game.team_size for game in settings.games)
    entrants = (
        entrant.model_copy(update={"processes": max(least, fewer[entrant.name])}) if entrant.name in fewer else entrant
        for entrant in settings.entrants
    )
    return settings.model_copy(update={"entrants": tuple(entrants)})


def slots_of(game: GameSettings, *, duplicates: bool) -> int:
    """Return the number of processes of an entrant that play in a set of a game."""
    return game.team_size * (seating_count(game.table_size) if duplicates else 1)


def slots_needed(settings: Settings) -> int:
    """Return the number of processes for an entrant without a limit: the most that a set of any game takes."""
    needed = max(slots_of(game, duplicates=duplicates_share(settings, game) > 0) for game in settings.games)
    limits = process_limits(settings)
    return needed if len(limits) < len(settings.entrants) else min(needed, max(limits.values(), default=needed))


class FewProcesses(NamedTuple):
    """The entrants with fewer processes than a duplicate set of a game takes, ascending."""

    apart: tuple[str, ...]
    """Those at whose tables each match has deals of its own."""
    in_turns: tuple[str, ...]
    """Those whose processes take turns, so that the deals are the same."""


def few_processes(settings: Settings, game: GameSettings) -> FewProcesses:
    """Return the entrants with too few processes for duplicates in a game; none if it has no duplicates."""
    limits = process_limits(settings)
    short = _short(settings, game, limits, limits=limits) if settings.has_duplicates(game) else set()
    in_turns = _turn_takers(settings, game, short)
    return FewProcesses(tuple(sorted(short - in_turns)), tuple(sorted(in_turns)))


def duplicates_share(settings: Settings, game: GameSettings) -> float:
    """Return the share of all tables of a game that play duplicates, which are those without an entrant apart."""
    entrants, size = len(settings.entrants), game.table_size
    able = entrants - len(few_processes(settings, game).apart) if settings.has_duplicates(game) else 0
    # An event that authors still enter may not have enough entrants for a table yet.
    return math.comb(able, size) / math.comb(entrants, size) if able >= size else 0.0


def processes_at_once(settings: Settings, entrants: Iterable[str] | None = None) -> int:
    """Return the most processes that some entrants together have at once; all entrants if ``None``."""
    needed, most = slots_needed(settings), settings.event.processes
    for_each = needed if most is None else min(needed, most)
    limits = process_limits(settings)
    names = [entrant.name for entrant in settings.entrants] if entrants is None else entrants
    return sum(min(for_each, limits.get(name, for_each)) for name in names)


def plays_duplicates(
    settings: Settings, game: GameSettings, entrants: Iterable[str], *, limits: Mapping[str, int] | None = None
) -> bool:
    """Return True if all seatings of a table get the same deals.

    They do not where an entrant has too few processes for all of them, unless its processes may take turns.
    """
    short = _short(settings, game, entrants, limits=limits)
    return settings.has_duplicates(game) and short <= _turn_takers(settings, game, short)


def takes_turns(settings: Settings, game: GameSettings, entrants: Iterable[str]) -> bool:
    """Return True if the seatings of a set follow one another, since a process may play several of them."""
    short = _short(settings, game, entrants)
    return bool(short) and settings.has_duplicates(game) and short <= _turn_takers(settings, game, short)


def _short(
    settings: Settings, game: GameSettings, entrants: Iterable[str], *, limits: Mapping[str, int] | None = None
) -> set[str]:
    """Return those of some entrants with fewer processes than a duplicate set takes."""
    limits = process_limits(settings) if limits is None else limits
    needed = slots_of(game, duplicates=True)
    return {name for name in entrants if limits.get(name, needed) < needed}


def _turn_takers(settings: Settings, game: GameSettings, short: set[str]) -> set[str]:
    """Return those of some entrants whose processes may play several seatings of a set."""
    if not short or not settings.asks_for_duplicates(game):
        return set()
    return short.intersection(entrant.name for entrant in settings.remote_entrants)


def set_size_of(planned: PlannedMatch, settings: Settings) -> int:
    """Return the number of matches of the set that a match belongs to."""
    game = settings.game_named(planned.game)
    return seating_count(game.table_size) if plays_duplicates(settings, game, planned.entrants) else 1


def slots_at(planned: PlannedMatch, settings: Settings) -> tuple[int, ...]:
    """Return, by seat, the number of the entrant's process that plays it, from 0.

    A process never plays two seats of one match, and several seatings of a set only if it takes turns. The number is
    below the entrant's number of processes.
    """
    game, limits = settings.game_named(planned.game), process_limits(settings)
    team = game.team_size
    duplicates = plays_duplicates(settings, game, planned.entrants, limits=limits)
    unlimited = slots_of(game, duplicates=duplicates)
    slots = []
    for seat, entrant in enumerate(planned.entrants):
        first = planned.seating % (limits.get(entrant, unlimited) // team)
        slots.append(first * team + planned.entrants[:seat].count(entrant))
    return tuple(slots)
