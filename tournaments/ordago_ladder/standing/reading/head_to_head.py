"""How two bots did in the matches that both sat in: a pure function of their results."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from ordago import v1
from ordago.store.ladder.rows import LadderResult
from ordago_ladder.standing.reading.messages import sides_of

_COUNTED: Final[Mapping[str, str]] = {"ahead": "first_ahead", "behind": "second_ahead"}


def head_to_head(
    results: Iterable[LadderResult], first: Collection[int], second: Collection[int]
) -> list[v1.HeadToHead]:
    """Return how the first did beside the second in each game, ascending by name."""
    counted: dict[str, Counter[str]] = {}
    for result in results:
        game = counted.setdefault(result.seating.game, Counter())
        game.update(_meetings(result, first, second))
    return [v1.HeadToHead(game=game, **count) for game, count in sorted(counted.items())]


def _meetings(result: LadderResult, first: Collection[int], second: Collection[int]) -> Iterator[str]:
    """Say for each seat of the first and each of the second what they were to each other, and which came out ahead."""
    players, placings = result.seating.players, result.result.placings
    sides = sides_of(result.seating.game, len(players))
    for mine, player in enumerate(players):
        for theirs, other in enumerate(players):
            if mine == theirs or player not in first or other not in second:
                continue
            met = met_as(sides, placings, mine, theirs)
            yield _COUNTED.get(met, met)


def met_as(sides: Sequence[int], placings: Sequence[int], mine: int, theirs: int) -> str:
    """Say what a seat was to another, or how it came out: ``partners``, ``level``, ``ahead`` or ``behind``."""
    if sides[mine] == sides[theirs]:
        return "partners"
    if placings[mine] == placings[theirs]:
        return "level"
    return "ahead" if placings[mine] < placings[theirs] else "behind"
