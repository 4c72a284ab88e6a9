"""A game of another package is searched like ours: its views, actions and states go through the rules service."""

from pathlib import Path
from random import Random

import pytest
from support.positions import positions, situation

from ordago import v1
from ordago.games import find_game
from ordago.search.answers import Answers
from ordago.search.requests import RequestError

CALLS = Answers(bytes(32)).calls


@pytest.fixture
def asked(highcard: Path) -> v1.Situation:  # noqa: ARG001 - it has to be there
    game = find_game("highcard")
    (state,) = positions(game, seed=1, number=1)
    return situation(game, state)


def test_its_actions_are_evaluated(asked: v1.Situation) -> None:
    request = v1.EvaluateActionsRequest(situation=asked, worlds=3)
    found = v1.EvaluateActionsResponse.FromString(CALLS["EvaluateActions"](request.SerializeToString()))
    game = find_game("highcard")
    assert game.possible_states is not None
    world = next(game.possible_states(game.codec.view_from(asked.view, seat=asked.seat), rng=Random(1)))
    # The house does not play it, so that all legal actions are compared.
    legal = [game.codec.action(each.action) for each in world.legal_actions()]
    assert [value.action for value in found.values] == legal
    assert found.worlds == 3


def test_its_states_are_handed_out_and_back(asked: v1.Situation) -> None:
    request = v1.DrawWorldsRequest(situation=asked, worlds=2)
    states = v1.DrawWorldsResponse.FromString(CALLS["DrawWorlds"](request.SerializeToString())).states
    played = v1.PlayOutRequest(states=states, playouts=v1.Playouts(end=v1.PLAYOUT_END_MATCH))
    results = v1.PlayOutResponse.FromString(CALLS["PlayOut"](played.SerializeToString())).results
    assert [sum(result.scores) for result in results] == [results[0].scores[0] + results[0].scores[1]] * 2


def test_a_view_of_another_game_is_refused(asked: v1.Situation) -> None:
    asked.view.CopyFrom(v1.View(mittlere=v1.MittlereView()))
    with pytest.raises(RequestError, match=r"situation\.view"):
        CALLS["DrawWorlds"](v1.DrawWorldsRequest(situation=asked, worlds=1).SerializeToString())
