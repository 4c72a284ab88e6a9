"""A match of a person against house bots.

The referee plays it like any other. House bots decide in a process of their own. Decisions of the person go into a list
of messages for its browser, and wait for a legal answer or for the end of the match.
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
from ordago_ladder.pages.figures import ordinal
from ordago_ladder.showing.scene_json import Json, Translate
from ordago_web.play.answers import Answered
from ordago_web.play.seat_view import SeatView
from ordago_web.play.thinking import Thinking, ThinkingFailedError, Thought
from ordago_web.play.wishes import Wish

_WORDS: Final = {
    "won": sentence("You win."),
    "won together": sentence("You and your partner win."),
    "shared": sentence("You share first place."),
    "lost": sentence("You lose."),
    "lost together": sentence("You and your partner lose."),
}


def result_of(outcome: v1.Outcome, seat: int, sides: Sequence[int]) -> Sentence:
    """Return the result of a seat as a sentence.

    Args:
        outcome: the outcome of the match.
        seat: the seat.
        sides: the side of each seat.
    """
    own, side = outcome.placings[seat], sides[seat]
    together = " together" if sides.count(side) > 1 else ""
    first_sides = {other for other, placing in zip(sides, outcome.placings, strict=True) if placing == 1}
    if own == 1:
        return _WORDS["shared" if len(first_sides) > 1 else f"won{together}"]
    if len(set(sides)) > 2:
        return sentence("You came {place} of {all}.", place=ordinal(own), all=len(set(sides)))
    return _WORDS[f"lost{together}"]


_MOST_KEPT: Final = 400
"""The number of messages to catch up on. A page that missed more gets the current scene."""
_MOST_LINES: Final = 200
"""The number of lines in the log that a new page gets."""
_MOST_LISTENERS: Final = 3
"""The limit of pages that follow one match. Another one ends the stream of the oldest."""
_MOST_CHOICES: Final = 20_000
"""Nobody plays so many cards by hand in a day, and a longer match takes memory that others need."""
_GONE_SECONDS: Final = 120.0
"""A match that no page has shown for so long is abandoned: a browser reconnects in seconds, a phone in a minute."""
_ASLEEP_SECONDS: Final = 600.0
"""A match without an answer for so long is abandoned too, even if a page shows it."""
_LOG: Final = logging.getLogger("ordago.play")

_LEFT: Final = sentence("The match ended because nobody was playing. It does not count.")
_GIVEN_UP: Final = sentence("You left the table. The match ended.")
_ABANDONED: Final = sentence("The match ended: nobody was at this table, and others were waiting.")
_FAILED: Final = sentence("The house bot failed, so the match ended. This was not your fault: start a new one.")
_TOO_LONG: Final = sentence("The match reached its time limit and ended.")


class ClosedDecisionError(Exception):
    """The answer to a decision that is not open, for instance because another window has answered it."""


class Message(NamedTuple):
    """A message of the event stream."""

    number: int
    """Its number, from which the browser resumes after a lost connection."""
    event: str
    """The event: ``scene``, ``step``, ``decision`` or ``end``."""
    data: str
    """The data, as JSON."""


class Person(NamedTuple):
    """The person who plays."""

    owner: str
    """The id of its browser session. Nobody else sees the match."""
    origin: str
    """Its address, or the network of an IPv6 address."""


class _StoppedError(Exception):
    """The reason to end a match early."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason.words)
        self.reason = reason


class HumanMatch:
    """A match of a person against house bots. For use in trio's thread only."""

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
            terms: the terms of the match.
            wish: the wish that it fulfils.
            person: the person who plays.
            idle_seconds: the time for each decision of the person.
            translate: translates English texts to the language of the person.
        """
        self.terms = terms
        self.wish = wish
        self.person = person
        self.record: v1.MatchRecord | None = None
        """The record, once the match was played to its end."""
        self.ended_at: float | None = None
        """The time of its end, by trio's clock; ``None`` while it is played."""
        self._patience_seconds = idle_seconds
        self._translate = translate
        self._starts: dict[int, bytes] = {}
        """The serialized ``MatchStart`` of each seat."""
        self._seat_view = SeatView(terms, wish.seat, translate)
        self._choices = 0
        self._open: int | None = None
        """The number of the decision that waits for the person."""
        self._answer: v1.Answer | None = None
        self._stopped: Sentence | None = None
        self._wake = trio.Event()
        """Set when the person has answered or given up."""
        self._messages: deque[Message] = deque(maxlen=_MOST_KEPT)
        self._number = 0
        self._lines: deque[Json] = deque(maxlen=_MOST_LINES)
        self._actor: int | None = None
        self._listeners = 0
        self._pages = 0
        """The number of pages that show it now."""
        self._answered_at = self._shown_at = trio.current_time()
        self._news = trio.Event()

    async def play(self, thinking: Thinking) -> None:
        """Play the match to its end, normal or not."""
        try:
            self._end(await self._played(thinking))
        except _StoppedError as stopped:
            self._say_end({"sentence": stopped.reason.written(self._translate)})
        except Exception:  # noqa: BLE001 - one match fails; the others, and the site, go on
            _LOG.exception("the site failed in a match against a person")
            self._say_end({"sentence": _FAILED.written(self._translate)})

    async def _played(self, thinking: Thinking) -> PlayedOut:
        match = Match(self.terms)
        self._starts = {
            seat: start.SerializeToString()
            for seat, start in match.begin().messages
            if isinstance(start, v1.MatchStart)
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
        """Ask the person for a decision, and return its legal answer."""
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
        """Return the answer of a house bot, which gets the same messages as any bot. A failure is tried once more."""
        start = self._starts[question.seat]
        thought = Thought(start, question.serialized(), self.wish.strengths[question.seat])
        try:
            return await thinking.answer(thought)
        except ThinkingFailedError as error:
            _LOG.warning("asking the house again: %s", error)
            return await thinking.answer(thought)

    def _show_choices(self, entries: Iterable[bytes]) -> None:
        """Show the choices that the referee has recorded."""
        for entry in entries:
            self._choices += 1
            self._show(self._seat_view.chosen(entry))
        if self._choices >= _MOST_CHOICES:
            self._stopped = _TOO_LONG

    def answer(self, answered: Answered) -> Violation | None:
        """Accept an answer of the person, or return the rule that it breaks; the decision stays open then.

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
        """End the match, as its player wishes."""
        self._stop(_GIVEN_UP)

    def make_way(self) -> None:
        """End the abandoned match, since others want to play."""
        self._stop(_ABANDONED)

    def _stop(self, reason: Sentence) -> None:
        self._stopped = reason
        self._wake.set()

    @property
    def is_played(self) -> bool:
        """True while the match goes on."""
        return self.ended_at is None and self._stopped is None

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Count a page that shows the match."""
        self._pages += 1
        try:
            yield
        finally:
            self._pages -= 1
            self._shown_at = trio.current_time()

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last answer. If no page shows the match, seconds since the last page, if that is later."""
        return trio.current_time() - (self._answered_at if self._pages else max(self._answered_at, self._shown_at))

    @property
    def is_abandoned(self) -> bool:
        """True if the match may be ended for others."""
        return self.idle_seconds >= (_ASLEEP_SECONDS if self._pages else _GONE_SECONDS)

    def _show(self, steps: Sequence[dict[str, Json]]) -> None:
        for step in steps:
            self._actor = step["actor"]
            if "told" in step:
                self._lines.append({name: step[name] for name in ("told", "seat", "mark", "section") if name in step})
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
        """Return the messages that the person sees, until the match ends or too many newer pages listen.

        Args:
            last: the number of the last message that the page has; ``None`` for a new page, which gets the whole scene.
            beat_seconds: the silence after which ``None`` is returned, so that a dead connection is noticed.
        """
        self._listeners += 1
        self._tell_listeners()
        return Listener(self, self._listeners, last, beat_seconds)

    def is_listener(self, ticket: int) -> bool:
        """Return True if the listener with this number gets more messages: the newest ones do."""
        return ticket > self._listeners - _MOST_LISTENERS

    async def news(self) -> None:
        """Wait for a new message."""
        await self._news.wait()

    def is_over_at(self, number: int | None) -> bool:
        """Return True if the match is over and this was its last message."""
        return self.ended_at is not None and number == self._number

    def since(self, last: int | None) -> list[Message]:
        """Return the messages after this one, or the current scene if they are no longer stored."""
        first = self._messages[0].number if self._messages else 1
        if last is not None and first - 1 <= last <= self._number:
            return [message for message in self._messages if message.number > last]
        # A new page also needs the open decision, or the end of the match.
        waits = self._open is not None or self.ended_at is not None
        pending = [self._messages[-1]] if waits else []
        whole = {"scene": self._seat_view.scene, "told": list(self._lines), "actor": self._actor}
        return [Message(self._number - len(pending), "scene", _json(whole)), *pending]


class Listener:
    """A reader of the messages of a match. Not a generator, since those have to be closed when left early."""

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
        if not self._ready or not self._human_match.is_listener(self._ticket):
            raise StopAsyncIteration
        message = self._ready.popleft()
        self._last = message.number
        return message

    def _find(self) -> bool:
        """Return True if a message is ready."""
        if not self._ready:
            self._ready.extend(self._human_match.since(self._last))
        return bool(self._ready)

    def _goes_on(self) -> bool:
        return self._human_match.is_listener(self._ticket) and not self._human_match.is_over_at(self._last)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
