"""What the tables of ladders show, whoever made the ladder: plain values for ``templates/parts/ladder.html.jinja``."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago.scene import Sentence
from ordago_ladder.pages.axis import Axis, axis_of
from ordago_ladder.rating.intervals import Interval

MOST_COLUMNS: Final = 60
"""A table with a column for each of more entrants would take longer to load than all the rest."""
_MOST_LEVEL_NAMES: Final = 8
"""With more columns names as long as these are do not fit beside each other."""
_MOST_HEAT: Final = 10


class LadderRow(NamedTuple):
    """A line of a ladder. Texts are empty, and figures ``None``, where they are not known."""

    rank: int
    name: str
    elo: float
    low: float
    """The lower end of the 95 % interval of the rating,"""
    high: float
    """and the upper one."""
    matches: int
    link: str = ""
    """Where more of the bot is told."""
    version: str = ""
    author: str = ""
    author_link: str = ""
    language: str = ""
    provisional: bool = False
    """Whether the rating is known so badly that it says little."""
    score: float | None = None
    """The share won of all pairings, from 0 to 1."""
    above_next: float | None = None
    """How likely the bot is better than the next in the ladder, from 0 to 1."""
    mean_score: float | None = None
    """The mean score of a match,"""
    points_per_match: Interval | None = None
    """and the same with its interval, where one is known."""
    mean_deal_score: float | None = None
    """The mean score of a deal,"""
    points_per_deal: Interval | None = None
    """and the same with its interval."""
    placings: tuple[int, ...] = ()
    """How many matches ended with placing 1, 2 and so on."""
    faults: int = 0
    forfeits: int = 0
    marks: tuple[Sentence, ...] = ()
    """What else is to be known at a glance: remote, suspended."""

    @property
    def half_length(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2


class LadderTable(NamedTuple):
    """A ladder as a table. Columns of which nothing is known in any row are left out."""

    anchor: str
    """Its name in the page, for links."""
    rows: Sequence[LadderRow]
    axis: Axis
    """What the intervals are drawn on."""

    @property
    def columns(self) -> frozenset[str]:
        """The fields of rows that are known in some row."""
        return frozenset(field for field in LadderRow._fields if any(_known(getattr(row, field)) for row in self.rows))

    @property
    def places(self) -> int:
        """How many placings there are."""
        return max((len(row.placings) for row in self.rows), default=0)

    @property
    def languages(self) -> list[str]:
        """The languages of the bots, ascending."""
        return sorted({row.language for row in self.rows if row.language})

    @property
    def marks(self) -> list[Sentence]:
        """The marks of the bots, each once."""
        return list(dict.fromkeys(mark for row in self.rows for mark in row.marks))


def _known(value: object) -> bool:
    return value is not None and value not in ("", (), 0)


def ladder_table(anchor: str, rows: Sequence[LadderRow]) -> LadderTable:
    """Return a ladder as a table, with an axis on which all of its intervals have room."""
    ends = [end for row in rows for end in (row.low, row.high)]
    return LadderTable(anchor, rows, axis_of(ends or [0.0]))


class HeatCell(NamedTuple):
    """A figure of one who stands in a row, against one who stands in a column."""

    text: str
    heat: str
    """The class of its colour: ``w0`` to ``w10`` from even to all, ``l0`` to ``l10`` from even to nothing."""
    detail: str = ""
    """What stands below, in small."""


class HeatTable(NamedTuple):
    """Figures of each two, coloured by how far they are from even."""

    names: tuple[str, ...]
    """Of rows and columns alike."""
    rows: Sequence[Sequence[HeatCell | None]]
    """``None`` for those who cannot be compared; empty where the table would be too large for a page."""

    @property
    def crowded(self) -> bool:
        """Whether there are so many columns that their names have to stand upright."""
        return len(self.names) > _MOST_LEVEL_NAMES


def heat_of(share: float) -> str:
    """Return the class of the colour of a share from 0 to 1."""
    return f"{'w' if share >= 0.5 else 'l'}{round(abs(share - 0.5) * 2 * _MOST_HEAT)}"


def likelihood_table(names: Sequence[str], shares: Sequence[Sequence[float | None]]) -> HeatTable:
    """Return how likely each is better than each other, as a table in percent.

    Args:
        names: who stands in rows and columns.
        shares: the likelihoods from 0 to 1, ``None`` for those who cannot be compared.
    """
    if len(names) > MOST_COLUMNS:
        return HeatTable(tuple(names), ())
    return HeatTable(tuple(names), [[_likelihood(share) for share in row] for row in shares])


def _likelihood(share: float | None) -> HeatCell | None:
    if share is None:
        return None
    percent = "<1" if share < 0.01 else ">99" if share > 0.99 else f"{100 * share:.0f}"
    return HeatCell(percent, heat_of(share))
