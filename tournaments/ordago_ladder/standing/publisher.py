"""Rates a ladder, and publishes it, from what its store holds."""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from ordago.store.errors import NotFoundError, StoreError
from ordago.store.ladder_queries import LadderQueries
from ordago.store.ladder_rows import LadderResult, PlayerRow
from ordago_ladder.standing.archive import ArchiveError, publish_epochs
from ordago_ladder.standing.careers import CareerResult, Careers, Player, StandingRatings
from ordago_ladder.writing import write_published

_MOST_SECONDS: Final = 3.0
"""For so long records of epochs that were revealed are written, before what is new is rated and told."""


@dataclass(frozen=True, slots=True)
class Published:
    """What is published, and where."""

    place: str
    """The store: a path, or the URL of a database."""
    archive: Path
    """The folder that is published."""
    anchors: Mapping[str, float]
    """The ratings of house bots that are known."""
    file: bytes
    """The ladder file."""


class Answer(NamedTuple):
    """What a publisher says."""

    ratings: StandingRatings
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
    careers: Careers = field(init=False)
    ratings: StandingRatings = field(init=False)
    players: dict[int, PlayerRow] = field(default_factory=dict)
    position: int = 0
    """How far the results are known."""
    complete: frozenset[int] = frozenset()
    """The epochs that are published to their ends."""

    def __post_init__(self) -> None:
        """Begin without results."""
        self.careers = Careers(anchors=self.published.anchors)
        self.ratings = self.careers.ratings()

    def answer(self) -> Answer:
        """Rate and publish how things are now; where that is not known, the ratings are those of before."""
        began = time.process_time()
        try:
            self.ratings = self._rated()
            self._publish(self.ratings)
            goes_on = any(epoch.revealed and epoch.epoch not in self.complete for epoch in self.queries.epochs())
        except (ArchiveError, OSError, StoreError) as error:
            return Answer(self.ratings, str(error), seconds=time.process_time() - began)
        return Answer(self.ratings, "", goes_on=goes_on, seconds=time.process_time() - began)

    def _rated(self) -> StandingRatings:
        # Whoever has a result was entered before it: he is among the players that are read after it.
        results = list(self.queries.results_since(self.position))
        new = [player for player in self.queries.players() if player.player not in self.players]
        self.players |= {player.player: player for player in new}
        self.careers.enter(Player(one.player, one.name, one.predecessor, one.house) for one in new)
        self.careers.add(map(_career_result, results))
        self.position = results[-1].position if results else self.position
        return self.careers.ratings()

    def _publish(self, ratings: StandingRatings) -> None:
        write_published(self.published.archive / "ladder.toml", self.published.file)
        self.complete = publish_epochs(
            PublishedStore(self.queries), self.published.archive, complete=self.complete, most_seconds=_MOST_SECONDS
        )
        write_published(self.published.archive / "ladder.json", self._as_json(ratings))

    def _as_json(self, ratings: StandingRatings) -> bytes:
        players = {str(number): _player_as_json(player) for number, player in sorted(self.players.items())}
        return (json.dumps({"players": players, "ratings": ratings.as_json()}, indent=1) + "\n").encode()


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


def _career_result(row: LadderResult) -> CareerResult:
    return CareerResult(
        game=row.seating.game,
        players=row.seating.players,
        placings=row.result.placings,
        forfeits=tuple(forfeit.seat for forfeit in row.result.forfeits),
        ended=row.ended,
    )


def _player_as_json(player: PlayerRow) -> dict[str, object]:
    return {name: getattr(player, name) for name in ("name", "version", "account", "house", "predecessor")}
