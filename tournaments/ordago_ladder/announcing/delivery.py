"""Delivery of announcements to one URL, in a thread of its own: a slow receiver holds up neither play nor others.

A request is repeated until the receiver takes it. What it has taken is noted in the private folder of the event, so the
next run sends the rest and nothing twice; only a kill between the answer and the note repeats one. Requests are signed
as https://www.standardwebhooks.com describes, so receivers can check them with libraries in many languages.
"""

import base64
import hashlib
import hmac
import queue
import threading
import time
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from ordago_ladder.announcing.announcements import Announcement, body_of
from ordago_ladder.announcing.posting import FailedError, RefusedError, post
from ordago_ladder.settings.sections import AnnounceSettings
from ordago_ladder.settings.webhooks import key_bytes, receiver_of

LAST_SECONDS: Final = 10.0
"""Seconds that the end of a run waits for announcements."""
FIRST_PAUSE: Final = 1.0
"""Seconds between the first two attempts; each further pause is twice as long."""
_LONGEST_PAUSE: Final = 60.0
"""The most seconds between two attempts."""


class EventNames(NamedTuple):
    """The names of an event."""

    name: str
    title: str


class Delivery:
    """The announcements for one URL, sent in their order."""

    def __init__(
        self,
        settings: AnnounceSettings,
        event: EventNames,
        *,
        hosts: Collection[str] | None,
        taken: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        """Start the thread.

        Args:
            settings: the section of the event file.
            event: the names of the event.
            hosts: the hosts that may be posted to; ``None`` for anywhere.
            taken: called in the thread with the key of each announcement that was taken.
            warn: called in the thread with a sentence about the first failure, and about each one that is final.
        """
        self.host = receiver_of(settings.url).host
        """The host in the URL. The rest of it is for nobody to see: it may be a password."""
        self._settings = settings
        self._event = event
        self._hosts = hosts
        self._taken = taken
        self._warn = warn
        self._queue: queue.SimpleQueue[Announcement | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"announce to {self.host}", daemon=True)
        # Each is counted in one thread alone.
        self._added = 0
        self._delivered = 0
        self._thread.start()

    def add(self, announcement: Announcement) -> None:
        """Send an announcement after those that were added before. It returns at once."""
        self._added += 1
        self._queue.put(announcement)

    def close(self, *, until: float) -> int:
        """Wait until all is sent, at most until a time of ``time.monotonic``. Return the number of those left."""
        self._queue.put(None)
        self._thread.join(max(0.0, until - time.monotonic()))
        self._closed.set()
        return self._added - self._delivered

    def _run(self) -> None:
        while (announcement := self._queue.get()) is not None and not self._closed.is_set():
            if self._send(announcement):
                self._taken(announcement.key)
                self._delivered += 1

    def _send(self, announcement: Announcement) -> bool:
        """Try until the receiver takes or refuses an announcement, or this is closed. Return True if it took it."""
        pause = FIRST_PAUSE
        body = body_of(announcement, event=self._event.name, title=self._event.title, form=self._settings.form)
        while not self._closed.is_set():
            try:
                post(self._settings.url, body, self._headers(announcement, body), hosts=self._hosts)
            except RefusedError as error:
                self._warn(f"{self.host} refuses the announcement of the {announcement.kind}: {error}")
                return False
            except FailedError as error:
                if pause == FIRST_PAUSE:
                    what = f"the announcement of the {announcement.kind} is not delivered yet"
                    self._warn(f"{self.host}: {what}, and is tried again: {error}")
                self._closed.wait(min(max(pause, error.after), _LONGEST_PAUSE))
                pause = min(2 * pause, _LONGEST_PAUSE)
            else:
                return True
        return False

    def _headers(self, announcement: Announcement, body: bytes) -> dict[str, str]:
        """Return the headers that let a receiver find repetitions, and forgeries if there is a key."""
        text = f"{self._event.name}/{announcement.key}"
        webhook_id = f"msg_{hashlib.sha256(text.encode()).hexdigest()[:32]}"
        when = str(int(time.time()))
        headers = {"webhook-id": webhook_id, "webhook-timestamp": when}
        if self._settings.key:
            headers["webhook-signature"] = signature_of(body, webhook_id=webhook_id, when=when, key=self._settings.key)
        return headers


def signature_of(body: bytes, *, webhook_id: str, when: str, key: str) -> str:
    """Return the signature of a request: HMAC-SHA256 of id, time and body."""
    signed = f"{webhook_id}.{when}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key_bytes(key), signed, 'sha256')).decode()}"
