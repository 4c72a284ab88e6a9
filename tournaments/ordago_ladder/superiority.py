"""The table of how likely who is better than whom."""

from typing import Final, NamedTuple

from ordago_ladder.ladder import Standings

MOST_COLUMNS: Final = 60
"""A table with a column for each of more entrants would take longer to load than all the rest."""


class Likelihood(NamedTuple):
    """How likely the entrant of the row is better than the one of the column."""

    percent: str
    colour: str
    """``w`` for more than half, ``l`` for less."""
    strength: int
    """How strong the colour is: the farther from even, the stronger."""


class Superiority(NamedTuple):
    """The likelihoods of a ladder."""

    names: tuple[str, ...]
    """In the order of the lines; so are rows and columns."""
    rows: list[list[Likelihood | None]]
    """``None`` for those who cannot be compared; empty where it would be too large."""


def superiority_of(standings: Standings) -> Superiority:
    """Return the likelihoods of a ladder, as they are shown."""
    names = tuple(line.entrant for line in standings.lines)
    rows = [] if len(names) > MOST_COLUMNS else [[_likelihood(share) for share in row] for row in standings.superiority]
    return Superiority(names, rows)


def _likelihood(share: float | None) -> Likelihood | None:
    if share is None:
        return None
    percent = "<1" if share < 0.01 else ">99" if share > 0.99 else f"{100 * share:.0f}"
    return Likelihood(percent, colour="w" if share >= 0.5 else "l", strength=round(abs(share - 0.5) * 100))
