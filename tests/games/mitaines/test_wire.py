"""Values survive the way to the wire and back, and what bots send is looked at closely."""

from random import Random

import pytest
from games.mitaines.table import action_of, at_table, cards, eager_step, new_match, shuffle, whole_match

from ordago import v1
from ordago.cards import card_of
from ordago.game import CHANCE, FINISHED, OptionError
from ordago.games.mitaines import GAME
from ordago.games.mitaines.combinations import Combination
from ordago.games.mitaines.values import PLAY, Clear, EventKind, MitainesEvent, MitainesOptions, PlayCard
from ordago.wire.codec import NoSuchActionError

CODEC = GAME.codec
A_CARD = card_of("A♠")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_views_at_decisions_come_back_as_they_went(seats: int) -> None:
    rng = Random(seats)
    state = new_match(seats=seats, max_deals=4, target=10_000)
    robbed = 0
    while state.actor != FINISHED:
        if state.actor != CHANCE:
            view = state.view(state.actor)
            received = v1.View.FromString(CODEC.views()(view))
            assert CODEC.view_from(received, seat=view.seat) == view
            robbed += bool(view.declaration and view.declaration.stolen)
        eager_step(state, rng)
    assert robbed


def test_a_view_fills_every_field_of_its_message() -> None:
    hands = [cards("9♣ 8♣ 8♦ 2♣"), cards("9♦ K♦ K♠ 4♣"), cards("2♥ A♦ A♥ 5♣")]
    state = at_table(hands, stock=cards("7♥"))
    for said in ("9♣", "9♦", "2♥", "8♣ mitten", "K♦ mitten", "A♦ mitten"):
        state.apply(action_of(said))
    view = state.view(1)._replace(deal=1, dealer=1)
    message = v1.View.FromString(CODEC.views()(view)).mitaines
    assert {field.name for field, _ in message.ListFields()} == set(message.DESCRIPTOR.fields_by_name)
    declaration, stolen = message.declaration, message.declaration.stolen[1]
    assert {field.name for field, _ in declaration.ListFields()} == set(declaration.DESCRIPTOR.fields_by_name)
    assert {field.name for field, _ in stolen.ListFields()} == set(stolen.DESCRIPTOR.fields_by_name)


def test_nobody_and_nothing_are_absent_fields() -> None:
    state = new_match()
    shuffle(state, Random(1))
    message = v1.View.FromString(CODEC.views()(state.view(0))).mitaines
    assert not message.HasField("declaration")
    assert not message.HasField("last_clearer")


def test_actions_come_back_as_they_went() -> None:
    for actions in PLAY.values():
        for action in actions:
            received = v1.Action.FromString(CODEC.action(action).SerializeToString())
            assert CODEC.action_from(received) == action
            assert CODEC.action_from(received) is CODEC.action_from(CODEC.action(action))


def test_an_equal_action_made_by_somebody_else_has_the_same_message() -> None:
    assert CODEC.action(PlayCard(A_CARD, Combination.MITTEN)) is CODEC.action(PLAY[A_CARD][Combination.MITTEN])


@pytest.mark.parametrize(
    ("message", "sentence", "field"),
    [
        (v1.Action(), "This is a match of Mitaines: fill in 'mitaines' of the action.", ""),
        (v1.Action(mittlere=v1.MittlereAction()), "This is a match of Mitaines: fill in 'mitaines'", ""),
        (v1.Action(mitaines=v1.MitainesAction()), "Card 0 is no card of Mitaines: its 52 cards are", "card"),
        (v1.Action(mitaines=v1.MitainesAction(card=v1.CARD_KNIGHT_OF_HEARTS)), "C♥ is no card of Mitaines", "card"),
        (v1.Action(mitaines=v1.MitainesAction(card=v1.CARD_FOOL)), "O is no card of Mitaines", "card"),
        (v1.Action(mitaines=v1.MitainesAction(card=4711)), "Card 4711 is no card of Mitaines", "card"),  # type: ignore[arg-type] # a bot may send it
        (v1.Action(mitaines=v1.MitainesAction(card=-1)), "Card -1 is no card of Mitaines", "card"),  # type: ignore[arg-type] # a bot may send it
        (
            v1.Action(mitaines=v1.MitainesAction(card=v1.CARD_ACE_OF_SPADES, combination=6)),  # type: ignore[arg-type] # a bot may send it
            *("There is no combination 6: they are mitten, glove, sock,", "combination"),
        ),
        (
            v1.Action(mitaines=v1.MitainesAction(card=v1.CARD_ACE_OF_SPADES, combination=-1)),  # type: ignore[arg-type] # a bot may send it
            *("There is no combination -1: they are", "combination"),
        ),
    ],
)
def test_an_action_that_names_nothing_of_the_game_is_refused(message: v1.Action, sentence: str, field: str) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        CODEC.action_from(message)
    assert str(caught.value).startswith(sentence)
    assert caught.value.field == field


def test_options_come_back_as_they_went() -> None:
    for options in (MitainesOptions(), MitainesOptions(target=10), MitainesOptions(max_deals=1_000)):
        assert CODEC.options_from(CODEC.options(options)) == options


@pytest.mark.parametrize("message", [v1.GameOptions(), v1.GameOptions(mitaines=v1.MitainesOptions())])
def test_options_left_out_take_their_defaults(message: v1.GameOptions) -> None:
    assert CODEC.options_from(message) == MitainesOptions(target=500, max_deals=60)


def test_options_that_cannot_be_played_are_rejected() -> None:
    with pytest.raises(OptionError, match="option 'target' takes a whole number from 10"):
        CODEC.options_from(v1.GameOptions(mitaines=v1.MitainesOptions(target=5)))


def test_options_of_another_game_are_rejected() -> None:
    with pytest.raises(OptionError, match="these are options of another game, 'mittlere'"):
        CODEC.options_from(v1.GameOptions(mittlere=v1.MittlereOptions(deals=12)))


def test_every_event_of_a_match_says_on_the_wire_what_it_says_here() -> None:
    kinds = set()
    for seats in (2, 3, 4):
        for event in whole_match(seats, seats=seats):
            for said in (event.full, event.seen_by(((event.full.seat or 0) + 1) % seats)):
                assert said is not None
                message = v1.Event.FromString(CODEC.event(said).SerializeToString()).mitaines
                assert as_value(message) == said
                kinds.add(said.kind)
    assert kinds == set(EventKind)


def as_value(message: v1.MitainesEvent) -> MitainesEvent:
    return MitainesEvent(
        kind=EventKind(message.kind),
        seat=message.seat if message.HasField("seat") else None,
        card=message.card,
        combination=Combination(message.combination),
        cards=tuple(message.cards),
        deal=message.deal,
        robbed_seat=message.robbed_seat if message.HasField("robbed_seat") else None,
        clear=Clear(message.clear) if message.clear else None,
        doubled=message.doubled,
        points=message.points,
        declared_points=message.declared_points,
        laid_points=message.laid_points,
        single_points=message.single_points,
        ten_points=message.ten_points,
        scores=tuple(message.scores),
        totals=tuple(message.totals),
    )


@pytest.mark.parametrize("kind", EventKind)
def test_kinds_have_the_names_of_the_contract(kind: EventKind) -> None:
    assert v1.MitainesEventKind.Name(kind) == f"MITAINES_EVENT_KIND_{kind.name}"


@pytest.mark.parametrize("clear", Clear)
def test_clears_have_the_names_of_the_contract(clear: Clear) -> None:
    assert v1.MitainesClear.Name(clear) == f"MITAINES_CLEAR_{clear.name}"


@pytest.mark.parametrize("combination", list(Combination)[1:])
def test_combinations_have_the_names_of_the_contract(combination: Combination) -> None:
    assert v1.MitainesCombination.Name(combination) == f"MITAINES_COMBINATION_{combination.name}"
