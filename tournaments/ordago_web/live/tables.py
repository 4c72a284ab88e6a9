"""The watched matches: one stream from the server for each, opened for its first viewer.

At the limit of streams, a new one replaces one without viewers, or one of an address that holds more streams alone than
the new viewer does.
"""

from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from functools import partial
from typing import Final, Protocol

import trio

from ordago import v1
from ordago.edge.services.client import CallError
from ordago.scene import english
from ordago_ladder.showing.scene_json import Json, Translate
from ordago_web.access.bounds import TooManyError
from ordago_web.access.turns import ASKER, Turns
from ordago_web.languages import translations
from ordago_web.live.live_view import LiveView, UntoldError, ending, message

_KEPT_STEPS: Final = 2048
"""Some matches have more steps. A late viewer gets the last of them and the current scene."""
_BEAT_SECONDS: Final = 15.0
"""The silence after which a beat is sent, so that neither a proxy nor the page takes the connection for dead."""
_BEAT: Final = message("beat", {})
_AGAIN: Final = b"retry: 2000\n\n"


class LiveTable:
    """A watched match. For use in trio's thread only.

    It has no queues: a viewer is the number of its last step. A viewer that reads too slowly to get all steps gets the
    whole scene again.
    """

    def __init__(self, translate: Translate = str) -> None:
        """Begin before the first response, with the translation of all texts from English."""
        self._translate = translate
        self._live_view: LiveView | None = None
        self._steps: deque[tuple[dict[str, Json], bytes]] = deque(maxlen=_KEPT_STEPS)
        self._last = 0
        """The number of the last step."""
        self._end: bytes | None = None
        self._ending: dict[str, Json] | None = None
        self._error: CallError | None = None
        self._news = trio.Event()

    @property
    def is_over(self) -> bool:
        """True if nothing more follows."""
        return self._end is not None or self._error is not None

    @property
    def has_ended(self) -> bool:
        """True if the match came to its end, or is void."""
        return self._end is not None

    def take(self, response: v1.WatchMatchResponse) -> None:
        """Apply a response of the server.

        Raises:
            UntoldError: it cannot be shown.
        """
        if self._live_view is None:
            self._live_view = LiveView(response.start, self._translate)
        for step in self._live_view.steps(response.events):
            self._last += 1
            self._steps.append((step, message("step", step, number=self._last)))
        if response.HasField("end"):
            self._ending = ending(response.end)
            self._end = message("end", self._ending)
        self._tell()

    def fail(self, error: CallError) -> None:
        """End the match for its viewers with an error."""
        self._error = error
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def begun(self) -> None:
        """Wait for the first response.

        Raises:
            CallError: the stream failed before it.
        """
        while self._live_view is None:
            if self._error is not None:
                raise self._error
            await self._news.wait()

    async def after(self, number: int | None) -> tuple[bytes, int | None, bool]:
        """Return the next bytes for a viewer, the number of its last step then, and True if the match is over.

        Args:
            number: the last step that the viewer has; ``None`` for none.
        """
        if number is None or not self._last - len(self._steps) <= number <= self._last:
            return _AGAIN + self._whole(), self._last, False
        if number == self._last and not self.is_over:
            with trio.move_on_after(_BEAT_SECONDS):
                await self._news.wait()
                return b"", number, False
            return _BEAT, number, False
        steps = list(self._steps)[len(self._steps) - (self._last - number) :]
        sent = b"".join(step for _, step in steps)
        return sent + (self._end or b""), self._last, self.is_over

    def shown(self, translate: Translate) -> dict[str, Json]:
        """Return what everybody sees now, in any language: the scene, what was told last, and the end if it is over."""
        assert self._live_view is not None, "the match has begun"
        return {**self._live_view.shown(translate), **({"end": self._ending} if self._ending is not None else {})}

    def _whole(self) -> bytes:
        assert self._live_view is not None
        lines = [{name: step[name] for name in step if name != "patch"} for step, _ in self._steps if "told" in step]
        shown = {**self._live_view.described, "scene": self._live_view.scene, "told": lines}
        return message("scene", shown, number=self._last)


MOST_TABLES: Final = 64
"""Each stream has a thread and some 100 KiB."""
LINGER_SECONDS: Final = 20.0
"""The time that a stream without viewers stays open: people come back, and browsers reconnect."""


_NOBODY: Final = "nobody"
_SHARED: Final = "several addresses"


class MatchWatcher(Protocol):
    """A client that watches matches at the server. Its method is called in a thread of its own."""

    def listen(
        self, request: v1.WatchMatchRequest, answer: type[v1.WatchMatchResponse], /
    ) -> Iterator[v1.WatchMatchResponse]:
        """Yield the responses, or raise a ``CallError``."""


class LiveTables:
    """All watched matches. For use in trio's thread only."""

    def __init__(
        self,
        opened: Callable[[], AbstractContextManager[MatchWatcher]],
        *,
        most: int = MOST_TABLES,
        turns: Turns | None = None,
    ) -> None:
        """Watch matches.

        Args:
            opened: opens a connection for one match; closing it ends the stream.
            most: the limit of streams at a time.
            turns: the queue of calls to the server; nobody waits if ``None``.
        """
        self._opened = opened
        self._most = most
        self._turns = turns or Turns(at_once=most)
        self._tables: dict[tuple[str, str], _Watched] = {}
        """The streams by match and language: each language takes another one."""
        self._limiter = trio.CapacityLimiter(most)
        self._nursery: trio.Nursery | None = None

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Run the streams of watched matches until cancelled."""
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            await trio.sleep_forever()

    @asynccontextmanager
    async def watched(self, match_id: str, *, language: str = "en") -> AsyncIterator[LiveTable]:
        """Watch a match inside the context, in a language.

        Raises:
            CallError: the match cannot be watched now.
        """
        asker = ASKER.get()
        watched = self._tables.get((match_id, language))
        if watched is None or watched.table.is_over:
            watched = self._begun(match_id, language, asker)
        watched.readers[asker] += 1
        watched.scope.deadline = float("inf")
        try:
            await watched.table.begun()
            yield watched.table
        finally:
            watched.leave(asker)

    def _begun(self, match_id: str, language: str, asker: str) -> "_Watched":
        if len(self._tables) >= self._most:
            self._make_room(asker)
        assert self._nursery is not None, "tables are watched while this runs"
        watched = self._tables[match_id, language] = _Watched(translations(language).gettext)
        self._nursery.start_soon(self._watch, match_id, language, watched)
        return watched

    def _make_room(self, asker: str) -> None:
        """Close one stream for a new one.

        Raises:
            CallError: there is none to close.
        """
        alone = Counter(watched.holder for watched in self._tables.values())
        spared = alone.pop(_SHARED, 0)
        holder = _NOBODY if _NOBODY in alone else max(alone, key=alone.__getitem__, default=asker)
        if spared == len(self._tables) or (holder != _NOBODY and alone[holder] <= alone[asker] + 1):
            raise CallError(
                "RESOURCE_EXHAUSTED", english("No more tables can be watched now: try again in a few minutes.")
            )
        closed = next(shown for shown, watched in self._tables.items() if watched.holder == holder)
        watched = self._tables.pop(closed)
        watched.table.fail(
            CallError("RESOURCE_EXHAUSTED", "other viewers are waiting: watch fewer tables from your address")
        )
        watched.scope.cancel()

    async def _watch(self, match_id: str, language: str, watched: "_Watched") -> None:
        try:
            with watched.scope:
                async with self._turns.turn():
                    await self._turns.keep_pace()
                with self._opened() as watcher:
                    listen = partial(_listen, watcher, match_id, watched.table)
                    await trio.to_thread.run_sync(listen, abandon_on_cancel=True, limiter=self._limiter)
        except TooManyError as error:
            watched.table.fail(CallError("RESOURCE_EXHAUSTED", str(error)))
        finally:
            if self._tables.get((match_id, language)) is watched:
                del self._tables[match_id, language]


class _Watched:
    """A stream and the counts of its viewers."""

    def __init__(self, translate: Translate) -> None:
        self.table = LiveTable(translate)
        self.scope = trio.CancelScope()
        self.readers = Counter[str]()
        """The number of viewers of each address."""

    @property
    def holder(self) -> str:
        """The only address that watches; ``_NOBODY`` for none, ``_SHARED`` for several."""
        return next(iter(self.readers), _NOBODY) if len(self.readers) < 2 else _SHARED

    def leave(self, asker: str) -> None:
        """Count one viewer of an address less; close the stream some time after the last one."""
        self.readers[asker] -= 1
        if not self.readers[asker]:
            del self.readers[asker]
        if not self.readers:
            self.scope.deadline = trio.current_time() + LINGER_SECONDS


def _listen(watcher: MatchWatcher, match_id: str, table: LiveTable) -> None:
    """Pass the responses of the server to a table. It runs in a thread."""
    request = v1.WatchMatchRequest(match_id=match_id)
    try:
        for response in watcher.listen(request, v1.WatchMatchResponse):
            trio.from_thread.run_sync(table.take, response)
        error = CallError("UNAVAILABLE", english("The server stopped showing this match. Reload the page."))
    except CallError as failed:
        error = failed
    except UntoldError as untold:
        error = CallError("UNIMPLEMENTED", str(untold))
    trio.from_thread.run_sync(table.fail, error)
