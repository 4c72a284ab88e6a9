"""A match as spectators saw it, in the form of a record: what ``WatchMatch`` told, and nothing hidden."""

from ordago import v1
from ordago.game import Outcome, OutcomeReason
from ordago.games import find_game
from ordago.record.digest import FORMAT_VERSION
from ordago.record.opening import UnplayableError
from ordago.record.replay import Replay


def watched_heading(start: v1.WatchedStart) -> v1.MatchRecord:
    """Return the heading of a record, as far as spectators know it."""
    return v1.MatchRecord(
        format_version=FORMAT_VERSION,
        match_id=start.match_id,
        game=start.game,
        rules_version=start.rules_version,
        options=start.options,
        clock=start.clock,
        seats=[v1.RecordSeat(name=seat.name, version=seat.version, side=seat.side) for seat in start.players],
    )


def watched_replay(watched: v1.WatchMatchResponse) -> tuple[v1.MatchRecord, Replay]:
    """Return a match that ended as a record without choices, and its public events as the replay of that record.

    Args:
        watched: all responses of ``WatchMatch``, merged.

    Raises:
        UnknownGameError: this version does not have the game.
        UnplayableError: this version does not understand an event or the outcome, or there is none.
    """
    record = watched_heading(watched.start)
    record.entries.extend(v1.RecordEntry(event=event) for event in watched.events)
    record.entries.extend(v1.RecordEntry(forfeit=forfeit) for forfeit in watched.end.forfeits)
    record.outcome.CopyFrom(watched.end.outcome)
    event_from = find_game(record.game).codec.event_from
    try:
        events = tuple(event_from(event) for event in watched.events)
        reason = OutcomeReason(record.outcome.reason)
    except (LookupError, ValueError, TypeError) as error:
        raise UnplayableError("The match was played by another version of Ordago.") from error
    outcome = Outcome(reason, tuple(record.outcome.scores), tuple(record.outcome.placings))
    return record, Replay(events, events, outcome, ())
