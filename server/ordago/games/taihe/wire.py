"""The values of Taihe A Bao as messages, and back.

Messages of actions and events are made once and handed out again and again, as far as they are frequent.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, cast

from ordago import v1
from ordago.cards import NO_CARD, sign_or_number
from ordago.games.folder import (
    MalformedActionError,
    refuse_action_of_another_game,
    refuse_options_of_another_game,
)
from ordago.games.taihe.pack import PACK
from ordago.games.taihe.rules import RULES
from ordago.games.taihe.values import (
    ActionKind,
    Bid,
    EventKind,
    Exchange,
    Phase,
    TaiheAction,
    TaiheEvent,
    TaiheOptions,
    TaiheView,
)

_CACHED: Final = 1 << 14

_PHASES: Final = {
    Phase.BETWEEN_DEALS: v1.TAIHE_PHASE_UNSPECIFIED,
    Phase.DECLARING: v1.TAIHE_PHASE_DECLARING,
    Phase.EXCHANGING: v1.TAIHE_PHASE_EXCHANGING,
    Phase.GIVING_BACK: v1.TAIHE_PHASE_GIVING_BACK,
    Phase.PLAYING: v1.TAIHE_PHASE_PLAYING,
}
_BIDS: Final = {
    Bid.PASSED: v1.TAIHE_BID_PASSED,
    Bid.DECLARED: v1.TAIHE_BID_DECLARED,
    Bid.EXCHANGED: v1.TAIHE_BID_EXCHANGED,
}
_ACTION_KINDS: Final = {
    ActionKind.PASS: v1.TAIHE_ACTION_KIND_PASS,
    ActionKind.DECLARE: v1.TAIHE_ACTION_KIND_DECLARE,
    ActionKind.ASK: v1.TAIHE_ACTION_KIND_ASK,
    ActionKind.GIVE_BACK: v1.TAIHE_ACTION_KIND_GIVE_BACK,
    ActionKind.PLAY: v1.TAIHE_ACTION_KIND_PLAY,
}
_EVENT_KINDS: Final = {
    EventKind.DEAL_STARTED: v1.TAIHE_EVENT_KIND_DEAL_STARTED,
    EventKind.HAND_DEALT: v1.TAIHE_EVENT_KIND_HAND_DEALT,
    EventKind.BIDDING_STARTED: v1.TAIHE_EVENT_KIND_BIDDING_STARTED,
    EventKind.PASSED: v1.TAIHE_EVENT_KIND_PASSED,
    EventKind.DECLARED: v1.TAIHE_EVENT_KIND_DECLARED,
    EventKind.ASKED: v1.TAIHE_EVENT_KIND_ASKED,
    EventKind.GAVE_BACK: v1.TAIHE_EVENT_KIND_GAVE_BACK,
    EventKind.DECLARER_FOUND: v1.TAIHE_EVENT_KIND_DECLARER_FOUND,
    EventKind.PASSED_OUT: v1.TAIHE_EVENT_KIND_PASSED_OUT,
    EventKind.PLAYED: v1.TAIHE_EVENT_KIND_PLAYED,
    EventKind.ROUND_ENDED: v1.TAIHE_EVENT_KIND_ROUND_ENDED,
    EventKind.DEAL_SCORED: v1.TAIHE_EVENT_KIND_DEAL_SCORED,
}
_ACTION_KIND_OF: Final = {int(number): kind for kind, number in _ACTION_KINDS.items()}


def _card(card: int) -> v1.Card:
    """Return a card as the stubs type it: its code is its number on the wire."""
    return cast("v1.Card", card)


def _cards(cards: Sequence[int]) -> Sequence[v1.Card]:
    return cast("Sequence[v1.Card]", cards)


@lru_cache(maxsize=_CACHED)
def _action_message(action: TaiheAction) -> v1.Action:
    kind, card, cards = action
    return v1.Action(taihe=v1.TaiheAction(kind=_ACTION_KINDS[kind], card=_card(card), cards=_cards(cards)))


def _event_message(event: TaiheEvent) -> v1.Event:
    return v1.Event(
        taihe=v1.TaiheEvent(
            kind=_EVENT_KINDS[event.kind],
            seat=event.seat,
            card=_card(event.card),
            cards=_cards(event.cards),
            holder=event.holder,
            deal=event.deal,
            value=event.value,
            scores=event.scores,
        )
    )


_frequent_event_message: Final = lru_cache(maxsize=_CACHED)(_event_message)
_FREQUENT: Final = frozenset({EventKind.PASSED, EventKind.PLAYED, EventKind.ROUND_ENDED})


class TaiheCodec:
    """Turns the values of Taihe A Bao into messages and back."""

    def options(self, options: TaiheOptions) -> v1.GameOptions:
        """Return the message of some options, complete."""
        return v1.GameOptions(taihe=v1.TaiheOptions(deals=options.deals, max_passes=options.max_passes))

    def options_from(self, message: v1.GameOptions) -> TaiheOptions:
        """Return the options of a message; those that it leaves empty take their defaults.

        Raises:
            OptionError: a value that the option cannot take, or the options of another game.
        """
        refuse_options_of_another_game(message, name=RULES.name)
        given = {"deals": message.taihe.deals, "max_passes": message.taihe.max_passes}
        return RULES.options({name: value for name, value in given.items() if value})

    def view(self, view: TaiheView) -> bytes:
        """Return the message of a view, serialized. It does not name the seat that sees: the decision does."""
        return v1.View(
            taihe=v1.TaiheView(
                deal=view.deal,
                deals=view.deals,
                passed_out=view.passed_out,
                max_passes=view.max_passes,
                phase=_PHASES[view.phase],
                taker=view.taker,
                first_bidder=view.first_bidder,
                bids=[_BIDS[bid] for bid in view.bids],
                exchanges=[_exchange_message(exchange) for exchange in view.exchanges],
                declarer=view.declarer,
                value=view.value,
                hand=_cards(view.hand),
                hand_sizes=view.hand_sizes,
                turns=view.turns,
                played=_cards(view.played),
                to_beat=_cards(view.to_beat),
                to_beat_seat=view.to_beat_seat,
                totals=view.totals,
            )
        ).SerializeToString()

    def view_from(self, message: v1.View, *, seat: int) -> TaiheView:
        """Return the view of a seat from the message that a server sent it with a decision."""
        seen = message.taihe
        return TaiheView(
            seat=seat,
            deal=seen.deal,
            deals=seen.deals,
            passed_out=seen.passed_out,
            max_passes=seen.max_passes,
            phase=Phase(seen.phase),
            taker=seen.taker,
            first_bidder=seen.first_bidder if seen.HasField("first_bidder") else None,
            bids=tuple(Bid(bid) for bid in seen.bids),
            exchanges=tuple(_exchange_from(exchange) for exchange in seen.exchanges),
            declarer=seen.declarer if seen.HasField("declarer") else None,
            value=seen.value,
            hand=tuple(seen.hand),
            hand_sizes=tuple(seen.hand_sizes),
            turns=tuple(seen.turns),
            played=tuple(seen.played),
            to_beat=tuple(seen.to_beat),
            to_beat_seat=seen.to_beat_seat if seen.HasField("to_beat_seat") else None,
            totals=tuple(seen.totals),
        )

    def action(self, action: TaiheAction) -> v1.Action:
        """Return the message of an action. It may be shared: do not change it."""
        return _action_message(action)

    def action_from(self, message: v1.Action) -> TaiheAction:
        """Return the action of a message that a bot sent.

        Raises:
            MalformedActionError: the message names a kind or a card that this game does not have.
        """
        refuse_action_of_another_game(message, name=RULES.name, title=RULES.title)
        said = message.taihe
        card = _card_from(said.card, field="card") if said.card else NO_CARD
        return TaiheAction(_kind_from(said.kind), card, tuple(sorted(_card_from(c, field="cards") for c in said.cards)))

    def event(self, event: TaiheEvent) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""
        return _frequent_event_message(event) if event.kind in _FREQUENT else _event_message(event)


def _exchange_message(exchange: Exchange) -> v1.TaiheExchange:
    seat, asked, holder, given_back = exchange
    return v1.TaiheExchange(seat=seat, asked=_card(asked), holder=holder, given_back=_card(given_back))


def _exchange_from(message: v1.TaiheExchange) -> Exchange:
    return Exchange(message.seat, message.asked, message.holder, message.given_back)


def _kind_from(number: int) -> ActionKind:
    if number not in _ACTION_KIND_OF:
        known = ", ".join(kind.name for kind in ActionKind)
        sentence = f"{number} is no kind of action of {RULES.title}: the kinds are {known}."
        raise MalformedActionError(sentence, field="kind")
    return _ACTION_KIND_OF[number]


def _card_from(card: int, *, field: str) -> int:
    if card in PACK:
        return card
    wanted = "its 40 cards are 4 to 7, 9, 10, J, Q, K and A of clubs, diamonds, hearts and spades"
    raise MalformedActionError(f"{sign_or_number(card)} is no card of {RULES.title}: {wanted}.", field=field)


CODEC: Final = TaiheCodec()
"""The codec of Taihe A Bao."""
