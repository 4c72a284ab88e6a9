"""A ladder that is open for play: its tables, and all that runs in the background."""

import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

import trio

from ordago import v1
from ordago.arena.play import HERE, Referees
from ordago.arena.processes.supervisor import Host
from ordago.arena.tables.watched import WatchedMatches
from ordago.chance import event_commitment
from ordago.files import private_folder
from ordago.journal import Journal
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import SeatingRow
from ordago.store.ladder.store import LadderStore
from ordago.telemetry.telemetry import Telemetry
from ordago_ladder.matches.terms import fault_terms, time_terms
from ordago_ladder.standing.publication.publisher import Published
from ordago_ladder.standing.publication.ratings_process import RatingsProcess
from ordago_ladder.standing.ratings import StandingRatings
from ordago_ladder.standing.reading.messages import ladder_description
from ordago_ladder.standing.retention import Limits, Retention
from ordago_ladder.standing.seating import Kind, Pool, Seated
from ordago_ladder.standing.settings import StandingSettings
from ordago_ladder.standing.tables.challenges import Challenges
from ordago_ladder.standing.tables.committer import Committer
from ordago_ladder.standing.tables.epochs_in_time import EpochsInTime
from ordago_ladder.standing.tables.house_bots import HouseBots
from ordago_ladder.standing.tables.notices import Notices, Standings
from ordago_ladder.standing.tables.other_lanes import OtherLanes
from ordago_ladder.standing.tables.rated_tables import RatedTables
from ordago_ladder.standing.tables.repository import LadderRepository

_HOUR_SECONDS: Final = 3600
_EXHIBITION_PAUSE_MS: Final = 800
"""The pause of house bots before each answer in exhibitions, so that spectators can follow: one glance a move."""
_REMEMBERED: Final = 2_000
"""The number of latest matches that the pool learns after a restart: who met whom, and in which seats."""
_LOST: Final = "the server restarted and lost the match"


@dataclass(frozen=True, slots=True)
class ServerFolder:
    """The folder in which a server keeps a ladder."""

    path: Path

    @property
    def store(self) -> Path:
        """The store, unless it is a database elsewhere. It holds secrets that are not revealed yet."""
        return self.path / "ladder.sqlite"

    @property
    def archive(self) -> Path:
        """The folder that is published."""
        return self.path / "archive"

    @property
    def logs(self) -> Path:
        """The folder for the output of house bots."""
        return self.path / "logs"


class OpenLadder:
    """A ladder while its server plays it. Its store has been begun before."""

    def __init__(
        self,
        settings: StandingSettings,
        *,
        file: bytes,
        folder: ServerFolder,
        place: str,
        store: LadderStore,
        queries: LadderQueries,
        journal: Journal,
        telemetry: Telemetry,
        pause_seconds: float,
        warn: Callable[[str], None],
        referees: Referees = HERE,
        exhibits: bool = False,
        has_lane: bool = False,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Assemble a ladder.

        Args:
            settings: the parsed ladder file.
            file: the ladder file as bytes, which are published.
            folder: the folder of the ladder.
            place: the store: a path, or the URL of a database.
            store: the store.
            queries: reads the same store.
            journal: the matches that go on after a restart.
            telemetry: counts and reports matches and troubles.
            pause_seconds: the pause of a bot after its first forfeit, in seconds; further ones double it. 0: none.
            warn: is called with one sentence for each background failure.
            referees: the referees of the matches, in this process or in workers.
            exhibits: play exhibitions, if the ladder has them: there is a site to show them.
            has_lane: the ladder has other servers, each with a lane.
            now: returns the time, in seconds since 1970, UTC.
        """
        self._settings = settings
        self._journal = journal
        self._repository = LadderRepository(store, queries, now=now)
        self._standings = Standings(self._repository, settings.anchors)
        self._notices = Notices(self._standings, season=settings.ladder.season)
        published = Published(place, folder.archive, file)
        self.ratings = RatingsProcess(published, published_ratings=self._rated, warn=warn, telemetry=telemetry)
        """The process that rates and publishes, and the ratings that it reported last."""
        limits = settings.ladder
        keep = Limits(
            limits.keep_records_days, limits.keep_records_bytes, limits.keep_archive_days, limits.keep_archive_bytes
        )
        self._retention = Retention(place, folder.archive, keep, telemetry=telemetry, warn=warn)
        committer = Committer(self._repository, telemetry=telemetry, news=self._news)
        epoch_seconds = settings.ladder.epoch_hours * _HOUR_SECONDS
        self.epochs = EpochsInTime(
            self._repository,
            committer,
            epoch_seconds=epoch_seconds,
            epoch_matches=settings.ladder.epoch_matches,
            changed=self._epochs_changed,
            counters=telemetry.counters.ladder,
        )
        """The task that begins and reveals epochs."""
        self.other_lanes = OtherLanes(self._repository, committer, telemetry=telemetry, news=self._news)
        """The task that watches the other servers."""
        self._has_lane = has_lane
        private_folder(folder.logs)
        crashed = telemetry.house_bot_crashed
        self._house = HouseBots(settings.houses, logs=folder.logs, crashed=crashed)
        self._exhibiting = _exhibiting(settings, folder, crashed) if exhibits and settings.ladder.exhibitions else None
        self.watched = WatchedMatches(delay_seconds=settings.ladder.delay)
        """The running matches that can be watched."""
        kinds = [Kind(game.name, game.sides) for game in settings.games]
        houses, a_day = {house.name for house in settings.houses}, settings.ladder.challenge_matches
        self.challenges = Challenges(
            kinds, houses=houses, a_day=a_day, begun=self._repository.challenges_begun, now=now
        )
        """The challenges of authors."""
        self.tables = RatedTables(
            [game.name for game in settings.games],
            pool=self._pool(kinds),
            repository=self._repository,
            committer=committer,
            house=self._house,
            strengths=self._standings.strength,
            watched=self.watched,
            telemetry=telemetry,
            journal=journal,
            pause_seconds=pause_seconds,
            referees=referees,
            challenges=self.challenges,
            exhibiting=self._exhibiting,
        )
        """The tables at which bots are seated."""

    def _pool(self, kinds: Sequence[Kind]) -> Pool:
        pool = Pool(kinds, rng=Random(secrets.randbits(64)), lone_seconds=self._settings.ladder.lone_seconds)
        by_game = {(kind.game, kind.seats): kind for kind in kinds}
        for game, seats in self._repository.recent(_REMEMBERED):
            if kind := by_game.get((game, len(seats))):
                pool.remember(kind, [Seated(sitter.name, sitter.met_as) for sitter in seats])
        return pool

    def _news(self) -> None:
        self.ratings.more()
        self.epochs.more()

    def _epochs_changed(self) -> None:
        self.ratings.more()
        self._retention.more()

    def _rated(self, ratings: StandingRatings) -> None:
        self._standings.take(ratings)
        for bot, sitter in self.tables.guests():
            self._notices.tell(bot, sitter)

    def take_stock(self) -> Sequence[SeatingRow]:
        """Compare the journal with the store after a restart, and return the matches that become void.

        A match that only the store has cannot go on. One that only the journal has does not count, and is dropped.
        """
        for match in self._journal.matches:
            if not self._repository.can_go_on(match.record.match_id):
                self._journal.end_match(match.record.match_id)
        return self._repository.void_unless((match.record.match_id for match in self._journal.matches), _LOST)

    @asynccontextmanager
    async def beside(self, host: Host) -> AsyncIterator[None]:
        """Run the background tasks of a ladder: ratings, publication, epochs, house bots and retention.

        Args:
            host: the server to which house bots connect.
        """
        for house in self._houses():
            house.come_in_at(host)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.ratings.run)
                nursery.start_soon(self.epochs.run)
                nursery.start_soon(self._house.run)
                if self._has_lane:
                    nursery.start_soon(self.other_lanes.run)
                if self._settings.ladder.gives_up_records:
                    nursery.start_soon(self._retention.run)
                yield
                await self.ratings.finish()
                nursery.cancel_scope.cancel()
        finally:
            # The seats of cancelled matches are never given back, so nothing may wait for them here.
            for house in self._houses():
                house.stop()

    def _houses(self) -> Sequence[HouseBots]:
        return (self._house,) if self._exhibiting is None else (self._house, self._exhibiting)

    def described(self) -> v1.DescribeEventResponse:
        """Return the ladder described as an event, with the commitments of its newest epoch. Safe in any thread."""
        begin = self._repository.epoch(self.epochs.newest).begin
        digests = bytes.fromhex(begin.secret_digest), bytes.fromhex(begin.settings_digest)
        return v1.DescribeEventResponse(
            event=f"{begin.ladder}/{begin.epoch}",
            commitment=event_commitment(*digests),
            secret_digest=digests[0],
            settings_digest=digests[1],
        )


def _exhibiting(settings: StandingSettings, folder: ServerFolder, crashed: Callable[[str], None]) -> HouseBots:
    """Return house bots for exhibitions: slow ones, so that spectators can follow."""
    return HouseBots(settings.houses, logs=folder.logs, pause_ms=_EXHIBITION_PAUSE_MS, crashed=crashed)


def described_ladder(settings: StandingSettings, *, has_accounts: bool) -> v1.GetLadderResponse:
    """Return the part of a ladder's description that its file determines, and whether its server has accounts."""
    return ladder_description(
        title=settings.ladder.heading,
        games=[(game.name, game.seats, dict(game.options)) for game in settings.games],
        time=time_terms(settings.ladder),
        faults=fault_terms(settings.ladder),
        delay_seconds=settings.ladder.delay,
        epoch_seconds=round(settings.ladder.epoch_hours * _HOUR_SECONDS),
        challenge_matches=settings.ladder.challenge_matches if has_accounts else 0,
    )
