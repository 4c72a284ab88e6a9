"""Play of Mitigati with a bargain learnt from play; discards and cards are those of ``solid``.

- ``research/mitigati_training.py`` fits the chips that playing brings to the worth of the own cards and to the first
  statements of the others: they tell of their cards, and the chips of the three add up to nothing.
- Bots that bargain ask for a margin beyond that worth and come down step by step, until the margin is gone and they say
  *play*. It asks for much and comes down as slowly as it may. It agrees where waiting for one more round of concessions
  risks more than it brings, against a mixture of bots: half of them ``solid``, half with any margin.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from ordago.game import AmountRange, LegalAction
from ordago.games.mitigati.values import PLAY, SEATS, MitigatiAction, MitigatiView, Phase, statement_of
from ordago_bot.house import mitigati

_PLAYED: Final = (
    ((0.0, 1.03, 0.0), (3.1, 0.97, -0.19), (8.3, 0.89, -0.27)),
    ((0.0, 0.99, 0.0), (2.3, 0.94, -0.15), (8.6, 0.82, -0.28)),
    ((0.0, 1.02, 0.0), (1.3, 0.97, -0.12), (7.9, 0.82, -0.26)),
)
"""By bargain and by the number of others that were heard, what playing brings: chips always, chips for each chip of the
worth of the own cards, and for each chip that the others asked for."""
_MOST_HEARD: Final = 50
"""The most chips that a first statement is taken for: nobody may frighten it by asking for all."""
_ASKED: Final = 40
"""The margin that it asks for at first, in chips. It is also the greatest of the mixture."""
_OTHERS: Final = SEATS - 1
"""The number of others, and the least chips by which they come down in a round, one each."""
_NEVER_NONE: Final = 1e-9
"""A share of bots that never give up, so that no division is by zero."""


def choose(
    view: MitigatiView, *, legal: Sequence[LegalAction[MitigatiAction]], rng: Random, worlds: int
) -> MitigatiAction:
    """Return the action to take at a view, as the policies of ``solid`` do."""
    if view.phase is not Phase.BARGAIN:
        return mitigati.choose(view, legal=legal, rng=rng, worlds=worlds)
    amounts = legal[0].amount
    return PLAY if amounts is None else _statement(view, amounts)


def _statement(view: MitigatiView, amounts: AmountRange) -> MitigatiAction:
    """Return an agreement, a demand, or *play* where neither brings as much as playing."""
    statements = view.bargains[-1].statements
    worth = _worth(view, statements)
    agreed = -sum(statements[-_OTHERS:]) if len(statements) >= _OTHERS else None
    asked = max(amounts.min, min(round(worth) + _ASKED, amounts.max))
    may_ask = asked >= worth and (agreed is None or asked > agreed)
    if agreed is not None and amounts.min <= agreed <= amounts.max and agreed >= worth:
        return statement_of(asked if may_ask and not _is_time(statements, agreed - worth) else agreed)
    return statement_of(asked) if may_ask else PLAY


def _worth(view: MitigatiView, statements: Sequence[int]) -> float:
    """Return the chips that playing brings, by the own cards and the first statements of the others."""
    own = len(statements) % SEATS
    heard = [min(said, _MOST_HEARD) for place, said in enumerate(statements[:SEATS]) if place != own]
    always, for_own, for_others = _PLAYED[len(view.bargains) - 1][len(heard)]
    return always + for_own * mitigati.expected_chips(view) + for_others * sum(heard)


def _is_time(statements: Sequence[int], gain: float) -> bool:
    """Return True if waiting for the others to come down further loses more of a gain than it brings."""
    rounds = len(statements) // SEATS
    stay = (_staying(rounds + 1) / _staying(rounds)) ** _OTHERS
    return (1 - stay) * gain >= stay * _OTHERS


def _staying(statements: int) -> float:
    """Return the share of the mixture that makes more statements than this before it says *play*."""
    return 0.5 * (statements <= mitigati.MARGIN) + 0.5 * max(0, _ASKED - statements) / _ASKED + _NEVER_NONE
