"""A table that some look on at: what was told so far, and how each of them reads it at his own pace."""

from collections import deque
from typing import Final

import trio

from ordago import v1
from ordago.edge.services.client import CallError
from ordago_ladder.showing.scene_json import Json
from ordago_web.live.live_view import LiveView, ending, message

_KEPT_STEPS: Final = 2048
"""Some matches have more; whoever comes late is told the last of them, and shown the whole table."""
_BEAT_SECONDS: Final = 15.0
"""After so much silence something is sent, so that nobody between takes the connection for dead."""
_BEAT: Final = b":\n\n"
_AGAIN: Final = b"retry: 2000\n\n"


class LiveTable:
    """A watched match. It belongs to trio's thread.

    Nothing is queued for anybody: who looks on has a number, that of the step which he was told last. Who reads too
    slowly to be told all steps is shown the whole table again.
    """

    def __init__(self) -> None:
        """Begin before anything was told."""
        self._live_view: LiveView | None = None
        self._steps: deque[tuple[dict[str, Json], bytes]] = deque(maxlen=_KEPT_STEPS)
        self._last = 0
        """The number of the last step."""
        self._end: bytes | None = None
        self._error: CallError | None = None
        self._news = trio.Event()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be told."""
        return self._end is not None or self._error is not None

    def take(self, response: v1.WatchMatchResponse) -> None:
        """Take in what the server told.

        Raises:
            UntoldError: it cannot be shown.
        """
        if self._live_view is None:
            self._live_view = LiveView(response.start)
        for step in self._live_view.steps(response.events):
            self._last += 1
            self._steps.append((step, message("step", step, number=self._last)))
        if response.HasField("end"):
            self._end = message("end", ending(response.end))
        self._tell()

    def fail(self, error: CallError) -> None:
        """Take in that the server tells no more."""
        self._error = error
        self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()

    async def begun(self) -> None:
        """Return when the first was told.

        Raises:
            CallError: nothing will be.
        """
        while self._live_view is None:
            if self._error is not None:
                raise self._error
            await self._news.wait()

    async def after(self, number: int | None) -> tuple[bytes, int | None, bool]:
        """Return what is to be sent to somebody next, the number of the step that he then knows, and if it is all.

        Args:
            number: the step that he was told last; ``None`` if he knows nothing.
        """
        if number is None or not self._last - len(self._steps) <= number <= self._last:
            return _AGAIN + self._whole(), self._last, False
        if number == self._last and not self.is_over:
            with trio.move_on_after(_BEAT_SECONDS):
                await self._news.wait()
                return b"", number, False
            return _BEAT, number, False
        steps = list(self._steps)[len(self._steps) - (self._last - number) :]
        told = b"".join(step for _, step in steps)
        return told + (self._end or b""), self._last, self.is_over

    def _whole(self) -> bytes:
        assert self._live_view is not None
        lines = [{name: step[name] for name in step if name != "patch"} for step, _ in self._steps if "told" in step]
        shown = {**self._live_view.described, "scene": self._live_view.scene, "told": lines}
        return message("scene", shown, number=self._last)
