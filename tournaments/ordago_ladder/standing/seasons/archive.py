"""The standings of earlier seasons, as they were published."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from ordago.store.errors import NotFoundError
from ordago_ladder.publication.reading import UnreadableError, read_file
from ordago_ladder.standing.folder import LadderFolder
from ordago_ladder.standing.seasons.standing import (
    MOST_STANDING_BYTES,
    SeasonStanding,
    StandingError,
    read_standing,
)

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
