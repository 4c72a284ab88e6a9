"""The other servers of a ladder that has several.

Their results are noticed, their sessions are counted, and their matches void once they are gone.

Each server has a lane, with sessions, clocks and a journal of its own. All write one ledger, in one database.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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
        self.sessions: Callable[[], Mapping[tuple[str, str], int]] = dict
        """Returns the sessions here, by account and name of the bot; to be set before the task runs."""
        self._reported: Mapping[tuple[str, str], int] | None = None
        """The sessions here that the other servers know of."""
        self._elsewhere: Mapping[str, Counter[str]] = {}

    async def run(self) -> None:
        """Watch until cancelled."""
        while True:
            await self._notice()
            await self._count_sessions()
            await self._give_up()
            await trio.sleep(_LOOK_SECONDS)

    def elsewhere(self, account: str) -> Counter[str]:
        """Return the sessions of an account at the other servers, by names of bots, as they were seconds ago."""
        return self._elsewhere.get(account, Counter())

    async def _notice(self) -> None:
        epochs = await self._committer.insist(self._repository.epochs)
        if epochs != self._seen:
            self._seen = epochs
            await self._committer.insist(self._repository.learn_players)
            self._news()

    async def _count_sessions(self) -> None:
        """Tell the other servers of the sessions that have begun or ended here, and learn of theirs."""
        here, before = self.sessions(), self._reported or {}
        changed = {key: here.get(key, 0) for key, _ in here.items() ^ before.items()}
        if changed or self._reported is None:
            note = partial(self._repository.note_sessions, changed, anew=self._reported is None)
            await self._committer.insist(note)
            self._reported = here
        self._elsewhere = await self._committer.insist(self._repository.sessions_elsewhere)

    async def _give_up(self) -> None:
        now = trio.current_time()
        lost = await self._committer.insist(self._repository.lost_lanes)
        self._lost = {lane: self._lost.get(lane, now) for lane in lost}
        for lane, since in self._lost.items():
            if now - since >= self._give_up_seconds:
                void = await self._committer.insist(partial(self._repository.give_up, lane, reason=_GONE))
                for match in void:
                    self._telemetry.not_carried_on(match.match_id, match.game, _GONE)
