"""From the store of an event to what is published of it."""

from collections.abc import Iterator, Mapping

from ordago.store import PlannedMatch, Store
from ordago.store.files import write_whole
from ordago_ladder.folder import EventFolder
from ordago_ladder.ladder import Ladder, build_ladder
from ordago_ladder.publish import publish
from ordago_ladder.schedule import plan
from ordago_ladder.settings import Settings
from ordago_ladder.terms import match_id_of


def ladder_of(settings: Settings, store: Store) -> Ladder:
    """Return the ladder of the results that are committed."""
    event = store.event()
    versions = {entrant.name: entrant.version for entrant in store.entrants()}
    return build_ladder(
        settings,
        store.results(),
        commitment=event.commitment,
        secret=event.secret if event.finished else None,
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
    event = store.event()
    publish(ladder_of(settings, store), folder.path)
    write_whole(folder.event_file, text.encode())
    folder.records.mkdir(exist_ok=True)
    for match_id in _open_records(settings, store, secret=event.secret):
        path = folder.record(match_id)
        if not path.exists():
            write_whole(path, store.record(match_id))


def _open_records(settings: Settings, store: Store, *, secret: bytes) -> Iterator[str]:
    played = store.finished_match_ids()
    for planned in _sets(settings).values():
        ids = [match_id_of(match, secret=secret) for match in planned]
        if played.issuperset(ids):
            yield from ids


def _sets(settings: Settings) -> Mapping[str, list[PlannedMatch]]:
    sets: dict[str, list[PlannedMatch]] = {}
    for planned in plan(settings):
        sets.setdefault(planned.set_key, []).append(planned)
    return sets
