"""What seasons are called, and which one may follow others."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

UNNAMED: Final = "-"
"""What a season without a name is called where one has to be named. No name is so short and without a letter."""
_ALIKE: Final = str.maketrans("01i", "oll", "-")
"""Signs that are taken for others."""


def called(season: str) -> str:
    """Return what a season is called, by its name in a ledger."""
    return season or UNNAMED


def in_order(epochs: Iterable[str]) -> list[str]:
    """Return the seasons of some epochs that follow one another, each as often as it begins."""
    return [season for season, _ in groupby(epochs)]


def objection_to(season: str, *, earlier: Iterable[str]) -> str | None:
    """Say why a season cannot begin after others, by their names in ledgers; ``None`` where it can."""
    for other in earlier:
        if season == other:
            return f"the season {called(season)!r} has ended before, and none is begun again"
        if season.translate(_ALIKE) == other.translate(_ALIKE):
            return f"the season {called(season)!r} can be taken for {called(other)!r}, which was before"
    return None
