"""The legal statements in a bargain, the reasons for refusing others, and the agreement.

The statements of a bargain are amounts in the order in which they were made, so the last three are those of the three
seats, and the third from the end is the speaker's own last one.
"""

from collections.abc import Sequence
from functools import lru_cache

from ordago.game import AmountRange, LegalAction, Violation
from ordago.games.mitigati.values import OPEN_STATEMENT, PLAY, SEATS, MitigatiAction


def open_statements(statements: Sequence[int], *, max_bid: int) -> Sequence[LegalAction[MitigatiAction]]:
    """Return the legal actions of the next speaker: a statement, unless no amount is low enough, and *play*."""
    return _open_statements(-max_bid, _own_last(statements) - 1 if len(statements) >= SEATS else max_bid)


@lru_cache
def _open_statements(lowest: int, highest: int) -> Sequence[LegalAction[MitigatiAction]]:
    if highest < lowest:
        return (LegalAction(PLAY),)
    return (LegalAction(OPEN_STATEMENT, amount=AmountRange(lowest, highest)), LegalAction(PLAY))


def balance(statements: Sequence[int]) -> int | None:
    """Return the sum of the last statements of the three seats; ``None`` until all have spoken.

    Zero means agreement. A negative sum excludes it for good, since all further statements are lower.
    """
    return sum(statements[-SEATS:]) if len(statements) >= SEATS else None


def broken_rule(amount: int, statements: Sequence[int], *, max_bid: int) -> Violation | None:
    """Return the rule that is broken by stating an amount, or ``None`` if it is legal."""
    if abs(amount) > max_bid:
        sentence = f"A statement receives or pays at most {max_bid} chips: state from {-max_bid} to {max_bid}."
        return Violation("max_bid", sentence, "amount")
    if len(statements) >= SEATS and amount >= _own_last(statements):
        return _not_lower(_own_last(statements), max_bid=max_bid)
    return None


def _own_last(statements: Sequence[int]) -> int:
    return statements[-SEATS]


def _not_lower(last: int, *, max_bid: int) -> Violation:
    instead = f"state less than {last}, or say play" if last > -max_bid else "nothing lower is left, so say play"
    return Violation("lower_statement", f"Your last statement in this bargain was {last}: {instead}.", "amount")
