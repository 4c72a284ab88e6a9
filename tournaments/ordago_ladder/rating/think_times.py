"""How long the players of a match took, as its record charges it."""

from typing import NamedTuple, TypeAlias

from ordago import v1


class SeatTimes(NamedTuple):
    """The decisions of a seat in a match."""

    decisions: int
    """How many there were, those included that were taken for the seat."""
    asked: int
    """How many of them the player was asked for: all until the seat was forfeited."""
    charged_ms: int
    """The time that was charged for them in all,"""
    longest_ms: int
    """and the most for one of them."""


ThinkTimes: TypeAlias = tuple[SeatTimes, ...]
"""Of a match, by seat."""


def think_times(record: v1.MatchRecord) -> ThinkTimes:
    """Return how long the players of a match took."""
    charged: list[list[int]] = [[] for _ in record.seats]
    unasked, gone = [0] * len(record.seats), set[int]()
    for entry in record.entries:
        if entry.HasField("forfeit"):
            gone.add(entry.forfeit.seat)
        elif entry.HasField("choice") and entry.choice.seat in gone:
            unasked[entry.choice.seat] += 1
        elif entry.HasField("choice"):
            charged[entry.choice.seat].append(entry.choice.charged_ms)
    return tuple(
        SeatTimes(len(times) + without, len(times), sum(times), max(times, default=0))
        for times, without in zip(charged, unasked, strict=True)
    )


def decision_count(times: ThinkTimes) -> int:
    """Return the number of decisions in a match."""
    return sum(seat.decisions for seat in times)
