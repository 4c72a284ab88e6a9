"""Atom feeds (RFC 4287) of the newest results: of a ladder, of a game, of an author or of a bot.

That of the whole ladder also has what its operator announces.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import NAMESPACE_OID, uuid5
from xml.etree import ElementTree as ET

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ordago import v1
from ordago.names import visible
from ordago_web.context import AppContext
from ordago_web.ladder.announcements import shown
from ordago_web.ladder.asking import Asking, errors_as_pages, wanted
from ordago_web.ladder.matches import MatchRow, match_row
from ordago_web.ladder.places import place_with, time_of
from ordago_web.pages import tagged

FEED: Final = "/feed.atom"
ATOM: Final = "application/atom+xml"
_NAMESPACE: Final = "http://www.w3.org/2005/Atom"
_MOST_ENTRIES: Final = "50"
"""Readers ask every few minutes to hours: more than a busy bot plays meanwhile is in the lists of matches."""
_KEPT: Final = "public, max-age=60"


class Feeds:
    """Feeds of matches that are over."""

    def __init__(self, context: AppContext, asking: Asking) -> None:
        """Write feeds from the answers of the ladder."""
        self._origin = context.pages.origin
        self._asking = asking

    def routes(self) -> Sequence[Route]:
        """Return the routes of the feeds. They precede those of bots, whose names may contain slashes."""
        return [Route(FEED, self.feed), Route("/bots/{bot:path}/feed.atom", self.feed)]

    async def feed(self, request: Request) -> Response:
        """Send the newest results that the filters of the list of matches leave."""
        announced: Sequence[v1.Announcement] = ()
        with errors_as_pages():
            fixed = {**request.path_params, "running": "false", "pageSize": _MOST_ENTRIES}
            asked = wanted(v1.ListMatchesRequest, request, **fixed)
            if asked == v1.ListMatchesRequest(running=False, page_size=asked.page_size):
                # By their ends the server lists all matches, and filters none.
                asked = v1.ListMatchesRequest(by_end=True, page_size=asked.page_size)
                announced = (await self._asking.ask(v1.GetStatusRequest(), v1.GetStatusResponse)).announcements
            if asked.bot:
                await self._asking.ask(v1.GetBotRequest(name=asked.bot), v1.GetBotResponse)
            ladder = await self._asking.ladder()
            matches = (await self._asking.ask(asked, v1.ListMatchesResponse)).matches
        over = sorted((one for one in matches if one.stage == v1.MATCH_STAGE_OVER), key=lambda one: -one.ended)
        place = place_with(FEED, game=asked.game, bot=asked.bot, account=asked.account, epoch=asked.epoch)
        body = self._written(ladder, place, [asked.bot, asked.account, asked.game], over, announced)
        return tagged(request, body, ATOM, headers={"cache-control": _KEPT})

    def _written(
        self,
        ladder: v1.GetLadderResponse,
        place: str,
        about: Sequence[str],
        matches: Sequence[v1.LadderMatch],
        announced: Sequence[v1.Announcement],
    ) -> bytes:
        """Return a feed. Names have their invisible characters escaped, of which XML could not have some."""
        title = visible(ladder.title or ladder.name)
        feed = ET.Element("feed", xmlns=_NAMESPACE)
        _say(feed, "title", " – ".join([*(visible(text) for text in about if text), title]))
        _say(feed, "id", _id(ladder, place))
        times = [ladder.began, *(match.ended for match in matches), *(one.made_at for one in announced)]
        _say(feed, "updated", _time(max(times)))
        ET.SubElement(feed, "link", rel="self", type=ATOM, href=self._origin + place)
        ET.SubElement(feed, "link", rel="alternate", type="text/html", href=f"{self._origin}/matches")
        _say(ET.SubElement(feed, "author"), "name", title)
        for announcement in reversed(announced):
            self._add_announcement(feed, ladder, announcement)
        for match in matches:
            self._add(feed, ladder, match)
        return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(feed, encoding="unicode").encode()

    def _add(self, feed: ET.Element, ladder: v1.GetLadderResponse, match: v1.LadderMatch) -> None:
        row = match_row(match)
        entry = ET.SubElement(feed, "entry")
        _say(entry, "title", f"{row.game.text}: {' – '.join(seat.bot.text for seat in row.seats)}")
        _say(entry, "id", _id(ladder, row.place))
        _say(entry, "published", _time(match.ended))
        _say(entry, "updated", _time(match.ended))
        ET.SubElement(entry, "link", rel="alternate", type="text/html", href=self._origin + row.place)
        ET.SubElement(entry, "category", term=visible(match.game), label=row.game.text)
        _say(entry, "content", _result(row))

    def _add_announcement(self, feed: ET.Element, ladder: v1.GetLadderResponse, announcement: v1.Announcement) -> None:
        entry = ET.SubElement(feed, "entry")
        _say(entry, "title", shown(announcement).sentence)
        _say(entry, "id", _id(ladder, f"/announcements/{announcement.number}"))
        _say(entry, "published", _time(announcement.made_at))
        _say(entry, "updated", _time(announcement.made_at))
        ET.SubElement(entry, "link", rel="alternate", type="text/html", href=f"{self._origin}/status")
        ET.SubElement(entry, "category", term="announcement")
        _say(entry, "content", shown(announcement).sentence)


def _result(row: MatchRow) -> str:
    """Return the result of a match, a line for each seat, the best placed first."""
    seats = sorted(row.seats, key=lambda seat: seat.placing)
    return "\n".join(f"{seat.placing}. {seat.bot.text} ({seat.score})" for seat in seats)


def _id(ladder: v1.GetLadderResponse, place: str) -> str:
    """Return the id of a feed or an entry: the same for ever, at whatever address the site is."""
    return uuid5(NAMESPACE_OID, f"{ladder.anchor.hex()} {place}").urn


def _time(seconds: int) -> str:
    at = time_of(seconds)
    return at.iso if at else datetime.fromtimestamp(0, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _say(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
