"""A match of Mus in progress."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, cast

from ordago.build import mypyc_attr
from ordago.cards import card_set
from ordago.game import (
    CHANCE,
    FINISHED,
    Event,
    LegalAction,
    Outcome,
    OutcomeReason,
    Pick,
    Shuffle,
    Violation,
    cap_of,
)
from ordago.games.clonable import Clonable
from ordago.games.events import MadeWhenRead, ToMake
from ordago.games.mus import events
from ordago.games.mus.betting import ALL_SEATS, SEATS_OF_SIDE, Betting, is_contested, uncontested
from ordago.games.mus.hands import HAND_CARDS, JUEGO_FEATURE, PARES_FEATURE, HandWorth, best_seat, hand_table
from ordago.games.mus.holdings import Holdings
from ordago.games.mus.members import (
    ASKING,
    BETTING,
    DISCARD,
    DISCARDING,
    FOR_ORDAGO,
    FOR_REFUSED,
    GRANDE,
    JUEGO,
    NO_MUS,
    NOBODY,
    ORDAGO_CALLED,
    PARES,
    PUNTO,
    REFUSED,
)
from ordago.games.mus.refusals import broken_rule
from ordago.games.mus.scoring import Scoreboard, showdown
from ordago.games.mus.signals import Signalling, extras, signalling
from ordago.games.mus.values import (
    HAND,
    SEATS,
    SIDE_OF,
    ActionKind,
    Lance,
    MusAction,
    MusEvent,
    MusOptions,
    MusView,
    Reason,
    Settlement,
    Signal,
    SignalsSeen,
    Statement,
)
from ordago.games.mus.views import view_of

DENTRO_WITHIN: Final = 5
"""A side that is within so many points of the target is announced."""

_ASKED_FOR_MUS: Final[Sequence[LegalAction[MusAction]]] = (
    LegalAction(MusAction(ActionKind.MUS)),
    LegalAction(MusAction(ActionKind.NO_MUS)),
)
_NO_MUS: Final = MusAction(ActionKind.NO_MUS)
_OPEN_DISCARD: Final = MusAction(ActionKind.DISCARD)
_PASO: Final = MusAction(ActionKind.PASO)
_NO_QUIERO: Final = MusAction(ActionKind.NO_QUIERO)
_DISCARDS_SAID: Final[tuple[tuple[Statement, ...], ...]] = tuple(
    tuple(Statement(seat, DISCARD, None, number) for number in range(HAND + 1)) for seat in range(SEATS)
)
"""The statement of a discard, by seat and number of cards."""
_LANCE_AFTER: Final = dict(pairwise((Lance.GRANDE, Lance.CHICA, Lance.PARES, Lance.JUEGO)))
"""The lance that follows, however one ended."""
# The makers of most events, as names of this module: names of another one take ten times as long to look up.
_HAND_DEALT: Final = events.hand_dealt
_HAND_SHOWN: Final = events.hand_shown
_POINTS_SCORED: Final = events.points_scored
_PLACINGS: Final[tuple[tuple[int, ...], ...]] = ((1, 2, 1, 2), (2, 1, 2, 1))
"""The placings of the seats, by the side that won."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class MusState(Clonable):
    """A match in progress. Between two deals it shows the next one, before its cards are dealt.

    The attributes are there to be read; only ``supply`` and ``apply`` change them.

    Attributes:
        actor: the seat that is to act, or ``CHANCE``, or ``FINISHED``.
        outcome: how the match ended; ``None`` while it goes on.
        options: what the match is played with.
        scoreboard: the progress and the score of the match.
        holdings: where the cards are.
        phase: the stage of the deal.
        said: what the players said in this deal, with all signals.
        betting: the betting on the lance at hand; ``None`` before the betting.
        settled: how the lances before it ended.
        worths: the worth of each seat's hand; empty before the betting.
        pares: the seats that have pares, as a set; ``None`` while this was not announced.
        juego: the seats that have juego, as a set; ``None`` while this was not announced.
        shown: the hands shown at the end of the deal before, as sets in order of seats; empty if none were.
        happened: the events since the last step, or their makers; empty between two steps.
    """

    __slots__ = (
        *("actor", "betting", "happened", "holdings", "juego", "options", "outcome", "pares"),
        *("phase", "said", "settled", "shown", "scoreboard", "worths"),
    )

    def __init__(self, options: MusOptions) -> None:
        """Begin a match."""
        self.outcome: Outcome | None = None
        self.options = options
        self.scoreboard = Scoreboard()
        self.shown: tuple[int, ...] = ()
        self.happened: list[Event[MusEvent] | ToMake] = []
        self._begin_deal()

    def _begin_deal(self) -> None:
        self.actor = CHANCE
        self.holdings = Holdings(self.scoreboard.mano)
        self.phase = ASKING
        self.said: list[Statement] = []
        self.betting: Betting | None = None
        self.settled: list[Settlement] = []
        self.worths: list[HandWorth] = []
        self.pares: int | None = None
        self.juego: int | None = None

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle of the pack that a deal begins with, or of the discards when the stock ran out."""
        holdings = self.holdings
        return Shuffle(self.scoreboard.deal, holdings.shuffles, holdings.to_shuffle())

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MusEvent]]:
        """Deal the hands, or go on dealing for discards."""
        if self.holdings.shuffles:
            self.holdings.reshuffle(cards)
            self.happened.append((events.reshuffled, len(cards)))
            self._draw()
        else:
            self._deal(cards)
        happened, self.happened = self.happened, []
        return MadeWhenRead(happened)

    def _deal(self, cards: Sequence[int]) -> None:
        self.holdings.deal(cards)
        self.happened.append((events.deal_started, self.scoreboard))
        self.happened += [(_HAND_DEALT, seat, hand) for seat, hand in enumerate(self.holdings.hands)]
        self._ask_for_mus()

    def legal_actions(self) -> Sequence[LegalAction[MusAction]]:
        """Return everything that is legal for the actor. Discards and bets have open parts."""
        betting = self.betting
        if betting is not None:
            return betting.legal_actions(self.options.target)
        if self.phase is ASKING:
            return _ASKED_FOR_MUS
        hand = Pick(HAND_CARDS[self.holdings.hands[self.actor]], 1, HAND)
        return (LegalAction(_OPEN_DISCARD, picks=(hand,)),)

    def extras(self) -> Sequence[MusAction]:
        """Return the signals that the actor may make along with any action."""
        signals = self._signals()
        return () if signals is None else extras(signals)

    def _signals(self) -> Signalling | None:
        """Return the signals of the actor's decision; ``None`` where there are none."""
        betting, options, actor = self.betting, self.options, self.actor
        worths = self.worths
        worth = worths[actor] if worths else hand_table(options.kings).worth(self.holdings.hands[actor])
        return signalling(
            options,
            phase=self.phase,
            lance=None if betting is None else betting.lance,
            deal=self.scoreboard.deal_of_game,
            features=worth.features,
        )

    def check(self, action: MusAction) -> Violation | None:
        """Return the rule that an action of the actor breaks, or ``None`` if it is legal."""
        return broken_rule(
            action,
            phase=self.phase,
            betting=self.betting,
            hand=self.holdings.hands[self.actor],
            target=self.options.target,
            signals=None if action.signal is None else self._signals(),
        )

    def default_action(self) -> MusAction:
        """Return no mus, paso or no quiero, or the discard of the card that is least useful by itself."""
        if self.betting is not None:
            return _PASO if self.betting.bettor is None else _NO_QUIERO
        if self.phase is ASKING:
            return _NO_MUS
        usefulness = hand_table(self.options.kings).usefulness
        least_useful = min(HAND_CARDS[self.holdings.hands[self.actor]], key=usefulness.__getitem__)
        return MusAction(DISCARD, cards=(least_useful,))

    def apply(self, action: MusAction) -> Sequence[Event[MusEvent]]:
        """Carry out an action of the actor, and return the resulting events."""
        self._say(action)
        betting = self.betting
        if betting is not None:
            settlement = betting.say(action)
            if settlement is None:
                self.actor = betting.speaker
                # There are only statements, and their events are built already.
                said, self.happened = self.happened, []
                return cast("list[Event[MusEvent]]", said)
            self._settle(settlement)
        elif action.kind is DISCARD:
            self._discard(card_set(action.cards))
        elif action.kind is NO_MUS:
            self._begin_betting()
        else:
            self._agree_to_mus()
        happened, self.happened = self.happened, []
        return MadeWhenRead(happened)

    def _say(self, action: MusAction) -> None:
        """Record a statement of the actor, and add its events."""
        seat, kind, signal, betting = self.actor, action.kind, action.signal, self.betting
        if kind is DISCARD:
            statement = _DISCARDS_SAID[seat][len(action.cards)]
            self.happened.append((events.discarded, seat, action.cards))
        else:
            silent = action if signal is None else action._replace(signal=None)
            lance = None if betting is None else betting.lance
            statement, event = events.SAID[seat][lance][silent]
            self.happened.append(event)
        if signal is None:
            self.said.append(statement)
        else:
            self.said.append(statement._replace(signal=signal))
            self._signal(signal)

    def _signal(self, signal: Signal) -> None:
        """Add the event of a signal, for the seats that may see it. The others do not learn that there is one."""
        is_open = self.options.signals is SignalsSeen.OPEN
        audience = None if is_open else SEATS_OF_SIDE[SIDE_OF[self.actor]]
        self.happened.append(events.signalled(self.actor, signal, audience))

    def _agree_to_mus(self) -> None:
        self.actor = (self.actor + 1) % SEATS
        if self.actor == self.holdings.mano:
            self.phase = DISCARDING

    def _ask_for_mus(self) -> None:
        self.actor, self.phase = self.holdings.mano, ASKING
        if len(self.holdings.reshuffled) >= cap_of(self.options.max_mus):
            self._begin_betting()

    def _discard(self, cards: int) -> None:
        self.holdings.discard(cards)
        self.actor = (self.actor + 1) % SEATS
        if self.actor == self.holdings.mano:
            self.holdings.begin_drawing()
            self._draw()

    def _draw(self) -> None:
        holdings = self.holdings
        first = len(holdings.drawn)
        lasted = holdings.draw()
        for place, cards in enumerate(holdings.drawn[first:], start=first):
            self.happened.append((events.drawn, holdings.seat_at(place), cards))
        if lasted:
            self._ask_for_mus()
        else:
            self.actor = CHANCE

    def _begin_betting(self) -> None:
        table = hand_table(self.options.kings)
        self.phase = BETTING
        self.worths = [table.worth(hand) for hand in self.holdings.hands]
        self._begin_lance(GRANDE)

    def _begin_lance(self, lance: Lance) -> None:
        """Begin the betting on a lance, or settle it if at most one side has it, and go on to the next."""
        seats = self._seats_with(lance)
        self.happened.append(events.LANCE_STARTED[lance][seats])
        if is_contested(seats):
            self.betting = Betting(lance, seats, mano=self.holdings.mano)
            self.actor = self.betting.speaker
        else:
            self.betting = None
            self._settle(uncontested(lance, seats))

    def _seats_with(self, lance: Lance) -> int:
        """Return the seats that take part in a lance, as a set."""
        if lance is PARES:
            seats = self.pares = self._seats_whose_hand(PARES_FEATURE)
        elif lance is JUEGO:
            seats = self.juego = self._seats_whose_hand(JUEGO_FEATURE)
        else:
            seats = ALL_SEATS
        return seats

    def _seats_whose_hand(self, feature: int) -> int:
        """Return the seats of whose hand something is true, as a set."""
        seats, bit = 0, 1
        for worth in self.worths:
            if worth.features & feature:
                seats |= bit
            bit += bit
        return seats

    def _settle(self, settlement: Settlement) -> None:
        lance, result, side, stake = settlement
        self.settled.append(settlement)
        self.happened.append(events.LANCE_SETTLED[settlement])
        if result is ORDAGO_CALLED:
            self._show_hands()
            winner = SIDE_OF[best_seat(self.worths, lance, mano=self.holdings.mano)]
            self._award(winner, self.options.target, lance, FOR_ORDAGO)
        elif side is not None and result is REFUSED and self._award(side, stake, lance, FOR_REFUSED):
            # The game is over, and this time nobody shows a hand.
            self.shown = ()
        elif (following := _LANCE_AFTER.get(lance)) is not None:
            self._begin_lance(following)
        elif result is NOBODY:
            self._begin_lance(PUNTO)
        else:
            self._show_down()

    def _show_hands(self) -> None:
        self.shown = tuple(self.holdings.hands)
        self.happened += [(_HAND_SHOWN, seat, hand) for seat, hand in enumerate(self.shown)]

    def _show_down(self) -> None:
        self._show_hands()
        awards = showdown(self.settled, self.worths, mano=self.holdings.mano, ruleset=self.options.ruleset)
        for side, points, lance, reason in awards:
            if self._award(side, points, lance, reason):
                return
        self._end_deal()

    def _award(self, side: int, points: int, lance: Lance, reason: Reason) -> bool:
        """Score points up to the target; return True if that ended the game."""
        target, (first, second) = self.options.target, self.scoreboard.points
        before = second if side else first
        after = before + points
        if after > target:
            after = target
        scored = (first, after) if side else (after, second)
        self.scoreboard = self.scoreboard.with_points(scored)
        self.happened.append((_POINTS_SCORED, side, lance, reason, after - before, scored))
        if after == target:
            self._end_game(side, reason=None)
        elif before < target - DENTRO_WITHIN <= after:
            self.happened.append((events.dentro, side))
        return after == target

    def _end_deal(self) -> None:
        scoreboard, points = self.scoreboard, self.scoreboard.points
        self.happened.append((events.deal_ended, scoreboard))
        if scoreboard.deal_of_game + 1 >= self.options.max_deals and points[0] != points[1]:
            self._end_game(points.index(max(points)), reason=Reason.DEAL_CAP)
        else:
            self.scoreboard = scoreboard.next_deal()
            self._begin_deal()

    def _end_game(self, winner: int, *, reason: Reason | None) -> None:
        scoreboard = self.scoreboard = self.scoreboard.with_game(winner)
        self.happened.append((events.game_won, winner, scoreboard, reason))
        if 2 * scoreboard.games[winner] > self.options.games:
            self._end_match(winner, OutcomeReason.CAP_REACHED if reason else OutcomeReason.TARGET_REACHED)
        else:
            self.scoreboard = scoreboard.next_game()
            self._begin_deal()

    def _end_match(self, winner: int, reason: OutcomeReason) -> None:
        first, second = self.scoreboard.points if self.options.games == 1 else self.scoreboard.games
        self.actor = FINISHED
        self.outcome = Outcome(reason, (first, second, first, second), _PLACINGS[winner])

    def view(self, seat: int) -> MusView:
        """Return all that a seat sees."""
        return view_of(
            seat,
            options=self.options,
            scoreboard=self.scoreboard,
            holdings=self.holdings,
            phase=self.phase,
            betting=self.betting,
            said=self.said,
            settled=self.settled,
            pares=self.pares,
            juego=self.juego,
            shown=self.shown,
        )
