"""Values survive the way to the wire and back, and what bots send is looked at closely."""

from random import Random

import pytest
from games.mittlere.table import mid_deal, new_match, shuffle, step, whole_match

from ordago import v1
from ordago.cards import card_of
from ordago.game import FINISHED, OptionError
from ordago.games.mittlere import GAME
from ordago.games.mittlere.values import PLAY, SEATS, EventKind, MittlereEvent, MittlereOptions, PlayCard, ScoringRule
from ordago.wire.codec import NoSuchActionError

CODEC = GAME.codec


def test_views_of_all_seats_come_back_as_they_went() -> None:
    rng = Random(1)
    state = new_match(deals=3)
    while state.actor != FINISHED:
        for view in map(state.view, range(SEATS)):
            received = v1.View.FromString(CODEC.views()(view))
            assert CODEC.view_from(received, seat=view.seat) == view
        step(state, rng)


def test_a_view_fills_every_field_of_its_message() -> None:
    view = mid_deal(2, plays=20).view(0)._replace(deal=1, dealer=1, leader=2, totals=(1, -2, 1))
    message = v1.View.FromString(CODEC.views()(view)).mittlere
    assert {field.name for field, _ in message.ListFields()} == set(message.DESCRIPTOR.fields_by_name)


def test_no_trump_is_an_absent_field() -> None:
    state = new_match()
    shuffle(state, Random(1))
    assert not v1.View.FromString(CODEC.views()(state.view(0))).mittlere.HasField("trump")


def test_actions_come_back_as_they_went() -> None:
    for action in PLAY.values():
        received = v1.Action.FromString(CODEC.action(action).SerializeToString())
        assert CODEC.action_from(received) == action
        assert CODEC.action_from(received) is CODEC.action_from(CODEC.action(action))


def test_an_equal_action_made_by_somebody_else_has_the_same_message() -> None:
    assert CODEC.action(PlayCard(card_of("A♠"))) is CODEC.action(PLAY[card_of("A♠")])


@pytest.mark.parametrize(
    ("message", "sentence", "field"),
    [
        (v1.Action(), "This is a match of Mittlere Jass: fill in 'mittlere' of the action.", ""),
        (v1.Action(mittlere=v1.MittlereAction()), "Card 0 is no card of Mittlere Jass", "card"),
        (v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_TWO_OF_CLUBS)), "2♣ is no card of Mittlere Jass", "card"),
        (v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_KNIGHT_OF_HEARTS)), "C♥ is no card of", "card"),
        (v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_FOOL)), "O is no card of Mittlere Jass", "card"),
        (v1.Action(mittlere=v1.MittlereAction(card=4711)), "Card 4711 is no card of Mittlere Jass", "card"),  # type: ignore[arg-type] # a bot may send it
        (v1.Action(mittlere=v1.MittlereAction(card=-1)), "Card -1 is no card of Mittlere Jass", "card"),  # type: ignore[arg-type] # a bot may send it
    ],
)
def test_an_action_that_names_no_card_of_the_game_is_refused(message: v1.Action, sentence: str, field: str) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        CODEC.action_from(message)
    assert str(caught.value).startswith(sentence)
    assert caught.value.field == field


def test_options_come_back_as_they_went() -> None:
    for options in (MittlereOptions(), MittlereOptions(deals=3), MittlereOptions(deals=300)):
        assert CODEC.options_from(CODEC.options(options)) == options


@pytest.mark.parametrize("message", [v1.GameOptions(), v1.GameOptions(mittlere=v1.MittlereOptions())])
def test_options_left_out_take_their_defaults(message: v1.GameOptions) -> None:
    assert CODEC.options_from(message) == MittlereOptions(deals=12)


def test_options_that_cannot_be_played_are_rejected() -> None:
    with pytest.raises(OptionError, match="a multiple of 3"):
        CODEC.options_from(v1.GameOptions(mittlere=v1.MittlereOptions(deals=13)))


def test_options_of_another_game_are_rejected() -> None:
    message = v1.GameOptions()
    message.other.SetInParent()
    with pytest.raises(OptionError, match="these are options of another game, 'other'"):
        CODEC.options_from(message)


def test_every_event_of_a_match_says_on_the_wire_what_it_says_here() -> None:
    kinds = set()
    for event in whole_match(1, deals=12):
        for said in (event.full, event.seen_by((event.full.seat or 0) + 1)):
            assert said is not None
            message = v1.Event.FromString(CODEC.event(said).SerializeToString()).mittlere
            assert as_value(message) == said
            kinds.add(said.kind)
    assert kinds == set(EventKind)


def as_value(message: v1.MittlereEvent) -> MittlereEvent:
    return MittlereEvent(
        kind=EventKind(message.kind),
        seat=message.seat if message.HasField("seat") else None,
        card=message.card,
        cards=tuple(message.cards),
        deal=message.deal,
        points=tuple(message.points),
        scores=tuple(message.scores),
        rule=ScoringRule(message.rule) if message.rule else None,
    )


@pytest.mark.parametrize("kind", EventKind)
def test_kinds_have_the_names_of_the_contract(kind: EventKind) -> None:
    assert v1.MittlereEventKind.Name(kind) == f"MITTLERE_EVENT_KIND_{kind.name}"


@pytest.mark.parametrize("rule", ScoringRule)
def test_scoring_rules_have_the_names_of_the_contract(rule: ScoringRule) -> None:
    assert v1.MittlereScoringRule.Name(rule) == f"MITTLERE_SCORING_RULE_{rule.name}"
    assert int(CODEC.event(MittlereEvent(EventKind.DEAL_SCORED, rule=rule)).mittlere.rule) == rule
