"""Values survive the way to the wire and back, and what bots send is looked at closely."""

from random import Random

import pytest
from games.mitigati.table import any_action, dealt, in_bargain, lay_away, new_match, play, shuffle, whole_match

from ordago import v1
from ordago.cards import card_of
from ordago.game import CHANCE, FINISHED, OptionError
from ordago.games.mitigati import GAME
from ordago.games.mitigati.values import (
    CARD,
    OPEN_DISCARD,
    OPEN_STATEMENT,
    PLAY,
    ActionKind,
    BargainEnd,
    EventKind,
    Holding,
    MitigatiAction,
    MitigatiEvent,
    MitigatiOptions,
    Phase,
    Ranking,
    discard_of,
    statement_of,
)
from ordago.wire.codec import NoSuchActionError

CODEC = GAME.codec


@pytest.mark.parametrize("seed", range(5))
def test_views_at_decisions_come_back_as_they_went(seed: int) -> None:
    rng = Random(seed)
    state = new_match(ranking=Ranking.PIEDMONT if seed % 2 else Ranking.SOURCE, max_bid=100 - seed)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            shuffle(state, rng)
        view = state.view(state.actor)
        received = v1.View.FromString(CODEC.views()(view))
        assert CODEC.view_from(received, seat=view.seat) == view
        state.apply(any_action(state, rng))


def test_a_view_fills_every_field_of_its_message() -> None:
    state = dealt("K♣ K♦ K♥ K♠ 2♠", "3♠", "4♠ 5♠ 6♠ 7♠", ranking=Ranking.PIEDMONT, chips=50)
    lay_away(state, "5♠ 6♠ 7♠")
    play(state, "2♠ 3♠ 4♠")
    view = state.view(2)._replace(deal=3, deals_played=1, turn=1, struck=1, trick=(14,), leader=2)
    message = v1.View.FromString(CODEC.views()(view)).mitigati
    assert {field.name for field, _ in message.ListFields()} == set(message.DESCRIPTOR.fields_by_name)
    options = {field.name for field, _ in message.options.ListFields()}
    assert options == set(message.options.DESCRIPTOR.fields_by_name)


@pytest.mark.parametrize(
    "action",
    [
        *(PLAY, OPEN_STATEMENT, OPEN_DISCARD, CARD[1], CARD[78]),
        *(statement_of(0), statement_of(-100), statement_of(77), discard_of((9, 3, 5))),
    ],
)
def test_actions_come_back_as_they_went(action: MitigatiAction) -> None:
    received = v1.Action.FromString(CODEC.action(action).SerializeToString())
    assert CODEC.action_from(received) == action


def test_an_action_that_says_zero_is_not_one_that_says_nothing() -> None:
    assert CODEC.action(statement_of(0)).mitigati.HasField("amount")
    assert not CODEC.action(OPEN_STATEMENT).mitigati.HasField("amount")


def test_an_equal_action_made_by_somebody_else_has_the_same_message() -> None:
    made = MitigatiAction(ActionKind.CARD, card=card_of("A♠"))
    assert CODEC.action(made) is CODEC.action(CARD[card_of("A♠")])


def test_every_card_comes_back_as_it_went() -> None:
    for action in CARD.values():
        assert CODEC.action_from(CODEC.action(action)) == action


def test_the_order_in_which_a_bot_lists_its_discard_is_lost() -> None:
    message = v1.Action(mitigati=v1.MitigatiAction(kind=v1.MITIGATI_ACTION_KIND_DISCARD))
    message.mitigati.cards.extend([v1.CARD_FIVE_OF_CLUBS, v1.CARD_TWO_OF_CLUBS, v1.CARD_FOUR_OF_CLUBS])
    assert CODEC.action_from(message) == discard_of((2, 4, 5))


def with_kind(kind: int, card: int = 0, cards: tuple[int, ...] = ()) -> v1.Action:
    return v1.Action(mitigati=v1.MitigatiAction(kind=kind, card=card, cards=cards))  # type: ignore[arg-type] # a bot may send any number


@pytest.mark.parametrize(
    ("message", "sentence", "field"),
    [
        (v1.Action(), "This is a match of Mitigati: fill in 'mitigati' of the action.", ""),
        (with_kind(0), "Kind 0 is no kind of action; they are STATEMENT, PLAY, DISCARD, CARD.", "kind"),
        (with_kind(9), "Kind 9 is no kind of action; they are STATEMENT, PLAY, DISCARD, CARD.", "kind"),
        (with_kind(4, card=79), "Ao is no card of Mitigati", "card"),
        (with_kind(4, card=4711), "Card 4711 is no card of Mitigati", "card"),
        (with_kind(4, card=-1), "Card -1 is no card of Mitigati", "card"),
        (with_kind(3, cards=(1, 2, 79)), "Ao is no card of Mitigati", "cards"),
        (with_kind(3, cards=(1, 2, 0)), "Card 0 is no card of Mitigati", "cards"),
    ],
)
def test_an_action_that_names_nothing_of_the_game_is_refused(message: v1.Action, sentence: str, field: str) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        CODEC.action_from(message)
    assert str(caught.value).startswith(sentence)
    assert caught.value.field == field


def test_parts_that_do_not_belong_are_kept_for_the_rules_to_refuse() -> None:
    message = v1.Action(mitigati=v1.MitigatiAction(kind=v1.MITIGATI_ACTION_KIND_PLAY, amount=0))
    action = CODEC.action_from(message)
    violation = in_bargain().check(action)
    assert violation is not None
    assert violation.rule == "parts"


def test_options_come_back_as_they_went() -> None:
    for options in (
        MitigatiOptions(),
        MitigatiOptions(3, 20, 1, ranking=Ranking.PIEDMONT, chips=50),
        MitigatiOptions(100, 1000, 100),
    ):
        received = v1.GameOptions.FromString(CODEC.options(options).SerializeToString())
        assert CODEC.options_from(received) == options


@pytest.mark.parametrize("message", [v1.GameOptions(), v1.GameOptions(mitigati=v1.MitigatiOptions())])
def test_options_left_out_take_their_defaults(message: v1.GameOptions) -> None:
    assert CODEC.options_from(message) == MitigatiOptions()


def test_options_that_cannot_be_played_are_rejected() -> None:
    with pytest.raises(OptionError, match="'max_bid' takes a whole number from 1 to 1000"):
        CODEC.options_from(v1.GameOptions(mitigati=v1.MitigatiOptions(max_bid=1001)))


def test_options_of_another_game_are_rejected() -> None:
    message = v1.GameOptions()
    message.other.SetInParent()
    with pytest.raises(OptionError, match="these are options of another game, 'other'"):
        CODEC.options_from(message)


def test_every_event_of_a_match_says_on_the_wire_what_it_says_here() -> None:
    kinds = set()
    for event in whole_match(1, rounds=20):
        for said in (event.full, event.seen_by(((event.full.seat or 0) + 1) % 3)):
            assert said is not None
            message = v1.Event.FromString(CODEC.event(said).SerializeToString()).mitigati
            assert as_value(message) == said
            kinds.add(said.kind)
    assert kinds == set(EventKind)


def as_value(message: v1.MitigatiEvent) -> MitigatiEvent:
    return MitigatiEvent(
        kind=EventKind(message.kind),
        seat=message.seat if message.HasField("seat") else None,
        card=message.card,
        cards=tuple(message.cards),
        number=message.number,
        amount=message.amount if message.HasField("amount") else None,
        holding=Holding(message.holding) if message.holding else None,
        deal=message.deal,
        turn=message.turn,
        points=tuple(message.points),
        scores=tuple(message.scores),
    )


@pytest.mark.parametrize("kind", EventKind)
def test_event_kinds_have_the_names_of_the_contract(kind: EventKind) -> None:
    assert v1.MitigatiEventKind.Name(kind) == f"MITIGATI_EVENT_KIND_{kind.name}"
    assert CODEC.event(MitigatiEvent(kind)).mitigati.kind == kind


@pytest.mark.parametrize("kind", ActionKind)
def test_action_kinds_have_the_names_of_the_contract(kind: ActionKind) -> None:
    assert v1.MitigatiActionKind.Name(kind) == f"MITIGATI_ACTION_KIND_{kind.name}"
    assert CODEC.action(MitigatiAction(kind)).mitigati.kind == kind


@pytest.mark.parametrize("holding", Holding)
def test_holdings_have_the_names_of_the_contract(holding: Holding) -> None:
    assert v1.MitigatiHolding.Name(holding) == f"MITIGATI_HOLDING_{holding.name}"
    assert CODEC.event(MitigatiEvent(EventKind.HOLDING_DECLARED, holding=holding)).mitigati.holding == holding


@pytest.mark.parametrize("phase", Phase)
def test_phases_have_the_names_of_the_contract(phase: Phase) -> None:
    assert v1.MitigatiPhase.Name(phase) == f"MITIGATI_PHASE_{phase.name}"
    assert v1.View.FromString(CODEC.views()(in_bargain().view(0)._replace(phase=phase))).mitigati.phase == phase


@pytest.mark.parametrize("end", BargainEnd)
def test_ends_of_a_bargain_have_the_names_of_the_contract(end: BargainEnd) -> None:
    assert v1.MitigatiBargainEnd.Name(end) == f"MITIGATI_BARGAIN_END_{end.name}"
