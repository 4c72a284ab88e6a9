"""What a deal is worth."""


def value_of_declaring(seats: int) -> int:
    """Return the game value when a declarer was found in the first round of bidding."""
    return seats + 1


def scores_of(*, seats: int, declarer: int, out: int, value: int) -> tuple[int, ...]:
    """Return what each seat gains when this seat went out.

    Args:
        seats: the number of seats.
        declarer: the declarer.
        out: the seat that went out.
        value: what the declarer gets from each other seat if it was himself, and pays to each of them if not.
    """
    gain = value if out == declarer else -value
    return tuple(gain * (seats - 1) if seat == declarer else -gain for seat in range(seats))
