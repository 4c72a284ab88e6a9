"""Think times, as tests need them."""

from ordago_ladder.rating.think_times import SeatTimes, ThinkTimes


def times_of(seats: int, *, decisions: int | None = None, charged_ms: int = 20) -> ThinkTimes:
    """Return the times of a match in which each seat decided once, but for the first, which made all that are left."""
    rest = SeatTimes(1, 1, charged_ms, charged_ms)
    first = 1 if decisions is None else decisions - seats + 1
    return (SeatTimes(first, first, first * charged_ms, charged_ms), *[rest] * (seats - 1))
