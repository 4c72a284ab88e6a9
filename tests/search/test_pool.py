"""A pool outlives its processes, and nobody waits for a call that hangs or that nobody wants any more."""

import os
import signal
import threading
from collections.abc import Iterator
from multiprocessing import Pipe

import pytest
from support.positions import positions, situation
from support.processes import children_of

from ordago import v1
from ordago.games import find_game
from ordago.search import pool as pools
from ordago.search.pool import CallerGoneError, Pool
from ordago.search.requests import RequestError, Why

pytestmark = pytest.mark.slow
MODULE = "ordago.search.process"


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(1)
    yield pool
    pool.end()
    assert not children_of(MODULE)


def a_request(worlds: int = 1) -> bytes:
    game = find_game("mittlere")
    (state,) = positions(game, seed=1, number=1)
    return v1.DrawWorldsRequest(situation=situation(game, state), worlds=worlds).SerializeToString()


def endless() -> bytes:
    game = find_game("mitaines")
    (state,) = positions(game, seed=1, number=1)
    playouts = v1.Playouts(end=v1.PLAYOUT_END_MATCH, policy=v1.PLAYOUT_POLICY_HOUSE, times=10_000)
    request = v1.EvaluateActionsRequest(situation=situation(game, state), worlds=1, playouts=playouts)
    return request.SerializeToString()


def drawn(pool: Pool) -> bytes:
    answer = pool.answer("DrawWorlds", a_request(), is_wanted=lambda: True)
    return v1.DrawWorldsResponse.FromString(answer).states[0]


def test_states_are_known_to_a_process_that_came_later(pool: Pool) -> None:
    state = drawn(pool)
    (process,) = children_of(MODULE)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(RequestError) as error:
        drawn(pool)
    assert error.value.why is Why.FAILED
    request = v1.PlayOutRequest(states=[state]).SerializeToString()
    assert pool.answer("PlayOut", request, is_wanted=lambda: True)
    assert children_of(MODULE) != [process]


def test_a_call_that_nobody_wants_is_ended(pool: Pool) -> None:
    wanted = iter([True, False])
    with pytest.raises(CallerGoneError):
        pool.answer("EvaluateActions", endless(), is_wanted=lambda: next(wanted))
    assert not children_of(MODULE)
    assert drawn(pool)


def test_a_call_that_nobody_wanted_any_more_when_its_turn_came_costs_nothing(pool: Pool) -> None:
    drawn(pool)
    running = children_of(MODULE)
    with pytest.raises(CallerGoneError):
        pool.answer("EvaluateActions", endless(), is_wanted=lambda: False)
    assert children_of(MODULE) == running


def test_a_process_that_hangs_is_ended(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn(pool)
    (process,) = children_of(MODULE)
    os.kill(process, signal.SIGSTOP)
    monkeypatch.setattr(pools, "MOST_CALL_SECONDS", 0.1)
    with pytest.raises(RequestError) as error:
        drawn(pool)
    assert error.value.why is Why.TOO_LONG
    monkeypatch.undo()
    assert drawn(pool)


def test_a_refusal_keeps_its_reason_and_sentence(pool: Pool) -> None:
    with pytest.raises(RequestError, match=r"10,001 worlds.*10,000") as error:
        pool.answer("DrawWorlds", a_request(10_001), is_wanted=lambda: True)
    assert error.value.why is Why.TOO_LARGE


def test_calls_wait_for_an_idle_process(pool: Pool) -> None:
    states: list[bytes] = []
    threads = [threading.Thread(target=lambda: states.append(drawn(pool))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(states) == 5
    assert len(children_of(MODULE)) == 1


def test_no_process_begins_after_the_end(pool: Pool) -> None:
    pool.end()
    with pytest.raises(CallerGoneError):
        drawn(pool)
    assert not children_of(MODULE)


def test_a_process_ends_with_its_service(pool: Pool) -> None:
    """It reads the end of its socket, as when the service was killed."""
    drawn(pool)
    (process,) = children_of(MODULE)
    running = pool._all[0]._running
    assert running is not None
    running[1].close()
    assert running[0].wait(30) == 0
    pool._all[0]._running = running[0], Pipe()[0]
    assert process not in children_of(MODULE)


def test_memory_has_a_bound(pool: Pool) -> None:
    """A card as large as the contract lets it be makes a set of 256 MB; some of them are too many."""
    largest = (1 << 31) - 1
    hand = v1.MittlereView.DESCRIPTOR.fields_by_name["hand"].number
    card = bytes((hand << 3, 0xFF, 0xFF, 0xFF, 0xFF, 0x07))
    view = v1.MittlereView.FromString(card * 6)
    assert list(view.hand) == [largest] * 6
    forged = v1.Situation(game="mittlere", view=v1.View(mittlere=view))
    request = v1.DrawWorldsRequest(situation=forged, worlds=1).SerializeToString()
    with pytest.raises(RequestError):
        pool.answer("DrawWorlds", request, is_wanted=lambda: True)
    assert drawn(pool)
