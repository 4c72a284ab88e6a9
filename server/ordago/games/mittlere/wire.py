"""The values of Mittlere Jass as messages, and back.

Actions, and events that say nothing but a seat and a card, are made once as messages and handed out again and again.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, cast

from ordago import v1
from ordago.cards import sign_or_number
from ordago.fields import delimited, list_heads, number, tag
from ordago.games.folder import (
    MalformedActionError,
    refuse_action_of_another_game,
    refuse_options_of_another_game,
)
from ordago.games.mittlere.pack import PACK
from ordago.games.mittlere.rules import RULES
from ordago.games.mittlere.values import (
    PLAY,
    SEATS,
    EventKind,
    MittlereEvent,
    MittlereOptions,
    MittlereTrump,
    MittlereView,
    PlayCard,
    ScoringRule,
)

_KINDS: Final = {
    EventKind.DEAL_STARTED: v1.MITTLERE_EVENT_KIND_DEAL_STARTED,
    EventKind.HAND_DEALT: v1.MITTLERE_EVENT_KIND_HAND_DEALT,
    EventKind.CARD_PLAYED: v1.MITTLERE_EVENT_KIND_CARD_PLAYED,
    EventKind.TRUMP_SET: v1.MITTLERE_EVENT_KIND_TRUMP_SET,
    EventKind.TRICK_TAKEN: v1.MITTLERE_EVENT_KIND_TRICK_TAKEN,
    EventKind.DEAL_SCORED: v1.MITTLERE_EVENT_KIND_DEAL_SCORED,
}
_RULES: Final = {
    None: v1.MITTLERE_SCORING_RULE_UNSPECIFIED,
    ScoringRule.ALL_TRICKS: v1.MITTLERE_SCORING_RULE_ALL_TRICKS,
    ScoringRule.NO_TRICK: v1.MITTLERE_SCORING_RULE_NO_TRICK,
    ScoringRule.HUNDRED: v1.MITTLERE_SCORING_RULE_HUNDRED,
    ScoringRule.MIDDLE: v1.MITTLERE_SCORING_RULE_MIDDLE,
    ScoringRule.EQUAL: v1.MITTLERE_SCORING_RULE_EQUAL,
}
_MITTLERE: Final = tag(v1.View, "mittlere")
_HAND, _TRICK, _PLAYED, _TAKERS = (
    list_heads(tag(v1.MittlereView, name), len(PACK)) for name in ("hand", "trick", "played", "takers")
)
_LEADER: Final = tuple(number(tag(v1.MittlereView, "leader"), seat) for seat in range(SEATS))
_DEALS_AT_ONCE: Final = 4096
"""For how many deals that are played at the same time the fields that stay the same for long are kept."""
_SUITS: Final = (v1.SUIT_CLUBS, v1.SUIT_DIAMONDS, v1.SUIT_HEARTS, v1.SUIT_SPADES)


def _card(card: int) -> v1.Card:
    """Return a card as the stubs type it: its code is its number on the wire."""
    return cast("v1.Card", card)


def _cards(cards: Sequence[int]) -> Sequence[v1.Card]:
    return cast("Sequence[v1.Card]", cards)


def _action_message(action: PlayCard) -> v1.Action:
    return v1.Action(mittlere=v1.MittlereAction(card=_card(action.card)))


def _event_message(event: MittlereEvent) -> v1.Event:
    return v1.Event(
        mittlere=v1.MittlereEvent(
            kind=_KINDS[event.kind],
            seat=event.seat,
            card=_card(event.card),
            cards=_cards(event.cards),
            deal=event.deal,
            points=event.points,
            scores=event.scores,
            rule=_RULES[event.rule],
        )
    )


def _frequent_events() -> Iterable[MittlereEvent]:
    for seat in range(SEATS):
        yield MittlereEvent(EventKind.HAND_DEALT, seat=seat)
        yield MittlereEvent(EventKind.TRICK_TAKEN, seat=seat)
        for card in PACK:
            yield MittlereEvent(EventKind.CARD_PLAYED, seat=seat, card=card)
            yield MittlereEvent(EventKind.TRUMP_SET, seat=seat, card=card)


_ACTION_MESSAGES: Final = {action: _action_message(action) for action in PLAY.values()}
_EVENT_MESSAGES: Final = {event: _event_message(event) for event in _frequent_events()}


class MittlereCodec:
    """Turns the values of Mittlere Jass into messages and back."""

    def options(self, options: MittlereOptions) -> v1.GameOptions:
        """Return the message of some options, complete."""
        return v1.GameOptions(mittlere=v1.MittlereOptions(deals=options.deals))

    def options_from(self, message: v1.GameOptions) -> MittlereOptions:
        """Return the options of a message; those that it leaves empty take their defaults.

        Raises:
            OptionError: a number of deals that cannot be played, or the options of another game.
        """
        refuse_options_of_another_game(message, name=RULES.name)
        deals = message.mittlere.deals
        return RULES.options({"deals": deals} if deals else {})

    def view(self, view: MittlereView) -> bytes:
        """Return the message of a view, serialized. It does not name the seat that sees: the decision does."""
        return delimited(_MITTLERE, _view_fields(view))

    def view_from(self, message: v1.View, *, seat: int) -> MittlereView:
        """Return the view of a seat from the message that a server sent it with a decision."""
        seen = message.mittlere
        return MittlereView(
            seat=seat,
            deal=seen.deal,
            deals=seen.deals,
            dealer=seen.dealer,
            hand=tuple(seen.hand),
            trick=tuple(seen.trick),
            leader=seen.leader,
            played=tuple(seen.played),
            takers=tuple(seen.takers),
            trump=_trump_from(seen.trump) if seen.HasField("trump") else None,
            totals=tuple(seen.totals),
        )

    def action(self, action: PlayCard) -> v1.Action:
        """Return the message of an action. It is shared: do not change it."""
        return _ACTION_MESSAGES[action]

    def action_from(self, message: v1.Action) -> PlayCard:
        """Return the action of a message that a bot sent.

        Raises:
            MalformedActionError: the message names no card of this game.
        """
        refuse_action_of_another_game(message, name=RULES.name, title=RULES.title)
        card = message.mittlere.card
        if card not in PLAY:
            wanted = "its 36 cards are 6 to 10, J, Q, K and A of clubs, diamonds, hearts and spades"
            raise MalformedActionError(f"{sign_or_number(card)} is no card of {RULES.title}: {wanted}.", field="card")
        return PLAY[card]

    def event(self, event: MittlereEvent) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""
        return _EVENT_MESSAGES.get(event) or _event_message(event)


def _view_fields(view: MittlereView) -> bytes:
    """Return a view, serialized. The fields stand in the order of their numbers."""
    _, deal, deals, dealer, hand, trick, leader, played, takers, trump, totals = view
    return b"".join(
        (
            _deal_fields(deal, deals, dealer),
            *(_HAND[len(hand)], bytes(hand)),
            *(_TRICK[len(trick)], bytes(trick)),
            _LEADER[leader],
            *(_PLAYED[len(played)], bytes(played)),
            *(_TAKERS[len(takers)], bytes(takers)),
            _trump_and_totals_fields(trump, totals),
        )
    )


@lru_cache
def _deal_fields(deal: int, deals: int, dealer: int) -> bytes:
    return v1.MittlereView(deal=deal, deals=deals, dealer=dealer).SerializeToString()


@lru_cache(maxsize=_DEALS_AT_ONCE)
def _trump_and_totals_fields(trump: MittlereTrump | None, totals: tuple[int, ...]) -> bytes:
    return v1.MittlereView(trump=_trump_message(trump), totals=totals).SerializeToString()


def _trump_message(trump: MittlereTrump | None) -> v1.MittlereTrump | None:
    if trump is None:
        return None
    return v1.MittlereTrump(suit=_SUITS[trump.suit], card=_card(trump.card), seat=trump.seat, trick=trump.trick)


def _trump_from(trump: v1.MittlereTrump) -> MittlereTrump:
    return MittlereTrump(suit=_SUITS.index(trump.suit), card=trump.card, seat=trump.seat, trick=trump.trick)


CODEC: Final = MittlereCodec()
"""The codec of Mittlere Jass."""
