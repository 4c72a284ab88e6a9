"""From the store of an event to what is published of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from ordago import chance
from ordago.record.ledger import ledger_text
from ordago.store import EventState, PlannedMatch, Store
from ordago.store.files import write_whole
from ordago_ladder.event_file import without_environment
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder, build_ladder
from ordago_ladder.publish import publish
from ordago_ladder.schedule import plan
from ordago_ladder.settings import Settings
from ordago_ladder.terms import match_id_of


def ladder_of(settings: Settings, state: EventState) -> Ladder:
    """Return the ladder of the results that are committed."""
    secret = state.event.secret
    versions = {entrant.name: entrant.version for entrant in state.entrants}
    return build_ladder(
        settings,
        state.results,
        secret_digest=chance.commitment(secret),
        secret=secret if state.event.finished else None,
        versions=versions,
    )


def publish_event(settings: Settings, text: str, store: Store, folder: EventFolder) -> None:
    """Write all that may be known of an event into its folder.

    A record is open to others only when all matches of its duplicate set are played, since it shows the deals.

    Args:
        settings: the event.
        text: the event file. What does not matter to the matches, the title for instance, may have changed since the
            event began: what is published of it is what the ladder was made by.
        store: the store of the event.
        folder: its folder.

    Raises:
        OSError: the folder cannot be written to.
    """
    with folder.publishing():
        _publish(settings, text, store, folder)


def _publish(settings: Settings, text: str, store: Store, folder: EventFolder) -> None:
    state = store.state()
    publish(ladder_of(settings, state), folder.path)
    write_whole(folder.event_file, without_environment(text).encode())
    write_whole(folder.ledger, ledger_text(state.lines).encode())
    folder.records.mkdir(exist_ok=True)
    for match_id in _open_records(settings, state):
        path, record = folder.record(match_id), store.record(match_id)
        if not _holds(path, record):
            write_whole(path, record)


def _holds(path: Path, contents: bytes) -> bool:
    """Say whether a file holds this and nothing else. What is far too large for that is not read."""
    return path.is_file() and path.stat().st_size == len(contents) and path.read_bytes() == contents


def _open_records(settings: Settings, state: EventState) -> Iterator[str]:
    played = {result.match.match_id for result in state.results}
    for planned in _sets(settings).values():
        ids = [match_id_of(match, secret=state.event.secret) for match in planned]
        if played.issuperset(ids):
            yield from ids


def _sets(settings: Settings) -> Mapping[str, list[PlannedMatch]]:
    sets: dict[str, list[PlannedMatch]] = {}
    for planned in plan(settings):
        sets.setdefault(planned.set_key, []).append(planned)
    return sets
