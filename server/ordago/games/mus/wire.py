"""The values of Mus as messages, and back.

The enumerations here have the numbers that they have on the wire, so that one is the other, and ``None`` is zero.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, TypeVar, cast

from ordago import v1
from ordago.cards import sign_or_number
from ordago.games.folder import (
    MalformedActionError,
    refuse_action_of_another_game,
    refuse_options_of_another_game,
)
from ordago.games.mus.hands import PACK
from ordago.games.mus.rules import RULES
from ordago.games.mus.values import (
    ActionKind,
    Lance,
    MusAction,
    MusEvent,
    MusOptions,
    MusView,
    Phase,
    Reason,
    Result,
    Ruleset,
    Settlement,
    Signal,
    SignalsSeen,
    Statement,
)

_RULESETS: Final = {
    Ruleset.SOURCE: v1.MUS_RULESET_SOURCE,
    Ruleset.FEDERATION: v1.MUS_RULESET_FEDERATION,
}
_SIGNALS_SEEN: Final = {
    SignalsSeen.OFF: v1.MUS_SIGNALS_OFF,
    SignalsSeen.PARTNER: v1.MUS_SIGNALS_PARTNER,
    SignalsSeen.OPEN: v1.MUS_SIGNALS_OPEN,
}
_RULESET_OF: Final = {number: ruleset for ruleset, number in _RULESETS.items()}
_SIGNALS_SEEN_OF: Final = {number: seen for seen, number in _SIGNALS_SEEN.items()}

_REMEMBERED: Final = 4096
"""How many actions, and how many events, are kept as messages to be handed out again."""
_KIND_NUMBERS: Final = frozenset(map(int, ActionKind))
_SIGNAL_NUMBERS: Final = frozenset(map(int, Signal))
_WORDY_OPTIONS: Final = ("ruleset", "signals")
_NumberT = TypeVar("_NumberT", Lance, ActionKind, Signal, Result, Reason)


# The stubs take their own enumerations only; what is cast here has the same numbers.


def _kind(kind: ActionKind | None) -> v1.MusActionKind:
    return cast("v1.MusActionKind", kind or 0)


def _lance(lance: Lance | None) -> v1.MusLance:
    return cast("v1.MusLance", lance or 0)


def _signal(signal: Signal | None) -> v1.MusSignal:
    return cast("v1.MusSignal", signal or 0)


def _cards(cards: Sequence[int]) -> Sequence[v1.Card]:
    return cast("Sequence[v1.Card]", cards)


def _from(numbers: type[_NumberT], number: int) -> _NumberT | None:
    """Return the value of a number on the wire, where zero is ``None``."""
    return numbers(number) if number else None


@lru_cache(_REMEMBERED)
def _action_message(action: MusAction) -> v1.Action:
    kind, amount, cards, binding, signal = action
    return v1.Action(
        mus=v1.MusAction(kind=_kind(kind), amount=amount, cards=_cards(cards), binding=binding, signal=_signal(signal))
    )


@lru_cache(_REMEMBERED)
def _event_message(event: MusEvent) -> v1.Event:
    return v1.Event(
        mus=v1.MusEvent(
            kind=cast("v1.MusEventKind", event.kind),
            seat=event.seat,
            side=event.side,
            lance=_lance(event.lance),
            said=_kind(event.said),
            amount=event.amount,
            binding=event.binding,
            signal=_signal(event.signal),
            cards=_cards(event.cards),
            seats=event.seats,
            result=cast("v1.MusResult", event.result or 0),
            reason=cast("v1.MusReason", event.reason or 0),
            deal=event.deal,
            game=event.game,
            points=event.points,
            games=event.games,
        )
    )


@lru_cache(_REMEMBERED)
def _statement_message(said: Statement) -> v1.MusStatement:
    return v1.MusStatement(
        seat=said.seat,
        kind=_kind(said.kind),
        lance=_lance(said.lance),
        amount=said.amount,
        binding=said.binding,
        signal=_signal(said.signal),
    )


def _statement_from(said: v1.MusStatement) -> Statement:
    return Statement(
        seat=said.seat,
        kind=ActionKind(said.kind),
        lance=_from(Lance, said.lance),
        amount=said.amount,
        binding=said.binding,
        signal=_from(Signal, said.signal),
    )


@lru_cache(_REMEMBERED)
def _settlement_message(settled: Settlement) -> v1.MusSettlement:
    return v1.MusSettlement(
        lance=_lance(settled.lance),
        result=cast("v1.MusResult", settled.result),
        side=settled.side,
        stake=settled.stake,
    )


def _settlement_from(settled: v1.MusSettlement) -> Settlement:
    return Settlement(
        lance=Lance(settled.lance),
        result=Result(settled.result),
        side=settled.side if settled.HasField("side") else None,
        stake=settled.stake,
    )


@cache
def _options_message(options: MusOptions) -> v1.MusOptions:
    return v1.MusOptions(
        ruleset=_RULESETS[options.ruleset],
        kings=options.kings,
        target=options.target,
        games=options.games,
        max_mus=options.max_mus,
        max_deals=options.max_deals,
        signals=_SIGNALS_SEEN[options.signals],
        signals_from_deal=options.signals_from_deal,
    )


def _options_from(message: v1.MusOptions) -> MusOptions:
    """Return the options of a message; those that it leaves empty take their defaults."""
    values: dict[str, object] = {
        spec.name: getattr(message, spec.name) or spec.default
        for spec in RULES.option_specs
        if spec.name not in _WORDY_OPTIONS
    }
    if message.ruleset:
        values["ruleset"] = _RULESET_OF.get(message.ruleset, message.ruleset)
    if message.signals:
        values["signals"] = _SIGNALS_SEEN_OF.get(message.signals, message.signals)
    return RULES.options(values)


@lru_cache(_REMEMBERED)
def _options_of_view(serialized: bytes) -> MusOptions:
    return _options_from(v1.MusOptions.FromString(serialized))


class MusCodec:
    """Turns the values of Mus into messages and back."""

    def options(self, options: MusOptions) -> v1.GameOptions:
        """Return the message of some options, complete."""
        return v1.GameOptions(mus=_options_message(options))

    def options_from(self, message: v1.GameOptions) -> MusOptions:
        """Return the options of a message; those that it leaves empty take their defaults.

        Raises:
            OptionError: a value that the option cannot take, or the options of another game.
        """
        refuse_options_of_another_game(message, name=RULES.name)
        return _options_from(message.mus)

    def view(self, view: MusView) -> bytes:
        """Return the message of a view, serialized. It does not name the seat that sees: the decision does."""
        return v1.View(
            mus=v1.MusView(
                options=_options_message(view.options),
                game=view.game,
                deal=view.deal,
                deal_of_game=view.deal_of_game,
                dealer=view.dealer,
                points=view.points,
                games=view.games,
                phase=cast("v1.MusPhase", view.phase),
                lance=_lance(view.lance),
                hand=_cards(view.hand),
                stock=view.stock,
                said=[_statement_message(said) for said in view.said],
                discarded=_cards(view.discarded),
                drawn=_cards(view.drawn),
                reshuffled=view.reshuffled,
                pares=view.pares,
                juego=view.juego,
                stake=view.stake,
                agreed=view.agreed,
                ordago=view.ordago,
                bettor=view.bettor,
                answered=_kind(view.answered),
                settled=[_settlement_message(settled) for settled in view.settled],
                shown=_cards(view.shown),
            )
        ).SerializeToString()

    def view_from(self, message: v1.View, *, seat: int) -> MusView:
        """Return the view of a seat from the message that a server sent it with a decision."""
        seen = message.mus
        return MusView(
            seat=seat,
            options=_options_of_view(seen.options.SerializeToString(deterministic=True)),
            game=seen.game,
            deal=seen.deal,
            deal_of_game=seen.deal_of_game,
            dealer=seen.dealer,
            points=tuple(seen.points),
            games=tuple(seen.games),
            phase=Phase(seen.phase),
            lance=_from(Lance, seen.lance),
            hand=tuple(seen.hand),
            stock=seen.stock,
            said=tuple(map(_statement_from, seen.said)),
            discarded=tuple(seen.discarded),
            drawn=tuple(seen.drawn),
            reshuffled=tuple(seen.reshuffled),
            pares=tuple(seen.pares),
            juego=tuple(seen.juego),
            stake=seen.stake,
            agreed=seen.agreed,
            ordago=seen.ordago,
            bettor=seen.bettor if seen.HasField("bettor") else None,
            answered=_from(ActionKind, seen.answered),
            settled=tuple(map(_settlement_from, seen.settled)),
            shown=tuple(seen.shown),
        )

    def action(self, action: MusAction) -> v1.Action:
        """Return the message of an action. It may be shared: do not change it."""
        return _action_message(action)

    def action_from(self, message: v1.Action) -> MusAction:
        """Return the action of a message that a bot sent. Its cards are put in order.

        Raises:
            MalformedActionError: the message names no action of this game.
        """
        refuse_action_of_another_game(message, name=RULES.name, title=RULES.title)
        said = message.mus
        if said.kind not in _KIND_NUMBERS and not _is_extra(said):
            raise MalformedActionError(f"{said.kind} is no kind of action in {RULES.title}.", field="kind")
        if said.signal and said.signal not in _SIGNAL_NUMBERS:
            raise MalformedActionError(f"{said.signal} is no signal of {RULES.title}.", field="signal")
        for card in said.cards:
            if card not in PACK:
                raise MalformedActionError(f"{sign_or_number(card)} is no card of {RULES.title}.", field="cards")
        kind, signal = _from(ActionKind, said.kind), _from(Signal, said.signal)
        return MusAction(kind, said.amount, tuple(sorted(said.cards)), said.binding, signal)

    def event(self, event: MusEvent) -> v1.Event:
        """Return the message of an event. It may be shared: do not change it."""
        return _event_message(event)


def _is_extra(action: v1.MusAction) -> bool:
    return not action.kind and bool(action.signal)


CODEC: Final = MusCodec()
"""The codec of Mus."""
