"""The encoding of Taihe A Bao.

Suits only name cards, so a card is its rank and a number from 0 to 3 among the four of it. The cards of a rank are
numbered as this seat came to know of them: first the 4 of hearts of the first deal, whose holder bids first, then cards
asked for and given back, those played in order, and the hand. Cards that it has never seen are last, and alike.

A combination has one id, whatever its suits: of several cards of a rank, those with the lowest numbers are played,
which the others know already.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ordago.cards import LAST_CARD, NO_CARD, card_set
from ordago.games.taihe.combinations import CARDS_OF, COMBINATIONS, combination_of
from ordago.games.taihe.offers import play_of
from ordago.games.taihe.pack import FOUR_OF_HEARTS, LOW_TO_HIGH, PACK, height, pack_of
from ordago.games.taihe.values import (
    DECLARE,
    PASS,
    ActionKind,
    Bid,
    Phase,
    TaiheAction,
    TaiheOptions,
    TaiheView,
)
from ordago_gym.encoding import Decision, Encoding, Mask, Memory
from ordago_gym.fields import Field, Row, by_seat, choice, number, seat

_OF_A_RANK: Final = 4
_CARDS: Final = len(PACK)
_RANKS: Final = len(LOW_TO_HIGH)
_RANK: Final = tuple(height(card) if card in PACK else 0 for card in range(LAST_CARD + 1))
"""The height of the rank of each card, 0 for a 4."""
_OF_RANKS: Final = {
    (len(combination.ranks), combination.each, LOW_TO_HIGH.index(combination.ranks[0])): number
    for number, combination in enumerate(COMBINATIONS)
}
"""The number of a combination, by its number of ranks, the cards of each, and its lowest rank."""
_PASS_ID: Final = len(COMBINATIONS)
_DECLARE_ID: Final = _PASS_ID + 1
_FIRST_CARD: Final = _DECLARE_ID + 1
_MOST_TURNS: Final = 200
"""The most turns of the play: 40 cards one by one, and four passes after each."""
_MOST_DEALS: Final = 300
_MOST_VALUE: Final = 6


class TaiheEncoding(Encoding):
    """The observations and action ids of Taihe A Bao.

    Ids are the 65 combinations without suits, pass, declare, and the 40 cards, to ask for one or to give one back.
    """

    name = "taihe"
    version = 0

    def __init__(self, options: TaiheOptions, *, seats: int) -> None:
        """Declare the fields."""
        self._pack: Final = pack_of(seats)
        most_total = _MOST_DEALS * _MOST_VALUE * (seats - 1)
        fields = (
            Field("hand", (_RANKS, _OF_A_RANK), "The hand by ranks, from the 4 to the ace: as many times 1 as cards."),
            Field("hand_cards", (_CARDS,), "The cards of the hand: four numbers for each rank, as above."),
            Field("played_by", (seats, _CARDS), "The cards that each seat has played in this deal."),
            Field("played_at", (_CARDS,), f"The turn in which each card was played, from 1, divided by {_MOST_TURNS}."),
            Field("asked_by", (seats, _CARDS), "The card that each seat asked for."),
            Field("holders", (seats, seats), "The seat that held it, for each seat that asked."),
            Field("given_by", (seats, _CARDS), "The card that each of these gave back, if this seat saw it."),
            choice("phase", len(Phase), "The phase: between deals, declaring, exchanging, giving back, playing."),
            seat("taker", seats, "The seat that took the first card.", constant=True),
            seat("first_bidder", seats, "The seat that bid first."),
            Field("bids", (2, seats, len(Bid)), "The bids of each round: passed, declared, exchanged."),
            seat("declarer", seats, "The declarer."),
            number("value", seats + 1, "The value of the deal."),
            by_seat("hand_sizes", seats, -(-_CARDS // seats), "The number of cards of each seat."),
            Field("turn", (1,), f"The number of turns so far, divided by {_MOST_TURNS}."),
            Field("to_beat", (len(COMBINATIONS),), "The combination that is to be beaten."),
            seat("to_beat_seat", seats, "The seat that played it."),
            by_seat("totals", seats, most_total, "The score of each seat.", signed=True, constant=True),
            number("deal", _MOST_DEALS, "The deal, counted from 0.", constant=True),
            number("deals", _MOST_DEALS, "The number of deals of the match.", constant=True),
            number(
                "passed_out",
                max(options.max_passes, 1),
                "The times that everybody passed twice in this deal.",
                constant=True,
            ),
        )
        super().__init__(fields, actions=_FIRST_CARD + _CARDS, seats=seats)
        at = self.layout.at
        self._by, self._when, self._hand_cards = at["played_by"], at["played_at"], at["hand_cards"]
        self._turn, self._to_beat = at["turn"], at["to_beat"]

    def _context(self, view: TaiheView, memory: Memory | None) -> "_Numbering":
        known = self._known(view, memory)
        places, taken = known.places, known.taken.copy()
        hand = []
        for card in view.hand:
            place = places.get(card)
            if place is None:
                rank = _RANK[card]
                place = _OF_A_RANK * rank + taken[rank]
                taken[rank] += 1
            hand.append(place)
        return _Numbering(places, hand, taken)

    def _known(self, view: TaiheView, memory: Memory | None) -> "_Known":
        """Return the numbers of the cards that were played, or were known of before."""
        key = view.deal, view.passed_out, view.exchanges
        known: _Known | None = None if memory is None else memory.kept
        if known is None or known.key != key:
            known = _Known(key)
            known.number([FOUR_OF_HEARTS] if view.deal == 0 else [])
            known.number(card for _, asked, _, back in view.exchanges for card in (asked, back) if card != NO_CARD)
            if memory is not None:
                memory.kept = known
        if known.played < len(view.played):
            known.number(view.played[known.played :])
            known.played = len(view.played)
        return known

    def _key(self, decision: Decision) -> object:
        # The bidding is over once the play begins, and is written once then.
        return decision.view.deal, decision.view.passed_out, decision.view.phase is Phase.PLAYING

    def _remember(self, decision: Decision, row: Row, marks: tuple[int, int] | None) -> tuple[int, int] | None:
        """Write the turns since the marks: the numbers of turns and of cards that were written."""
        view, places = decision.view, decision.context.places
        if view.phase is not Phase.PLAYING:
            return None
        if marks is None:
            self._observe_bidding(view, places, row)
        turn, card = marks or (0, 0)
        for cards in view.turns[turn:]:
            player = (view.declarer + turn - view.seat) % self.seats
            turn += 1
            for played in view.played[card : card + cards]:
                row[self._by + player * _CARDS + places[played]] = 1.0
                row[self._when + places[played]] = turn / _MOST_TURNS
            card += cards
        return turn, card

    def _observe(self, decision: Decision, row: Row) -> None:
        view, places = decision.view, decision.context.places
        counts = [_OF_A_RANK * rank for rank in range(_RANKS)]
        for card, place in zip(view.hand, decision.context.hand, strict=True):
            rank = _RANK[card]
            row[counts[rank]] = 1.0  # The hand is the first field.
            counts[rank] += 1
            row[self._hand_cards + place] = 1.0
        if view.phase is not Phase.PLAYING:
            self._observe_bidding(view, places, row)
        elif view.turns:
            row[self._turn] = len(view.turns) / _MOST_TURNS
            if view.to_beat:
                row[self._to_beat + _number_of(view.to_beat)] = 1.0

    def _observe_bidding(self, view: TaiheView, places: Mapping[int, int], row: Row) -> None:
        at, own, seats = self.layout.at, view.seat, self.seats
        for who, asked, holder, given_back in view.exchanges:
            asker = (who - own) % seats
            row[at["asked_by"] + asker * _CARDS + places[asked]] = 1.0
            row[at["holders"] + asker * seats + (holder - own) % seats] = 1.0
            if given_back != NO_CARD:
                row[at["given_by"] + asker * _CARDS + places[given_back]] = 1.0
        for order, bid in enumerate(view.bids):
            assert view.first_bidder is not None
            bidder = (view.first_bidder + order - own) % seats
            row[at["bids"] + (order // seats * seats + bidder) * len(Bid) + bid - 1] = 1.0

    def allow(self, decision: Decision, mask: Mask) -> None:
        """Write 1 for each combination, word or card that may be chosen."""
        for action, _, picks in decision.legal:
            kind = action.kind
            if kind is ActionKind.PLAY:
                if picks:
                    mask[_OF_RANKS[len(picks), picks[0].min, _RANK[picks[0].cards[0]]]] = 1
                else:
                    mask[_number_of(action.cards)] = 1
            elif picks:
                places = self._places(decision)
                for card in picks[0].cards:
                    mask[_FIRST_CARD + places[card]] = 1
            else:
                mask[_PASS_ID if kind is ActionKind.PASS else _DECLARE_ID] = 1

    def _places(self, decision: Decision) -> dict[int, int]:
        """Return the places of all cards, those that were never seen among them."""
        known, hand, taken = decision.context
        places = {**known, **dict(zip(decision.view.hand, hand, strict=True))}
        taken = taken.copy()
        for card in self._pack:
            if card not in places:
                places[card] = _OF_A_RANK * _RANK[card] + taken[_RANK[card]]
                taken[_RANK[card]] += 1
        return places

    def action(self, decision: Decision, ids: tuple[int, ...]) -> TaiheAction:
        """Return the action of an id."""
        number = ids[0]
        if number == _PASS_ID:
            return PASS
        if number == _DECLARE_ID:
            return DECLARE
        if number < _PASS_ID:
            return play_of(_cards_of(decision, number))
        card = next(card for card, place in self._places(decision).items() if place == number - _FIRST_CARD)
        asks = decision.view.phase is Phase.EXCHANGING
        return TaiheAction(ActionKind.ASK if asks else ActionKind.GIVE_BACK, card=card)

    def ids(self, decision: Decision, action: TaiheAction) -> tuple[int, ...]:
        """Return the id of an action; of a combination, whatever its suits."""
        if action.kind is ActionKind.PLAY:
            return (_number_of(action.cards),)
        if action.card != NO_CARD:
            return (_FIRST_CARD + self._places(decision)[action.card],)
        return (_PASS_ID if action.kind is ActionKind.PASS else _DECLARE_ID,)


class _Numbering(NamedTuple):
    """The places of the cards that a seat knows of."""

    places: Mapping[int, int]
    """The places of cards that were played, or were known of before."""
    hand: list[int]
    """The places of the cards of the hand, ascending by card."""
    taken: list[int]
    """The places that are taken, by rank."""


class _Known:
    """The numbers of the cards that were played, or were known of before, in the order in which they became so."""

    __slots__ = ("key", "places", "played", "taken")

    def __init__(self, key: object) -> None:
        self.key: Final = key
        self.places: dict[int, int] = {}
        self.taken = [0] * _RANKS
        self.played = 0

    def number(self, cards: Iterable[int]) -> None:
        """Number further cards."""
        for card in cards:
            if card not in self.places:
                rank = _RANK[card]
                self.places[card] = _OF_A_RANK * rank + self.taken[rank]
                self.taken[rank] += 1


@lru_cache(maxsize=1 << 15)
def _number_of(cards: tuple[int, ...]) -> int:
    """Return the number of the combination that cards form."""
    return combination_of(card_set(cards))


def _cards_of(decision: Decision, number: int) -> int:
    """Return the cards of the hand that form a combination, as a set: of each rank those with the lowest numbers."""
    combination, hand = COMBINATIONS[number], decision.view.hand
    held = card_set(hand) & CARDS_OF[number]
    if held.bit_count() == combination.size:
        return held
    in_order = sorted(zip(decision.context.hand, hand, strict=True))
    heights = [LOW_TO_HIGH.index(rank) for rank in combination.ranks]
    return card_set(
        card for rank in heights for card in [card for _, card in in_order if _RANK[card] == rank][: combination.each]
    )


ENCODING: Final = TaiheEncoding
