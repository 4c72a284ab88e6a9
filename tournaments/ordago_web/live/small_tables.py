"""Snapshots of up to four tables that are played now, made once for all visitors.

A snapshot needs no stream of its own: it looks at the streams of ``LiveTables``, which stay open for some seconds
without viewers. So the streams last while snapshots are asked for, and viewers of whole tables come first.
"""

import math
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import trio

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.names import visible
from ordago_ladder.showing.scene_json import Json
from ordago_web.access.turns import ASKER, FOR_ALL
from ordago_web.answers import json_bytes
from ordago_web.ladder_source import LadderSource
from ordago_web.languages import translations
from ordago_web.live.tables import LINGER_SECONDS, LiveTable, LiveTables

_MOST: Final = 4
_FRESH_SECONDS: Final = 1.0
"""The age up to which a snapshot answers all visitors. Their scripts ask every two seconds."""
_BEGIN_SECONDS: Final = 1.0
"""The longest wait for streams that begin; the next snapshot has them."""
_END_SECONDS: Final = 8.0
"""The time for which a result stays, so that it can be read."""
_JUST_FINISHED: Final = 12
"""The finished matches that are listed: a screen full."""


async def running_matches(ladder: LadderSource) -> Sequence[v1.LadderMatch]:
    """Return the running matches."""
    return (await ladder.ask(v1.ListMatchesRequest(running=True, page_size=200), v1.ListMatchesResponse)).matches


async def finished_matches(ladder: LadderSource) -> Sequence[v1.LadderMatch]:
    """Return the matches that finished last and count, the newest first."""
    asked = v1.ListMatchesRequest(by_end=True, page_size=_JUST_FINISHED)
    return (await ladder.ask(asked, v1.ListMatchesResponse)).matches


@dataclass(slots=True)
class _Place:
    """A match at its place."""

    match: v1.LadderMatch
    table: LiveTable | None = None
    """``None`` until it is watched."""
    over_since: float = math.inf
    """The time since which it needs its place no longer than its result is read."""

    async def watch(self, live: LiveTables) -> LiveTable | None:
        """Return the table, or ``None`` if it cannot be watched now."""
        if self.table is not None and self.table.has_ended:
            self.over_since = min(self.over_since, trio.current_time())
            return self.table
        try:
            # All languages share one stream.
            async with live.watched(self.match.match_id) as self.table:
                self.over_since = math.inf
        except CallError:
            self.table, self.over_since = None, -math.inf
        return self.table


class SmallTables:
    """The matches that are shown small, each at its place until it is over. For use in trio's thread only."""

    def __init__(self, ladder: LadderSource, live: LiveTables) -> None:
        """Show matches of a ladder as spectators see them."""
        self._ladder = ladder
        self._live = live
        self._places: list[_Place] = []
        self._snapshots: dict[str, bytes] = {}
        """The snapshots of this second, by language."""
        self._at = -math.inf
        self._lock = trio.Lock()

    async def matches(self) -> Sequence[v1.LadderMatch]:
        """Return the matches in the order of their places.

        Raises:
            CallError: the server is away.
        """
        async with self._chosen():
            return tuple(place.match for place in self._places)

    async def snapshot(self, language: str) -> bytes:
        """Return all tables as JSON, with their texts in a language.

        Raises:
            CallError: the server is away.
        """
        async with self._chosen():
            if language not in self._snapshots:
                self._snapshots[language] = await self._made(language)
            return self._snapshots[language]

    @asynccontextmanager
    async def _chosen(self) -> AsyncIterator[None]:
        async with self._lock:
            # For all: somebody whose own queue is full may neither delay nor spoil what others see.
            asker = ASKER.set(FOR_ALL)
            try:
                await self._choose()
                yield
            finally:
                ASKER.reset(asker)

    async def _choose(self) -> None:
        """Fill free places, and those of matches that are over, if the last choice is not fresh."""
        now = trio.current_time()
        if now - self._at < _FRESH_SECONDS:
            return
        running, finished = await running_matches(self._ladder), await finished_matches(self._ladder)
        if now - self._at >= LINGER_SECONDS:
            self._places.clear()
        self._at = now
        self._snapshots.clear()
        fresh = self._others([match for match in running if not match.lane])
        self._places = [
            fresh.popleft() if fresh and place.over_since + _END_SECONDS <= now else place for place in self._places
        ]
        for others in (fresh, self._others(finished)):
            self._places += list(others)[: _MOST - len(self._places)]

    def _others(self, found: Sequence[v1.LadderMatch]) -> deque[_Place]:
        shown = {place.match.match_id for place in self._places}
        return deque(_Place(match) for match in found if match.match_id not in shown)

    async def _made(self, language: str) -> bytes:
        patience = trio.current_time() + _BEGIN_SECONDS
        return json_bytes({"tables": [await self._table(place, language, patience) for place in self._places]})

    async def _table(self, place: _Place, language: str, patience: float) -> Json:
        """Return a table; only its players where nothing else is known of it yet."""
        match, table = place.match, None
        with trio.CancelScope(deadline=patience):
            table = await place.watch(self._live)
        known = table.shown(translations(language).gettext) if table is not None else {}
        players = [{"name": visible(seat.name)} for seat in match.seats]
        return {"matchId": match.match_id, "seats": players, **known}
