"""A decision put together from parts is byte for byte what protobuf makes of the same message."""

from collections.abc import Hashable, Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.haggle import GAME as HAGGLE
from support.haggle import Bid, Stay
from support.legal_actions import legal_action_message

from ordago import v1
from ordago.game import CHANCE, FINISHED, AmountRange, Event, LegalAction, Pick, State
from ordago.games import find_game, game_names
from ordago.games.definition import AnyGame
from ordago.match.messages import typed_answer
from ordago.match.seat_clock import TimeLeft
from ordago.search.playouts import any_action
from ordago.wire.decision_parts import DecisionParts, SerializedDecision, decision_parts

TIME = TimeLeft(decision_ms=10_000)


class Asker:
    """Puts each decision in both ways: from parts, and as a message with everything filled in."""

    def __init__(self, game: AnyGame, *, seats: int) -> None:
        self._game = game
        self._parts = decision_parts(game.codec)
        self._views = game.codec.views()
        self._numbers = [0] * seats
        self._told = [0] * seats
        self._fields: list[list[bytes]] = [[] for _ in range(seats)]
        self._messages: list[list[v1.Event]] = [[] for _ in range(seats)]

    def happened(self, events: Sequence[Event[Hashable]]) -> None:
        for event in events:
            parts = self._parts.event(event)
            for seat, (fields, messages) in enumerate(zip(self._fields, self._messages, strict=True)):
                field = parts.full if parts.audience >> seat & 1 else parts.redacted
                seen = event.seen_by(seat)
                assert bool(field) is (seen is not None)
                if seen is not None:
                    fields.append(field)
                    messages.append(self._game.codec.event(seen))

    def ask(self, state: State[Hashable, Hashable, object]) -> tuple[SerializedDecision, v1.Decision]:
        seat = state.actor
        self._numbers[seat] += 1
        first = self._told[seat] + 1
        self._told[seat] += len(self._messages[seat])
        decision = self._parts.decision(
            number=self._numbers[seat],
            seat=seat,
            first_event=first,
            events=self._fields[seat],
            legal_actions=state.legal_actions(),
            extras=state.extras(),
            default=state.default_action(),
            view=self._views(state.view(seat)),
        )
        message = self._message(state, first, self._messages[seat])
        self._fields[seat], self._messages[seat] = [], []
        return decision, message

    def _message(self, state: State[Hashable, Hashable, object], first: int, events: Sequence[v1.Event]) -> v1.Decision:
        codec = self._game.codec
        return v1.Decision(
            number=self._numbers[state.actor],
            seat=state.actor,
            first_event=first,
            events=events,
            actions=[legal_action_message(self._game, n, a) for n, a in enumerate(state.legal_actions(), start=1)],
            extras=[v1.Extra(id=n, action=codec.action(a)) for n, a in enumerate(state.extras(), start=1)],
            default_answer=v1.Answer(action=codec.action(state.default_action())),
            clock=v1.ClockState(decision_ms=10_000),
            view=v1.View.FromString(codec.views()(state.view(state.actor))),
        )


def decisions(game: AnyGame, rng: Random) -> Iterator[tuple[SerializedDecision, v1.Decision]]:
    """Play a match by chance and put each decision of it."""
    seats = game.rules.seat_counts[0]
    state = game.rules.new_match(seats=seats, options=game.rules.options({}))
    asker = Asker(game, seats=seats)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            cards = list(state.shuffle_due().cards)
            rng.shuffle(cards)
            asker.happened(state.supply(cards))
        else:
            yield asker.ask(state)
            asker.happened(state.apply(any_action(game, rng.choice(state.legal_actions()), rng)))


@pytest.mark.slow
@pytest.mark.parametrize("game", [*map(find_game, game_names()), HAGGLE], ids=lambda game: game.name)
@settings(max_examples=6)
@given(seed=st.integers(0, 2**32))
def test_each_decision_of_a_match(game: AnyGame, seed: int) -> None:
    asked = 0
    for decision, message in decisions(game, Random(seed)):
        asked += 1
        assert decision.number == message.number
        assert decision.serialized(TIME.serialized()) == message.SerializeToString(deterministic=True)
        assert read(decision) == message
    assert asked >= 2


def test_equal_actions_of_two_types_are_told_apart() -> None:
    """They are what a table that knows values by their equality would confuse."""
    stay, bid = Stay(2), Bid(2)
    assert stay == bid
    parts = DecisionParts(HAGGLE.codec)
    for action in (stay, bid, stay, bid):
        message = read(put(parts, action))
        assert message.actions[0] == legal_action_message(HAGGLE, 1, LegalAction(action))
        assert message.default_answer == typed_answer(HAGGLE, action)


@pytest.mark.slow
def test_objects_that_are_gone_are_not_confused_with_new_ones_at_their_place() -> None:
    parts = DecisionParts(HAGGLE.codec)
    for number in range(10_000):
        action = Bid(number)
        message = read(put(parts, action))
        assert message.default_answer == typed_answer(HAGGLE, action)


def put(parts: DecisionParts, action: Hashable) -> SerializedDecision:
    """Put a decision with a single action, which is also the default."""
    return parts.decision(
        number=1,
        seat=0,
        first_event=1,
        events=[],
        legal_actions=[LegalAction(action)],
        extras=[],
        default=action,
        view=b"",
    )


def read(decision: SerializedDecision) -> v1.Decision:
    return v1.Decision.FromString(decision.serialized(TIME.serialized()))


def test_open_parts_and_extras() -> None:
    pick, amount = Pick((1, 2, 3), 1, 2), AmountRange(-3, 300)
    decision = decision_parts(HAGGLE.codec).decision(
        number=300,
        seat=1,
        first_event=70_000,
        events=[],
        legal_actions=[LegalAction(Bid(), amount=amount, picks=(pick, pick))] * 2,
        extras=[Stay(signal="nod"), Stay(signal="x")],
        default=Stay(),
        view=b"",
    )
    message = read(decision)
    assert (message.number, message.seat, message.first_event) == (300, 1, 70_000)
    assert [action.id for action in message.actions] == [1, 2]
    assert message.actions[1].amount == v1.AmountRange(min=-3, max=300)
    assert list(message.actions[1].picks) == [v1.Pick(cards=[1, 2, 3], min=1, max=2)] * 2  # type: ignore[list-item]  # cards are codes
    assert [extra.id for extra in message.extras] == [1, 2]
    assert message.extras[1].action == HAGGLE.codec.action(Stay(signal="x"))
    assert decision.serialized(TIME.serialized()) == message.SerializeToString(deterministic=True)
