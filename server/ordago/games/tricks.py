"""The completed tricks of a deal, as views show them.

A state keeps the cards played, and the seats that took the tricks, in lists that grow. Views show the completed
tricks as tuples, the same ones until another trick is completed, so that a serializer recognises them by identity.
"""

from typing import Final, TypeAlias

CompletedTricks: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The cards of the completed tricks of a deal, in the order of play, and the seat that took each of them."""
NO_TRICKS: Final[CompletedTricks] = ((), ())


def completed_tricks(before: CompletedTricks, *, cards: list[int], takers: list[int], seats: int) -> CompletedTricks:
    """Return the completed tricks of a deal.

    Args:
        before: the tricks returned before in this deal, or ``NO_TRICKS``; returned again if no more are completed.
        cards: the cards played in this deal, in the order of play.
        takers: the seat that took each completed trick.
        seats: the number of cards of a trick.
    """
    if len(before[1]) == len(takers):
        return before
    return tuple(cards[: seats * len(takers)]), tuple(takers)
