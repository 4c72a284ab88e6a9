"""How the pack is dealt: packet by packet round the table, before each bargain and before the play."""

from typing import Final

# That these may be of any length keeps a compiler from making a tuple anew to look into it.
_PACKETS: Final[tuple[tuple[tuple[tuple[int, int], ...], ...], ...]] = (
    (((0, 5), (15, 20)), ((5, 10), (20, 25)), ((10, 15), (25, 30))),
    (((0, 5),), ((5, 10),), ((10, 15),)),
    (((0, 5),), ((5, 10),), ((10, 15),)),
    (((0, 5),), ((5, 10),), ((10, 18),)),
)
"""Where the packets begin and end in the stock, by the number of bargains that are over and by place at the table."""
_DEALT: Final[tuple[int, ...]] = (30, 15, 15, 18)
"""How many cards are dealt each time."""


def received(stock: tuple[int, ...], place: int, *, bargains: int) -> tuple[int, ...]:
    """Return the cards that a place at the table, 0 after the dealer, gets when so many bargains are over."""
    cards: tuple[int, ...] = ()
    for start, end in _PACKETS[bargains][place]:
        cards += stock[start:end]
    return cards


def left(stock: tuple[int, ...], *, bargains: int) -> tuple[int, ...]:
    """Return the cards of the stock that are left then."""
    return stock[_DEALT[bargains] :]
