"""Views with forged contents get an error within a bound, whatever they hold."""

import signal
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from google.protobuf.message import DecodeError
from support.positions import positions, situation

from ordago import v1
from ordago.games import find_game, game_names
from ordago.games.definition import AnyGame
from ordago.search.answers import Answers
from ordago.search.process import ANSWERED, answered
from ordago.search.requests import Why

ANSWERS = Answers(bytes(32))
EXAMPLES = 60


def forged(serialized: bytes, rng: Random) -> bytes:
    """Change, delete or insert some bytes."""
    changed = bytearray(serialized)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(changed))
        kind = rng.randrange(3)
        if kind == 0:
            changed[place] = rng.randrange(256)
        elif kind == 1:
            del changed[place]
        else:
            changed.insert(place, rng.randrange(256))
    return bytes(changed)


@pytest.mark.parametrize("name", game_names())
def test_forged_views_are_answered_or_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.search.situations.FIRST_WORLD_SECONDS", 0.1)
    game, rng = find_game(name), Random(1)
    seen = set()
    for state in positions(game, seed=9, number=EXAMPLES):
        right = situation(game, state)
        view = forged(right.view.SerializeToString(), rng)
        try:
            wrong = v1.Situation(game=name, seat=right.seat, view=v1.View.FromString(view))
        except DecodeError:
            continue
        request = v1.EvaluateActionsRequest(situation=wrong, worlds=2, time_ms=100)
        seen.add(answered(ANSWERS, "EvaluateActions", request.SerializeToString())[0])
    assert Why.UNFIT in seen
    # A view can pass for one of a seat and still break the rules later, with totals for four at a table of three.
    assert seen <= {ANSWERED[0], *Why} - {Why.FOREIGN_STATE}


def never(_view: object, *, rng: Random) -> Iterator[Any]:
    """Deal again and again, and find nothing that fits."""
    while True:
        rng.random()
    yield


def broken(_view: object, *, rng: Random) -> Iterator[Any]:
    yield rng.choice(())


def with_sampler(monkeypatch: pytest.MonkeyPatch, sampler: Any) -> v1.EvaluateActionsRequest:
    game: AnyGame = find_game("mittlere")
    (state,) = positions(game, seed=1, number=1)
    monkeypatch.setattr("ordago.search.situations.find_game", lambda _name: replace(game, possible_states=sampler))
    return v1.EvaluateActionsRequest(situation=situation(game, state), worlds=1)


@pytest.mark.parametrize(("sampler", "word"), [(never, "0.05 s"), (broken, "IndexError"), (None, "cannot draw")])
def test_a_view_that_no_deal_fits_is_refused(sampler: Any, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.search.situations.FIRST_WORLD_SECONDS", 0.05)
    request = with_sampler(monkeypatch, sampler)
    told = answered(ANSWERS, "EvaluateActions", request.SerializeToString())
    assert told[0] == Why.UNFIT
    assert word in told[1:].decode()


def test_endless_playouts_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.search.answers.GRACE_SECONDS", 0.05)
    game = find_game("mitaines")
    (state,) = positions(game, seed=1, number=1)
    playouts = v1.Playouts(policy=v1.PLAYOUT_POLICY_HOUSE, end=v1.PLAYOUT_END_MATCH, times=10_000)
    request = v1.EvaluateActionsRequest(situation=situation(game, state), worlds=1, playouts=playouts, time_ms=10)
    assert answered(ANSWERS, "EvaluateActions", request.SerializeToString())[0] == Why.TOO_LONG
    # The test's own limit of time is as it was.
    assert signal.getsignal(signal.SIGALRM) is not None
