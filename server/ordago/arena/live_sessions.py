"""The sessions of a server for other threads: an operator lists them, and ends one."""

import trio

from ordago.arena.bot import Bot
from ordago.arena.event_router import EventRouter


class LiveSessions:
    """The sessions of bots from outside. Made in trio's thread; its methods are called in others."""

    def __init__(self, router: EventRouter) -> None:
        """Look at the sessions of all servers behind a router."""
        self._router = router
        self._token = trio.lowlevel.current_trio_token()

    def bots(self) -> list[tuple[str, Bot]]:
        """Return the bots that are connected or may come back, each with its event; empty for standing tables."""
        return trio.from_thread.run_sync(self._bots, trio_token=self._token)

    def _bots(self) -> list[tuple[str, Bot]]:
        # Only listed here: thousands of bots take a millisecond, their descriptions would take far longer.
        return [(event, bot) for event, server in self._router.servers() for bot in server.sessions.bots]

    def end(self, session_id: str, sentence: str) -> None:
        """End a session, if there still is one, for this reason. Its bot forfeits its running matches."""
        trio.from_thread.run_sync(self._end, session_id, sentence, trio_token=self._token)

    def _end(self, session_id: str, sentence: str) -> None:
        any(server.sessions.dismiss(session_id, sentence) for _, server in self._router.servers())
