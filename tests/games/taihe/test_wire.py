"""Values survive the way to the wire and back, and what bots send is looked at closely."""

import pytest
from games.taihe.table import ask, decisions_of_deal, exchanging, give_back, play, whole_match

from ordago import v1
from ordago.cards import card_of
from ordago.game import OptionError
from ordago.games.taihe import GAME
from ordago.games.taihe.values import (
    DECLARE,
    PASS,
    ActionKind,
    Bid,
    EventKind,
    Phase,
    TaiheAction,
    TaiheEvent,
    TaiheOptions,
)
from ordago.wire.codec import NoSuchActionError

CODEC = GAME.codec


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_views_of_all_seats_come_back_as_they_went(seats: int) -> None:
    for seed in range(4):
        for state in decisions_of_deal(seed, seats=seats, temperament=exchanging):
            for seat in range(seats):
                view = state.view(seat)
                received = v1.View.FromString(CODEC.views()(view))
                assert CODEC.view_from(received, seat=seat) == view


def test_a_view_fills_every_field_of_its_message() -> None:
    filled: set[str] = set()
    for state in decisions_of_deal(2, seats=4, temperament=exchanging):
        view = state.view(state.actor)._replace(deal=1, passed_out=1, taker=1, totals=(1, -2, 1, 0))
        filled |= {field.name for field, _ in v1.View.FromString(CODEC.views()(view)).taihe.ListFields()}
    assert filled == set(v1.TaiheView.DESCRIPTOR.fields_by_name)


def test_nobody_is_an_absent_field() -> None:
    message = v1.View.FromString(CODEC.views()(decisions_of_deal(1, seats=4)[0].view(0))).taihe
    assert [name for name in ("declarer", "to_beat_seat") if message.HasField(name)] == []
    assert message.HasField("first_bidder")


@pytest.mark.parametrize("action", [PASS, DECLARE, ask("K♥"), give_back("4♣"), play("4♣"), play("9♥ 10♥ J♣")])
def test_actions_come_back_as_they_went(action: TaiheAction) -> None:
    received = v1.Action.FromString(CODEC.action(action).SerializeToString())
    assert CODEC.action_from(received) == action


def test_legal_actions_of_a_deal_come_back_as_they_went() -> None:
    for state in decisions_of_deal(3, seats=4, temperament=exchanging):
        for legal in state.legal_actions():
            received = v1.Action.FromString(CODEC.action(legal.action).SerializeToString())
            assert CODEC.action_from(received) == legal.action


def test_the_order_in_which_cards_are_listed_tells_nobody_anything() -> None:
    listed = [v1.CARD_NINE_OF_HEARTS, v1.CARD_JACK_OF_CLUBS, v1.CARD_TEN_OF_HEARTS]
    message = v1.Action(taihe=v1.TaiheAction(kind=v1.TAIHE_ACTION_KIND_PLAY, cards=listed))
    assert CODEC.action_from(message) == play("9♥ 10♥ J♣")


PLAY = v1.TAIHE_ACTION_KIND_PLAY
ASK = v1.TAIHE_ACTION_KIND_ASK


@pytest.mark.parametrize(
    ("message", "sentence", "field"),
    [
        (v1.Action(), "This is a match of Taihe A Bao: fill in 'taihe' of the action.", ""),
        (v1.Action(taihe=v1.TaiheAction()), "0 is no kind of action of Taihe A Bao: the kinds are PASS, DECL", "kind"),
        (v1.Action(taihe=v1.TaiheAction(kind=17)), "17 is no kind of action of Taihe A Bao", "kind"),  # type: ignore[arg-type] # a bot may send it
        (v1.Action(taihe=v1.TaiheAction(kind=ASK, card=v1.CARD_TWO_OF_CLUBS)), "2♣ is no card of Taihe A", "card"),
        (v1.Action(taihe=v1.TaiheAction(kind=ASK, card=4711)), "Card 4711 is no card of Taihe A Bao", "card"),  # type: ignore[arg-type] # a bot may send it
        (v1.Action(taihe=v1.TaiheAction(kind=ASK, card=-1)), "Card -1 is no card of Taihe A Bao", "card"),  # type: ignore[arg-type] # a bot may send it
        (v1.Action(taihe=v1.TaiheAction(kind=PLAY, cards=[v1.CARD_FOOL])), "O is no card of Taihe A Bao", "cards"),
        (
            v1.Action(taihe=v1.TaiheAction(kind=PLAY, cards=[v1.CARD_ACE_OF_CLUBS, v1.CARD_UNSPECIFIED])),
            "Card 0 is no card of Taihe A Bao",
            "cards",
        ),
    ],
)
def test_an_action_that_names_nothing_of_the_game_is_refused(message: v1.Action, sentence: str, field: str) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        CODEC.action_from(message)
    assert str(caught.value).startswith(sentence)
    assert caught.value.field == field


def test_a_card_named_twice_is_left_for_the_rules_to_refuse() -> None:
    ace = v1.CARD_ACE_OF_CLUBS
    action = CODEC.action_from(v1.Action(taihe=v1.TaiheAction(kind=PLAY, cards=[ace, ace])))
    assert action == TaiheAction(ActionKind.PLAY, cards=(card_of("A♣"), card_of("A♣")))


def test_options_come_back_as_they_went() -> None:
    for options in (TaiheOptions(), TaiheOptions(deals=1), TaiheOptions(deals=300, max_passes=0)):
        assert CODEC.options_from(CODEC.options(options)) == options


@pytest.mark.parametrize("message", [v1.GameOptions(), v1.GameOptions(taihe=v1.TaiheOptions())])
def test_options_left_out_take_their_defaults(message: v1.GameOptions) -> None:
    assert CODEC.options_from(message) == TaiheOptions(deals=12, max_passes=3)


def test_options_that_cannot_be_played_are_rejected() -> None:
    with pytest.raises(OptionError, match="'deals' takes a whole number from 1 to 300"):
        CODEC.options_from(v1.GameOptions(taihe=v1.TaiheOptions(deals=301)))


def test_options_of_another_game_are_rejected() -> None:
    with pytest.raises(OptionError, match="these are options of another game, 'mittlere'"):
        CODEC.options_from(v1.GameOptions(mittlere=v1.MittlereOptions()))


def test_every_event_of_a_match_says_on_the_wire_what_it_says_here() -> None:
    kinds = set()
    for temperament_seed in range(4):
        for event in whole_match(temperament_seed, seats=4, deals=12):
            for said in (event.full, event.seen_by(((event.full.seat or 0) + 1) % 4)):
                assert said is not None
                message = v1.Event.FromString(CODEC.event(said).SerializeToString()).taihe
                assert as_value(message) == said
                kinds.add(said.kind)
    assert kinds == set(EventKind)


def as_value(message: v1.TaiheEvent) -> TaiheEvent:
    return TaiheEvent(
        kind=EventKind(message.kind),
        seat=message.seat if message.HasField("seat") else None,
        card=message.card,
        cards=tuple(message.cards),
        holder=message.holder if message.HasField("holder") else None,
        deal=message.deal,
        value=message.value,
        scores=tuple(message.scores),
    )


def test_kinds_bids_and_phases_have_the_names_and_numbers_of_the_contract() -> None:
    for event_kind in EventKind:
        assert v1.TaiheEventKind.Name(event_kind) == f"TAIHE_EVENT_KIND_{event_kind.name}"
    for action_kind in ActionKind:
        assert v1.TaiheActionKind.Name(action_kind) == f"TAIHE_ACTION_KIND_{action_kind.name}"
    for bid in Bid:
        assert v1.TaiheBid.Name(bid) == f"TAIHE_BID_{bid.name}"
    for phase in Phase:
        assert v1.TaihePhase.Name(phase) in (f"TAIHE_PHASE_{phase.name}", "TAIHE_PHASE_UNSPECIFIED")
