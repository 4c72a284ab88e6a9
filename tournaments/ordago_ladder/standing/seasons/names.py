"""Names of seasons, and the check of a new name against earlier ones."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from ordago.store.ladder.rows import EpochRow
from ordago_ladder.settings.written_values import is_slug

UNNAMED: Final = "-"
"""The label of a season without a name. It cannot be a name itself: names begin with a letter or a digit."""
_ALIKE: Final = str.maketrans("01i", "oll", "-")
"""Characters that look like others, each with its replacement. Hyphens are dropped."""


def is_called(name: str) -> bool:
    """Return True if a text can be the label of a season."""
    return name == UNNAMED or is_slug(name)


def called(season: str) -> str:
    """Return the label of a season by its name in a ledger: ``UNNAMED`` if that is empty."""
    return season or UNNAMED


def by_season(epochs: Iterable[EpochRow]) -> dict[str, Sequence[EpochRow]]:
    """Return the epochs of each season, by its name in ledgers, in order."""
    return {season: tuple(found) for season, found in groupby(epochs, key=lambda epoch: epoch.season)}


def objection_to(season: str, *, earlier: Iterable[str]) -> str | None:
    """Return the objection to a season after earlier ones, by their names in ledgers; ``None`` if it may begin."""
    for other in earlier:
        if season == other:
            return f"the season {called(season)!r} has ended and cannot begin again"
        if season.translate(_ALIKE) == other.translate(_ALIKE):
            return f"the season {called(season)!r} looks like the earlier {called(other)!r}"
    return None
