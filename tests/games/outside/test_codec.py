"""The messages of another package's game stand in the arm ``other``, and are looked at as closely as those of ours."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from games import test_stages as stages
from games.noninterference import check_noninterference
from google.protobuf.any_pb2 import Any as AnyMessage

from ordago import v1
from ordago.cards import cards_in
from ordago.game import OptionError
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.wire.codec import NoSuchActionError
from ordago.wire.slots import arm_of, content_of

TYPE_URL = "type.googleapis.com/highcard.v1.Highcard"
WANTED = "fill in 'other', with a highcard.v1.HighcardAction, of the action."
NO_CARD = "is no card of High Card."


def packed(name: str, value: bytes = b"", *, prefix: str = "type.googleapis.com/") -> v1.Action:
    return v1.Action(other=AnyMessage(type_url=prefix + name, value=value))


@pytest.fixture(scope="module")
def game(highcard: Path) -> AnyGame:  # noqa: ARG001 - it has to be there
    return find_game("highcard")


def begun(game: AnyGame, *, seats: int = 3, seed: int = 1) -> Any:
    state = game.rules.new_match(seats=seats, options=game.rules.options({}))
    due = state.shuffle_due().cards
    state.supply(Random(seed).sample(due, len(due)))
    return state


def test_each_union_holds_a_message_as_protobuf_packs_it(game: AnyGame) -> None:
    state, codec = begun(game), game.codec
    view = v1.View.FromString(codec.views()(state.view(0)))
    event = state.apply(state.default_action())[0].full
    unions = {
        "Options": codec.options(game.rules.options({"deals": 9})),
        "View": view,
        "Action": codec.action(state.default_action()),
        "Event": codec.event(event),
    }
    for name, union in unions.items():
        content = content_of(union)
        as_protobuf_does = AnyMessage()
        as_protobuf_does.Pack(content)
        assert union.other == as_protobuf_does
        assert arm_of(union) == f"highcard.v1.Highcard{name}"
    assert codec.serialized_event(event) == codec.event(event).SerializeToString()
    assert codec.event_from(codec.event(event)) == event
    assert codec.options_from(unions["Options"]).deals == 9


def test_a_message_without_fields_is_still_one(game: AnyGame) -> None:
    """Its bytes are none, and what it is only its type says."""
    empty = v1.GameOptions(other=AnyMessage(type_url=TYPE_URL + "Options"))
    assert game.codec.options_from(empty) == game.codec.options_from(v1.GameOptions()) == game.rules.options({})


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (v1.Action(), WANTED),
        (v1.Action(mittlere=v1.MittlereAction(card=v1.CARD_ACE_OF_SPADES)), WANTED),
        (v1.Action(other=AnyMessage()), WANTED),
        (packed("highcard.v1.HighcardAction", prefix=""), WANTED),
        (packed("highcard.v1.HighcardView"), WANTED),
        (packed("ordago.v1.MittlereAction", b"\x08\x0e"), WANTED),
        (packed("highcard.v1.HighcardAction", b"\xff"), WANTED),
        (packed("highcard.v1.HighcardAction"), NO_CARD),
        (packed("highcard.v1.HighcardAction", b"\x08\x4f"), NO_CARD),
    ],
)
def test_an_action_that_is_none_is_refused_in_a_sentence(game: AnyGame, action: v1.Action, told: str) -> None:
    with pytest.raises(NoSuchActionError) as caught:
        game.codec.action_from(action)
    assert str(caught.value).endswith(told)


def test_any_other_prefix_of_the_type_is_as_good(game: AnyGame) -> None:
    state = begun(game)
    said = game.codec.action(state.default_action())
    other = packed("highcard.v1.HighcardAction", said.other.value, prefix="mine/")
    assert game.codec.action_from(other) == state.default_action()


def test_options_of_another_game_are_refused(game: AnyGame) -> None:
    with pytest.raises(OptionError, match="options of another game, 'mus'"):
        game.codec.options_from(v1.GameOptions(mus=v1.MusOptions()))
    with pytest.raises(OptionError, match=r"options of another game, 'highcard\.v1\.HighcardOptions'"):
        find_game("mus").codec.options_from(game.codec.options(game.rules.options({})))


def test_nothing_hidden_shows(game: AnyGame) -> None:
    for seed in range(20):
        start = game.rules.new_match(seats=3, options=game.rules.options({"deals": 1}))
        check_noninterference(game, start, rng=Random(seed), redeal=redeal, probes=probes(game))


def probes(game: AnyGame) -> list[Any]:
    state = begun(game)
    return [legal.action for seat in range(3) for legal in moved(state, seat).legal_actions()]


def moved(state: Any, seat: int) -> Any:
    other = state.clone()
    other.actor = seat
    return other


def redeal(state: Any) -> list[list[int]]:
    """Return the one shuffle that leads to a deal in progress."""
    hands = [
        [*cards_in(hand), *(play.card for play in state.plays if play.seat == seat)]
        for seat, hand in enumerate(state.hands)
    ]
    dealt = [card for hand in hands for card in hand]
    return [[*dealt, *(card for card in state.shuffle_due().cards if card not in dealt)]]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in vars(stages) if name.startswith("test_")])
def test_it_is_shown_as_all_games_are(game: AnyGame, name: str) -> None:
    for seats in game.rules.seat_counts:
        getattr(stages, name)(game.name, seats)
