"""The announcements of the match server, which all pages of a site show."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago_web.ladder.places import Time, time_of
from ordago_web.ladder_source import LadderSource

_LOOK_SECONDS: Final = 5.0
"""The interval of asking, since most pages ask the server nothing: one call for all visitors."""
_LONGEST: Final = 200
"""The characters that are shown. A server sends no more, but it may be anybody's."""


class ShownAnnouncement(NamedTuple):
    """An announcement as a page shows it."""

    sentence: str
    ends: Time | None
    """When it ceases to stand; ``None`` if that is open."""
    pauses_seating: bool


class Announcements:
    """The announcements that stand at a server. Called by each page that is rendered."""

    def __init__(self, ladder: LadderSource) -> None:
        """Ask the server of a ladder."""
        self._ladder = ladder
        self._standing: Sequence[v1.Announcement] = ()

    def __call__(self) -> list[ShownAnnouncement]:
        """Return the announcements as they were last asked for, the oldest first."""
        return [shown(one) for one in self._standing]

    async def watch(self) -> None:
        """Ask the server every few seconds until cancelled. While it is away, its last announcements are shown."""
        while True:
            with suppress(CallError):
                status = await self._ladder.ask(v1.GetStatusRequest(), v1.GetStatusResponse)
                self._standing = status.announcements
            await trio.sleep(_LOOK_SECONDS)


def shown(announcement: v1.Announcement) -> ShownAnnouncement:
    """Return an announcement as a page shows it."""
    sentence = visible(announcement.sentence[:_LONGEST])
    return ShownAnnouncement(sentence, time_of(announcement.ends_at), announcement.pauses_seating)
