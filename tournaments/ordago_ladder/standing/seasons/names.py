"""What seasons are called, and which one may follow others."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from ordago.store.ladder.rows import EpochRow
from ordago_ladder.settings.written_values import is_slug

UNNAMED: Final = "-"
"""What a season without a name is called where one has to be named. No name is so short and without a letter."""
_ALIKE: Final = str.maketrans("01i", "oll", "-")
"""Signs that are taken for others."""


def is_called(name: str) -> bool:
    """Say whether a season can be called so."""
    return name == UNNAMED or is_slug(name)


def called(season: str) -> str:
    """Return what a season is called, by its name in a ledger."""
    return season or UNNAMED


def by_season(epochs: Iterable[EpochRow]) -> dict[str, Sequence[EpochRow]]:
    """Return the seasons in their order, by their names in ledgers, each with its epochs."""
    return {season: tuple(found) for season, found in groupby(epochs, key=lambda epoch: epoch.season)}


def objection_to(season: str, *, earlier: Iterable[str]) -> str | None:
    """Say why a season cannot begin after others, by their names in ledgers; ``None`` where it can."""
    for other in earlier:
        if season == other:
            return f"the season {called(season)!r} has ended before, and none is begun again"
        if season.translate(_ALIKE) == other.translate(_ALIKE):
            return f"the season {called(season)!r} can be taken for {called(other)!r}, which was before"
    return None
