"""The encoding of Mus.

Suits mean nothing in Mus, so a card is its height alone: from the aces up to the kings, with eight kings the twos and
threes among them. Cards of the hand are in order of height, so that a discard is a set of places.

A signal and *binding* are said before the word that they go with: the seat chooses again.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ordago.game import cap_of
from ordago.games.mus.hands import PACK, hand_table
from ordago.games.mus.members import DISCARD, NO_MUS
from ordago.games.mus.values import (
    HAND,
    LEAST_BET,
    SEATS,
    SIDE_OF,
    ActionKind,
    Lance,
    MusAction,
    MusOptions,
    MusView,
    Phase,
    Result,
    Settlement,
    Signal,
)
from ordago_gym.encoding import Decision, Encoding, Mask, Memory
from ordago_gym.fields import Field, Row, Write, by_seat, choice, number, seat

_SIGNALS: Final = len(Signal)
_BINDING: Final = _SIGNALS
"""The id of saying that the answer will bind the side; before it come the signals, in order."""
_WORDS: Final = (
    *(ActionKind.MUS, ActionKind.NO_MUS, ActionKind.PASO, ActionKind.ORDAGO, ActionKind.QUIERO, ActionKind.NO_QUIERO),
)
_FIRST_WORD: Final = _BINDING + 1
_WORD_ID: Final = tuple(
    _FIRST_WORD + _WORDS.index(kind) if kind in _WORDS else 0 for kind in range(len(ActionKind) + 1)
)
"""The id of a word, by the kind of the action."""
_SETS: Final = (1 << HAND) - 1
"""The sets of cards that can be discarded, each as a number from 1 whose bits are places in the hand."""
_FIRST_DISCARD: Final = _FIRST_WORD + len(_WORDS)
_FIRST_BET: Final = _FIRST_DISCARD + _SETS
_SIDES: Final = 2
_MOST_EXCHANGES: Final = 10
"""The exchanges that are kept, as many as the default options allow; of more, the last."""
_STATEMENTS: Final = 24
"""The statements of the betting that are kept, more than hardly any deal has; of more, the last."""
_BETTING_KINDS: Final = len(ActionKind) - ActionKind.PASO + 1
_STATEMENT: Final = SEATS + len(Lance) + _BETTING_KINDS + 2
_LANCE_AT: Final = SEATS - Lance.GRANDE
_KIND_AT: Final = SEATS + len(Lance) - ActionKind.PASO
_NO_STATEMENT: Final[Row] = memoryview(bytes(4 * _STATEMENT)).cast("f")
_SETTLEMENT: Final = len(Result) + _SIDES + 1
_STOCK: Final = len(PACK) - SEATS * HAND


class _Heard:
    """The part of a deal that was written.

    Attributes:
        said: the number of statements.
        statements: those of the betting that are kept.
        discards: the number of discards.
        settled: the number of lances that are over.
        signals: where the signals since the last exchange were written.
    """

    __slots__ = ("discards", "said", "settled", "signals", "statements")

    def __init__(self) -> None:
        self.said = self.statements = self.discards = self.settled = 0
        self.signals: list[int] = []


class MusEncoding(Encoding):
    """The observations and action ids of Mus.

    Ids are the 16 signals, *binding*, the six words without an amount, the 15 sets of cards to discard, and bets from 2
    points up to the target.
    """

    name = "mus"
    version = 0

    def __init__(self, options: MusOptions, *, seats: int) -> None:
        """Declare the fields."""
        weights = hand_table(options.kings).weights
        heights = sorted({weights[card] for card in PACK})
        self._height: Final = tuple(heights.index(weight) if weight in heights else 0 for weight in weights)
        self._heights: Final = len(heights)
        self._exchanges: Final = min(cap_of(options.max_mus), _MOST_EXCHANGES)
        self._target: Final = options.target
        self._sorted: Final = lru_cache(maxsize=1 << 16)(self._by_height)
        super().__init__(self._fields(options), actions=_FIRST_BET + options.target - LEAST_BET + 1, seats=seats)
        at = self.layout.at
        self._at_hand: Final = at["hand"]
        self._at_said: Final = at["said"]
        self._at_discards: Final = at["discards"]
        self._at_signals: Final = at["signals"]
        self._at_chosen: Final = at["chosen"]

    def _fields(self, options: MusOptions) -> tuple[Field, ...]:
        target, exchanges, heights = options.target, self._exchanges, self._heights
        return (
            Field("hand", (HAND, heights), "The cards of this seat from the lowest up, each as its height."),
            Field("chosen", (_BINDING + 1,), "The signal, and *binding*, that this seat has chosen for its answer."),
            choice("phase", len(Phase), "The stage of the deal: mus, discards, betting.", first=Phase.MUS),
            choice("lance", len(Lance), "The lance that is bet on; empty before the betting.", first=Lance.GRANDE),
            seat("dealer", SEATS, "The dealer.", constant=True),
            by_seat("points", _SIDES, target, "The points of this side and of the other in this game."),
            by_seat("games", _SIDES, options.games, "The games won by this side and by the other.", constant=True),
            number("game", options.games, "The game, counted from 0.", constant=True),
            number("deal_of_game", options.max_deals, "The deal, counted from 0 in this game.", constant=True),
            number("stock", _STOCK, "The number of cards in the stock."),
            number("stake", target, "The stake of this lance."),
            number("agreed", target, "The points of the bettor's side if the last bet is refused."),
            number("ordago", 1, "1 if the last bet is an órdago."),
            seat("bettor", SEATS, "The seat that made the last bet or raise in this lance."),
            choice("answered", _BETTING_KINDS, "The partner's answer to it, not binding.", first=ActionKind.PASO),
            by_seat("pares", SEATS, 1, "The seats that announced pares."),
            by_seat("juego", SEATS, 1, "The seats that announced juego."),
            Field("no_mus", (SEATS,), "The seat that said no mus."),
            Field("discards", (exchanges, SEATS), "The number of cards that each seat discarded, divided by 4."),
            Field("discarded", (exchanges, heights), "The cards that this seat discarded: a quarter for each."),
            Field("drawn", (exchanges, heights), "The cards that it was dealt for them: a quarter for each."),
            Field("reshuffled", (exchanges,), "The number of discards shuffled to go on dealing, divided by 40."),
            Field("signals", (SEATS, _SIGNALS), "The signals that this seat saw since the last exchange."),
            Field("old_signals", (SEATS, _SIGNALS), "The signals that it saw before: the hands have changed since."),
            Field(
                "said",
                (_STATEMENTS, _STATEMENT),
                f"The last {_STATEMENTS} statements of the betting in order: the seat, the lance, the word (paso, "
                "envido, órdago, quiero, no quiero), the amount divided by the target, and 1 if it was binding.",
            ),
            Field(
                "settled",
                (len(Lance), _SETTLEMENT),
                "Each lance that is over: the result, the side that it names (this one, the other), and the stake "
                "divided by the target.",
            ),
            Field(
                "shown",
                (SEATS, heights),
                "The hands shown at the end of the deal before: a quarter for each card.",
                self._shown_writer,
                constant=True,
            ),
        )

    def _by_height(self, hand: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(hand, key=self._height.__getitem__))

    def _context(self, view: MusView, memory: Memory | None) -> tuple[int, ...]:  # noqa: ARG002 - a hand is quickly sorted
        """Return the cards of the hand from the lowest up."""
        return self._sorted(view.hand)

    def _key(self, decision: Decision) -> object:
        return decision.view.deal, self._left_out(decision.view)

    def _remember(self, decision: Decision, row: Row, marks: "_Heard | None") -> "_Heard":
        """Write what was said since the marks."""
        view, heard = decision.view, marks or _Heard()
        own = view.seat
        for who, kind, lance, amount, binding, signal in view.said[heard.said :]:
            seat = (who - own) % SEATS
            if signal is not None:
                heard.signals.append(seat * _SIGNALS + signal - 1)
                row[self._at_signals + heard.signals[-1]] = 1.0
            if lance is not None:
                self._remember_statement(row, heard, seat, (kind, lance, amount, binding))
            elif kind is DISCARD:
                self._remember_discard(row, heard, seat, amount, self._left_out(view))
            elif kind is NO_MUS:
                row[self.layout.at["no_mus"] + seat] = 1.0
        heard.said = len(view.said)
        if heard.settled < len(view.settled):
            self._remember_settled(view.settled[heard.settled :], own, row)
            heard.settled = len(view.settled)
        return heard

    def _observe(self, decision: Decision, row: Row) -> None:
        view = decision.view
        height, place = self._height, self._at_hand
        for card in decision.context:
            row[place + height[card]] = 1.0
            place += self._heights
        for part in decision.parts:
            row[self._at_chosen + part] = 1.0
        if view.discarded:
            self._observe_own_cards(view, row)

    def _remember_statement(
        self, row: Row, heard: "_Heard", seat: int, words: tuple[ActionKind, Lance, int, bool]
    ) -> None:
        """Write a statement of the betting behind those before it."""
        kind, lance, amount, binding = words
        if heard.statements == _STATEMENTS:
            first, last = self._at_said, self._at_said + (_STATEMENTS - 1) * _STATEMENT
            row[first:last] = row[first + _STATEMENT : last + _STATEMENT]
            row[last : last + _STATEMENT] = _NO_STATEMENT
        else:
            heard.statements += 1
        place = self._at_said + (heard.statements - 1) * _STATEMENT
        row[place + seat] = row[place + _LANCE_AT + lance] = row[place + _KIND_AT + kind] = 1.0
        row[place + _STATEMENT - 2] = amount / self._target
        row[place + _STATEMENT - 1] = float(binding)

    def _remember_discard(self, row: Row, heard: "_Heard", seat: int, amount: int, left_out: int) -> None:
        exchange = heard.discards // SEATS - left_out
        if exchange >= 0:
            row[self._at_discards + exchange * SEATS + seat] = amount / HAND
        heard.discards += 1
        if heard.discards % SEATS == 0:
            # The hands change, so what was signalled is of before.
            for place in heard.signals:
                row[self._at_signals + place] = 0.0
                row[self.layout.at["old_signals"] + place] = 1.0
            heard.signals.clear()

    def _observe_own_cards(self, view: MusView, row: Row) -> None:
        """Write the cards that the seat discarded and drew in each exchange."""
        at, left_out = self.layout.at, self._left_out(view)
        own = [amount for who, kind, _, amount, _, _ in view.said if kind is DISCARD and who == view.seat]
        exchanges = [exchange - left_out for exchange, amount in enumerate(own) for _ in range(amount)]
        for name, cards in (("discarded", view.discarded), ("drawn", view.drawn)):
            for exchange, card in zip(exchanges, cards, strict=False):  # The last discards may wait for their cards.
                if exchange >= 0:
                    row[at[name] + exchange * self._heights + self._height[card]] += 1 / HAND
        for exchange, shuffled in enumerate(view.reshuffled[left_out:]):
            row[at["reshuffled"] + exchange] = shuffled / len(PACK)

    def _shown_writer(self, at: int) -> Write:
        def write(row: Row, view: MusView) -> None:
            for place, card in enumerate(view.shown):
                seat = (place // HAND - view.seat) % SEATS
                row[at + seat * self._heights + self._height[card]] += 1 / HAND

        return write

    def _left_out(self, view: MusView) -> int:
        """Return the number of exchanges that are not kept."""
        return max(len(view.reshuffled) + (view.phase is Phase.DISCARD) - self._exchanges, 0)

    def _remember_settled(self, settled: Sequence[Settlement], own: int, row: Row) -> None:
        for lance, result, side, stake in settled:
            place = self.layout.at["settled"] + (lance - 1) * _SETTLEMENT
            row[place + result - 1] = 1.0
            if side is not None:
                row[place + len(Result) + (side != SIDE_OF[own])] = 1.0
            row[place + _SETTLEMENT - 1] = min(stake / self._target, 1.0)

    def allow(self, decision: Decision, mask: Mask) -> None:
        """Write 1 for each id that may be chosen: signals first, then *binding*, then a word, a bet or a discard."""
        binds = _BINDING in decision.parts
        for action, amount, picks in decision.legal:
            if action.binding is not binds:
                if not binds:
                    mask[_BINDING] = 1
            elif amount is not None:
                first, last = _FIRST_BET + amount.min - LEAST_BET, _FIRST_BET + amount.max - LEAST_BET
                mask[first : last + 1] = b"\1" * (last + 1 - first)
            elif picks:
                mask[_FIRST_DISCARD:_FIRST_BET] = b"\1" * _SETS
            else:
                mask[_WORD_ID[action.kind]] = 1
        if not decision.parts:
            for extra in decision.extras:
                mask[extra.signal - 1] = 1

    def action(self, decision: Decision, ids: tuple[int, ...]) -> MusAction | None:
        """Return the action that ids say, or ``None`` after a signal or *binding*."""
        last = ids[-1]
        if last <= _BINDING:
            return None
        signal = Signal(ids[0] + 1) if ids[0] < _SIGNALS else None
        if last >= _FIRST_BET:
            return MusAction(ActionKind.ENVIDO, last - _FIRST_BET + LEAST_BET, (), _BINDING in ids, signal)
        if last >= _FIRST_DISCARD:
            chosen = last - _FIRST_DISCARD + 1
            cards = [card for place, card in enumerate(decision.context) if chosen >> place & 1]
            return MusAction(ActionKind.DISCARD, 0, tuple(sorted(cards)), signal=signal)
        return MusAction(_WORDS[last - _FIRST_WORD], 0, (), _BINDING in ids, signal)

    def ids(self, decision: Decision, action: MusAction) -> tuple[int, ...]:
        """Return the ids that say an action: its signal, *binding*, and the word, bet or discard."""
        signal = () if action.signal is None else (action.signal - 1,)
        binding = (_BINDING,) if action.binding else ()
        return *signal, *binding, self._last_id(decision, action)

    def _last_id(self, decision: Decision, action: MusAction) -> int:
        if action.kind is ActionKind.ENVIDO:
            return _FIRST_BET + action.amount - LEAST_BET
        if action.kind is DISCARD:
            places: Sequence[int] = decision.context
            return _FIRST_DISCARD - 1 + sum(1 << places.index(card) for card in action.cards)
        return _WORD_ID[action.kind or 0]


ENCODING: Final = MusEncoding
