"""Think times of the players of a match, as charged in its record."""

from typing import NamedTuple, TypeAlias

from ordago import v1


class SeatTimes(NamedTuple):
    """Number and times of the decisions of a seat in a match."""

    decisions: int
    """The number of decisions, including those taken for the seat."""
    asked: int
    """The number of decisions that the player was asked for: all until the seat was forfeited."""
    charged_ms: int
    """The time charged for all of them, in milliseconds."""
    longest_ms: int
    """The longest time charged for one of them, in milliseconds; 0 without any."""


ThinkTimes: TypeAlias = tuple[SeatTimes, ...]
"""The times of a match, by seat."""


def think_times(record: v1.MatchRecord) -> ThinkTimes:
    """Return the think times of a match, by seat."""
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
