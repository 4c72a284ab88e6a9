"""Players without a connection, for matches without an arena."""

import copy
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ordago import v1
from ordago.arena.play import Onlooker, tell
from ordago.journal import NO_CHOICE_LOG
from ordago.match import Acceptance, Match, MatchTerms, Message, PlayedOut, Question, Reply, Step
from ordago.record import digest

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
        self._elapsed = 0.0
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

    def tell(self, message: Message) -> None:
        """Be told something by the referee."""
        if isinstance(message, v1.MatchStart):
            self.begin(message)
            return
        if isinstance(message, v1.Refused):
            self._refusals.append(message)
        self._hear(message)

    def begin(self, start: v1.MatchStart) -> None:
        """Be told that the match begins."""
        self._hear(start)

    def accept(self, accepted: Acceptance) -> None:
        """Be told that the decision is closed."""
        self._hear(accepted.message())

    def reply(self, question: Question) -> Reply:
        """Answer by the strategy, which is told of the refusals."""
        if not question.again:
            self._decision = question.message()
            self._hear(self._decision)
            self._elapsed, self._refusals = 0.0, []
        thought = self.strategy(self._decision, self._refusals)
        seconds = question.time.seconds
        if thought is None or self._elapsed + self.thinks > seconds:
            return Reply(None, seconds, v1.FAULT_TOO_LATE)
        self._elapsed += self.thinks
        if isinstance(thought, v1.Answer):
            return Reply(thought.SerializeToString(), self._elapsed)
        return Reply(None, self._elapsed, thought)

    def end(self, end: v1.MatchEnd) -> None:
        """Be told that the match is over."""
        self._hear(end)

    def _hear(self, message: object) -> None:
        self.told.append(copy.deepcopy(message))


def play_match(
    terms: MatchTerms,
    players: Sequence[FakePlayer],
    *,
    choice_log: Any = NO_CHOICE_LOG,
    onlookers: Sequence[Onlooker] = (),
    **options: Any,
) -> v1.MatchRecord:
    """Play a match to its end and return its record."""
    finished = played_out(Match(terms, **options), players, choice_log=choice_log, onlookers=onlookers)
    for player, end in zip(players, finished.ends, strict=True):
        player.end(end)
    assert finished.record.digest == digest(finished.record.message), "put together as the match was played"
    return finished.record.message


def played_out(
    match: Match,
    players: Sequence[FakePlayer],
    *,
    reply: Reply | None = None,
    choice_log: Any = NO_CHOICE_LOG,
    onlookers: Sequence[Onlooker] = (),
) -> PlayedOut:
    """Play a match to its end; one that is asking goes on with a reply."""

    def carried_out(step: Step) -> Step:
        choice_log.enter(step.entries)
        tell(step, players, onlookers)
        return step

    if reply is None:
        carried_out(match.begin())
    step = carried_out(match.step(reply))
    while step.played_out is None:
        step = carried_out(
            match.step(None if step.question is None else players[step.question.seat].reply(step.question))
        )
    return step.played_out


def first_question(match: Match, players: Sequence[FakePlayer] = ()) -> Question:
    """Begin a match, and return its first question."""
    for step in (match.begin(), match.step(None)):
        if players:
            tell(step, players)
    assert step.question is not None
    return step.question
