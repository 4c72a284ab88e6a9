"""Values are serialized field by field, to the same bytes as by protobuf: in matches by chance, with many options."""

from random import Random
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from ordago import v1
from ordago.chance import SecretDeals
from ordago.game import CHANCE, FINISHED, Event, Pick
from ordago.games import find_game, game_names
from ordago.games.mus.values import EventKind, MusEvent
from ordago.search.playouts import any_action
from ordago.wire.mirror import Mirror

VIEWS = 600


def some_options(game, rng: Random) -> dict[str, object]:
    """Return values for some options that have few, as far as they fit together."""
    return {spec.name: rng.choice(spec.choices) for spec in game.rules.option_specs if spec.choices}


def seen_of(game, rng: Random):
    """Go through all views of matches that are played by chance, each with the events since the one before."""
    events = []
    while True:
        seats = rng.choice(game.rules.seat_counts)
        state = game.rules.new_match(seats=seats, options=game.rules.options(some_options(game, rng)))
        deals = SecretDeals(rng.randbytes(32), "trial")
        while state.actor != FINISHED:
            if state.actor == CHANCE:
                events += state.supply(deals.shuffled(state.shuffle_due()))
                continue
            for seat in range(seats):
                yield state.view(seat), tuple(events)
                events.clear()
            events += state.apply(any_action(game, rng.choice(state.legal_actions()), rng))


@pytest.mark.parametrize("name", game_names())
def test_a_view_is_serialized_as_protobuf_does_it(name: str):
    game, seen = find_game(name), set()
    mirror = Mirror(type(next(seen_of(game, Random(1)))[0]), type(getattr(v1.View(), name)), aside=("seat",))
    views = game.codec.views()
    for _, (view, _events) in zip(range(VIEWS), seen_of(game, Random(f"views of {name}")), strict=False):
        told = v1.View(**{name: mirror.write(view)}).SerializeToString()
        assert views(view) == told, "after another one, of another seat, or even of another match"
        assert game.codec.views()(view) == told, "as the first one"
        seen.add(told)
    assert len(seen) > VIEWS / 3, "or little is shown"


@pytest.mark.parametrize("name", game_names())
def test_an_event_is_serialized_as_protobuf_does_it(name: str):
    game, kinds = find_game(name), set()
    for _, (_view, events) in zip(range(VIEWS), seen_of(game, Random(f"events of {name}")), strict=False):
        for event in events:
            for part in (event.full, event.redacted):
                if part is not None:
                    assert game.codec.serialized_event(part) == game.codec.event(part).SerializeToString()
                    kinds.add(part.kind)
    assert len(kinds) > 3, "or little happens"


@pytest.mark.parametrize("takers", [(), (2, 0, 1), (127,), (128,), (1, 300), (70_000,), (2,) * 127, (2,) * 128])
def test_a_list_of_numbers_is_serialized_as_protobuf_does_it_however_large_they_are(takers: tuple[int, ...]):
    codec, (view, _events) = find_game("mittlere").codec, next(seen_of(find_game("mittlere"), Random(2)))
    mirror = Mirror(type(view), v1.MittlereView, aside=("seat",))
    with_takers = view._replace(takers=takers)
    for _ in range(2):
        # The second time it is known.
        assert codec.views()(with_takers) == v1.View(mittlere=mirror.write(with_takers)).SerializeToString()


@pytest.mark.parametrize("number", [127, 128, 160, 300])
def test_a_list_of_cards_is_serialized_as_protobuf_does_it_however_long_it_is(number: int):
    """A seat of Mus may discard 160 cards in a deal: four in each of 40 exchanges."""
    codec, (view, _events) = find_game("mus").codec, next(seen_of(find_game("mus"), Random(2)))
    mirror = Mirror(type(view), v1.MusView, aside=("seat",))
    cards = tuple(Random(3).choices(range(79, 119), k=number))
    with_cards, views = view._replace(discarded=cards, drawn=cards[1:]), codec.views()
    for seen in (view, with_cards, view, with_cards):
        assert views(seen) == v1.View(mus=mirror.write(seen)).SerializeToString()
    event = MusEvent(EventKind.DRAWN, seat=1, cards=cards)
    assert codec.serialized_event(event) == codec.event(event).SerializeToString()


def test_after_a_view_that_is_refused_the_next_one_is_serialized_as_before_it():
    game = find_game("mittlere")
    view, _events = next(seen_of(game, Random(2)))
    views = game.codec.views()
    before = views(view)
    with pytest.raises((TypeError, ValueError)):
        views(view._replace(hand=(), totals=("none",) * 3))
    assert views(view) == before


def fits(value: object, hint: Any) -> bool:
    """Say whether a value is what the type hint of its field says, down to the fields of NamedTuples in it."""
    if isinstance(hint, UnionType):
        return any(fits(value, each) for each in get_args(hint))
    if get_origin(hint) is tuple:
        return type(value) is tuple and all(fits(each, get_args(hint)[0]) for each in value)
    if hint is NoneType or not hasattr(hint, "_fields"):
        return type(value) is hint
    hints = get_type_hints(hint)
    return type(value) is hint and all(map(fits, value, hints.values()))


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_views_and_events_are_of_the_types_that_they_say(name: str):
    game, looked_at = find_game(name), 0
    for _, (view, events) in zip(range(VIEWS), seen_of(game, Random(f"types of {name}")), strict=False):
        parts = [view, *(part for event in events for part in (event.full, event.redacted) if part is not None)]
        assert all(fits(part, type(part)) for part in parts), parts
        assert all(type(event) is Event and type(event.audience) in (int, NoneType) for event in events)
        looked_at += len(parts)
    assert looked_at > VIEWS


def test_a_value_of_another_type_does_not_fit():
    assert fits(Pick((1, 2), 0, 1), Pick)
    assert not fits(Pick((1, 2), 0, None), Pick)  # type: ignore[arg-type] # that is what is tried
    assert not fits(Pick((1, True), 0, 1), Pick)
