"""Plain values for ``templates/parts/ladder.html.jinja``, for ladders of events and of servers alike."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from ordago.scene import Sentence
from ordago_ladder.pages.axis import Axis, axis_of
from ordago_ladder.rating.intervals import Interval
from ordago_ladder.rating.known import Known

MOST_COLUMNS: Final = 60
"""The most entrants in a table with a column for each. A larger one would take longer to load than all the rest."""
_MOST_LEVEL_NAMES: Final = 8
"""With more columns, horizontal names do not fit next to each other."""
_MOST_HEAT: Final = 10
"""The number of colour steps from even to either side."""


class LadderRow(NamedTuple):
    """A line of a ladder. Unknown texts are empty, unknown figures ``None``."""

    rank: int
    name: str
    known: Known
    """Its rating, as far as it is known."""
    matches: int
    link: str = ""
    """The URL of the page of the bot."""
    version: str = ""
    author: str = ""
    author_link: str = ""
    language: str = ""
    provisional: bool = False
    """True while the rating is too uncertain to say much."""
    score: float | None = None
    """The share won of all pairings, from 0 to 1."""
    above_next: float | None = None
    """The likelihood that the bot is better than the next one in the ladder, from 0 to 1."""
    mean_score: float | None = None
    """The mean score of a match."""
    points_per_match: Interval | None = None
    """The mean score of a match with its interval."""
    mean_deal_score: float | None = None
    """The mean score of a deal."""
    points_per_deal: Interval | None = None
    """The mean score of a deal with its interval."""
    placings: tuple[int, ...] = ()
    """The number of matches with placing 1, 2 and so on."""
    rated: int | None = None
    """The number of matches that nobody at the table forfeited, where that is known."""
    faults: int = 0
    forfeits: int = 0
    marks: tuple[Sentence, ...] = ()
    """Short labels such as "remote" and "suspended"."""

    @property
    def has_forfeits(self) -> bool:
        """True if somebody forfeited at its tables: the score is not by play alone."""
        return self.rated is not None and self.rated < self.matches


class LadderTable(NamedTuple):
    """A ladder as a table. Columns without any known value are left out."""

    anchor: str
    """The HTML id of the table, for links."""
    rows: Sequence[LadderRow]
    axis: Axis
    """The axis of the intervals."""

    @property
    def columns(self) -> frozenset[str]:
        """The fields of ``LadderRow`` with a known value in some row."""
        return frozenset(field for field in LadderRow._fields if any(_known(getattr(row, field)) for row in self.rows))

    @property
    def has_forfeits(self) -> bool:
        """True if a row contains a match with a forfeit."""
        return any(row.has_forfeits for row in self.rows)

    @property
    def places(self) -> int:
        """The largest number of placings in a row."""
        return max((len(row.placings) for row in self.rows), default=0)

    @property
    def languages(self) -> list[str]:
        """The programming languages of the bots, in alphabetical order."""
        return sorted({row.language for row in self.rows if row.language})

    @property
    def marks(self) -> list[Sentence]:
        """The marks of the bots, each once."""
        return list(dict.fromkeys(mark for row in self.rows for mark in row.marks))


def _known(value: object) -> bool:
    return value is not None and value not in ("", (), 0)


def ladder_table(anchor: str, rows: Sequence[LadderRow]) -> LadderTable:
    """Return a ladder as a table, with an axis that contains all of its intervals."""
    ends = [end for row in rows for end in row.known[1:] if end is not None]
    return LadderTable(anchor, rows, axis_of(ends) if ends else Axis(0.0, 1.0, ()))


class HeatCell(NamedTuple):
    """A figure for the entrant of a row against the entrant of a column."""

    text: str
    heat: str
    """The CSS class of its colour: ``w0`` to ``w10`` for shares from 0.5 to 1, ``l0`` to ``l10`` from 0.5 to 0."""
    detail: str = ""
    """The small print below the figure."""


class HeatTable(NamedTuple):
    """A table of each entrant against each other, coloured by the distance from even."""

    names: tuple[str, ...]
    """The entrants of both rows and columns."""
    rows: Sequence[Sequence[HeatCell | None]]
    """The cells, ``None`` for entrants that cannot be compared; empty if the table would be too large for a page."""

    @property
    def crowded(self) -> bool:
        """True if the names of the columns have to be vertical to fit."""
        return len(self.names) > _MOST_LEVEL_NAMES


def heat_of(share: float) -> str:
    """Return the CSS class of the colour for a share from 0 to 1."""
    return f"{'w' if share >= 0.5 else 'l'}{round(abs(share - 0.5) * 2 * _MOST_HEAT)}"


def likelihood_table(names: Sequence[str], shares: Sequence[Sequence[float | None]]) -> HeatTable:
    """Return the likelihoods that each entrant is better than each other, as a table in percent.

    Args:
        names: the entrants of rows and columns.
        shares: the likelihoods from 0 to 1, ``None`` for entrants that cannot be compared.
    """
    if len(names) > MOST_COLUMNS:
        return HeatTable(tuple(names), ())
    return HeatTable(tuple(names), [[_likelihood(share) for share in row] for row in shares])


def _likelihood(share: float | None) -> HeatCell | None:
    if share is None:
        return None
    percent = "<1" if share < 0.01 else ">99" if share > 0.99 else f"{100 * share:.0f}"
    return HeatCell(percent, heat_of(share))
