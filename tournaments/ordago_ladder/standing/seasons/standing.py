"""The standing of a season: its players, their ratings, and the results that these come from.

It is a file that anybody can recompute from the records of those results: ``ladder.json`` for the running season, and
``seasons/NAME/ladder.json`` for each season, up to its last revealed epoch.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json

from ordago.record.ledgers.chain import Count, Part
from ordago.store.errors import NotFoundError
from ordago_ladder.folder import LadderFolder
from ordago_ladder.publication.files import UnreadableError, read_file
from ordago_ladder.standing.ratings import StandingRatings

MOST_STANDING_BYTES: Final = 128 << 20
"""The longest standing that is read. A thousand players who play all games every week of a year take 40 MB."""


class StandingError(ValueError):
    """A file that is not a standing. The message is one sentence."""


class SeasonPlayer(NamedTuple):
    """A version of a bot that has a result in a season."""

    name: str
    version: str
    account: str
    house: bool
    predecessor: int | None
    """The version of the same name and account that entered the season before it; ``None`` for the first."""


class SeasonStanding(NamedTuple):
    """The standing of a season."""

    season: str
    """The label of the season."""
    epochs: tuple[tuple[int, int], ...]
    """The counted epochs, ascending, each with the number of results taken in, from the start of its ledger.

    Unrated ones are included: they change nothing else.
    """
    players: Mapping[int, SeasonPlayer]
    ratings: StandingRatings

    @property
    def text(self) -> bytes:
        """The standing as the bytes of a file: equal standings give equal bytes."""
        content = {
            "season": self.season,
            "epochs": self.epochs,
            "players": {str(number): player._asdict() for number, player in sorted(self.players.items())},
            "ratings": self.ratings.as_json(),
        }
        return (json.dumps(content, indent=1) + "\n").encode()


class StandingHeader(Part, extra="ignore"):
    """The part of a standing that names its season and its epochs."""

    season: str
    epochs: tuple[tuple[Count, Count], ...]


def read_header(data: bytes) -> StandingHeader:
    """Parse the header of a standing.

    Raises:
        StandingError: the file is not a standing.
    """
    try:
        return StandingHeader.model_validate_json(data)
    except ValidationError:
        raise StandingError("It is not the standings of a season.") from None


def read_standing(data: bytes) -> SeasonStanding:
    """Parse a standing.

    Raises:
        StandingError: the file is not a standing.
    """
    header = read_header(data)
    content: Any = from_json(data)
    try:
        players = {int(number): SeasonPlayer(**player) for number, player in content["players"].items()}
        ratings = StandingRatings.from_json(content["ratings"])
    except (AttributeError, KeyError, TypeError, ValueError):
        raise StandingError("It is not the standings of a season.") from None
    return SeasonStanding(header.season, header.epochs, players, ratings)


_KEPT: Final = 2
"""The number of cached seasons. Few are read at a time, and each may be large."""


class SeasonArchive:
    """Reader of the standings that a ladder published."""

    def __init__(self, archive: Path) -> None:
        """Prepare to read from the published folder."""
        self._folder = LadderFolder(archive)

    def standing(self, season: str) -> SeasonStanding:
        """Return the standing of a season by its label, which has to be one that the ladder knows.

        Raises:
            NotFoundError: the standing cannot be read.
        """
        path = self._folder.season_standing(season)
        try:
            status = path.stat()
            return _standing(path, status.st_mtime_ns, status.st_size)
        except (OSError, StandingError, UnreadableError):
            raise NotFoundError(f"The standings of the season {season!r} are not published yet.") from None


@lru_cache(maxsize=_KEPT)
def _standing(path: Path, _changed: int, _size: int) -> SeasonStanding:
    return read_standing(read_file(path, most=MOST_STANDING_BYTES))
