"""The other servers of a ladder that has several: their results are noticed, and their matches void once they are gone.

Each server has a lane, with sessions, clocks and a journal of its own. All write one ledger, in one database.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import trio

from ordago.store.ladder.lanes import Lane
from ordago.store.ladder.rows import EpochRow
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.repository import LadderRepository

_LOOK_SECONDS: Final = 5.0
"""The time between two looks. Ratings and pages rest for longer, and nobody waits for the results of other lanes."""
GIVE_UP_SECONDS: Final = 120.0
"""The time without a server after which the matches of a lane become void: twice the time in which bots can resume, so
that a server that is started again at once goes on with them."""
_GONE: Final = "the server that played it did not come back"


class OtherLanes:
    """The background task that watches the other lanes of a ladder."""

    def __init__(
        self,
        repository: LadderRepository,
        committer: Committer,
        *,
        telemetry: Telemetry,
        news: Callable[[], None],
        give_up_seconds: float = GIVE_UP_SECONDS,
    ) -> None:
        """Prepare to watch.

        Args:
            repository: reads the ladder.
            committer: repeats calls while the database fails.
            telemetry: is notified of matches that become void.
            news: is called when any server of the ladder has written.
            give_up_seconds: the time without a server after which the matches of a lane become void.
        """
        self._repository = repository
        self._committer = committer
        self._telemetry = telemetry
        self._news = news
        self._give_up_seconds = give_up_seconds
        self._seen: Sequence[EpochRow] = ()
        self._lost: dict[Lane, float] = {}
        """The lanes that have no server, and since when, by trio's clock."""

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            await self._notice()
            await self._give_up()
            await trio.sleep(_LOOK_SECONDS)

    async def _notice(self) -> None:
        epochs = await self._committer.insist(self._repository.epochs)
        if epochs != self._seen:
            self._seen = epochs
            await self._committer.insist(self._repository.learn_players)
            self._news()

    async def _give_up(self) -> None:
        now = trio.current_time()
        lost = await self._committer.insist(self._repository.lost_lanes)
        self._lost = {lane: self._lost.get(lane, now) for lane in lost}
        for lane, since in self._lost.items():
            if now - since >= self._give_up_seconds:
                void = await self._committer.insist(partial(self._repository.give_up, lane, reason=_GONE))
                for match in void:
                    self._telemetry.not_carried_on(match.match_id, match.game, _GONE)
