"""The encoding of Mitigati. The dealer lays three cards away one by one: the seat chooses again."""

from typing import Final

from ordago.game import cap_of
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.values import (
    CARD,
    DISCARDED,
    PLAY,
    STAGES,
    TRICKS,
    ActionKind,
    Bargain,
    BargainEnd,
    Declaration,
    Holding,
    MitigatiAction,
    MitigatiOptions,
    MitigatiView,
    Phase,
    discard_of,
    statement_of,
)
from ordago_gym.encoding import Decision, Encoding, Mask
from ordago_gym.fields import Field, Row, by_seat, choice, held, members, number, seat
from ordago_gym.tricks import SEATS, Marks, TrickHistory, trick_fields

_CARDS: Final = len(PACK)
_PLACE: Final = (0, *range(_CARDS))
"""The place of each card, by its number."""
_PLAY_ID: Final = _CARDS
_FIRST_STATEMENT: Final = _PLAY_ID + 1
_BARGAINS: Final = len(STAGES) - 1
_STATEMENTS: Final = 12
"""The statements of a bargain that are kept, four of each seat; of more, the last."""
_MOST_NUMBER: Final = 22
"""The most that a declaration can name: all trumps and the Fool."""
_MOST_CARDS: Final = TRICKS + DISCARDED
_MOST_CHIPS: Final = 1000
"""More chips than most matches of few rounds move."""


class MitigatiEncoding(Encoding):
    """The observations and action ids of Mitigati: the 78 cards, *play*, and statements from paying to receiving."""

    name = "mitigati"
    version = 0

    def __init__(self, options: MitigatiOptions, *, seats: int) -> None:
        """Declare the fields."""
        self._max_bid: Final = options.max_bid
        turns, struck = SEATS * options.rounds, cap_of(options.max_struck)
        fields = (
            members(
                "hand", _PLACE, _CARDS, "The cards of this seat: clubs, diamonds, hearts, spades, trumps, the Fool."
            ),
            Field("chosen", (_CARDS,), "The cards that this seat, the dealer, has chosen so far to lay away."),
            members("discard", _PLACE, _CARDS, "The cards that this seat laid away as the dealer."),
            *trick_fields(cards=_CARDS, tricks=TRICKS),
            choice("phase", len(Phase), "The decision that is due: bargain, discard, trick.", first=Phase.BARGAIN),
            number("stage", STAGES[-1], "The number of cards dealt to each seat so far."),
            by_seat("held", SEATS, _MOST_CARDS, "The number of cards of each seat."),
            Field(
                "statements",
                (_BARGAINS, _STATEMENTS),
                f"The last {_STATEMENTS} statements of each bargain, the latest first, divided by the highest bid.",
                low=-1.0,
            ),
            Field("stated", (_BARGAINS, _STATEMENTS), "1 for each of these that was made."),
            Field("bargain_ends", (_BARGAINS, len(BargainEnd)), "How each bargain ended: play, or less than nothing."),
            Field("declared", (SEATS, len(Holding)), "The holdings that each seat declared."),
            Field("numbers", (SEATS, len(Holding)), f"The numbers named with them, divided by {_MOST_NUMBER}."),
            Field("shown", (SEATS, _CARDS), "The cards that each seat showed with its declarations."),
            seat("leader", SEATS, "The seat that led the trick on the table, or is to lead it."),
            seat("dealer", SEATS, "The dealer.", constant=True),
            by_seat("chips", SEATS, _MOST_CHIPS, "The chips of each seat.", signed=True),
            number("deals_played", turns, "The number of deals played to the end.", constant=True),
            number("turn", turns, "The turn of dealing, counted from 0.", constant=True),
            number("struck", struck, "The number of bargains struck in this turn.", constant=True),
        )
        super().__init__(fields, actions=_FIRST_STATEMENT + 2 * options.max_bid + 1, seats=seats)
        self._tricks: Final = TrickHistory(self.layout, cards=_CARDS)

    def _key(self, decision: Decision) -> object:
        # What was said is complete once the tricks begin, and is written once then.
        return decision.view.deal, decision.view.phase is Phase.TRICKS

    def _remember(self, decision: Decision, row: Row, marks: Marks | None) -> Marks | None:
        view = decision.view
        if view.phase is not Phase.TRICKS:
            return None
        if marks is None:
            self._observe_talk(view, row)
        return self._tricks.remember(row, view, _PLACE, marks)

    def _observe(self, decision: Decision, row: Row) -> None:
        view = decision.view
        if view.phase is Phase.TRICKS:
            self._tricks.observe(row, view, _PLACE)
            return
        for place in decision.parts:
            row[self.layout.at["chosen"] + place] = 1.0
        self._observe_talk(view, row)

    def _observe_talk(self, view: MitigatiView, row: Row) -> None:
        for turn, bargain in enumerate(view.bargains):
            self._observe_bargain(turn, bargain, row)
        for declaration in view.declarations:
            self._observe_declaration(declaration, view.seat, row)

    def _observe_bargain(self, turn: int, bargain: Bargain, row: Row) -> None:
        at, first = self.layout.at, turn * _STATEMENTS
        for place, amount in enumerate(bargain.statements[: -_STATEMENTS - 1 : -1], start=first):
            row[at["statements"] + place] = amount / self._max_bid
            row[at["stated"] + place] = 1.0
        if bargain.end is not None:
            row[at["bargain_ends"] + turn * len(BargainEnd) + bargain.end - 1] = 1.0

    def _observe_declaration(self, declaration: Declaration, own: int, row: Row) -> None:
        at, (who, holding, named, cards) = self.layout.at, declaration
        seat = (who - own) % SEATS
        place = seat * len(Holding) + holding - 1
        row[at["declared"] + place] = 1.0
        row[at["numbers"] + place] = held(named / _MOST_NUMBER)
        for card in cards:
            row[at["shown"] + seat * _CARDS + _PLACE[card]] = 1.0

    def allow(self, decision: Decision, mask: Mask) -> None:
        """Write 1 for each card, or each amount and *play*, that may be chosen next."""
        for action, amount, picks in decision.legal:
            if amount is not None:
                first = _FIRST_STATEMENT + self._max_bid + amount.min
                mask[first : first + amount.max - amount.min + 1] = b"\1" * (amount.max - amount.min + 1)
            elif picks:
                for card in picks[0].cards:
                    mask[_PLACE[card]] = 1
                for place in decision.parts:
                    mask[place] = 0
            else:
                mask[_PLAY_ID if action.kind is ActionKind.PLAY else _PLACE[action.card]] = 1

    def action(self, decision: Decision, ids: tuple[int, ...]) -> MitigatiAction | None:
        """Return the action that ids say, or ``None`` after the first and the second card of a discard."""
        last = ids[-1]
        if last > _PLAY_ID:
            return statement_of(last - _FIRST_STATEMENT - self._max_bid)
        if last == _PLAY_ID:
            return PLAY
        if decision.view.phase is Phase.DISCARD:
            return discard_of([PACK[place] for place in ids]) if len(ids) == DISCARDED else None
        return CARD[PACK[last]]

    def ids(self, decision: Decision, action: MitigatiAction) -> tuple[int, ...]:  # noqa: ARG002 - ids always mean the same
        """Return the ids of an action; those of a discard are its cards, ascending."""
        if action.amount is not None:
            return (_FIRST_STATEMENT + self._max_bid + action.amount,)
        if action.kind is ActionKind.PLAY:
            return (_PLAY_ID,)
        return tuple([_PLACE[card] for card in action.cards or (action.card,)])


ENCODING: Final = MitigatiEncoding
