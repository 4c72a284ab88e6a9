"""Policy of ``solid`` for Mitigati.

All of it rests on the worth of a card to its holder over a whole deal, in chips. The figures were fitted to deals that
the house played against itself, once for the card points alone and once with the declarations.

- In a bargain it expects the worth of its cards, the average of the unseen ones for those still to come, and the
  advantage of dealing. It agrees if the others leave it at least that. Until they have stated their terms it asks for
  somewhat more, and it says *play* if they offer less.
- As the dealer it discards the cards whose points exceed their worth in play.
- In the tricks it draws deals that fit its view, and plays each legal card to the end of the trick, where the others
  reply with the card that gains them most. It takes the card with the most points won, less the worth given away.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Final

from ordago.cards import FOOL, JACK, KING, KNIGHT, NO_CARD, QUEEN, card_set, cards_in, count, french_rank, trump_number
from ordago.game import AmountRange, LegalAction
from ordago.games.mitigati.following import legal_cards
from ordago.games.mitigati.pack import BEATEN_BY, LED, PACK, PAGAT, POINTS, WHOLE_PACK
from ordago.games.mitigati.rules import possible_states
from ordago.games.mitigati.state import MitigatiState
from ordago.games.mitigati.values import (
    DISCARDED,
    PLAY,
    SEATS,
    TRICKS,
    MitigatiAction,
    MitigatiView,
    Phase,
    discard_of,
    statement_of,
)
from ordago_bot.house.weighing import Unit, Weighed, Weighing, known, policy_by, tallied

_WORTH_OF_A_RANK: Final = {KING: (6.0, 15.0), QUEEN: (3.0, 4.0), KNIGHT: (2.0, 3.0), JACK: (1.0, 1.0)}
_WORTH_OF_A_TRUMP: Final = ((1, (5.0, 19.0)), (14, (2.6, 6.5)), (18, (4.2, 7.5)), (20, (5.3, 10.0)), (21, (10.5, 26.0)))
_WORTH_OF_THE_FOOL: Final = (6.0, 20.5)
_WORTH_OF_DEALING: Final = 11.0
MARGIN: Final = 12
"""The chips that it asks for beyond the least that it would accept."""
_MARGIN_OF_DISCARDS: Final = 4.0
"""The chips by which a discard has to be better than another to be clearly better."""


def _worth(card: int) -> tuple[float, float]:
    """Return the worth of a card in play, and its worth with the declarations, in chips."""
    if card == FOOL:
        return _WORTH_OF_THE_FOOL
    if card < PAGAT:
        return _WORTH_OF_A_RANK.get(french_rank(card), (0.0, 0.0))
    return next(worth for up_to, worth in _WORTH_OF_A_TRUMP if trump_number(card) <= up_to)


_IN_PLAY: Final = (0.0, *(_worth(card)[0] for card in PACK))
_IN_DEAL: Final = (0.0, *(_worth(card)[1] for card in PACK))
_AVERAGE_HAND: Final = TRICKS * sum(_IN_DEAL) / len(PACK)


def candidates(view: MitigatiView, legal: Sequence[LegalAction[MitigatiAction]]) -> Sequence[MitigatiAction]:
    """Return the actions to consider: some statements, the one discard that the house makes, or every legal card."""
    if view.phase is Phase.DISCARD:
        return [_discard(view, legal[0].picks[0].cards)]
    if view.phase is Phase.TRICKS:
        return [choice.action for choice in legal]
    return list(_statements(view, legal[0].amount))


def meaning(action: MitigatiAction) -> MitigatiAction:
    """Return the action itself as its key: all its parts matter."""
    return action


def weigh(
    view: MitigatiView, actions: Sequence[MitigatiAction], *, rng: Random, worlds: int
) -> Weighing[MitigatiAction]:
    """Evaluate actions in chips, without statements for less than play brings to which the others may still agree."""
    if view.phase is Phase.DISCARD:
        weighed = (known(action, -sum(map(_loss_in_discard, action.cards))) for action in actions)
        return Weighing(Unit.CHIPS, tuple(weighed), searched=False, margin=_MARGIN_OF_DISCARDS)
    if view.phase is Phase.TRICKS:
        return _cards_weighed(view, actions, rng=rng, worlds=worlds)
    least, agreed = round(expected_chips(view)), _agreed(view)
    weighed = (each for action in actions for each in _statement_weighed(action, least=least, agreed=agreed))
    return Weighing(Unit.CHIPS, tuple(weighed), searched=False, margin=MARGIN)


choose: Final = policy_by(candidates, weigh)
"""The policy: it takes the best of the candidates."""


def _statements(view: MitigatiView, open_amounts: AmountRange | None) -> Iterator[MitigatiAction]:
    """Yield the statements to consider: agreement, a demand somewhat above the worth of playing, and *play*."""
    if open_amounts is not None:
        least, agreed = round(expected_chips(view)), _agreed(view)
        if agreed is not None and open_amounts.min <= agreed <= open_amounts.max:
            yield statement_of(agreed)
        asked = max(min(least + MARGIN, open_amounts.max), open_amounts.min)
        if asked >= least and (agreed is None or asked > agreed):
            yield statement_of(asked)
    yield PLAY


def _agreed(view: MitigatiView) -> int | None:
    """Return the statement that would close the bargain; ``None`` until both others have stated their terms."""
    others = view.bargains[-1].statements[1 - SEATS :]
    return -sum(others) if len(others) == SEATS - 1 else None


def _statement_weighed(action: MitigatiAction, *, least: int, agreed: int | None) -> Iterator[Weighed[MitigatiAction]]:
    """Evaluate a statement, if possible: agreement brings the chips stated, everything else those that play brings."""
    stated = action.amount
    if stated is not None and stated == agreed:
        yield known(action, float(agreed))
    elif stated is None or stated >= least or (agreed is not None and stated < agreed):
        # The deal can still be played after a demand for more, and is after one for less than the others leave.
        yield known(action, float(least))


def expected_chips(view: MitigatiView) -> float:
    """Return the chips that the seat expects to gain if the deal is played."""
    unseen = cards_in(WHOLE_PACK & ~card_set(view.hand))
    average = sum(_IN_DEAL[card] for card in unseen) / len(unseen)
    held = sum(_IN_DEAL[card] for card in view.hand)
    dealing = _WORTH_OF_DEALING if view.seat == view.dealer else -_WORTH_OF_DEALING / (SEATS - 1)
    return held + average * (TRICKS - len(view.hand)) - _AVERAGE_HAND + dealing


def _discard(view: MitigatiView, may_go: Sequence[int]) -> MitigatiAction:
    """Discard the cards whose points exceed their worth by most, among equals those of the shortest suits."""
    hand = card_set(view.hand)
    by_gain = sorted(may_go, key=lambda card: (_loss_in_discard(card), count(hand & LED[card])))
    return discard_of(by_gain[:DISCARDED])


def _loss_in_discard(card: int) -> float:
    """Return the loss by discarding a card, in chips: its worth in play, less its points, which the dealer keeps."""
    return _IN_PLAY[card] - POINTS[card]


def _cards_weighed(
    view: MitigatiView, actions: Sequence[MitigatiAction], *, rng: Random, worlds: int
) -> Weighing[MitigatiAction]:
    brought: dict[MitigatiAction, list[float]] = {action: [] for action in actions}
    for state in islice(possible_states(view, rng=rng), worlds):
        table = _Table(state)
        for action, gains in brought.items():
            gains.append(table.gain(action.card))
    return Weighing(Unit.CHIPS, tuple(tallied(action, gains) for action, gains in brought.items()))


class _Table:
    """The current trick of an imagined deal."""

    def __init__(self, state: MitigatiState) -> None:
        """Take the trick from a state."""
        played = len(state.cards) % SEATS
        self._beaten_by = BEATEN_BY[state.options.is_piedmont]
        self._led = state.led
        self._best = state.best
        self._points = sum(POINTS[card] for card in state.cards[len(state.cards) - played :] if card != FOOL)
        self._to_reply = [state.hands[(state.actor + place) % SEATS] for place in range(1, SEATS - played)]

    def gain(self, card: int) -> float:
        """Play a card and the replies; return the actor's gain in chips: points won, less the worth given away."""
        beaten_by = self._beaten_by
        led = self._led or LED[card]
        points = self._points
        if card == FOOL:
            takes, best = False, self._best
        else:
            takes = bool(beaten_by[card] >> self._best & 1)
            best = card if takes else self._best
            points += POINTS[card]
        for hand in self._to_reply:
            reply = self._reply(hand, led=led, best=best, points=points)
            led = led or LED[reply]
            if beaten_by[reply] >> best & 1:
                takes, best = False, reply
            points += POINTS[reply] if reply != FOOL else 0
        kept = POINTS[FOOL] if card == FOOL else 0
        return kept + (points if takes else 0) - _IN_PLAY[card]

    def _reply(self, hand: int, *, led: int, best: int, points: int) -> int:
        """Return the card of a hand with the greatest gain if nobody played after it."""
        most, reply = -100.0, NO_CARD
        for card in cards_in(legal_cards(hand, led=led)):
            gained = -_IN_PLAY[card]
            if self._beaten_by[card] >> best & 1:
                gained += points + POINTS[card]
            elif card == FOOL:
                gained += POINTS[FOOL]
            if gained > most:
                most, reply = gained, card
        return reply
