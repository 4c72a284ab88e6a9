"""A person's side of a match: what is shown to its browser, and the answers that come from there."""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.game import Violation
from ordago.match import MatchTerms
from ordago.scene import Sentence, sentence
from ordago_ladder.pages.figures import ordinal
from ordago_ladder.showing.scene_json import Json, Translate
from ordago_web.play.answers import Answered
from ordago_web.play.hints import Hint, NoHintError
from ordago_web.play.seat_view import SeatView
from ordago_web.play.thinking import Thinking
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
_GONE_SECONDS: Final = 120.0
"""A match that no page has shown for so long is abandoned: a browser reconnects in seconds, a phone in a minute."""
_ASLEEP_SECONDS: Final = 600.0
"""A match without an answer for so long is abandoned too, even if a page shows it."""

LEFT: Final = sentence("The match ended because nobody was playing. It does not count.")
_GIVEN_UP: Final = sentence("You left the table.")
_ABANDONED: Final = sentence("The match ended: nobody was at this table, and others were waiting.")


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


class HumanMatch:
    """A match as one of the people at its table plays it. For use in trio's thread only."""

    def __init__(
        self,
        terms: MatchTerms,
        wish: Wish,
        person: Person,
        *,
        idle_seconds: float,
        translate: Translate = str,
    ) -> None:
        """Take a seat.

        Args:
            terms: the terms of the match.
            wish: the wish that it fulfils, from the seat of the person.
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
        """The time at which it ended for the person, by trio's clock; ``None`` while it is played."""
        self.stopped: Sentence | None = None
        """The reason for which the person plays no more; ``None`` while it does."""
        self._patience_seconds = idle_seconds
        self._translate = translate
        self._seat_view = SeatView(terms, wish.seat, translate)
        self._open: int | None = None
        """The number of the decision that waits for the person."""
        self._answer: v1.Answer | None = None
        self._hint: Hint | None = None
        """The hint at the decision that was asked last; ``None`` if there are no hints."""
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

    def begin(self) -> None:
        """Show what is seen before the first decision."""
        self._show(self._seat_view.begin())

    async def ask(self, number: int, hint: Hint | None = None) -> v1.Answer | None:
        """Ask the person for a decision, and return its legal answer; ``None`` if the person plays no more."""
        self._await_answer(number)
        self._hint = hint
        self._say("decision", self._seat_view.decision(number) | {"idleSeconds": round(self._patience_seconds)})
        with trio.move_on_after(self._patience_seconds):
            await self._wake.wait()
        self._open = None
        return self._answer

    def _await_answer(self, number: int) -> None:
        self._open, self._answer, self._wake = number, None, trio.Event()

    def show_choices(self, entries: Iterable[bytes]) -> None:
        """Show choices that the referee has recorded."""
        for entry in entries:
            self._show(self._seat_view.chosen(entry))

    def notify(self, notice: Sentence) -> None:
        """Show a notice about the table."""
        self._show([{"actor": self._actor, "patch": {}, "told": notice.written(self._translate)}])

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

    async def hint(self, number: int, thinking: Thinking) -> list[str]:
        """Return a hint at the open decision, in lines.

        Raises:
            ClosedDecisionError: the decision is not open.
            NoHintError: another person plays too, or the house does not play this game.
            ThinkingFailedError: the house failed.
        """
        if self._open is None or number != self._open:
            raise ClosedDecisionError
        if self._hint is None:
            raise NoHintError
        return await self._hint.lines(thinking, self.terms.game, self._translate)

    def give_up(self) -> None:
        """Leave the table, as the person wishes."""
        self.stop(_GIVEN_UP)

    def make_way(self) -> None:
        """Leave the table, since nobody is there and others want to play."""
        self.stop(_ABANDONED)

    def stop(self, reason: Sentence) -> None:
        """End the match for the person, if it has not ended."""
        if self.is_played:
            self.stopped = reason
            self._say_end({"sentence": reason.written(self._translate)})
            self._wake.set()

    @property
    def is_played(self) -> bool:
        """True while the person plays."""
        return self.ended_at is None

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
        """Show steps. A person who has left gets nothing after the end."""
        for step in steps if self.is_played else ():
            self._actor = step["actor"]
            if "told" in step:
                self._lines.append({name: step[name] for name in ("told", "seat", "mark", "section") if name in step})
            self._say("step", step)

    def end(self, record: v1.MatchRecord) -> None:
        """Show the end of the match, and keep its record, also for a person who left before."""
        self.record = record
        if not self.is_played:
            return
        outcome, sides = record.outcome, self.terms.game.rules.sides(len(self.terms.seats))
        self._say_end(
            {
                "sentence": result_of(outcome, self.wish.seat, sides).written(self._translate),
                "scores": list(outcome.scores),
                "placings": list(outcome.placings),
                "secret": record.secret.hex(),
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
