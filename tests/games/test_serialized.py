"""Values are serialized field by field, to the same bytes as by protobuf: in matches by chance, with many options."""

from random import Random

import pytest

from ordago import v1
from ordago.bench.rules import any_action
from ordago.chance import SecretDeals
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game, game_names
from ordago.games.mirror import Mirror

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
    for _, (view, _events) in zip(range(VIEWS), seen_of(game, Random(f"views of {name}")), strict=False):
        told = v1.View(**{name: mirror.write(view)}).SerializeToString()
        assert game.codec.view(view) == told
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
