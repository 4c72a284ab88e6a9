"""Announcements made from the progress of a run.

Each announcement follows from what is committed. So after a kill the next run makes it again, under the same key,
unless its receiver has taken it.
"""

import hashlib
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from ordago.files import private_file, write_whole
from ordago_ladder.announcing.announcements import Announcement, check_in_opened, matches_begun, news_of
from ordago_ladder.announcing.delivery import LAST_SECONDS, Delivery, EventNames
from ordago_ladder.folder import EventFolder
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.rating.ladder import Ladder
from ordago_ladder.settings.sections import AnnounceSettings
from ordago_ladder.settings.settings import Settings
from ordago_ladder.watching import EventListener

_MOST_BYTES: Final = 1 << 24
"""Far more than the keys of all announcements of an event."""


@asynccontextmanager
async def announcing(
    settings: Settings, folder: EventFolder, listener: EventListener, *, hosts: Collection[str] | None
) -> AsyncIterator[EventListener]:
    """Open a listener that passes everything on to another one, and announces what the event file asks for.

    Args:
        settings: the event.
        folder: its folder, which has to exist.
        listener: the other listener.
        hosts: the hosts that may be posted to; ``None`` for anywhere.
    """
    if not settings.announce:
        yield listener
        return
    announcer = _Announcer(settings, folder, listener, hosts)
    try:
        yield announcer
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(announcer.close)


class _Announcer:
    """A listener to a run that announces its progress."""

    def __init__(
        self, settings: Settings, folder: EventFolder, listener: EventListener, hosts: Collection[str] | None
    ) -> None:
        self._listener = listener
        self._checked_in = False
        event = EventNames(settings.event.name, settings.event.heading)
        noted = _Taken(folder.announced)
        warn = _in_thread_of_trio(listener.warned)
        self._destinations = [_Destination(each, event, hosts, noted, warn) for each in settings.announce]

    def began(self, *, played: int, planned: int) -> None:
        """Announce the start or another round."""
        self._announce([matches_begun(played, planned)])
        self._listener.began(played=played, planned=planned)

    def played(self, number: int) -> None:
        """Pass it on."""
        self._listener.played(number)

    def standings(self, ladder: Ladder) -> None:
        """Announce suspensions and the end."""
        self._announce(news_of(ladder))
        self._listener.standings(ladder)

    def checking_in(self, here: Sequence[str], missing: Mapping[str, str]) -> None:
        """Announce that check-in is open."""
        if not self._checked_in:
            self._checked_in = True
            self._announce([check_in_opened(len(here) + len(missing))])
        self._listener.checking_in(here, missing)

    def noted(self, sentence: str) -> None:
        """Pass it on."""
        self._listener.noted(sentence)

    def warned(self, sentence: str) -> None:
        """Pass it on."""
        self._listener.warned(sentence)

    def close(self) -> None:
        """Wait a moment for the rest."""
        until = time.monotonic() + LAST_SECONDS
        for destination in self._destinations:
            destination.close(until)

    def _announce(self, announcements: Iterable[Announcement]) -> None:
        for announcement in announcements:
            for destination in self._destinations:
                destination.announce(announcement)


class _Destination:
    """A section ``[[announce]]`` in a run."""

    def __init__(
        self,
        settings: AnnounceSettings,
        event: EventNames,
        hosts: Collection[str] | None,
        taken: "_Taken",
        warn: Callable[[str], None],
    ) -> None:
        self._kinds = settings.kinds
        self._warn = warn
        # The URL is not written down: it may contain a password.
        self._place = hashlib.sha256(settings.url.encode()).hexdigest()[:16]
        self._known = taken.by(self._place)
        self._delivery = Delivery(
            settings, event, hosts=hosts, taken=lambda key: taken.note(self._place, key), warn=warn
        )

    def announce(self, announcement: Announcement) -> None:
        if announcement.kind in self._kinds and announcement.key not in self._known:
            self._known.add(announcement.key)
            self._delivery.add(announcement)

    def close(self, until: float) -> None:
        left = self._delivery.close(until=until)
        if left:
            what = f"{left} of the announcements are not delivered"
            self._warn(f"{self._delivery.host}: {what}; run the event again to send them")


class _Taken:
    """The keys of the announcements that each receiver has taken, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._keys = _read(path)

    def by(self, place: str) -> set[str]:
        """Return the keys that a receiver has taken."""
        return set(self._keys.get(place, ()))

    def note(self, place: str, key: str) -> None:
        """Note a key, in any thread. If the file cannot be written, the next run sends the announcement again."""
        with self._lock:
            self._keys.setdefault(place, []).append(key)
            try:
                private_file(self._path)
                write_whole(self._path, json.dumps(self._keys).encode())
            except OSError:
                return


def _read(path: Path) -> dict[str, list[str]]:
    try:
        written = json.loads(read_file(path, most=_MOST_BYTES))
        return {str(place): [str(key) for key in keys] for place, keys in written.items()}
    except (UnreadableError, ValueError, TypeError, AttributeError):
        return {}


def _in_thread_of_trio(call: Callable[[str], None]) -> Callable[[str], None]:
    token = trio.lowlevel.current_trio_token()
    return lambda sentence: token.run_sync_soon(call, sentence)
