"""Values survive the way to the wire and back, and what bots send is looked at closely."""

from enum import IntEnum

import pytest
from games.mus.table import action, decisions, whole_match

from ordago import v1
from ordago.cards import card_of
from ordago.game import OptionError
from ordago.games.mus import GAME
from ordago.games.mus.betting import ENVIDO_OF
from ordago.games.mus.values import (
    ActionKind,
    EventKind,
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
from ordago.wire.codec import NoSuchActionError

CODEC = GAME.codec
FEDERATION = MusOptions(Ruleset.FEDERATION, 4, 30, 3, 5, 20, SignalsSeen.PARTNER, 1)


def test_views_of_all_seats_come_back_as_they_went() -> None:
    for seed in range(4):
        for state in decisions(seed, signals="partner", games=3):
            for seat in range(4):
                view = state.view(seat)
                received = v1.View.FromString(CODEC.views()(view))
                assert CODEC.view_from(received, seat=seat) == view


FULL_VIEW = MusView(
    seat=1,
    options=FEDERATION,
    game=1,
    deal=3,
    deal_of_game=1,
    points=(3, 4),
    games=(1, 1),
    dealer=2,
    phase=Phase.BETTING,
    lance=Lance.JUEGO,
    hand=(79, 80, 81, 82),
    stock=20,
    said=(Statement(0, ActionKind.QUIERO, Lance.CHICA, 0, binding=True, signal=Signal.CIEGO),),
    discarded=(83,),
    drawn=(82,),
    reshuffled=(0, 24),
    pares=(True, False, False, True),
    juego=(False, True, True, False),
    stake=7,
    agreed=2,
    ordago=True,
    bettor=0,
    answered=ActionKind.NO_QUIERO,
    settled=(Settlement(Lance.GRANDE, Result.REFUSED, 0, 1), Settlement(Lance.CHICA, Result.CALLED, None, 4)),
    shown=tuple(range(79, 95)),
)


def test_a_view_fills_every_field_of_its_message() -> None:
    message = v1.View.FromString(CODEC.views()(FULL_VIEW)).mus
    assert {field.name for field, _ in message.ListFields()} == set(message.DESCRIPTOR.fields_by_name)
    assert CODEC.view_from(v1.View.FromString(CODEC.views()(FULL_VIEW)), seat=1) == FULL_VIEW


def test_nobody_and_nothing_are_absent_fields() -> None:
    message = v1.View.FromString(CODEC.views()(FULL_VIEW._replace(bettor=None, answered=None))).mus
    assert not message.HasField("bettor")
    assert message.answered == v1.MUS_ACTION_KIND_UNSPECIFIED
    assert not message.settled[1].HasField("side")
    assert message.settled[0].HasField("side")


@pytest.mark.parametrize(
    "said",
    [
        *(action(text) for text in ("mus", "no mus", "paso", "órdago", "quiero!", "no quiero", "envido 17")),
        action("discard 4o Ab"),
        action("no quiero! ~two kings"),
        MusAction(signal=Signal.CIEGO),
    ],
)
def test_actions_come_back_as_they_went(said: MusAction) -> None:
    received = v1.Action.FromString(CODEC.action(said).SerializeToString())
    assert CODEC.action_from(received) == said


def test_envido_without_a_number_is_the_least_bet() -> None:
    assert CODEC.action_from(v1.Action(mus=v1.MusAction(kind=v1.MUS_ACTION_KIND_ENVIDO))) == ENVIDO_OF[2]


def test_the_order_in_which_a_bot_lists_cards_is_lost() -> None:
    message = v1.MusAction(kind=v1.MUS_ACTION_KIND_DISCARD, cards=[v1.CARD_REY_OF_OROS, v1.CARD_ACE_OF_OROS])
    assert CODEC.action_from(v1.Action(mus=message)).cards == (card_of("Ao"), card_of("Ro"))


def mus(**fields: object) -> v1.Action:
    return v1.Action(mus=v1.MusAction(**fields))  # type: ignore[arg-type] # a bot may send anything


@pytest.mark.parametrize(
    ("message", "sentence", "field"),
    [
        (v1.Action(), "This is a match of Mus: fill in 'mus' of the action.", ""),
        (mus(), "0 is no kind of action in Mus.", "kind"),
        (mus(kind=99), "99 is no kind of action in Mus.", "kind"),
        (mus(kind=-1, signal=1), "-1 is no kind of action in Mus.", "kind"),
        (mus(kind=1, signal=17), "17 is no signal of Mus.", "signal"),
        (mus(kind=3, cards=[1]), "A♣ is no card of Mus.", "cards"),
        (mus(kind=3, cards=[79, 0]), "Card 0 is no card of Mus.", "cards"),
        (mus(kind=3, cards=[4711]), "Card 4711 is no card of Mus.", "cards"),
    ],
)
def test_what_names_no_action_of_the_game_is_refused(message: v1.Action, sentence: str, field: str) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        CODEC.action_from(message)
    assert (str(caught.value), caught.value.field) == (sentence, field)


@pytest.mark.parametrize("options", [MusOptions(), FEDERATION, MusOptions(signals=SignalsSeen.OPEN, games=99)])
def test_options_come_back_as_they_went(options: MusOptions) -> None:
    assert CODEC.options_from(v1.GameOptions.FromString(CODEC.options(options).SerializeToString())) == options


@pytest.mark.parametrize("message", [v1.GameOptions(), v1.GameOptions(mus=v1.MusOptions())])
def test_options_left_out_take_their_defaults(message: v1.GameOptions) -> None:
    assert CODEC.options_from(message) == MusOptions()


@pytest.mark.parametrize(
    ("fields", "name"),
    [({"kings": 5}, "kings"), ({"games": 4}, "games"), ({"ruleset": 9}, "ruleset"), ({"signals": 9}, "signals")],
)
def test_options_that_cannot_be_played_are_rejected(fields: dict[str, int], name: str) -> None:
    with pytest.raises(OptionError) as caught:
        CODEC.options_from(v1.GameOptions(mus=v1.MusOptions(**fields)))  # type: ignore[arg-type] # a user may write it
    assert caught.value.name == name


def test_options_of_another_game_are_rejected() -> None:
    with pytest.raises(OptionError, match="these are options of another game, 'mittlere'"):
        CODEC.options_from(v1.GameOptions(mittlere=v1.MittlereOptions(deals=3)))


def test_every_event_says_on_the_wire_what_it_says_here() -> None:
    kinds = set()
    for options in ({"signals": "partner", "games": 3}, {"signals": "open", "max_deals": 1}):
        for seed in range(12):
            for event in whole_match(seed, **options):
                for said in (event.full, event.seen_by(0)):
                    if said is not None:
                        message = v1.Event.FromString(CODEC.event(said).SerializeToString()).mus
                        assert as_value(message) == said
                        kinds.add(said.kind)
    assert kinds | {EventKind.RESHUFFLED} == set(EventKind)


def as_value(message: v1.MusEvent) -> MusEvent:
    return MusEvent(
        kind=EventKind(message.kind),
        seat=message.seat if message.HasField("seat") else None,
        side=message.side if message.HasField("side") else None,
        lance=Lance(message.lance) if message.lance else None,
        said=ActionKind(message.said) if message.said else None,
        amount=message.amount,
        binding=message.binding,
        signal=Signal(message.signal) if message.signal else None,
        cards=tuple(message.cards),
        seats=tuple(message.seats),
        result=Result(message.result) if message.result else None,
        reason=Reason(message.reason) if message.reason else None,
        deal=message.deal,
        game=message.game,
        points=tuple(message.points),
        games=tuple(message.games),
    )


@pytest.mark.parametrize(
    ("numbers", "enumeration", "prefix"),
    [
        (Phase, v1.MusPhase, "MUS_PHASE"),
        (Lance, v1.MusLance, "MUS_LANCE"),
        (ActionKind, v1.MusActionKind, "MUS_ACTION_KIND"),
        (Signal, v1.MusSignal, "MUS_SIGNAL"),
        (Result, v1.MusResult, "MUS_RESULT"),
        (Reason, v1.MusReason, "MUS_REASON"),
        (EventKind, v1.MusEventKind, "MUS_EVENT_KIND"),
    ],
)
def test_enumerations_have_the_names_and_numbers_of_the_contract(
    numbers: type[IntEnum], enumeration: type[v1.MusPhase], prefix: str
) -> None:
    expected = {f"{prefix}_{member.name}": int(member) for member in numbers} | {f"{prefix}_UNSPECIFIED": 0}
    assert dict(enumeration.items()) == expected
