"""A watched match as browsers are told it: nothing in it depends on what an onlooker may not see."""

from collections.abc import Sequence
from random import Random

import pytest
from games.noninterference import Step, take
from torture.worlds import Twins, World, twins

from ordago import v1
from ordago.game import CHANCE
from ordago.games import game_names
from ordago_web.live.live_view import LiveView, UntoldError, message
from ordago_web.live.tables import LiveTable

PAIRS = 12


def start_of(pair: Twins) -> v1.WatchedStart:
    players = [v1.Player(name=f"player {seat}") for seat in range(pair.seats)]
    return v1.WatchedStart(game=pair.game.name, options=pair.game.codec.options(pair.options), players=players)


def events_of(pair: Twins, world: World, *, leaks: bool = False) -> Sequence[v1.Event]:
    """Return what is public of a match in a world, or, where it leaks, all of it."""
    state = pair.game.rules.new_match(seats=pair.seats, options=pair.options)
    shuffles, actions, told = iter(world.shuffles), iter(world.actions), []
    for _ in range(len(world.shuffles) + len(world.actions)):
        step = Step(shuffled=next(shuffles)) if state.actor == CHANCE else Step(action=next(actions))
        told += [event.full if leaks else event.public for event in take(state, step)]
    return [pair.game.codec.event(event) for event in told if event is not None]


def stream_of(start: v1.WatchedStart, events: Sequence[v1.Event]) -> bytes:
    """Return all bytes that browsers get: those who looked on from the beginning, who comes late, and small tables."""
    live_view = LiveView(start)
    told = [message("scene", live_view.described)]
    for step in live_view.steps(events):
        told += [message("step", step), message("small", live_view.shown(str))]
    return b"".join(told) + message("scene", live_view.scene)


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_two_deals_that_look_alike_are_told_by_the_same_bytes(name: str):
    alike = 0
    for seed in range(PAIRS):
        pair = twins(name, Random(seed), deals_before=seed % 2)
        first, second = (stream_of(start_of(pair), events_of(pair, world)) for world in (pair.first, pair.second))
        assert first == second
        alike += pair.first == pair.second
    assert alike < PAIRS / 2, "most pairs are of two different deals"


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_card_that_is_told_is_found(name: str):
    """The comparison can fail: told in full, the same deals are told by other bytes."""
    pairs = [twins(name, Random(seed), deals_before=0) for seed in range(PAIRS)]
    told = [
        [stream_of(start_of(pair), events_of(pair, world, leaks=True)) for world in (pair.first, pair.second)]
        for pair in pairs
    ]
    assert any(first != second for first, second in told)


def test_what_a_strange_server_tells_is_refused_in_words():
    with pytest.raises(UntoldError, match="newer one"):
        LiveView(v1.WatchedStart(game="chess"))
    table = LiveTable()
    pair = twins(game_names()[0], Random(1), deals_before=0)
    with pytest.raises(UntoldError, match="newer one"):
        table.take(v1.WatchMatchResponse(start=start_of(pair), events=[v1.Event()]))
