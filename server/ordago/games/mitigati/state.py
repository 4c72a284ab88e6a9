"""A match of Mitigati in progress."""

from collections.abc import Sequence
from typing import Final, Self

from ordago.build import mypyc_attr
from ordago.cards import NO_CARD
from ordago.game import (
    CHANCE,
    FINISHED,
    Event,
    LegalAction,
    Outcome,
    OutcomeReason,
    Shuffle,
    Violation,
    cap_of,
    outcome_of,
)
from ordago.games.clonable import Clonable
from ordago.games.events import MadeWhenRead, ToMake
from ordago.games.mitigati import events
from ordago.games.mitigati.events import CARD_PLAYED, TRICK_TAKEN
from ordago.games.mitigati.following import Choices, legal_cards
from ordago.games.mitigati.members import BARGAINING, DISCARDING, PLAYING
from ordago.games.mitigati.pack import BEATS, BIT, CARDS_SEEN, NO_SUIT, PACK, SUIT, SUIT_CARDS, left, received, set_of
from ordago.games.mitigati.refusals import balance, broken_rule, default_discard, open_statements, pick_of
from ordago.games.mitigati.scoring import AVERAGE_POINTS, declarations_of, points_of, scores_of
from ordago.games.mitigati.values import (
    CARD_PLACE,
    OPEN_DISCARD,
    PLAY,
    SEATS,
    STAGES,
    TRICKS,
    Bargain,
    BargainEnd,
    Declaration,
    MitigatiAction,
    MitigatiEvent,
    MitigatiOptions,
    MitigatiView,
    Phase,
)
from ordago.games.tricks import NO_TRICKS, completed_tricks

_SIDES: Final[tuple[int, ...]] = tuple(range(SEATS))
_LED: Final[tuple[int, ...]] = (*SUIT_CARDS, 0)
"""The cards of each suit as a set, none for ``NO_SUIT``."""
# A variable-length tuple type keeps the compiler from building a new tuple for each access.
_NEXT: Final[tuple[int, ...]] = (1, 2, 0)
_IN_ORDER: Final[tuple[tuple[int, ...], ...]] = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
_BARGAINS: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class MitigatiState(Clonable):
    """A match in progress. Between two deals, it is already at the next deal, whose cards are still undealt.

    The attributes are there to be read; only ``supply`` and ``apply`` change them.

    Attributes:
        actor: the seat that is to act, or ``CHANCE``, or ``FINISHED``.
        outcome: the outcome of the match; ``None`` until it is over.
        options: the options of the match.
        chips: the chips of each seat: those that it began with, and gained, minus those paid.
        deal: the number of the deal, from 0. Deals that ended with a struck bargain count too.
        deals_played: the number of deals that were played to the end.
        turn: the turn of dealing, from 0.
        struck: the number of bargains struck in this turn.
        phase: the kind of decision that is due; ``None`` before the cards of the deal are dealt.
        stock: the cards still to be dealt, in dealing order.
        hands: the hand of each seat, as sets.
        bargains: the bargains of this deal that are over.
        statements: the statements of the current bargain, in the order in which they were made.
        discard: the cards that the dealer laid away, as a set.
        declarations: the declarations of this deal, in the order in which they were made.
        cards: the cards played in this deal, in the order of play.
        takers: the seat that took each completed trick.
        leader: the seat that led the trick on the table, or is to lead it.
        suit: the suit led, by its number; ``NO_SUIT`` until a card other than the Fool is played.
        best: the card that would take the trick on the table; ``NO_CARD`` while there is none.
        taking: the seat that played ``best``.
        beats: True at ``[card][other]`` if a card beats another one under the options.
        choices: the sorted hand of each seat; ``None`` until first needed, which spares searches the sorting.
        seen: the completed tricks of the latest view, cached for the next view.
    """

    __slots__ = (
        "actor",
        "bargains",
        "beats",
        "best",
        "cards",
        "chips",
        "choices",
        "deal",
        "deals_played",
        "declarations",
        "discard",
        "hands",
        "leader",
        "options",
        "outcome",
        "phase",
        "seen",
        "statements",
        "stock",
        "struck",
        "suit",
        "takers",
        "taking",
        "turn",
    )

    def __init__(self, options: MitigatiOptions) -> None:
        """Begin a match."""
        self.outcome: Outcome | None = None
        self.options = options
        self.beats = BEATS[options.is_piedmont]
        self.chips: tuple[int, ...] = (options.chips,) * SEATS
        self.deals_played = self.turn = self.struck = 0
        self.begin_deal(0)

    def begin_deal(self, deal: int) -> None:
        """Begin a deal, before its cards are dealt."""
        self.actor = CHANCE
        self.deal = deal
        self.phase: Phase | None = None
        self.stock: tuple[int, ...] = ()
        self.hands = [0] * SEATS
        self.choices: list[Choices | None] = [None] * SEATS
        self.bargains: tuple[Bargain, ...] = ()
        self.statements: tuple[int, ...] = ()
        self.discard = 0
        self.declarations: tuple[Declaration, ...] = ()
        self.cards: list[int] = []
        self.takers: list[int] = []
        self.seen = NO_TRICKS
        self.leader = self.taking = self.turn % SEATS
        self._clear_table()

    def _clear_table(self) -> None:
        self.suit = NO_SUIT
        self.best = NO_CARD

    @property
    def dealer(self) -> int:
        """The dealer of this deal."""
        return (self.turn + SEATS - 1) % SEATS

    @property
    def first(self) -> int:
        """The seat after the dealer: the first to receive cards, to speak and to lead a trick."""
        return self.turn % SEATS

    @property
    def stage(self) -> int:
        """The number of cards dealt to each seat so far, the dealer's last three not counted."""
        return STAGES[len(self.bargains)] if self.phase is not None else 0

    @property
    def led(self) -> int:
        """The cards of the suit led, as a set; empty until a card other than the Fool is played."""
        return _LED[self.suit]

    def shuffle_due(self) -> Shuffle:
        """Return the shuffle of the whole pack that each deal begins with."""
        return Shuffle(self.deal, 0, PACK)

    def supply(self, cards: Sequence[int]) -> Sequence[Event[MitigatiEvent]]:
        """Take the shuffled pack, and deal as far as the first bargain."""
        self.stock = tuple(cards)
        started = (events.deal_started, self.deal, self.turn, self.dealer)
        return MadeWhenRead([started, *self._open_bargain()])

    def _open_bargain(self) -> Sequence[ToMake]:
        self.phase = BARGAINING
        self.actor = self.first
        return self._deal_packets()

    def _deal_packets(self) -> Sequence[ToMake]:
        """Deal the next packets round the table, the first of them to the seat after the dealer."""
        bargains, dealt = len(self.bargains), []
        for place, seat in enumerate(self._in_order()):
            cards = received(self.stock, place, bargains=bargains)
            self.hands[seat] |= set_of(cards)
            dealt.append((events.cards_dealt, seat, cards))
        self.stock = left(self.stock, bargains=bargains)
        return dealt

    def _in_order(self) -> Sequence[int]:
        """Return the seats in order of play, the seat after the dealer first."""
        return _IN_ORDER[self.first]

    def legal_cards(self) -> int:
        """Return the legal cards of the actor as a set, for callers that work with sets."""
        return legal_cards(self.hands[self.actor], led=self.led)

    def legal_actions(self) -> Sequence[LegalAction[MitigatiAction]]:
        """Return everything that is legal for the actor.

        A bargain offers a statement with an open amount, if any amount is low enough, and *play*. The discard is one
        action with an open pick. Cards to play are listed one by one, ascending.
        """
        if self.phase is PLAYING:
            return (self.choices[self.actor] or self._take_up()).legal(self.suit)
        if self.phase is BARGAINING:
            return open_statements(self.statements, max_bid=self.options.max_bid)
        return (LegalAction(OPEN_DISCARD, picks=(pick_of(self.hands[self.actor]),)),)

    def _take_up(self) -> Choices:
        """Sort the hand of the actor, the first time that it is needed."""
        choices = self.choices[self.actor] = Choices(self.hands[self.actor])
        return choices

    def extras(self) -> Sequence[MitigatiAction]:
        """Return nothing: this game has no declarations beside actions."""
        return ()

    def check(self, action: MitigatiAction) -> Violation | None:
        """Return the rule that an action of the actor breaks, or ``None`` if it is legal."""
        return broken_rule(
            action,
            phase=self.phase,
            hand=self.hands[self.actor],
            led=self.led,
            statements=self.statements,
            max_bid=self.options.max_bid,
        )

    def default_action(self) -> MitigatiAction:
        """Return *play*, or the legal discard or card that comes first in the tables of ``pack``."""
        if self.phase is BARGAINING:
            return PLAY
        piedmont = self.options.is_piedmont
        if self.phase is DISCARDING:
            return default_discard(self.hands[self.actor], piedmont=piedmont)
        return (self.choices[self.actor] or self._take_up()).cheapest(self.suit, piedmont=piedmont)

    def apply(self, action: MitigatiAction) -> Sequence[Event[MitigatiEvent]]:
        """Carry out a complete action of the actor, and return the resulting events."""
        if self.phase is PLAYING:
            return self._play_card(action[CARD_PLACE])
        if self.phase is not BARGAINING:
            return self._lay_away(set_of(action.cards))
        if action.amount is not None:
            return self._make_statement(action.amount)
        return MadeWhenRead([(events.play_said, self.actor), *self._end_bargain(BargainEnd.PLAY)])

    def _make_statement(self, amount: int) -> Sequence[Event[MitigatiEvent]]:
        made = (events.statement_made, self.actor, amount)
        self.statements += (amount,)
        comes_to = balance(self.statements)
        if comes_to == 0:
            return MadeWhenRead([made, self._strike_bargain()])
        if comes_to is not None and comes_to < 0:
            return MadeWhenRead([made, (events.bargain_failed,), *self._end_bargain(BargainEnd.BELOW_ZERO)])
        self.actor = _NEXT[self.actor]
        return MadeWhenRead([made])

    def _strike_bargain(self) -> ToMake:
        scores = [0] * SEATS
        for place, amount in enumerate(self.statements[-SEATS:], start=1):
            scores[(self.actor + place) % SEATS] = amount
        struck = (events.bargain_struck, self.deal, tuple(scores))
        self._move_chips(scores)
        self.struck += 1
        self._end_deal(turn_over=self.struck == cap_of(self.options.max_struck), reason=OutcomeReason.CAP_REACHED)
        return struck

    def _end_bargain(self, end: BargainEnd) -> Sequence[ToMake]:
        """Continue the deal: with the next bargain, or after the last one with the dealer's discard."""
        self.bargains += (Bargain(self.statements, end),)
        self.statements = ()
        if len(self.bargains) < _BARGAINS:
            return self._open_bargain()
        self.phase = DISCARDING
        self.actor = self.dealer
        return self._deal_packets()

    def _lay_away(self, cards: int) -> Sequence[Event[MitigatiEvent]]:
        self.discard = cards
        self.hands[self.dealer] &= ~cards
        self.phase = PLAYING
        self.actor = self.leader
        return MadeWhenRead([(events.cards_discarded, self.dealer, cards), *self._declare()])

    def _declare(self) -> Sequence[ToMake]:
        declared = [held for seat in self._in_order() for held in declarations_of(self.hands[seat], seat=seat)]
        for declaration in declared:
            self._move_chips(scores_of(declaration))
        self.declarations = tuple(declared)
        return [(events.holding_declared, declaration) for declaration in declared]

    def _move_chips(self, scores: Sequence[int]) -> None:
        self.chips = tuple([chips + score for chips, score in zip(self.chips, scores, strict=True)])

    def _play_card(self, card: int) -> Sequence[Event[MitigatiEvent]]:
        seat = self.actor
        self.hands[seat] ^= BIT[card]
        choices = self.choices[seat]
        if choices is not None:
            choices.play(card)
        self.cards.append(card)
        if self.suit == NO_SUIT:
            self.suit = SUIT[card]
        if self.beats[card][self.best]:
            self.best, self.taking = card, seat
        self.actor = following = _NEXT[seat]
        if following != self.leader:
            return CARD_PLAYED[seat][card]
        return CARD_PLAYED[seat][card] + self._end_trick()

    def _end_trick(self) -> tuple[Event[MitigatiEvent], ...]:
        taker = self.actor = self.leader = self.taking
        self.takers.append(taker)
        self._clear_table()
        if len(self.takers) < TRICKS:
            return TRICK_TAKEN[taker]
        return (*TRICK_TAKEN[taker], self._score_deal())

    def _score_deal(self) -> Event[MitigatiEvent]:
        points = points_of(self.cards, self.takers, dealer=self.dealer, discard=self.discard)
        scores = tuple([own - AVERAGE_POINTS for own in points])
        event = events.deal_scored(deal=self.deal, points=points, scores=scores)
        self._move_chips(scores)
        self.deals_played += 1
        self._end_deal(turn_over=True, reason=OutcomeReason.DEALS_PLAYED)
        return event

    def _end_deal(self, *, turn_over: bool, reason: OutcomeReason) -> None:
        if turn_over and self.turn + 1 == SEATS * self.options.rounds:
            self.actor = FINISHED
            self.outcome = outcome_of(reason, scores=self.chips, sides=_SIDES)
            return
        if turn_over:
            self.turn += 1
            self.struck = 0
        self.begin_deal(self.deal + 1)

    def view(self, seat: int) -> MitigatiView:
        """Return all that a seat sees."""
        self.seen = completed_tricks(self.seen, cards=self.cards, takers=self.takers, seats=SEATS)
        played, takers = self.seen
        choices = self.choices[seat]
        # Positional, in the order of the fields: keyword arguments would cost a tenth of a compiled decision.
        return MitigatiView._make(
            (
                seat,
                self.options,
                self.deal,
                self.deals_played,
                self.turn,
                self.struck,
                self.dealer,
                self.phase,
                self.stage,
                tuple([cards.bit_count() for cards in self.hands]),
                CARDS_SEEN[self.hands[seat]] if choices is None else choices.cards(),
                CARDS_SEEN[self.discard] if seat == self.dealer else (),
                self._bargains_heard(),
                self.declarations,
                tuple(self.cards[len(played) :]),
                self.leader,
                played,
                takers,
                self.chips,
            )
        )

    def _bargains_heard(self) -> tuple[Bargain, ...]:
        if self.phase is not BARGAINING:
            return self.bargains
        return (*self.bargains, Bargain(self.statements, None))

    def clone(self) -> Self:
        """Return a copy that shares nothing mutable with this state, and sorts hands again on demand."""
        twin = super().clone()
        twin.choices = [None] * SEATS
        return twin
