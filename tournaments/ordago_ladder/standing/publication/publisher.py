"""Rating and publication of a ladder from its store."""

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from ordago.store.errors import NotFoundError, StoreError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.rows import EpochRow, LadderResult
from ordago_ladder.folder import LadderFolder
from ordago_ladder.publication.files import UnreadableError, read_file, write_published
from ordago_ladder.standing.epoch_settings import EpochSettings
from ordago_ladder.standing.publication.archive import ArchiveError, publish_epochs
from ordago_ladder.standing.publication.tallies import SeasonTallies, Tallies
from ordago_ladder.standing.ratings import NO_RATINGS, CareerResult, StandingRatings
from ordago_ladder.standing.seasons.careers import Bot, SeasonRatings, career_result
from ordago_ladder.standing.seasons.names import by_season, called
from ordago_ladder.standing.seasons.standing import (
    MOST_STANDING_BYTES,
    SeasonStanding,
    StandingError,
    read_header,
)

_MOST_SECONDS: Final = 3.0
"""The time for writing records in one answer, so that new ratings do not wait for all records of a large epoch."""


@dataclass(frozen=True, slots=True)
class Published:
    """The source and the target of a publication."""

    place: str
    """The store: a path, or the URL of a database."""
    archive: Path
    """The published folder."""
    file: bytes
    """The ladder file, byte for byte."""


class Answer(NamedTuple):
    """The outcome of one round of rating and publishing."""

    ratings: StandingRatings
    tallies: Tallies
    """Scores and faults in the same season."""
    problem: str
    """The reason why publishing failed, in one sentence; empty if it succeeded."""
    goes_on: bool = False
    """True if there is more to publish even without new results."""
    seconds: float = 0.0
    """The processor time that it took."""


@dataclass(slots=True)
class Publisher:
    """Rater and publisher of a ladder, round by round. It runs in a process of its own, apart from play."""

    published: Published
    queries: LadderQueries
    ratings: StandingRatings = NO_RATINGS
    """The ratings of the running season."""
    tallies: Tallies = field(default_factory=dict)
    """The scores and faults in the running season."""
    bots: dict[int, Bot] = field(default_factory=dict)
    seasons: dict[str, SeasonRatings] = field(default_factory=dict)
    """The ratings of each season that is rated here, by its name in ledgers."""
    counted: dict[str, SeasonTallies] = field(default_factory=dict)
    """The scores and faults in each of these seasons."""
    deals: dict[int, dict[str, int | None]] = field(default_factory=dict)
    """The number of deals of a match, by epoch and game, for the epochs whose results were counted."""
    over: set[str] = field(default_factory=set)
    """The past seasons whose final standing an earlier process published."""
    settled: set[int] = field(default_factory=set)
    """The revealed epochs that their seasons have settled."""
    to_tell: set[str] = field(default_factory=set)
    """The seasons whose standing with these epochs is not published yet."""
    position: int = 0
    """The position of the last result that was read."""
    complete: frozenset[int] = frozenset()
    """The completely published epochs."""

    def answer(self) -> Answer:
        """Rate and publish the current state of the store. After an error the earlier ratings stay valid."""
        began = time.process_time()
        try:
            revealed = [epoch for epoch in self.queries.epochs() if epoch.revealed and epoch.epoch not in self.settled]
            self._take_up()
            standing = self._running().standing()
            self.ratings = standing.ratings
            self.tallies = list(self.counted.values())[-1].tallies()
            self._publish(standing, revealed)
            goes_on = any(epoch.revealed and epoch.epoch not in self.complete for epoch in self.queries.epochs())
        except (ArchiveError, OSError, StoreError) as error:
            return Answer(self.ratings, self.tallies, str(error), seconds=time.process_time() - began)
        return Answer(self.ratings, self.tallies, "", goes_on=goes_on, seconds=time.process_time() - began)

    def _take_up(self) -> None:
        """Add all new results."""
        # Players and epochs are entered before the results that refer to them. Read after the results, none is missing.
        results = list(self.queries.results_since(self.position))
        self.bots |= {row.player: Bot(row.name, row.version, row.account, row.house) for row in self.queries.players()}
        seasons = self._seasons_of_epochs()
        for result in results:
            if (season := seasons[result.seating.epoch]) in self.seasons:
                self.seasons[season].add(result.seating.epoch, _rated(result))
                if not result.seating.unrated:
                    self.counted[season].add(result)
            self.position = result.position

    def _seasons_of_epochs(self) -> dict[int, str]:
        """Return the season of each epoch, and begin to rate those whose final standing is not published."""
        seasons = by_season(self.queries.epochs())
        for number, (season, epochs) in enumerate(seasons.items(), start=1):
            if season not in self.seasons and season not in self.over:
                if number < len(seasons) and self._is_published(epochs):
                    self.over.add(season)
                else:
                    self.seasons[season] = self._begun(epochs[0])
                    self.counted[season] = SeasonTallies(self._deals_of)
        return {epoch.epoch: season for season, epochs in seasons.items() for epoch in epochs}

    def _is_published(self, epochs: Sequence[EpochRow]) -> bool:
        """Return True if the standing of a season is published with all of its epochs, each revealed."""
        try:
            data = read_file(self._place_of(epochs[0].season), most=MOST_STANDING_BYTES)
            published = read_header(data).epochs
        except (StandingError, UnreadableError):
            return False
        return published == tuple((epoch.epoch, epoch.results) for epoch in epochs) and all(map(_is_revealed, epochs))

    def _deals_of(self, epoch: int, game: str) -> int | None:
        """Return the number of deals of a match in an epoch; ``None`` if it is not fixed."""
        if epoch not in self.deals:
            row = next(row for row in self.queries.epochs() if row.epoch == epoch)
            self.deals[epoch] = {game.name: game.deals for game in self._settings_of(row).games}
        return self.deals[epoch].get(game)

    def _settings_of(self, epoch: EpochRow) -> EpochSettings:
        return EpochSettings.model_validate_json(self.queries.settings(epoch.settings_digest))

    def _begun(self, first: EpochRow) -> SeasonRatings:
        settings = self._settings_of(first)
        return SeasonRatings(called(first.season), anchors=settings.anchors, bots=self.bots)

    def _running(self) -> SeasonRatings:
        return list(self.seasons.values())[-1]

    def _publish(self, standing: SeasonStanding, revealed: Iterable[EpochRow]) -> None:
        folder = LadderFolder(self.published.archive)
        self.complete = publish_epochs(
            PublishedStore(self.queries), folder.path, complete=self.complete, most_seconds=_MOST_SECONDS
        )
        self._settle(epoch for epoch in revealed if epoch.epoch in self.complete)
        for season in sorted(self.to_tell):
            write_published(self._place_of(season), self.seasons[season].settled().text)
            self.to_tell.remove(season)
        write_published(folder.file, self.published.file)
        write_published(folder.standing, standing.text)

    def _settle(self, epochs: Iterable[EpochRow]) -> None:
        """Settle epochs that were revealed before the results were read, and are completely published."""
        for epoch in epochs:
            self.settled.add(epoch.epoch)
            if epoch.season in self.seasons:
                self.seasons[epoch.season].settle(epoch.epoch)
                self.to_tell.add(epoch.season)

    def _place_of(self, season: str) -> Path:
        return LadderFolder(self.published.archive).season_standing(called(season))


class PublishedStore:
    """Implementation of ``LadderSource`` over a store."""

    def __init__(self, queries: LadderQueries) -> None:
        """Prepare to read from a store."""
        self._queries = queries

    def epochs(self) -> Sequence[int]:
        """Return the numbers of the epochs that have begun, ascending."""
        return [epoch.epoch for epoch in self._queries.epochs()]

    def epoch_settings(self, epoch: int) -> str:
        """Return the settings of an epoch."""
        row = next(row for row in self._queries.epochs() if row.epoch == epoch)
        return self._queries.settings(row.settings_digest)

    def ledger(self, epoch: int) -> Sequence[str]:
        """Return the lines of the ledger of an epoch so far."""
        return list(self._queries.ledger(epoch))

    def record(self, match_id: str) -> bytes | None:
        """Return the record of a match as it was committed; ``None`` if it was pruned."""
        with suppress(NotFoundError):
            return self._queries.record(match_id)
        return None


def _rated(row: LadderResult) -> CareerResult:
    seating = row.seating
    return career_result(seating.game, seating.players, row.result, ended=row.ended, unrated=seating.unrated)


def _is_revealed(epoch: EpochRow) -> bool:
    return epoch.revealed
