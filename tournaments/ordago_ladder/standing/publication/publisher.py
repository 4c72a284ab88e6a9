"""Rates a ladder, and publishes it, from what its store holds."""

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
"""For so long records of epochs that were revealed are written, before what is new is rated and told."""


@dataclass(frozen=True, slots=True)
class Published:
    """What is published, and where."""

    place: str
    """The store: a path, or the URL of a database."""
    archive: Path
    """The folder that is published."""
    file: bytes
    """The ladder file."""


class Answer(NamedTuple):
    """What a publisher says."""

    ratings: StandingRatings
    tallies: Tallies
    """What else came of the matches of the same season."""
    problem: str
    """Why nothing could be published, in a sentence; empty if it could."""
    goes_on: bool = False
    """Whether there is more to publish, though nothing new is told."""
    seconds: float = 0.0
    """How long the processor worked for it."""


@dataclass(slots=True)
class Publisher:
    """Rates and publishes a ladder, again and again. It belongs to a process that plays nothing."""

    published: Published
    queries: LadderQueries
    ratings: StandingRatings = NO_RATINGS
    """Those of the season that goes on."""
    tallies: Tallies = field(default_factory=dict)
    """What else came of its matches."""
    bots: dict[int, Bot] = field(default_factory=dict)
    seasons: dict[str, SeasonRatings] = field(default_factory=dict)
    """The seasons that are rated, by their names in ledgers."""
    counted: dict[str, SeasonTallies] = field(default_factory=dict)
    """What else came of their matches."""
    deals: dict[int, dict[str, int | None]] = field(default_factory=dict)
    """How many deals a match of each game has in the epochs that results were counted of."""
    over: set[str] = field(default_factory=set)
    """The seasons whose last standing was published before."""
    settled: set[int] = field(default_factory=set)
    """The epochs that are revealed, and counted as such."""
    to_tell: set[str] = field(default_factory=set)
    """The seasons whose standing by these is not published yet."""
    position: int = 0
    """How far the results are known."""
    complete: frozenset[int] = frozenset()
    """The epochs that are published to their ends."""

    def answer(self) -> Answer:
        """Rate and publish how things are now; where that is not known, the ratings are those of before."""
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
        """Take up all results."""
        # Whoever has a result was entered before it, as its epoch was begun: both are read after it.
        results = list(self.queries.results_since(self.position))
        self.bots |= {row.player: Bot(row.name, row.version, row.account, row.house) for row in self.queries.players()}
        seasons = self._seasons_of_epochs()
        for result in results:
            if (season := seasons[result.seating.epoch]) in self.seasons:
                self.seasons[season].add(result.seating.epoch, _rated(result))
                self.counted[season].add(result)
            self.position = result.position

    def _seasons_of_epochs(self) -> dict[int, str]:
        """Return the season of each epoch. Those whose last standing is not published are rated from here on."""
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
        """Say whether the standing of a season is published with all of its epochs."""
        try:
            data = read_file(self._place_of(epochs[0].season), most=MOST_STANDING_BYTES)
            told = read_header(data).epochs
        except (StandingError, UnreadableError):
            return False
        return told == tuple((epoch.epoch, epoch.results) for epoch in epochs) and all(map(_is_revealed, epochs))

    def _deals_of(self, epoch: int, game: str) -> int | None:
        """Return how many deals a match of an epoch has."""
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
        """Count epochs that were revealed before the results were read, and are published to their ends."""
        for epoch in epochs:
            self.settled.add(epoch.epoch)
            if epoch.season in self.seasons:
                self.seasons[epoch.season].settle(epoch.epoch)
                self.to_tell.add(epoch.season)

    def _place_of(self, season: str) -> Path:
        return LadderFolder(self.published.archive).season_standing(called(season))


class PublishedStore:
    """What is published of a store: a ``LadderSource``."""

    def __init__(self, queries: LadderQueries) -> None:
        """Read a store."""
        self._queries = queries

    def epochs(self) -> Sequence[int]:
        """Return the numbers of the epochs that have begun, ascending."""
        return [epoch.epoch for epoch in self._queries.epochs()]

    def epoch_settings(self, epoch: int) -> str:
        """Return the settings of an epoch."""
        row = next(row for row in self._queries.epochs() if row.epoch == epoch)
        return self._queries.settings(row.settings_digest)

    def ledger(self, epoch: int) -> Sequence[str]:
        """Return the lines of the ledger of an epoch, as far as it has come."""
        return list(self._queries.ledger(epoch))

    def record(self, match_id: str) -> bytes | None:
        """Return the record of a match as it was committed; ``None``: it was given up to make room."""
        with suppress(NotFoundError):
            return self._queries.record(match_id)
        return None


def _rated(row: LadderResult) -> CareerResult:
    return career_result(row.seating.game, row.seating.players, row.result, ended=row.ended)


def _is_revealed(epoch: EpochRow) -> bool:
    return epoch.revealed
