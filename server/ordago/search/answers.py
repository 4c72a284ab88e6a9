"""Answers to the requests of ``RulesService``, as bytes to bytes."""

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from math import ceil
from random import Random
from types import MappingProxyType
from typing import Final, TypeVar, cast

from google.protobuf.message import DecodeError, Message

from ordago import v1
from ordago.cache import Cache
from ordago.game import FINISHED
from ordago.games import find_game
from ordago.games.definition import AnyGame
from ordago.search.evaluation import Value, candidates_of, evaluate
from ordago.search.playouts import AnyState, End, Manner, Playouts, Policy, shuffle_where_due
from ordago.search.requests import (
    GRACE_SECONDS,
    MOST_CANDIDATES,
    MOST_MESSAGE_BYTES,
    MOST_SECONDS,
    MOST_SEED_BYTES,
    MOST_STATES,
    MOST_TIMES,
    MOST_WORLDS,
    RequestError,
    Why,
    check_number,
    unfit,
    within,
)
from ordago.search.situations import situation_of, worlds_of
from ordago.search.states import SealedStates
from ordago.wire.codec import NoSuchActionError

MessageT = TypeVar("MessageT", bound=Message)

_MILLISECONDS: Final = 1000


class Answers:
    """Answers requests, each from what it says alone."""

    def __init__(self, key: bytes) -> None:
        """Take the secret of the states."""
        self._states = SealedStates(key)
        self.calls: Final[Mapping[str, Callable[[bytes], bytes]]] = MappingProxyType(
            {
                "EvaluateActions": self._call(v1.EvaluateActionsRequest, self._evaluate),
                "DrawWorlds": self._call(v1.DrawWorldsRequest, self._draw),
                "DescribeStates": self._call(v1.DescribeStatesRequest, self._describe),
                "ApplyActions": self._call(v1.ApplyActionsRequest, self._apply),
                "PlayOut": self._call(v1.PlayOutRequest, self._play_out),
            }
        )
        """The functions that answer a serialized request, by the name of the call. They raise ``RequestError``."""

    def _call(self, request: type[MessageT], answer: Callable[[MessageT], Message]) -> Callable[[bytes], bytes]:
        def call(serialized: bytes) -> bytes:
            try:
                message = request.FromString(serialized)
            except DecodeError:
                raise unfit(f"the bytes are no {request.DESCRIPTOR.name}") from None
            answered = answer(message).SerializeToString()
            if len(answered) > MOST_MESSAGE_BYTES:
                sentence = f"the answer would have {len(answered):,} bytes, and {MOST_MESSAGE_BYTES:,} are allowed"
                raise RequestError(Why.TOO_LARGE, f"{sentence}: ask for less in one call")
            return answered

        return call

    def _evaluate(self, request: v1.EvaluateActionsRequest) -> v1.EvaluateActionsResponse:
        check_number(request.worlds, "worlds", most=MOST_WORLDS)
        check_number(len(request.candidates) or 1, "candidates", most=MOST_CANDIDATES)
        manner, rng, seconds = _manner(request.playouts), _rng(request.seed), _seconds(request.time_ms)
        game, seat, view = situation = situation_of(request.situation)
        until = time.monotonic() + seconds
        first, worlds = worlds_of(situation, rng=rng)
        actions = _candidates(game, view, first, request.candidates)
        of_a_world = len(actions) * manner.times
        wanted = min(request.worlds, ceil(request.most_playouts / of_a_world) or request.worlds)
        with _in_time(seconds + GRACE_SECONDS):
            found = evaluate(
                actions,
                islice(worlds, wanted),
                seat=seat,
                sides_of=game.rules.sides,
                playouts=Playouts(game, manner, rng=rng),
                is_time_up=lambda: time.monotonic() >= until,
            )
        return v1.EvaluateActionsResponse(
            values=[_value_message(game, value) for value in found.values],
            worlds=found.worlds,
            playouts=found.worlds * of_a_world,
            best=found.best,
        )

    def _draw(self, request: v1.DrawWorldsRequest) -> v1.DrawWorldsResponse:
        check_number(request.worlds, "worlds", most=MOST_STATES)
        situation, rng = situation_of(request.situation), _rng(request.seed)
        _, worlds = worlds_of(situation, rng=rng)
        with _in_time(MOST_SECONDS):
            sealed = [self._states.sealed(situation.game, world) for world in islice(worlds, request.worlds)]
        return v1.DrawWorldsResponse(states=sealed)

    def _describe(self, request: v1.DescribeStatesRequest) -> v1.DescribeStatesResponse:
        with _in_time(MOST_SECONDS):
            opened = self._opened(request.states)
            return v1.DescribeStatesResponse(states=[_described(*each, request.detail) for each in opened])

    def _apply(self, request: v1.ApplyActionsRequest) -> v1.ApplyActionsResponse:
        rng = _rng(request.seed)
        check_number(len(request.steps), "steps", most=MOST_STATES)
        with _in_time(MOST_SECONDS):
            applied = [self._applied(place, step, rng, request.detail) for place, step in enumerate(request.steps)]
        return v1.ApplyActionsResponse(states=applied)

    def _applied(self, place: int, step: v1.Step, rng: Random, detail: v1.Detail) -> v1.StateInfo:
        game, state = self._states.opened(step.state, name=f"steps[{place}].state")
        state.apply(_legal(game, state, step.action, f"steps[{place}].action"))
        shuffle_where_due(state, rng)
        described = _described(game, state, detail)
        described.state = self._states.sealed(game, state)
        return described

    def _play_out(self, request: v1.PlayOutRequest) -> v1.PlayOutResponse:
        manner, rng = _manner(request.playouts), _rng(request.seed)
        playouts = Cache[str, Playouts](lambda name: Playouts(find_game(name), manner, rng=rng))
        results = []
        with _in_time(MOST_SECONDS):
            for game, state in self._opened(request.states):
                of_game = playouts[game.name]
                results.append(v1.PlayedOut(scores=of_game.average(state, deal=of_game.deal_of(state))))
        return v1.PlayOutResponse(results=results)

    def _opened(self, sealed: Sequence[bytes]) -> Iterator[tuple[AnyGame, AnyState]]:
        check_number(len(sealed), "states", most=MOST_STATES)
        for place, each in enumerate(sealed):
            yield self._states.opened(each, name=f"states[{place}]")


def _in_time(seconds: float) -> AbstractContextManager[None]:
    sentence = "the call took too long and was stopped: ask for fewer worlds, states or playouts, or a quicker policy"
    return within(seconds, RequestError(Why.TOO_LONG, sentence))


def _seconds(time_ms: int) -> float:
    seconds = time_ms / _MILLISECONDS
    if seconds > MOST_SECONDS:
        raise RequestError(Why.TOO_LARGE, f"time_ms: a call takes at most {MOST_SECONDS * _MILLISECONDS:.0f} ms")
    return seconds or MOST_SECONDS


def _rng(seed: bytes) -> Random:
    if len(seed) > MOST_SEED_BYTES:
        raise RequestError(
            Why.TOO_LARGE, f"seed: it has {len(seed):,} bytes, and at most {MOST_SEED_BYTES} are allowed"
        )
    return Random(seed or None)


def _manner(message: v1.Playouts) -> Manner:
    try:
        policy, end = Policy(message.policy or Policy.RANDOM), End(message.end or End.DEAL)
    except ValueError as error:
        raise unfit(f"playouts: {error}") from None
    check_number(message.times or 1, "playouts of a state", most=MOST_TIMES)
    return Manner(policy, end, message.times or 1)


def _candidates(game: AnyGame, view: object, world: AnyState, messages: Sequence[v1.Action]) -> Sequence[Hashable]:
    """Return the actions to evaluate: those of a request, checked, or else those that the house would consider."""
    if messages:
        return [_legal(game, world, message, f"candidates[{place}]") for place, message in enumerate(messages)]
    actions = candidates_of(game, view, world.legal_actions())
    if not actions:
        raise unfit("candidates: all legal actions have open parts, so name the complete actions to compare")
    return actions


def _legal(game: AnyGame, state: AnyState, message: v1.Action, name: str) -> Hashable:
    """Return the action of a message; ``name`` is its field in the request."""
    if state.actor == FINISHED:
        raise unfit(f"{name}: the match is over")
    try:
        action = game.codec.action_from(message)
    except NoSuchActionError as error:
        raise unfit(f"{name}: {error}") from None
    violation = state.check(action)
    if violation is not None:
        raise unfit(f"{name} is illegal by the rule {violation.rule}: {violation.sentence}")
    return cast(Hashable, action)


def _value_message(game: AnyGame, value: Value) -> v1.ActionValue:
    return v1.ActionValue(
        action=game.codec.action(value.action), scores=value.scores, lead=value.lead, lead_error=value.lead_error
    )


def _described(game: AnyGame, state: AnyState, detail: v1.Detail) -> v1.StateInfo:
    described = v1.StateInfo()
    if game.standing is not None:
        described.deal, scores = game.standing(state)
        described.scores.extend(scores)
    elif state.outcome is not None:
        described.scores.extend(state.outcome.scores)
    if state.actor == FINISHED:
        return described
    described.actor = state.actor
    if detail.actions:
        described.actions.extend(_offered(game, state))
    if detail.view:
        described.view.MergeFromString(game.codec.views()(state.view(state.actor)))
    return described


def _offered(game: AnyGame, state: AnyState) -> Iterator[v1.LegalAction]:
    for number, (action, amount, picks) in enumerate(state.legal_actions(), start=1):
        message = v1.LegalAction(id=number, action=game.codec.action(action))
        if amount is not None:
            message.amount.min, message.amount.max = amount
        for pick in picks:
            message.picks.add(cards=cast("Sequence[v1.Card]", pick.cards), min=pick.min, max=pick.max)
        yield message
