"""The standing of a season: who played in it, how they are rated, and which results that comes from.

It is a file that anybody can make anew who has the records of those results: ``ladder.json`` of the season that goes
on, and ``seasons/NAME/ladder.json`` of each, as far as its epochs are revealed.
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
"""The size of a standing that is read at all: a thousand players who play all games every week of a year have 40 MB."""


class StandingError(ValueError):
    """A file that is no standing. The message is one sentence."""


class SeasonPlayer(NamedTuple):
    """A version of a bot that has a result in a season."""

    name: str
    version: str
    account: str
    house: bool
    predecessor: int | None
    """The version of the same name and account that came into the season before it; ``None`` for the first."""


class SeasonStanding(NamedTuple):
    """The standing of a season."""

    season: str
    """What the season is called."""
    epochs: tuple[tuple[int, int], ...]
    """The epochs that count, ascending, and of each how many results do, from the first in its ledger on."""
    players: Mapping[int, SeasonPlayer]
    ratings: StandingRatings

    @property
    def text(self) -> bytes:
        """The standing as a file, which is written in one way only."""
        content = {
            "season": self.season,
            "epochs": self.epochs,
            "players": {str(number): player._asdict() for number, player in sorted(self.players.items())},
            "ratings": self.ratings.as_json(),
        }
        return (json.dumps(content, indent=1) + "\n").encode()


class StandingHeader(Part, extra="ignore"):
    """What a standing says of itself."""

    season: str
    epochs: tuple[tuple[Count, Count], ...]


def read_header(data: bytes) -> StandingHeader:
    """Read what a file says of itself that calls itself a standing.

    Raises:
        StandingError: it is none.
    """
    try:
        return StandingHeader.model_validate_json(data)
    except ValidationError:
        raise StandingError("It is no standing of a season.") from None


def read_standing(data: bytes) -> SeasonStanding:
    """Read a standing.

    Raises:
        StandingError: it is none.
    """
    header = read_header(data)
    content: Any = from_json(data)
    try:
        players = {int(number): SeasonPlayer(**player) for number, player in content["players"].items()}
        ratings = StandingRatings.from_json(content["ratings"])
    except (AttributeError, KeyError, TypeError, ValueError):
        raise StandingError("It is no standing of a season.") from None
    return SeasonStanding(header.season, header.epochs, players, ratings)


_KEPT: Final = 2
"""Nobody asks for more seasons at a time, and each may be large."""


class SeasonArchive:
    """Reads what a ladder published of its seasons."""

    def __init__(self, archive: Path) -> None:
        """Read in the folder that is published."""
        self._folder = LadderFolder(archive)

    def standing(self, season: str) -> SeasonStanding:
        """Return the standing of a season, by what it is called: as one who asked the ladder for its seasons knows it.

        Raises:
            NotFoundError: none can be read.
        """
        path = self._folder.season_standing(season)
        try:
            status = path.stat()
            return _standing(path, status.st_mtime_ns, status.st_size)
        except (OSError, StandingError, UnreadableError):
            raise NotFoundError(f"The standing of the season {season!r} is not published yet.") from None


@lru_cache(maxsize=_KEPT)
def _standing(path: Path, _changed: int, _size: int) -> SeasonStanding:
    return read_standing(read_file(path, most=MOST_STANDING_BYTES))
