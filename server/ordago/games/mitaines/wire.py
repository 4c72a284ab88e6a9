"""The values of Mitaines as messages, and back.

Actions, and events that say nothing but what a player did, are made once as messages and handed out again and again.
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
from ordago.games.mitaines.combinations import COMBINATIONS, Combination
from ordago.games.mitaines.pack import PACK
from ordago.games.mitaines.rules import RULES
from ordago.games.mitaines.values import (
    PLAY,
    SEAT_COUNTS,
    Declaration,
    EventKind,
    MitainesEvent,
    MitainesOptions,
    MitainesView,
    PlayCard,
    Stolen,
)


def _card(card: int) -> v1.Card:
    """Return a card as the stubs type it: its code is its number on the wire."""
    return cast("v1.Card", card)


def _cards(cards: Sequence[int]) -> Sequence[v1.Card]:
    return cast("Sequence[v1.Card]", cards)


def _combination(combination: Combination) -> v1.MitainesCombination:
    """Return a combination as the stubs type it: the two enumerations have the same numbers."""
    return cast("v1.MitainesCombination", combination)


def _action_message(action: PlayCard) -> v1.Action:
    played = v1.MitainesAction(card=_card(action.card), combination=_combination(action.combination))
    return v1.Action(mitaines=played)


def _event_message(event: MitainesEvent) -> v1.Event:
    return v1.Event(
        mitaines=v1.MitainesEvent(
            kind=cast("v1.MitainesEventKind", event.kind),
            seat=event.seat,
            card=_card(event.card),
            combination=_combination(event.combination),
            cards=_cards(event.cards),
            deal=event.deal,
            robbed_seat=event.robbed_seat,
            clear=cast("v1.MitainesClear | None", event.clear),
            doubled=event.doubled,
            points=event.points,
            declared_points=event.declared_points,
            laid_points=event.laid_points,
            single_points=event.single_points,
            ten_points=event.ten_points,
            scores=event.scores,
            totals=event.totals,
        )
    )


def _frequent_events() -> Iterable[MitainesEvent]:
    for seat in range(max(SEAT_COUNTS)):
        yield MitainesEvent(EventKind.HAND_DEALT, seat=seat)
        for card in PACK:
            for combination in COMBINATIONS:
                yield MitainesEvent(EventKind.CARD_PLAYED, seat=seat, card=card, combination=combination)


_ACTION_MESSAGES: Final = {action: _action_message(action) for actions in PLAY.values() for action in actions}
_EVENT_MESSAGES: Final = {event: _event_message(event) for event in _frequent_events()}


class MitainesCodec:
    """Turns the values of Mitaines into messages and back."""

    def options(self, options: MitainesOptions) -> v1.GameOptions:
        """Return the message of some options, complete."""
        return v1.GameOptions(mitaines=v1.MitainesOptions(target=options.target, max_deals=options.max_deals))

    def options_from(self, message: v1.GameOptions) -> MitainesOptions:
        """Return the options of a message; those that it leaves empty take their defaults.

        Raises:
            OptionError: a number out of range, or the options of another game.
        """
        refuse_options_of_another_game(message, name=RULES.name)
        given = {"target": message.mitaines.target, "max_deals": message.mitaines.max_deals}
        return RULES.options({name: value for name, value in given.items() if value})

    def view(self, view: MitainesView) -> bytes:
        """Return the message of a view, serialized. It does not name the seat that sees: the decision does."""
        return v1.View(
            mitaines=v1.MitainesView(
                target=view.target,
                max_deals=view.max_deals,
                deal=view.deal,
                dealer=view.dealer,
                hand=_cards(view.hand),
                hand_sizes=view.hand_sizes,
                stock=view.stock,
                pile=_cards(view.pile),
                laid=_cards(view.laid),
                declaration=_declaration_message(view.declaration),
                played=_cards(view.played),
                declared=cast("Sequence[v1.MitainesCombination]", view.declared),
                clears=view.clears,
                last_clearer=view.last_clearer,
                scores=view.scores,
                totals=view.totals,
            )
        ).SerializeToString()

    def view_from(self, message: v1.View, *, seat: int) -> MitainesView:
        """Return the view of a seat from the message that a server sent it with a decision."""
        seen = message.mitaines
        return MitainesView(
            seat=seat,
            target=seen.target,
            max_deals=seen.max_deals,
            deal=seen.deal,
            dealer=seen.dealer,
            hand=tuple(seen.hand),
            hand_sizes=tuple(seen.hand_sizes),
            stock=seen.stock,
            pile=tuple(seen.pile),
            laid=tuple(seen.laid),
            declaration=_declaration_from(seen.declaration) if seen.HasField("declaration") else None,
            played=tuple(seen.played),
            declared=tuple(COMBINATIONS[combination] for combination in seen.declared),
            clears=tuple(seen.clears),
            last_clearer=seen.last_clearer if seen.HasField("last_clearer") else None,
            scores=tuple(seen.scores),
            totals=tuple(seen.totals),
        )

    def action(self, action: PlayCard) -> v1.Action:
        """Return the message of an action. It is shared: do not change it."""
        return _ACTION_MESSAGES[action]

    def action_from(self, message: v1.Action) -> PlayCard:
        """Return the action of a message that a bot sent.

        Raises:
            MalformedActionError: the message names no card or no combination of this game.
        """
        refuse_action_of_another_game(message, name=RULES.name, title=RULES.title)
        card, combination = message.mitaines.card, message.mitaines.combination
        if card not in PLAY:
            wanted = "its 52 cards are A, 2 to 10, J, Q and K of clubs, diamonds, hearts and spades"
            raise MalformedActionError(f"{sign_or_number(card)} is no card of {RULES.title}: {wanted}.", field="card")
        if not 0 <= combination < len(COMBINATIONS):
            wanted = "they are mitten, glove, sock, added glove and added sock, 1 to 5, or 0 for none"
            raise MalformedActionError(f"There is no combination {combination}: {wanted}.", field="combination")
        return PLAY[card][combination]

    def event(self, event: MitainesEvent) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""
        return _EVENT_MESSAGES.get(event) or _event_message(event)


def _declaration_message(declaration: Declaration | None) -> v1.MitainesDeclaration | None:
    if declaration is None:
        return None
    return v1.MitainesDeclaration(
        seat=declaration.seat,
        combination=_combination(declaration.combination),
        rank=declaration.rank,
        cards_left=declaration.cards_left,
        points=declaration.points,
        stolen=[
            v1.MitainesStolen(seat=stolen.seat, combination=_combination(stolen.combination), rank=stolen.rank)
            for stolen in declaration.stolen
        ],
    )


def _declaration_from(message: v1.MitainesDeclaration) -> Declaration:
    return Declaration(
        seat=message.seat,
        combination=COMBINATIONS[message.combination],
        rank=message.rank,
        cards_left=message.cards_left,
        points=message.points,
        stolen=tuple(Stolen(one.seat, COMBINATIONS[one.combination], one.rank) for one in message.stolen),
    )


CODEC: Final = MitainesCodec()
"""The codec of Mitaines."""
