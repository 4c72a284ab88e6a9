"""The encoding of Mitaines. An id is a card and the combination that is declared with it, or none."""

from typing import Final

from ordago.cards import ACE, JACK, KING, LAST_CARD, QUEEN
from ordago.games.mitaines.combinations import COMBINATIONS, Combination
from ordago.games.mitaines.pack import PACK, RANK_OF
from ordago.games.mitaines.values import HAND_CARDS, LAID_CARDS, PLAY, MitainesOptions, MitainesView, PlayCard
from ordago_gym.encoding import Decision, Encoding, Mask
from ordago_gym.fields import Field, Row, by_seat, held, members, number, seat

_CARDS: Final = len(PACK)
_PLAYED: Final = _CARDS - LAID_CARDS
_PLACE: Final = tuple(PACK.index(card) if card in PACK else 0 for card in range(LAST_CARD + 1))
_RANKS: Final = (ACE, 2, 3, 4, 5, 6, 7, 8, 9, 10, JACK, QUEEN, KING)
_RANK_PLACE: Final = tuple(_RANKS.index(rank) if rank in _RANKS else 0 for rank in range(KING + 1))
_KINDS: Final = len(COMBINATIONS)
_DECLARED: Final = _KINDS - 1
_HEIGHT: Final = (0, 0, 1, 2, 1, 2)
"""Mitten, glove or sock, by combination: an added one is like any other once it is stolen."""
_HEIGHTS: Final = 3
_TIMES: Final = tuple((place + 1) / _PLAYED for place in range(_PLAYED))
_MOST_POINTS: Final = 1000
"""More than most declarations are worth with all that they have stolen, and than most deals bring."""


class MitainesEncoding(Encoding):
    """The observations and action ids of Mitaines. Cards are in order of suits, each from the ace to the king."""

    name = "mitaines"
    version = 0

    def __init__(self, options: MitainesOptions, *, seats: int) -> None:
        """Declare the fields."""
        in_all = 2 * options.target
        fields = (
            members(
                "hand", _PLACE, _CARDS, "The cards of this seat, in order of suits, each from the ace to the king."
            ),
            members("pile", _PLACE, _CARDS, "The cards of the pile."),
            Field("top", (len(_RANKS),), "The rank of the top card of the pile."),
            Field("laid_at", (_CARDS,), "The place of each card that was laid at first, from 1, divided by 4."),
            Field("played_by", (seats, _CARDS), "The cards that each seat has played in this deal."),
            Field(
                "played_at", (_CARDS,), f"The place of each card in the order of play, from 1, divided by {_PLAYED}."
            ),
            Field("declared", (_CARDS, _DECLARED), "The combination declared with each card that was played."),
            Field("cleared", (_CARDS,), "The cards that cleared the pile when they were played."),
            seat("last_clearer", seats, "The seat that cleared last in this deal."),
            Field("declarer", (seats,), "The seat whose declaration stands."),
            Field("combination", (_DECLARED,), "The combination of the declaration that stands."),
            Field("rank", (len(_RANKS),), "Its rank."),
            Field("cards_left", (1,), "The cards that its declarer still has to play to complete it, divided by 3."),
            Field("points", (1,), f"The points for completing it, divided by {_MOST_POINTS}."),
            Field("stolen", (seats, _HEIGHTS, len(_RANKS)), "What it has stolen: from whom, mitten to sock, the rank."),
            by_seat("hand_sizes", seats, HAND_CARDS[seats], "The number of cards of each seat."),
            number("stock", _PLAYED, "The number of cards in the stock."),
            seat("dealer", seats, "The dealer.", constant=True),
            by_seat("scores", seats, _MOST_POINTS, "The points of each seat in this deal."),
            by_seat("totals", seats, in_all, "The points of each seat in the match; the bound is twice the target."),
            number(
                "deal", options.max_deals, "The deal, counted from 0; the bound is the number of deals.", constant=True
            ),
        )
        super().__init__(fields, actions=_CARDS * _KINDS, seats=seats)
        at = self.layout.at
        self._by, self._at, self._top, self._laid = at["played_by"], at["played_at"], at["top"], at["laid_at"]
        self._declared, self._cleared = at["declared"], at["cleared"]

    def _remember(self, decision: Decision, row: Row, marks: tuple[int, int] | None) -> tuple[int, int]:
        """Write the cards played since the marks: the numbers of cards and of clears that were written."""
        view = decision.view
        done, cleared = marks or (0, 0)
        if marks is None:
            for order, card in enumerate(view.laid):
                row[self._laid + _PLACE[card]] = (order + 1) / LAID_CARDS
        seats, first = self.seats, view.dealer + 1 - view.seat
        for order in range(done, len(view.played)):
            place, combination = _PLACE[view.played[order]], view.declared[order]
            row[self._by + _CARDS * ((first + order) % seats) + place] = 1.0
            row[self._at + place] = _TIMES[order]
            if combination:
                row[self._declared + place * _DECLARED + combination - 1] = 1.0
        for order in view.clears[cleared:]:
            row[self._cleared + _PLACE[view.played[order]]] = 1.0
        return len(view.played), len(view.clears)

    def _observe(self, decision: Decision, row: Row) -> None:
        view = decision.view
        if view.pile:
            row[self._top + _RANK_PLACE[RANK_OF[view.pile[-1]]]] = 1.0
        if view.declaration is not None:
            self._observe_declaration(view, row)

    def _observe_declaration(self, view: MitainesView, row: Row) -> None:
        assert view.declaration is not None
        at, own, (who, combination, rank, left, points, stolen) = self.layout.at, view.seat, view.declaration
        row[at["declarer"] + (who - own) % self.seats] = 1.0
        row[at["combination"] + combination - 1] = 1.0
        row[at["rank"] + _RANK_PLACE[rank]] = 1.0
        row[at["cards_left"]] = left / 3
        row[at["points"]] = held(points / _MOST_POINTS)
        for robbed, what, of_rank in stolen:
            place = (robbed - own) % self.seats * _HEIGHTS + _HEIGHT[what]
            row[at["stolen"] + place * len(_RANKS) + _RANK_PLACE[of_rank]] = 1.0

    def allow(self, decision: Decision, mask: Mask) -> None:
        """Write 1 for each card that may be played, with each combination that may be declared."""
        for legal in decision.legal:
            card, combination = legal.action
            mask[_PLACE[card] * _KINDS + combination] = 1

    def action(self, decision: Decision, ids: tuple[int, ...]) -> PlayCard:  # noqa: ARG002 - an id means the same always
        """Return the action of playing the card with the combination."""
        place, combination = divmod(ids[0], _KINDS)
        return PLAY[PACK[place]][combination]

    def ids(self, decision: Decision, action: PlayCard) -> tuple[int, ...]:  # noqa: ARG002 - an id means the same always
        """Return the id of the card and the combination."""
        return (_PLACE[action.card] * _KINDS + Combination(action.combination),)


ENCODING: Final = MitainesEncoding
