"""Which process of an entrant plays which seat, and how many processes that takes."""

from collections.abc import Iterable, Mapping

from ordago.record.ledgers.event import Ledger
from ordago.store import PlannedMatch
from ordago_ladder.schedule.tables import seating_count
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings


def process_limits(settings: Settings) -> dict[str, int]:
    """Return how many processes they have, for the entrants who cannot have as many as they like."""
    return {entrant.name: entrant.processes for entrant in settings.entrants if entrant.processes is not None}


def as_played(settings: Settings, ledger: Ledger) -> Settings:
    """Return an event with as many processes of each entrant as there are: fewer than its file says, if fewer came.

    The schedule, and what is told of it, follow from this. What the event is committed to follows from the file alone.
    An entrant has no fewer processes than it has seats at a table: those that are missing are forfeited.
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
    """Return how many processes of an entrant play in a set of a game."""
    return game.team_size * (seating_count(game.table_size) if duplicates else 1)


def slots_needed(settings: Settings) -> int:
    """Return how many processes play for an entrant who can have as many as he likes, those after others counted."""
    return max(slots_of(game, duplicates=settings.has_duplicates(game)) for game in settings.games)


def processes_at_once(settings: Settings) -> int:
    """Return how many processes all entrants have at once at most."""
    needed, most = slots_needed(settings), settings.event.processes
    for_each = needed if most is None else min(needed, most)
    limits = process_limits(settings)
    return sum(min(for_each, limits.get(entrant.name, for_each)) for entrant in settings.entrants)


def plays_duplicates(
    settings: Settings, game: GameSettings, entrants: Iterable[str], *, limits: Mapping[str, int] | None = None
) -> bool:
    """Say whether all seatings of a table get the same deals.

    They do not where somebody has too few processes for all of them, since no process may see a deal twice.
    """
    limits = process_limits(settings) if limits is None else limits
    needed = slots_of(game, duplicates=True)
    return settings.has_duplicates(game) and all(limits.get(name, needed) >= needed for name in entrants)


def set_size_of(planned: PlannedMatch, settings: Settings) -> int:
    """Return the number of matches of the set that a match belongs to."""
    game = settings.game_named(planned.game)
    return seating_count(game.table_size) if plays_duplicates(settings, game, planned.entrants) else 1


def slots_at(planned: PlannedMatch, settings: Settings) -> tuple[int, ...]:
    """Return which process of the entrant plays each seat of a match, from 0.

    A process plays at most one seating of any set, and never two seats of one match. The number is below that of the
    processes that an entrant has.
    """
    game, limits = settings.game_named(planned.game), process_limits(settings)
    team = game.team_size
    duplicates = plays_duplicates(settings, game, planned.entrants, limits=limits)
    lives = []
    for seat, entrant in enumerate(planned.entrants):
        teams = limits.get(entrant, team) // team
        first = planned.seating if duplicates else planned.seating % teams
        lives.append(first * team + planned.entrants[:seat].count(entrant))
    return tuple(lives)
