"""Players without a connection, for matches without an arena."""

import copy
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import trio

from ordago import v1
from ordago.match import Decision, Reply

Thought: TypeAlias = "v1.Answer | v1.Fault | None"
"""An answer, or why there is none; ``None`` for silence."""
Strategy: TypeAlias = "Callable[[v1.Decision, Sequence[v1.Refused]], Thought]"
"""Answers a decision, knowing how the answers to it were refused so far."""


def by_number(decision: v1.Decision, refusals: Sequence[v1.Refused] = ()) -> v1.Answer:
    """Take the last legal action by its number."""
    assert not refusals
    return v1.Answer(legal_action=decision.actions[-1].id)


def by_type(decision: v1.Decision, refusals: Sequence[v1.Refused] = ()) -> v1.Answer:
    """Take the last legal action by its type."""
    assert not refusals
    return v1.Answer(action=decision.actions[-1].action)


def by_default(decision: v1.Decision, refusals: Sequence[v1.Refused] = ()) -> v1.Answer:
    """Take the default answer."""
    assert not refusals
    return decision.default_answer


class FakePlayer:
    """A seat of a match that answers by a strategy and keeps a copy of all that it is told."""

    def __init__(self, strategy: Strategy = by_number, *, thinks: float = 0.0) -> None:
        """Think this many seconds about each answer."""
        self.strategy = strategy
        self.thinks = thinks
        self.told: list[Any] = []
        self._asked_at = 0.0
        self._decision = v1.Decision()
        self._refusals: list[v1.Refused] = []

    def of(self, kind: type[Any]) -> list[Any]:
        """Return what it was told of one kind."""
        return [message for message in self.told if isinstance(message, kind)]

    @property
    def decisions(self) -> list[v1.Decision]:
        """The decisions that it was asked."""
        return self.of(v1.Decision)

    @property
    def accepted(self) -> list[v1.Accepted]:
        """What it was told when its decisions were closed."""
        return self.of(v1.Accepted)

    @property
    def refused(self) -> list[v1.Refused]:
        """The refusals of its answers."""
        return self.of(v1.Refused)

    def begin(self, start: v1.MatchStart) -> None:
        """Be told that the match begins."""
        self._hear(start)

    async def ask(self, decision: Decision, *, seconds: float) -> Reply:
        """Answer by the strategy."""
        message = decision.message()
        self._hear(message)
        self._asked_at, self._decision, self._refusals = trio.current_time(), message, []
        return await self._reply(seconds)

    async def ask_again(self, refused: v1.Refused, *, seconds: float) -> Reply:
        """Answer by the strategy, which is told of the refusals."""
        self._hear(refused)
        self._refusals.append(refused)
        return await self._reply(seconds)

    async def _reply(self, seconds: float) -> Reply:
        thought = self.strategy(self._decision, self._refusals)
        in_time = thought is not None and self.thinks <= seconds
        await trio.sleep(self.thinks if in_time else seconds)
        elapsed = trio.current_time() - self._asked_at
        if not in_time:
            return Reply(None, elapsed, v1.FAULT_TOO_LATE)
        if isinstance(thought, v1.Answer):
            return Reply(thought, elapsed)
        assert thought is not None
        return Reply(None, elapsed, thought)

    def accept(self, accepted: v1.Accepted) -> None:
        """Be told that the decision is closed."""
        self._hear(accepted)

    def end(self, end: v1.MatchEnd) -> None:
        """Be told that the match is over."""
        self._hear(end)

    def _hear(self, message: object) -> None:
        self.told.append(copy.deepcopy(message))
