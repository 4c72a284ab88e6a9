"""What an event file says of its ratings: whose are known, and what counts the same."""

from collections.abc import Collection, Iterable
from typing import Final, Literal, TypeAlias, get_args

Overall: TypeAlias = Literal["pairings", "games"]
"""What counts the same in the ladder of all games: every pairing, or every game with all its pairings together."""

MOST_ELO: Final = 10_000


def overall_of(written: object) -> object:
    """Return what counts the same, as an event file has it.

    Raises:
        ValueError: it is none of the two.
    """
    if written not in get_args(Overall):
        raise ValueError(f'\'overall\' takes "pairings" or "games", not {written!r}')
    return written


def anchors_of(written: object) -> tuple[tuple[str, float], ...]:
    """Return the entrants whose ratings are known, ascending, with these.

    Raises:
        ValueError: there is something else than names with ratings that anybody could have.
    """
    if not isinstance(written, dict):
        raise ValueError(  # noqa: TRY004  # pydantic takes this one for a value that does not fit
            f"'anchors' takes a table: [anchors] and below it NAME = RATING, not {written!r}"
        )
    for name, elo in written.items():
        if isinstance(elo, bool) or not isinstance(elo, int | float) or not abs(elo) <= MOST_ELO:
            raise ValueError(f"an anchor takes its rating, {-MOST_ELO:,} to {MOST_ELO:,}, not {name} = {elo!r}")
    return tuple(sorted((name, float(elo)) for name, elo in written.items()))


def check_anchors(anchors: Iterable[tuple[str, float]], entrants: Collection[str]) -> None:
    """Check that all anchors take part.

    Raises:
        ValueError: one does not.
    """
    for name, _ in anchors:
        if name not in entrants:
            raise ValueError(f"[anchors]: there is no entrant {name!r}; there are: {', '.join(entrants)}")
