"""Numbers of sets and matches of an event, as far as they are known before the first match."""

from typing import Final

from ordago_ladder.schedule.tables import seating_count, table_count, tables_at_once
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings

MOST_MATCHES: Final = 100_000
"""The most matches of an event: memory holds them, and verification takes minutes. An open event ends before it has
more."""
_MOST_ENTRANTS: Final = 1_000
"""The most entrants of an event, since grouping compares every pair of them."""

_LARGE: Final = 10**15


def set_counts(settings: Settings) -> dict[str, int]:
    """Return the number of sets of each game; an upper limit where results decide when the event ends.

    Without duplicates too, the matches of a table's seatings count as one set.
    """
    if settings.event.format == "open":
        return _open_counts(settings)
    return {game.name: _set_count(settings, game) for game in settings.games}


def match_count(settings: Settings) -> int:
    """Return the number of matches; an upper limit where results decide when the event ends."""
    return sum(count * _matches_of_set(settings.game_named(game)) for game, count in set_counts(settings).items())


def tables_in_round(settings: Settings, game: GameSettings) -> int:
    """Return the number of tables of a game in a round of an open event: half of those that fit at once, rounded up."""
    return (tables_at_once(settings, game) + 1) // 2


def _set_count(settings: Settings, game: GameSettings) -> int:
    if settings.event.rounds is not None:
        return settings.event.rounds * tables_at_once(settings, game) * settings.event.repetitions
    return table_count(settings, game) * settings.event.repetitions if game.sets is None else game.sets


def _open_counts(settings: Settings) -> dict[str, int]:
    """Return the number of sets of each game at most: whole rounds, then a last round that may be cut short."""
    in_round = {game.name: tables_in_round(settings, game) for game in games_in_order(settings)}
    matches = sum(in_round[game.name] * _matches_of_set(game) for game in settings.games)
    most = MOST_MATCHES // matches * sum(in_round.values())
    rounds, rest = divmod(min(most, settings.event.sets_wanted or most), sum(in_round.values()))
    counts = {}
    for game, tables in in_round.items():
        counts[game] = rounds * tables + min(rest, tables)
        rest -= min(rest, tables)
    return counts


def games_in_order(settings: Settings) -> list[GameSettings]:
    """Return the games of an event, ascending by name."""
    return sorted(settings.games, key=lambda game: game.name)


def _matches_of_set(game: GameSettings) -> int:
    return seating_count(game.table_size)


def size_problem(settings: Settings) -> str | None:
    """Return a sentence saying that an event is too large to schedule; ``None`` where it is not."""
    matches = match_count(settings)
    if matches > MOST_MATCHES:
        return f"this event has {_written(matches)} matches, and at most {MOST_MATCHES:,} are allowed; make it smaller"
    if len(settings.entrants) > _MOST_ENTRANTS:
        return (
            f"this event has {len(settings.entrants):,} entrants, and at most {_MOST_ENTRANTS:,} are allowed; take "
            "fewer"
        )
    return None


def _written(number: int) -> str:
    return f"{number:,}" if number < _LARGE else "far too many"
