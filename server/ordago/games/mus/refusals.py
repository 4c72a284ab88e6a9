"""The reasons for refusing an action. Every sentence says what would be right, using only the actor's view."""

from collections.abc import Sequence
from typing import Final

from ordago.cards import card_set, holds, sign
from ordago.game import Violation
from ordago.games.mus.betting import Betting
from ordago.games.mus.members import ASKING, DISCARD, DISCARDING, ENVIDO, GRANDE
from ordago.games.mus.signals import Signalling
from ordago.games.mus.values import HAND, LEAST_BET, ActionKind, Lance, MusAction, Phase, Signal

LANCE_WORDS: Final = {lance: lance.name.lower() for lance in Lance}
"""The names of the lances."""
SIGNAL_WORDS: Final = {signal: signal.name.lower().replace("_", " ") for signal in Signal}
"""The names of signals."""

_ONCE_GRANDE_IS_OVER: Final = "once grande is over"
_WHEN: Final = {Signal.CUT_MUS: "while you are asked for mus", Signal.BET_MORE: "in the betting"}
_BETS: Final = (ActionKind.ENVIDO, ActionKind.ORDAGO)
_ANSWERS: Final = (ActionKind.QUIERO, ActionKind.NO_QUIERO)
_ABOUT_MUS: Final = (ActionKind.MUS, ActionKind.NO_MUS)
_DISCARD: Final = (ActionKind.DISCARD,)
_OPENINGS: Final = (ActionKind.PASO, *_BETS)
_ANSWERS_TO_A_BET: Final = (*_ANSWERS, *_BETS)


def broken_rule(
    action: MusAction, *, phase: Phase, betting: Betting | None, hand: int, target: int, signals: Signalling | None
) -> Violation | None:
    """Return the rule that an action breaks, or ``None`` if it is legal.

    Args:
        action: the action, whatever it holds.
        phase: the stage of the deal.
        betting: the betting that the actor is asked in; ``None`` before the betting.
        hand: the actor's cards, as a set.
        target: the points that win the game.
        signals: the signals of the decision; ``None`` where there are none.
    """
    return (
        _unasked(action, phase, betting)
        or _needless(action, betting)
        or (_bad_discard(action.cards, hand) if action.kind is DISCARD else None)
        or (_bad_bet(action.amount, betting, target) if action.kind is ENVIDO else None)
        or _bad_signal(action.signal, signals)
    )


def _unasked(action: MusAction, phase: Phase, betting: Betting | None) -> Violation | None:
    if phase is ASKING:
        return _one_of(action, _ABOUT_MUS, "You are asked for mus: say mus or no mus.")
    if phase is DISCARDING:
        return _one_of(action, _DISCARD, "Everybody said mus: discard 1 to 4 cards.")
    assert betting is not None
    if betting.bettor is None:
        return _one_of(action, _OPENINGS, "Nobody has bet on {lance}: say paso, envido or órdago.", betting.lance)
    if not betting.ordago:
        sentence = "The other side has bet on {lance}: say no quiero, quiero, envido or órdago."
        return _one_of(action, _ANSWERS_TO_A_BET, sentence, betting.lance)
    if action.kind in _BETS:
        return Violation("raise_ordago", "An órdago cannot be raised: say quiero or no quiero.", "kind")
    return _one_of(action, _ANSWERS, "The other side said órdago on {lance}: say quiero or no quiero.", betting.lance)


def _one_of(action: MusAction, kinds: Sequence[ActionKind], sentence: str, lance: Lance = GRANDE) -> Violation | None:
    """Return a violation unless an action is of one of these kinds; the sentence may have a placeholder ``{lance}``."""
    if action.kind in kinds:
        return None
    return Violation("not_asked", sentence.format(lance=LANCE_WORDS[lance]), "kind")


def _needless(action: MusAction, betting: Betting | None) -> Violation | None:
    if action.amount and action.kind is not ENVIDO:
        return Violation("needless", "Only envido takes an amount: leave it 0.", "amount")
    if action.cards and action.kind is not DISCARD:
        return Violation("needless", "Only a discard takes cards: leave them empty.", "cards")
    if action.binding and (betting is None or betting.bettor is None):
        return Violation("needless", "Only an answer to a bet can be binding: leave it false.", "binding")
    return None


def _bad_discard(cards: Sequence[int], hand: int) -> Violation | None:
    if not 1 <= len(cards) <= HAND:
        return Violation("discard_number", f"Discard 1 to {HAND} cards, not {len(cards)}.", "cards")
    for card in cards:
        if not holds(hand, card):
            return Violation("not_in_hand", f"You do not hold {sign(card)}: discard cards of your hand.", "cards")
    if card_set(cards).bit_count() < len(cards):
        return Violation("card_twice", "A card is named twice: discard each card once.", "cards")
    return None


def _bad_bet(amount: int, betting: Betting | None, target: int) -> Violation | None:
    assert betting is not None
    if amount < LEAST_BET:
        return Violation("least_bet", f"A bet or a raise is at least {LEAST_BET} points, not {amount}.", "amount")
    room = target - betting.stake
    if amount <= room:
        return None
    instead = f"the most is {room}" if room >= LEAST_BET else "no raise fits, but órdago does"
    sentence = f"The stake of a lance may not pass {target} points: {instead}, not {amount}."
    return Violation("stake_limit", sentence, "amount")


def _bad_signal(signal: Signal | None, signals: Signalling | None) -> Violation | None:
    if signal is None:
        return None
    if signals is None:
        return Violation("no_signals", "Signals are not allowed in this deal: make none.", "signal")
    words = SIGNAL_WORDS[signal]
    if not holds(signals.listed, signal):
        return Violation("no_signals", f"There is {words} only with the option more_signals: leave it out.", "signal")
    if not holds(signals.true, signal):
        return Violation("untrue_signal", f"A signal must be true, and {words} is not.", "signal")
    if holds(signals.timely, signal):
        return None
    return Violation("signal_not_now", f"Not now: signal {words} {_WHEN.get(signal, _ONCE_GRANDE_IS_OVER)}.", "signal")
