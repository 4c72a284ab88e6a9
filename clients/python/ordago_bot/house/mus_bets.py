"""Bets of Mus by trained tables; mus, discards and signals are those of ``solid``.

``research/mus_training.py`` makes the tables from games that they play against themselves, by counterfactual regret
minimisation over classes: of the chance of a hand to win the lance, of the points that the sides need, and of what was
said in the lance. They know eight kings alone; with four, ``solid`` plays.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from json import loads
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from ordago.game import LegalAction
from ordago.games.mus.betting import ALL_SEATS, SEATS_OF_SIDE
from ordago.games.mus.hands import hand_table
from ordago.games.mus.values import SEATS, SIDE_OF, ActionKind, Lance, MusAction, MusView, Phase
from ordago_bot.house import mus

KINGS: Final = 8
"""The number of kings that the tables are for."""
CHANCES: Final = 10
"""The classes of chances to win a lance, of equal width. More need a larger file and more games to fill it."""
NEEDS: Final = (3, 8, 16)
"""The most points needed in each class of points needed but the last: those of a lance, a deal, and two deals."""
CLASSES: Final = len(NEEDS) + 1
OPENINGS: Final = (ActionKind.PASO, ActionKind.ENVIDO, ActionKind.ENVIDO, ActionKind.ORDAGO)
"""The actions of the tables where nobody has bet, by number."""
ANSWERS: Final = (ActionKind.NO_QUIERO, ActionKind.QUIERO, ActionKind.ENVIDO, ActionKind.ORDAGO)
"""The actions of the tables where somebody has, by number, from the most timid to the boldest."""
BETS: Final = (0, 2, 5)
"""The amounts of the openings that have one: those of ``solid``."""
RAISE: Final = 5
"""The amount of a raise. It is answered by no other raise but órdago, which keeps the tables small."""
DIGITS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The digits of chances in the file, from 0 to 1."""
_NUMBER: Final = {digit: number / (len(DIGITS) - 1) for number, digit in enumerate(DIGITS)}


class Situation(NamedTuple):
    """The betting on a lance as the seat to speak finds it. Seats count from the mano."""

    seats: int
    """The seats that take part, as a set."""
    seat: int
    """The seat to speak."""
    bettor: int | None = None
    """The seat that made the last bet or raise."""
    stake: int = 0
    """Bet and raises together."""
    agreed: int = 0
    """The points of the bettor's side if the last bet is refused."""
    ordago: bool = False
    """True if the last bet is an órdago."""
    answered: int | None = None
    """The number of the partner's answer to it; ``None`` if the partner was not asked yet."""


class Tables(NamedTuple):
    """The tables as the file has them. Hands are in ascending order of the sums of the weights of their cards."""

    chances: Mapping[str, str]
    """By lance, seat, and in pares and juego the seats that take part: a digit for the chance of each hand to win."""
    bets: Mapping[str, Mapping[str, str]]
    """By lance and situation, row after row: a digit for the chance of each allowed action but the first."""


def key_of(situation: Situation) -> str:
    """Return the key of a situation in the tables: situations with the same key are played alike."""
    seats, seat, bettor, stake, agreed, ordago, answered = situation
    if bettor is None:
        later = seats >> seat + 1 << seat + 1
        earlier = seats & ~later & ~(1 << seat)
        sides = SEATS_OF_SIDE[SIDE_OF[seat]], SEATS_OF_SIDE[1 - SIDE_OF[seat]]
        return "".join(f"{(part & side).bit_count()}" for part in (earlier, later) for side in sides)
    level = (agreed >= 2) + (agreed > 3) if ordago else 2 if agreed >= 2 else int(stake > 3)
    has_partner = seats >> (seat + 2) % SEATS & 1
    partner = "-" if not has_partner else "?" if answered is None else f"{answered}"
    return f"{'O' if ordago else 'E'}{level}{partner}"


def allowed(situation: Situation) -> tuple[int, ...]:
    """Return the numbers of the actions that the tables know in a situation, without answers that change nothing."""
    if situation.bettor is None:
        return 0, 1, 2, 3
    bolder = (1,) if situation.ordago else (1, 3) if situation.agreed >= 2 else (1, 2, 3)
    return 0, *(action for action in bolder if action > (situation.answered or 0))


def needs_class(own: int, others: int) -> int:
    """Return the class of the points that a side and the others need."""
    return CLASSES * sum(own > most for most in NEEDS) + sum(others > most for most in NEEDS)


def row_of(needs: int, chance: float) -> int:
    """Return the row of the tables for a class of needs and a chance to win the lance."""
    return CHANCES * needs + min(int(CHANCES * chance), CHANCES - 1)


@cache
def tables() -> Tables:
    """Return the tables of the file."""
    return Tables(**loads(Path(__file__).with_name("mus_tables.json").read_text()))


@cache
def _hands() -> Mapping[int, int]:
    """Return the place of each hand in the tables, by the sum of the weights of its cards."""
    return {total: place for place, total in enumerate(sorted(hand_table(KINGS).worths))}


def choose(
    view: MusView, *, legal: Sequence[LegalAction[MusAction]], rng: Random, worlds: int, mixed: bool = False
) -> MusAction:
    """Return the action to take at a view: in the betting the likeliest of the tables.

    Args:
        view: the view of the seat that has to act.
        legal: its legal actions.
        rng: the only source of chance, so that equal generators choose equally.
        worlds: what ``solid`` takes in its place, where it plays.
        mixed: True to draw an action by its chance.
    """
    if view.phase is not Phase.BETTING or view.options.kings != KINGS:
        return mus.choose(view, legal=legal, rng=rng, worlds=worlds)
    situation = situation_of(view)
    actions, rest = allowed(situation), _strategy(view, situation)
    chances = [1 - sum(rest), *rest]
    if mixed:
        action = rng.choices(actions[: len(chances)], [max(0.0, chance) for chance in chances])[0]
    else:
        action = actions[chances.index(max(chances))]
    return _said(action, view, legal)._replace(signal=mus.signal_of(view))


def situation_of(view: MusView) -> Situation:
    """Return the situation in the betting on a lance."""
    mano = (view.dealer + 1) % SEATS
    has = {Lance.PARES: view.pares, Lance.JUEGO: view.juego}.get(view.lance or Lance.GRANDE, ())
    return Situation(
        sum(has[(mano + place) % SEATS] << place for place in range(SEATS)) if has else ALL_SEATS,
        (view.seat - mano) % SEATS,
        None if view.bettor is None else (view.bettor - mano) % SEATS,
        view.stake,
        view.agreed,
        view.ordago,
        None if view.answered is None else ANSWERS.index(view.answered),
    )


def _strategy(view: MusView, situation: Situation) -> Sequence[float]:
    """Return the chance of each allowed action but the first; of none in a situation that training never met."""
    assert view.lance is not None
    own, others = (view.options.target - view.points[side] for side in (SIDE_OF[view.seat], 1 - SIDE_OF[view.seat]))
    row = row_of(needs_class(own, others), _chance(view, situation))
    digits = tables().bets[f"{view.lance - 1}"].get(key_of(situation), "")
    each = len(allowed(situation)) - 1
    return [_NUMBER[digit] for digit in digits[each * row : each * (row + 1)]]


def _chance(view: MusView, situation: Situation) -> float:
    """Return the chance of the own hand to win the lance for its side, given the seats that take part."""
    assert view.lance is not None
    name = f"{view.lance - 1}{situation.seat}"
    if view.lance in (Lance.PARES, Lance.JUEGO):
        name += f"{situation.seats}"
    weights = hand_table(KINGS).weights
    return _NUMBER[tables().chances[name][_hands()[sum(weights[card] for card in view.hand)]]]


def _said(action: int, view: MusView, legal: Sequence[LegalAction[MusAction]]) -> MusAction:
    """Return an action of the tables as the rules know it. Where a bet is too high it bets what it may, or accepts."""
    kind = (OPENINGS if view.bettor is None else ANSWERS)[action]
    if kind is not ActionKind.ENVIDO:
        return MusAction(kind)
    amount = BETS[action] if view.bettor is None else RAISE
    ranges = (choice.amount for choice in legal if choice.amount is not None)
    return next((MusAction(kind, amount=min(amount, each.max)) for each in ranges), MusAction(ActionKind.QUIERO))
