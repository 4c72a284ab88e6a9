"""How fast an event goes, found by playing a little of it."""

from collections.abc import Callable

import pytest
import trio

from ordago_ladder.run.estimate import match_count
from ordago_ladder.run.measuring import Stopwatch, sample_of
from ordago_ladder.settings.settings import Settings

pytestmark = pytest.mark.virtual_time


@pytest.mark.parametrize(("repetitions", "matches"), [(1, 20), (9, 32)])
def test_a_sample_is_two_rounds_of_what_is_played_at_once_or_all(
    make_event: Callable[..., Settings], repetitions: int, matches: int
) -> None:
    event = make_event([("duel", 2), ("trio", 3)], terms=f"repetitions = {repetitions}")
    assert match_count(sample_of(event, event.games[0])) == matches


def test_a_sample_tells_nothing_of_the_deals(make_event: Callable[..., Settings]) -> None:
    event = make_event(terms=f'secret = "{bytes(32).hex()}"')
    assert sample_of(event, event.games[0]).event.secret is None


async def _watched(over: list[float], *, warm: int) -> float:
    """Return the speed of a run whose matches are over at these times."""
    watch = Stopwatch(lambda _: None, warm=warm)
    watch.began(played=0, planned=len(over))
    for before, moment in zip([0.0, *over], over, strict=False):
        await trio.sleep(moment - before)
        watch.played(1)
    return watch.per_second


async def test_the_start_is_left_out_where_there_is_enough_after_it() -> None:
    assert await _watched([10.0, 10.0, 11.0, 12.0], warm=2) == pytest.approx(1.0)
    assert await _watched([10.0, 10.0], warm=2) == pytest.approx(0.2)
    assert await _watched([10.0], warm=2) == pytest.approx(0.1)


async def test_a_run_is_stopped_in_time_but_not_before_its_first_match_is_over() -> None:
    watch = Stopwatch(lambda _: None, warm=2)
    with trio.CancelScope() as scope:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watch.stop_after, 20.0, scope)
            await trio.sleep(30)
            watch.played(1)
            await trio.sleep_forever()
    assert (scope.cancelled_caught, trio.current_time()) == (True, pytest.approx(30.0, abs=1))
