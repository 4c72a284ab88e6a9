"""Numbers of sets and matches of an event, as far as they are known before the first match."""

from collections import Counter
from typing import Final

from ordago_ladder.schedule.bracket import BracketError, Stage, stages_of
from ordago_ladder.schedule.groups import phases_of
from ordago_ladder.schedule.tables import seating_count, table_count, tables_at_once
from ordago_ladder.settings.sections import GameSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.settings.written_values import ELIMINATION

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
    if settings.event.format == "league":
        return dict(sum(map(Counter, map(set_counts, phases_of(settings))), Counter[str]()))
    if settings.event.format in ELIMINATION:
        contests = contest_count(settings) + has_second_final(settings)
        each = settings.event.repetitions + settings.event.most_play_offs
        return {game.name: contests * each for game in settings.games}
    return {game.name: _set_count(settings, game) for game in settings.games}


def match_count(settings: Settings) -> int:
    """Return the number of matches; an upper limit where results decide when the event ends."""
    return sum(count * _matches_of_set(settings.game_named(game)) for game, count in set_counts(settings).items())


def fewest_matches(settings: Settings) -> int:
    """Return the least number of matches of an event; less than ``match_count`` only where results decide."""
    event = settings.event
    if event.format == "league":
        return sum(map(fewest_matches, phases_of(settings)))
    if event.format in ELIMINATION:
        sets = event.repetitions // 2 + 1 if event.skip_decided else event.repetitions
        return contest_count(settings) * sets * sum(map(_matches_of_set, settings.games))
    if event.until_decided is not None:
        return match_count(settings) // event.most_repetitions * event.repetitions
    if event.format == "open" and event.sets_wanted is None:
        return sum(tables_in_round(settings, game) * _matches_of_set(game) for game in settings.games)
    return match_count(settings)


def event_stages(settings: Settings) -> tuple[Stage, ...]:
    """Return the stages of a knockout or a double elimination, which do not depend on its results.

    Raises:
        BracketError: with this number of entrants a table could never be filled.
    """
    game = settings.games[0]
    return stages_of(
        len(settings.entrants),
        size=game.table_size,
        advance=settings.event.going_on(game),
        double=settings.event.format == "double-elimination",
    )


def contest_count(settings: Settings) -> int:
    """Return the number of tables in a bracket, without a second final."""
    return sum(len(stage.upper) + len(stage.lower) for stage in event_stages(settings))


def has_second_final(settings: Settings) -> bool:
    """Return True if the finalist from the lower bracket has to win twice: with tables of two, where both lose once."""
    return settings.event.format == "double-elimination" and settings.games[0].table_size == 2


def tables_in_round(settings: Settings, game: GameSettings) -> int:
    """Return the number of tables of a game in a round of an open event: half of those that fit at once, rounded up."""
    return (tables_at_once(settings, game) + 1) // 2


def _set_count(settings: Settings, game: GameSettings) -> int:
    if settings.event.rounds is not None:
        return settings.event.rounds * tables_at_once(settings, game) * settings.event.repetitions
    return table_count(settings, game) * settings.event.most_repetitions if game.sets is None else game.sets


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
    """Return a sentence saying that an event cannot be scheduled with its size; ``None`` if it can."""
    try:
        return _size_problem(settings)
    except BracketError as error:
        if settings.event.format == "league":
            return f"[event]: in the 'final' of this league {error}; change 'advance' or 'final'"
        return (
            f"[event]: with {len(settings.entrants)} entrants and {settings.event.going_on(settings.games[0])} that go "
            f"on from a table, {error}; write advance = 1, or take one entrant more or fewer"
        )


def _size_problem(settings: Settings) -> str | None:
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
