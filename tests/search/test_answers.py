"""The answers of the rules service are those of the rules in process, in all games; and wrong requests are refused."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from statistics import fmean
from typing import Any

import pytest
from google.protobuf.message import Message
from support.legal_actions import legal_action_message
from support.positions import positions, situation

from ordago import v1
from ordago.game import CHANCE, FINISHED
from ordago.games import find_game, game_names
from ordago.games.definition import AnyGame
from ordago.search.answers import Answers
from ordago.search.playouts import any_action, shuffle_where_due
from ordago.search.requests import MOST_STATES, MOST_WORLDS, RequestError, Why
from ordago_bot.house.solid import policy_of

ANSWERS = Answers(bytes(32))
SEED = b"seed"
ALL = v1.Detail(actions=True, view=True)
DEFAULT = v1.Playouts(policy=v1.PLAYOUT_POLICY_DEFAULT)


def answer(request: Message) -> Any:
    name = request.DESCRIPTOR.name.removesuffix("Request")
    response: type[Message] = getattr(v1, f"{name}Response")
    return response.FromString(ANSWERS.calls[name](request.SerializeToString()))


def described(game: AnyGame, state: Any) -> v1.StateInfo:
    """Describe a state by the rules alone."""
    assert game.standing is not None
    deal, scores = game.standing(state)
    info = v1.StateInfo(deal=deal, scores=scores)
    if state.actor != FINISHED:
        info.actor = state.actor
        legal = enumerate(state.legal_actions(), start=1)
        info.actions.extend(legal_action_message(game, number, each) for number, each in legal)
        info.view.CopyFrom(situation(game, state).view)
    return info


def drawn(game: AnyGame, state: Any, worlds: int) -> Iterator[Any]:
    """Draw the worlds that the service draws with ``SEED``."""
    assert game.possible_states is not None
    return islice(game.possible_states(state.view(state.actor), rng=Random(SEED)), worlds)


def with_defaults(game: AnyGame, state: Any, deal: int) -> tuple[int, ...]:
    """Play a state out by default actions, to the end of a deal; return the scores."""
    assert game.standing is not None
    rng = Random(1)
    while state.actor != FINISHED:
        if state.actor == CHANCE:
            if state.shuffle_due().deal != deal:
                break
            shuffle_where_due(state, rng)
        else:
            state.apply(state.default_action())
    return game.standing(state).scores


every_game = pytest.mark.parametrize("name", game_names())


@every_game
def test_worlds_are_those_of_the_game(name: str) -> None:
    game = find_game(name)
    for state in positions(game, seed=1, number=12):
        found = answer(v1.DrawWorldsRequest(situation=situation(game, state), worlds=3, seed=SEED)).states
        told = answer(v1.DescribeStatesRequest(states=found, detail=ALL)).states
        assert list(told) == [described(game, world) for world in drawn(game, state, 3)]


@every_game
def test_actions_lead_where_the_rules_say(name: str) -> None:
    game, rng = find_game(name), Random(2)
    for state in positions(game, seed=2, number=12):
        (sealed,) = answer(v1.DrawWorldsRequest(situation=situation(game, state), worlds=1, seed=SEED)).states
        (world,) = drawn(game, state, 1)
        action = any_action(game, rng.choice(world.legal_actions()), rng)
        step = v1.Step(state=sealed, action=game.codec.action(action))
        (applied,) = answer(v1.ApplyActionsRequest(steps=[step], detail=ALL, seed=SEED)).states
        before = described(game, world)
        world.apply(action)
        shuffle_where_due(world, Random(SEED))
        # The state that was handed in can be used again.
        assert [before] == list(answer(v1.DescribeStatesRequest(states=[sealed], detail=ALL)).states)
        (told,) = answer(v1.DescribeStatesRequest(states=[applied.state], detail=ALL)).states
        applied.ClearField("state")
        assert applied == described(game, world) == told


@every_game
def test_playouts_end_as_the_rules_say(name: str) -> None:
    game = find_game(name)
    assert game.standing is not None
    for state in positions(game, seed=3, number=8):
        worlds = answer(v1.DrawWorldsRequest(situation=situation(game, state), worlds=2, seed=SEED)).states
        results = answer(v1.PlayOutRequest(states=worlds, playouts=DEFAULT)).results
        deal = game.standing(state).deal
        ends = [with_defaults(game, world, deal) for world in drawn(game, state, 2)]
        assert [tuple(result.scores) for result in results] == ends


@every_game
def test_actions_are_worth_what_the_rules_say(name: str) -> None:
    game, rng = find_game(name), Random(4)
    assert game.standing is not None
    for state in positions(game, seed=4, number=8):
        actions = list({any_action(game, each, rng) for each in state.legal_actions()})
        messages = [game.codec.action(action) for action in actions]
        request = v1.EvaluateActionsRequest(
            situation=situation(game, state), candidates=messages, worlds=3, playouts=DEFAULT, seed=SEED
        )
        found = answer(request)
        sides = game.rules.sides(len(game.standing(state).scores))
        deal = game.standing(state).deal
        ends: dict[Any, list[tuple[int, ...]]] = {action: [] for action in actions}
        for world in drawn(game, state, 3):
            for action, of_action in ends.items():
                after = world.clone()
                after.apply(action)
                of_action.append(with_defaults(game, after, deal))
        assert (found.worlds, found.playouts) == (3, 3 * len(actions))
        assert [value.action for value in found.values] == messages
        for value, scores in zip(found.values, ends.values(), strict=True):
            means = [fmean(of_seat) for of_seat in zip(*scores, strict=True)]
            others = {side: mean for side, mean in zip(sides, means, strict=True) if side != sides[state.actor]}
            assert list(value.scores) == pytest.approx(means)
            assert value.lead == pytest.approx(means[state.actor] - fmean(others.values()))
        assert found.values[found.best].lead == max(value.lead for value in found.values)


@every_game
def test_equal_seeds_have_equal_answers(name: str) -> None:
    game = find_game(name)
    (state,) = positions(game, seed=5, number=1)
    playouts = v1.Playouts(times=2)
    request = v1.EvaluateActionsRequest(situation=situation(game, state), worlds=2, playouts=playouts, seed=SEED)
    assert answer(request) == answer(request)
    assert answer(request).playouts == 4 * len(answer(request).values)


@pytest.mark.parametrize(("most", "worlds"), [(0, 9), (1, 1), (6, 1), (7, 2), (54, 9), (1000, 9)])
def test_playouts_can_be_bounded(most: int, worlds: int) -> None:
    right = a_situation()
    (sealed,) = answer(v1.DrawWorldsRequest(situation=right, worlds=1)).states
    (info,) = answer(v1.DescribeStatesRequest(states=[sealed], detail=ALL)).states
    request = v1.EvaluateActionsRequest(
        situation=right,
        worlds=9,
        candidates=[info.actions[0].action] * 3,
        playouts=v1.Playouts(times=2),
        most_playouts=most,
    )
    assert (answer(request).worlds, answer(request).playouts) == (worlds, 6 * worlds)


@every_game
def test_the_house_plays_out_by_its_policy(name: str) -> None:
    game = find_game(name)
    policy = policy_of(name)
    assert policy is not None
    assert game.standing is not None
    *_, state = positions(game, seed=5, number=2)
    worlds = answer(v1.DrawWorldsRequest(situation=situation(game, state), worlds=1, seed=SEED)).states
    playouts = v1.Playouts(policy=v1.PLAYOUT_POLICY_HOUSE)
    (result,) = answer(v1.PlayOutRequest(states=worlds, playouts=playouts, seed=SEED)).results
    (world,), rng = drawn(game, state, 1), Random(SEED)
    deal = game.standing(world).deal
    while world.actor != FINISHED and not (world.actor == CHANCE and world.shuffle_due().deal != deal):
        if world.actor == CHANCE:
            shuffle_where_due(world, rng)
        else:
            world.apply(policy(world.view(world.actor), legal=world.legal_actions(), rng=rng, worlds=1))
    assert tuple(result.scores) == game.standing(world).scores


@every_game
def test_a_match_is_played_to_its_end(name: str) -> None:
    game = find_game(name)
    (state,) = positions(game, seed=6, number=1)
    worlds = answer(v1.DrawWorldsRequest(situation=situation(game, state), worlds=1, seed=SEED)).states
    playouts = v1.Playouts(policy=v1.PLAYOUT_POLICY_DEFAULT, end=v1.PLAYOUT_END_MATCH)
    (result,) = answer(v1.PlayOutRequest(states=worlds, playouts=playouts, seed=SEED)).results
    (world,) = drawn(game, state, 1)
    rng = Random(SEED)
    while world.actor != FINISHED:
        if world.actor == CHANCE:
            shuffle_where_due(world, rng)
        else:
            world.apply(world.default_action())
    assert tuple(result.scores) == world.outcome.scores


def test_nothing_is_done_after_the_end_of_a_match() -> None:
    game = find_game("mittlere")
    *_, state = positions(game, seed=7, number=60)
    (sealed,) = answer(v1.DrawWorldsRequest(situation=situation(game, state), worlds=1)).states
    while True:
        (info,) = answer(v1.DescribeStatesRequest(states=[sealed], detail=v1.Detail(actions=True))).states
        if not info.HasField("actor"):
            break
        step = v1.Step(state=sealed, action=info.actions[0].action)
        sealed = answer(v1.ApplyActionsRequest(steps=[step])).states[0].state
    assert not info.actions
    with pytest.raises(RequestError, match=r"steps\[0\].action: the match is over"):
        answer(v1.ApplyActionsRequest(steps=[v1.Step(state=sealed, action=step.action)]))
    assert list(answer(v1.PlayOutRequest(states=[sealed])).results[0].scores) == list(info.scores)


def a_situation(name: str = "mittlere") -> v1.Situation:
    game = find_game(name)
    (state,) = positions(game, seed=8, number=1)
    return situation(game, state)


def refused(request: Message, *words: str) -> Why:
    with pytest.raises(RequestError) as error:
        answer(request)
    for word in words:
        assert word in str(error.value)
    return error.value.why


def test_a_wrong_situation_is_refused() -> None:
    right = a_situation()
    mus = v1.Situation(game="mus", seat=0, view=right.view)
    assert refused(v1.DrawWorldsRequest(worlds=1), "game") is Why.UNFIT
    assert refused(v1.DrawWorldsRequest(situation=v1.Situation(game="mitler"), worlds=1), "mittlere") is Why.UNFIT
    assert refused(v1.DrawWorldsRequest(situation=v1.Situation(game="mus"), worlds=1), "view", "empty") is Why.UNFIT
    assert refused(v1.DrawWorldsRequest(situation=mus, worlds=1), "view", "'mittlere'") is Why.UNFIT
    far = v1.Situation(game="mittlere", seat=3, view=right.view)
    assert refused(v1.DrawWorldsRequest(situation=far, worlds=1), "seat", "0 to 2") is Why.UNFIT
    other = v1.Situation(game="mittlere", seat=(right.seat + 1) % 3, view=right.view)
    assert refused(v1.DrawWorldsRequest(situation=other, worlds=1), "view") is Why.UNFIT


def test_too_much_is_refused() -> None:
    right = a_situation()
    playouts = v1.Playouts(times=1_000_000)
    for request in (
        v1.DrawWorldsRequest(situation=right, worlds=MOST_STATES + 1),
        v1.EvaluateActionsRequest(situation=right, worlds=MOST_WORLDS + 1),
        v1.EvaluateActionsRequest(situation=right, worlds=1, time_ms=10_001),
        v1.EvaluateActionsRequest(situation=right, worlds=1, playouts=playouts),
        v1.EvaluateActionsRequest(situation=right, worlds=1, candidates=[v1.Action()] * 1025),
        v1.EvaluateActionsRequest(situation=right, worlds=1, seed=bytes(65)),
        v1.DescribeStatesRequest(states=[b""] * (MOST_STATES + 1)),
        v1.PlayOutRequest(states=[b""] * (MOST_STATES + 1)),
        v1.ApplyActionsRequest(steps=[v1.Step()] * (MOST_STATES + 1)),
    ):
        assert refused(request) is Why.TOO_LARGE, request


def test_nothing_asked_for_is_refused() -> None:
    right = a_situation()
    for request in (
        v1.DrawWorldsRequest(situation=right),
        v1.EvaluateActionsRequest(situation=right),
        v1.DescribeStatesRequest(),
        v1.PlayOutRequest(),
        v1.ApplyActionsRequest(),
    ):
        assert refused(request) is Why.UNFIT, request


def test_an_answer_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ordago.search.answers.MOST_MESSAGE_BYTES", 1000)
    assert refused(v1.DrawWorldsRequest(situation=a_situation(), worlds=10), "1,000") is Why.TOO_LARGE


def test_an_illegal_action_is_named_with_its_rule() -> None:
    right = a_situation()
    (sealed,) = answer(v1.DrawWorldsRequest(situation=right, worlds=1)).states
    (info,) = answer(v1.DescribeStatesRequest(states=[sealed], detail=ALL)).states
    legal = info.actions[0].action
    missing = next(card for card in range(1, 57) if card not in info.view.mittlere.hand and card % 14 > 5)
    wrong = v1.Action(mittlere=v1.MittlereAction(card=v1.Card.Name(missing)))
    request = v1.EvaluateActionsRequest(situation=right, worlds=1, candidates=[legal, wrong])
    assert refused(request, "candidates[1]", "rule not_in_hand") is Why.UNFIT
    assert refused(v1.ApplyActionsRequest(steps=[v1.Step(state=sealed, action=wrong)]), "steps[0].action") is Why.UNFIT
    nothing = v1.ApplyActionsRequest(steps=[v1.Step(state=sealed, action=v1.Action())])
    assert refused(nothing, "steps[0].action", "Mittlere Jass") is Why.UNFIT


def test_foreign_states_are_refused() -> None:
    (sealed,) = answer(v1.DrawWorldsRequest(situation=a_situation(), worlds=1)).states
    changed = sealed[:-1] + bytes((sealed[-1] ^ 1,))
    for state in (b"", b"x" * 500, changed, sealed[:16]):
        assert refused(v1.PlayOutRequest(states=[sealed, state]), "states[1]") is Why.FOREIGN_STATE
    others = Answers(b"x" * 32)
    with pytest.raises(RequestError, match="restarted"):
        others.calls["PlayOut"](v1.PlayOutRequest(states=[sealed]).SerializeToString())


def test_bytes_that_are_no_request_are_refused() -> None:
    for call in ANSWERS.calls.values():
        with pytest.raises(RequestError, match="the bytes are no"):
            call(b"\xff\xff\xff")


def test_unknown_numbers_are_refused() -> None:
    playouts = v1.Playouts.FromString(b"\x08\x63")
    assert refused(v1.EvaluateActionsRequest(situation=a_situation(), worlds=1, playouts=playouts), "99") is Why.UNFIT
