"""Process slots: the number of processes of each entrant, and the one that plays each seat."""

from collections.abc import Iterable, Mapping

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
    return max(slots_of(game, duplicates=settings.has_duplicates(game)) for game in settings.games)


def processes_at_once(settings: Settings) -> int:
    """Return the most processes that all entrants together have at once."""
    needed, most = slots_needed(settings), settings.event.processes
    for_each = needed if most is None else min(needed, most)
    limits = process_limits(settings)
    return sum(min(for_each, limits.get(entrant.name, for_each)) for entrant in settings.entrants)


def plays_duplicates(
    settings: Settings, game: GameSettings, entrants: Iterable[str], *, limits: Mapping[str, int] | None = None
) -> bool:
    """Return True if all seatings of a table get the same deals.

    They do not where an entrant has too few processes for all of them, since no process may see a deal twice.
    """
    limits = process_limits(settings) if limits is None else limits
    needed = slots_of(game, duplicates=True)
    return settings.has_duplicates(game) and all(limits.get(name, needed) >= needed for name in entrants)


def set_size_of(planned: PlannedMatch, settings: Settings) -> int:
    """Return the number of matches of the set that a match belongs to."""
    game = settings.game_named(planned.game)
    return seating_count(game.table_size) if plays_duplicates(settings, game, planned.entrants) else 1


def slots_at(planned: PlannedMatch, settings: Settings) -> tuple[int, ...]:
    """Return, by seat, the number of the entrant's process that plays it, from 0.

    A process plays at most one seating of any set, and never two seats of one match. The number is below the entrant's
    number of processes.
    """
    game, limits = settings.game_named(planned.game), process_limits(settings)
    team = game.team_size
    duplicates = plays_duplicates(settings, game, planned.entrants, limits=limits)
    slots = []
    for seat, entrant in enumerate(planned.entrants):
        teams = limits.get(entrant, team) // team
        first = planned.seating if duplicates else planned.seating % teams
        slots.append(first * team + planned.entrants[:seat].count(entrant))
    return tuple(slots)
