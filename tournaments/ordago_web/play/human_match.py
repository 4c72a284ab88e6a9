"""A match that a person plays against bots of the house.

The referee plays it as any other. A bot of the house thinks about its decisions elsewhere; the person's are put into a
list of messages that his browser reads, and wait until an answer comes that breaks no rule, or nobody plays any more.
"""

import json
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.game import Violation
from ordago.match import Match, MatchTerms, PlayedOut, Question, Reply
from ordago.scene import Sentence, sentence
from ordago_ladder.showing.scene_json import Json, Translate
from ordago_web.play.answers import Answered
from ordago_web.play.seat_view import SeatView
from ordago_web.play.thinking import Thinking, ThinkingFailedError, Thought
from ordago_web.play.wishes import Wish

_WORDS: Final = {
    "won": sentence("You win."),
    "won together": sentence("You and your partner win."),
    "shared": sentence("You share the first place."),
    "lost": sentence("You lose."),
    "lost together": sentence("You and your partner lose."),
}


def result_of(outcome: v1.Outcome, seat: int, sides: Sequence[int]) -> Sentence:
    """Return how a match ended for a seat, in a sentence.

    Args:
        outcome: how it ended.
        seat: the seat.
        sides: the side of each seat.
    """
    own, side = outcome.placings[seat], sides[seat]
    together = " together" if sides.count(side) > 1 else ""
    first_sides = {other for other, placing in zip(sides, outcome.placings, strict=True) if placing == 1}
    if own == 1:
        return _WORDS["shared" if len(first_sides) > 1 else f"won{together}"]
    if len(set(sides)) > 2:
        return sentence("You are in place {place} of {all}.", place=own, all=len(set(sides)))
    return _WORDS[f"lost{together}"]


_MOST_KEPT: Final = 400
"""How many messages can be caught up on. Who missed more is shown the table as it is."""
_MOST_TOLD: Final = 200
"""How many lines are told to who comes anew."""
_MOST_LISTENERS: Final = 3
"""How many pages show one match at a time. The oldest is told no more when another opens."""
_MOST_CHOICES: Final = 20_000
"""A match that goes on for longer takes memory that others need: nobody plays so many cards by hand in a day."""
_GONE_SECONDS: Final = 120.0
"""A table that no page shows for so long is abandoned: a browser comes back in seconds, a telephone in a minute."""
_ASLEEP_SECONDS: Final = 600.0
"""So is one at which nobody answers for so long, though a page shows it."""
_LOG: Final = logging.getLogger("ordago.play")

_LEFT: Final = sentence("The match ended because nobody was playing. It does not count.")
_GIVEN_UP: Final = sentence("You left the table. The match ended.")
_ABANDONED: Final = sentence("The match ended: nobody was at this table, and others were waiting.")
_FAILED: Final = sentence("The house bot failed, so the match ended. This was not your fault: start another.")
_TOO_LONG: Final = sentence("The match reached its time limit and ended.")


class ClosedDecisionError(Exception):
    """An answer is about a decision that is not open: it was answered already, perhaps in another window."""


class Message(NamedTuple):
    """Something that a browser is told."""

    number: int
    """It goes on after this one if the connection breaks."""
    event: str
    """What it is: ``scene``, ``step``, ``decision`` or ``end``."""
    data: str
    """What is told, as JSON."""


class Person(NamedTuple):
    """Who plays."""

    owner: str
    """The session of his browser. Nobody else sees the match."""
    origin: str
    """Where he comes from: an address, or a network."""


class _StoppedError(Exception):
    """The match ends before its end, for this reason."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason.words)
        self.reason = reason


class HumanMatch:
    """A match that a person plays. All of it happens in trio's thread."""

    def __init__(
        self,
        terms: MatchTerms,
        wish: Wish,
        person: Person,
        *,
        idle_seconds: float,
        translate: Translate = str,
    ) -> None:
        """Prepare the match.

        Args:
            terms: what it is played under.
            wish: what was wished for, which is this match.
            person: who plays.
            idle_seconds: for so long it waits for the person.
            translate: turns English texts into those of the language of the person.
        """
        self.terms = terms
        self.wish = wish
        self.person = person
        self.record: v1.MatchRecord | None = None
        """The record, once the match came to its end."""
        self.ended_at: float | None = None
        """When it ended, by trio's clock; ``None`` while it is played."""
        self._patience_seconds = idle_seconds
        self._translate = translate
        self._starts: dict[int, bytes] = {}
        """What each seat is told when the match begins, serialized."""
        self._seat_view = SeatView(terms, wish.seat, translate)
        self._choices = 0
        self._open: int | None = None
        """The number of the decision that the person has to take."""
        self._answer: v1.Answer | None = None
        self._stopped: Sentence | None = None
        self._wake = trio.Event()
        """Set when the person has answered, or given up."""
        self._messages: deque[Message] = deque(maxlen=_MOST_KEPT)
        self._number = 0
        self._told: deque[Json] = deque(maxlen=_MOST_TOLD)
        self._actor: int | None = None
        self._listeners = 0
        self._pages = 0
        """How many pages show it now."""
        self._answered_at = self._shown_at = trio.current_time()
        self._news = trio.Event()

    async def play(self, thinking: Thinking) -> None:
        """Play the match to its end, whatever that is."""
        try:
            self._end(await self._played(thinking))
        except _StoppedError as stopped:
            self._say_end({"sentence": stopped.reason.written(self._translate)})
        except Exception:  # noqa: BLE001 - one match fails; the others, and the site, go on
            _LOG.exception("a match that a person played ended by a failure of the site")
            self._say_end({"sentence": _FAILED.written(self._translate)})

    async def _played(self, thinking: Thinking) -> PlayedOut:
        match = Match(self.terms)
        self._starts = {
            seat: start.SerializeToString() for seat, start in match.begin().told if isinstance(start, v1.MatchStart)
        }
        self._show(self._seat_view.begin())
        step = match.step(None)
        while step.played_out is None:
            if self._stopped is not None:
                raise _StoppedError(self._stopped)
            step = match.step(None if step.question is None else await self._reply(step.question, thinking))
            self._show_choices(step.entries)
        return step.played_out

    async def _reply(self, question: Question, thinking: Thinking) -> Reply:
        began = trio.current_time()
        if question.seat == self.wish.seat:
            answer = await self._ask(question.decision.number)
        else:
            answer = await self._think(question, thinking)
        return Reply(answer.SerializeToString(), trio.current_time() - began)

    async def _ask(self, number: int) -> v1.Answer:
        """Put a decision to the person, and return his answer, which breaks no rule."""
        self._await_answer(number)
        self._say("decision", self._seat_view.decision(number) | {"idleSeconds": round(self._patience_seconds)})
        with trio.move_on_after(self._patience_seconds):
            await self._wake.wait()
        self._open = None
        if self._answer is None:
            raise _StoppedError(self._stopped or _LEFT)
        return self._answer

    def _await_answer(self, number: int) -> None:
        self._open, self._answer, self._wake = number, None, trio.Event()

    async def _think(self, question: Question, thinking: Thinking) -> v1.Answer:
        """Return what the bot of a seat answers, which gets what any bot gets."""
        start = self._starts[question.seat]
        thought = Thought(start, question.serialized(), self.wish.strengths[question.seat])
        try:
            return await thinking.answer(thought)
        except ThinkingFailedError as error:
            _LOG.warning("the house is asked again: %s", error)
            return await thinking.answer(thought)

    def _show_choices(self, entries: Iterable[bytes]) -> None:
        """Show the choices that the referee has taken."""
        for entry in entries:
            self._choices += 1
            self._show(self._seat_view.chosen(entry))
        if self._choices >= _MOST_CHOICES:
            self._stopped = _TOO_LONG

    def answer(self, answered: Answered) -> Violation | None:
        """Take an answer of the person, or return the rule that it breaks: the decision stays open then.

        Raises:
            ClosedDecisionError: the decision is not open.
        """
        if self._open is None or answered.decision != self._open:
            raise ClosedDecisionError
        violation = self._seat_view.violation(answered.answer)
        if violation is None:
            self._open, self._answer = None, answered.answer
            self._answered_at = trio.current_time()
            self._wake.set()
        return violation

    def give_up(self) -> None:
        """End the match, as far as it is not over."""
        self._stop(_GIVEN_UP)

    def make_way(self) -> None:
        """End the match, since others want its table."""
        self._stop(_ABANDONED)

    def _stop(self, reason: Sentence) -> None:
        self._stopped = reason
        self._wake.set()

    @property
    def is_played(self) -> bool:
        """Whether it goes on."""
        return self.ended_at is None and self._stopped is None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Note that a page shows the table."""
        self._pages += 1
        try:
            yield
        finally:
            self._pages -= 1
            self._shown_at = trio.current_time()

    @property
    def idle_seconds(self) -> float:
        """For how long nobody has answered, and, where no page shows the table, none has shown it."""
        return trio.current_time() - (self._answered_at if self._pages else max(self._answered_at, self._shown_at))

    @property
    def is_abandoned(self) -> bool:
        """Whether others may have the table."""
        return self.idle_seconds >= (_ASLEEP_SECONDS if self._pages else _GONE_SECONDS)

    def _show(self, steps: Sequence[dict[str, Json]]) -> None:
        for step in steps:
            self._actor = step["actor"]
            if "told" in step:
                self._told.append({name: step[name] for name in ("told", "seat", "mark", "section") if name in step})
            self._say("step", step)

    def _end(self, played: PlayedOut) -> None:
        self.record = played.record.message
        outcome, sides = self.record.outcome, self.terms.game.rules.sides(len(self.terms.seats))
        self._say_end(
            {
                "sentence": result_of(outcome, self.wish.seat, sides).written(self._translate),
                "scores": list(outcome.scores),
                "placings": list(outcome.placings),
                "secret": self.record.secret.hex(),
            }
        )

    def _say_end(self, end: dict[str, Json]) -> None:
        self.ended_at = trio.current_time()
        self._say("end", end)

    def _say(self, event: str, data: Json) -> None:
        self._number += 1
        self._messages.append(Message(self._number, event, _json(data)))
        self._tell_listeners()

    def _tell_listeners(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def listen(self, last: int | None, *, beat_seconds: float) -> "Listener":
        """Tell what the person sees, until the match is over or too many others listen.

        Args:
            last: the number of the message up to which he was told before; ``None``: he was told nothing, and is shown
                the table as it is.
            beat_seconds: after so much silence ``None`` comes, by which a connection that is gone is noticed.
        """
        self._listeners += 1
        self._tell_listeners()
        return Listener(self, self._listeners, last, beat_seconds)

    def is_told(self, ticket: int) -> bool:
        """Say whether the listener of this number is told more: the last ones are."""
        return ticket > self._listeners - _MOST_LISTENERS

    async def news(self) -> None:
        """Wait for something new."""
        await self._news.wait()

    def is_over_at(self, number: int | None) -> bool:
        """Say whether nothing comes after a message."""
        return self.ended_at is not None and number == self._number

    def since(self, last: int | None) -> list[Message]:
        """Return what comes after a message, or the table as it is where that is not known any more."""
        first = self._messages[0].number if self._messages else 1
        if last is not None and first - 1 <= last <= self._number:
            return [message for message in self._messages if message.number > last]
        # What waits for the person, or ends the match, is told beside the table as it is.
        waits = self._open is not None or self.ended_at is not None
        pending = [self._messages[-1]] if waits else []
        whole = {"scene": self._seat_view.scene, "told": list(self._told), "actor": self._actor}
        return [Message(self._number - len(pending), "scene", _json(whole)), *pending]


class Listener:
    """Who is told a match, message by message. It is no generator: those have to be closed by whoever leaves early."""

    def __init__(self, human_match: HumanMatch, ticket: int, last: int | None, beat_seconds: float) -> None:
        """Begin. Use ``HumanMatch.listen``."""
        self._human_match = human_match
        self._ticket = ticket
        self._last = last
        self._beat_seconds = beat_seconds
        self._ready: deque[Message] = deque()

    def __aiter__(self) -> "Listener":
        return self

    async def __anext__(self) -> Message | None:
        await trio.lowlevel.checkpoint()
        if not self._find() and self._goes_on():
            with trio.move_on_after(self._beat_seconds):
                await self._human_match.news()
            if not self._find() and self._goes_on():
                return None
        if not self._ready or not self._human_match.is_told(self._ticket):
            raise StopAsyncIteration
        message = self._ready.popleft()
        self._last = message.number
        return message

    def _find(self) -> bool:
        """Say whether there is something to tell."""
        if not self._ready:
            self._ready.extend(self._human_match.since(self._last))
        return bool(self._ready)

    def _goes_on(self) -> bool:
        return self._human_match.is_told(self._ticket) and not self._human_match.is_over_at(self._last)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
