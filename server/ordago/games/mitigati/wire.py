"""The values of Mitigati as messages, and back.

Actions and events that say little are made once as messages and handed out again and again.
"""

from collections.abc import Iterable, Sequence
from typing import Final, cast

from ordago import v1
from ordago.cards import sign_or_number
from ordago.games.folder import (
    MalformedActionError,
    refuse_action_of_another_game,
    refuse_options_of_another_game,
)
from ordago.games.mitigati.pack import PACK
from ordago.games.mitigati.rules import RULES
from ordago.games.mitigati.values import (
    CARD,
    OPEN_DISCARD,
    OPEN_STATEMENT,
    PLAY,
    SEATS,
    ActionKind,
    Bargain,
    BargainEnd,
    Declaration,
    EventKind,
    Holding,
    MitigatiAction,
    MitigatiEvent,
    MitigatiOptions,
    MitigatiView,
    Phase,
)

_ACTION_KINDS: Final = {
    ActionKind.STATEMENT: v1.MITIGATI_ACTION_KIND_STATEMENT,
    ActionKind.PLAY: v1.MITIGATI_ACTION_KIND_PLAY,
    ActionKind.DISCARD: v1.MITIGATI_ACTION_KIND_DISCARD,
    ActionKind.CARD: v1.MITIGATI_ACTION_KIND_CARD,
}
_ACTION_KIND_OF: Final = {message: kind for kind, message in _ACTION_KINDS.items()}
_EVENT_KINDS: Final = {
    EventKind.DEAL_STARTED: v1.MITIGATI_EVENT_KIND_DEAL_STARTED,
    EventKind.CARDS_DEALT: v1.MITIGATI_EVENT_KIND_CARDS_DEALT,
    EventKind.STATEMENT_MADE: v1.MITIGATI_EVENT_KIND_STATEMENT_MADE,
    EventKind.PLAY_SAID: v1.MITIGATI_EVENT_KIND_PLAY_SAID,
    EventKind.BARGAIN_FAILED: v1.MITIGATI_EVENT_KIND_BARGAIN_FAILED,
    EventKind.BARGAIN_STRUCK: v1.MITIGATI_EVENT_KIND_BARGAIN_STRUCK,
    EventKind.CARDS_DISCARDED: v1.MITIGATI_EVENT_KIND_CARDS_DISCARDED,
    EventKind.HOLDING_DECLARED: v1.MITIGATI_EVENT_KIND_HOLDING_DECLARED,
    EventKind.CARD_PLAYED: v1.MITIGATI_EVENT_KIND_CARD_PLAYED,
    EventKind.TRICK_TAKEN: v1.MITIGATI_EVENT_KIND_TRICK_TAKEN,
    EventKind.DEAL_SCORED: v1.MITIGATI_EVENT_KIND_DEAL_SCORED,
}
_PHASES: Final = {
    None: v1.MITIGATI_PHASE_UNSPECIFIED,
    Phase.BARGAIN: v1.MITIGATI_PHASE_BARGAIN,
    Phase.DISCARD: v1.MITIGATI_PHASE_DISCARD,
    Phase.TRICKS: v1.MITIGATI_PHASE_TRICKS,
}
_PHASE_OF: Final = {message: phase for phase, message in _PHASES.items()}
_ENDS: Final = {
    None: v1.MITIGATI_BARGAIN_END_UNSPECIFIED,
    BargainEnd.PLAY: v1.MITIGATI_BARGAIN_END_PLAY,
    BargainEnd.BELOW_ZERO: v1.MITIGATI_BARGAIN_END_BELOW_ZERO,
}
_END_OF: Final = {message: end for end, message in _ENDS.items()}
_HOLDINGS: Final = {
    None: v1.MITIGATI_HOLDING_UNSPECIFIED,
    Holding.TAROCCHI: v1.MITIGATI_HOLDING_TAROCCHI,
    Holding.REALE: v1.MITIGATI_HOLDING_REALE,
    Holding.MITIGATI: v1.MITIGATI_HOLDING_MITIGATI,
    Holding.ONORI: v1.MITIGATI_HOLDING_ONORI,
}


def _card(card: int) -> v1.Card:
    """Return a card as the stubs type it: its code is its number on the wire."""
    return cast("v1.Card", card)


def _cards(cards: Sequence[int]) -> Sequence[v1.Card]:
    return cast("Sequence[v1.Card]", cards)


def _action_message(action: MitigatiAction) -> v1.Action:
    return v1.Action(
        mitigati=v1.MitigatiAction(
            kind=_ACTION_KINDS[action.kind],
            amount=action.amount,
            cards=_cards(action.cards),
            card=_card(action.card),
        )
    )


def _event_message(event: MitigatiEvent) -> v1.Event:
    return v1.Event(
        mitigati=v1.MitigatiEvent(
            kind=_EVENT_KINDS[event.kind],
            seat=event.seat,
            card=_card(event.card),
            cards=_cards(event.cards),
            number=event.number,
            amount=event.amount,
            holding=_HOLDINGS[event.holding],
            deal=event.deal,
            turn=event.turn,
            points=event.points,
            scores=event.scores,
        )
    )


def _frequent_events() -> Iterable[MitigatiEvent]:
    for seat in range(SEATS):
        yield MitigatiEvent(EventKind.PLAY_SAID, seat=seat)
        yield MitigatiEvent(EventKind.TRICK_TAKEN, seat=seat)
        for card in PACK:
            yield MitigatiEvent(EventKind.CARD_PLAYED, seat=seat, card=card)


_ACTION_MESSAGES: Final = {
    action: _action_message(action) for action in (PLAY, OPEN_STATEMENT, OPEN_DISCARD, *CARD.values())
}
_EVENT_MESSAGES: Final = {event: _event_message(event) for event in _frequent_events()}


class MitigatiCodec:
    """Turns the values of Mitigati into messages and back."""

    def options(self, options: MitigatiOptions) -> v1.GameOptions:
        """Return the message of some options, complete."""
        return v1.GameOptions(mitigati=_options_message(options))

    def options_from(self, message: v1.GameOptions) -> MitigatiOptions:
        """Return the options of a message; those that it leaves empty take their defaults.

        Raises:
            OptionError: a value that the option cannot take, or the options of another game.
        """
        refuse_options_of_another_game(message, name=RULES.name)
        return _options_from(message.mitigati)

    def view(self, view: MitigatiView) -> bytes:
        """Return the message of a view, serialized. It does not name the seat that sees: the decision does."""
        return v1.View(
            mitigati=v1.MitigatiView(
                options=_options_message(view.options),
                deal=view.deal,
                deals_played=view.deals_played,
                turn=view.turn,
                struck=view.struck,
                dealer=view.dealer,
                phase=_PHASES[view.phase],
                stage=view.stage,
                held=view.held,
                hand=_cards(view.hand),
                discard=_cards(view.discard),
                bargains=map(_bargain_message, view.bargains),
                declarations=map(_declaration_message, view.declarations),
                trick=_cards(view.trick),
                leader=view.leader,
                played=_cards(view.played),
                takers=view.takers,
                chips=view.chips,
            )
        ).SerializeToString()

    def view_from(self, message: v1.View, *, seat: int) -> MitigatiView:
        """Return the view of a seat from the message that a server sent it with a decision."""
        seen = message.mitigati
        return MitigatiView(
            seat=seat,
            options=_options_from(seen.options),
            deal=seen.deal,
            deals_played=seen.deals_played,
            turn=seen.turn,
            struck=seen.struck,
            dealer=seen.dealer,
            phase=_PHASE_OF[seen.phase],
            stage=seen.stage,
            held=tuple(seen.held),
            hand=tuple(seen.hand),
            discard=tuple(seen.discard),
            bargains=tuple(map(_bargain_from, seen.bargains)),
            declarations=tuple(map(_declaration_from, seen.declarations)),
            trick=tuple(seen.trick),
            leader=seen.leader,
            played=tuple(seen.played),
            takers=tuple(seen.takers),
            chips=tuple(seen.chips),
        )

    def action(self, action: MitigatiAction) -> v1.Action:
        """Return the message of an action. It may be shared: do not change it."""
        return _ACTION_MESSAGES.get(action) or _action_message(action)

    def action_from(self, message: v1.Action) -> MitigatiAction:
        """Return the action of a message that a bot sent, the cards to lay away in order.

        Raises:
            MalformedActionError: the message has no kind of action, or a card that is not of this game.
        """
        refuse_action_of_another_game(message, name=RULES.name, title=RULES.title)
        said = message.mitigati
        kind = _ACTION_KIND_OF.get(said.kind)
        if kind is None:
            kinds = ", ".join(each.name for each in ActionKind)
            raise MalformedActionError(f"Kind {said.kind} is no kind of action; they are {kinds}.", field="kind")
        _check_cards(said.cards, field="cards")
        _check_cards([said.card] if said.card else [], field="card")
        if kind is ActionKind.CARD and said.card and not said.cards and not said.HasField("amount"):
            return CARD[said.card]
        amount = said.amount if said.HasField("amount") else None
        return MitigatiAction(kind, amount, tuple(sorted(said.cards)), said.card)

    def event(self, event: MitigatiEvent) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""
        return _EVENT_MESSAGES.get(event) or _event_message(event)


def _options_message(options: MitigatiOptions) -> v1.MitigatiOptions:
    return v1.MitigatiOptions(
        rounds=options.rounds,
        max_bid=options.max_bid,
        max_struck=options.max_struck,
        round_suits=options.round_suits,
    )


def _options_from(message: v1.MitigatiOptions) -> MitigatiOptions:
    return RULES.options({field.name: value for field, value in message.ListFields()})


def _bargain_message(bargain: Bargain) -> v1.MitigatiBargain:
    return v1.MitigatiBargain(statements=bargain.statements, end=_ENDS[bargain.end])


def _bargain_from(message: v1.MitigatiBargain) -> Bargain:
    return Bargain(tuple(message.statements), _END_OF[message.end])


def _declaration_message(declaration: Declaration) -> v1.MitigatiDeclaration:
    return v1.MitigatiDeclaration(
        seat=declaration.seat,
        holding=_HOLDINGS[declaration.holding],
        number=declaration.number,
        cards=_cards(declaration.cards),
    )


def _declaration_from(message: v1.MitigatiDeclaration) -> Declaration:
    return Declaration(message.seat, Holding(message.holding), message.number, tuple(message.cards))


def _check_cards(cards: Iterable[int], *, field: str) -> None:
    for card in cards:
        if card not in CARD:
            wanted = "its 78 cards are the suits from the ace to the king, the trumps and the Fool"
            raise MalformedActionError(f"{sign_or_number(card)} is no card of {RULES.title}: {wanted}.", field=field)


CODEC: Final = MitigatiCodec()
"""The codec of Mitigati."""
