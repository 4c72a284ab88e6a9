"""A match of people and house bots.

The referee plays it like any other. House bots decide in a process of their own. Decisions of a person wait for a legal
answer from its browser. When a person leaves a table at which others play on, the house plays in its place.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Final

import trio

from ordago import v1
from ordago.match import Match, MatchTerms, PlayedOut, Question, Reply
from ordago.scene import Sentence, sentence
from ordago_web.play.hints import Hint
from ordago_web.play.human_match import LEFT, HumanMatch
from ordago_web.play.opponents import DEFAULT_STRENGTH
from ordago_web.play.thinking import Thinking, ThinkingFailedError, Thought
from ordago_web.play.wishes import Wish

_MOST_CHOICES: Final = 20_000
"""Nobody plays so many cards by hand in a day, and a longer match takes memory that others need."""
_LOG: Final = logging.getLogger("ordago.play")

_FAILED: Final = sentence("The house bot failed, so the match ended. This was not your fault: start a new one.")
_ASLEEP: Final = sentence("You did not answer for too long. The house plays on for you.")
_TOO_LONG: Final = sentence("The match reached its time limit and ended.")


class _StoppedError(Exception):
    """The reason to end a match early."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason.words)
        self.reason = reason


class PlayTable:
    """A table with one or several people, and house bots at the other seats. For use in trio's thread only."""

    def __init__(self, terms: MatchTerms, wish: Wish, people: Mapping[int, HumanMatch]) -> None:
        """Prepare the match.

        Args:
            terms: the terms of the match.
            wish: the wish that it fulfils.
            people: the people by seat; the first one has opened the table.
        """
        self.terms = terms
        self.people = people
        self._strengths = wish.strengths
        self._starts: dict[int, bytes] = {}
        """The serialized ``MatchStart`` of each seat."""
        self._choices = 0
        self._left: set[int] = set()
        """The seats of people of whom the others know that they left."""

    @property
    def origin(self) -> str:
        """The address from which the table was opened."""
        return next(iter(self.people.values())).person.origin

    @property
    def ended_at(self) -> float | None:
        """The time of its end, by trio's clock; ``None`` while somebody plays."""
        ends = [human.ended_at for human in self.people.values() if human.ended_at is not None]
        return max(ends) if len(ends) == len(self.people) else None

    @property
    def idle_seconds(self) -> float:
        """Seconds since somebody answered or a page showed the match."""
        return min(human.idle_seconds for human in self.people.values())

    @property
    def is_abandoned(self) -> bool:
        """True if the match may be ended for others."""
        return all(human.is_abandoned for human in self.people.values())

    def make_way(self) -> None:
        """End the abandoned match, since others want to play."""
        for human in self.people.values():
            human.make_way()

    async def play(self, thinking: Thinking) -> None:
        """Play the match to its end, normal or not."""
        try:
            record = (await self._played(thinking)).record.message
            for human in self.people.values():
                human.end(record)
        except _StoppedError as stopped:
            self._stop(stopped.reason)
        except Exception:  # noqa: BLE001 - one match fails; the others, and the site, go on
            _LOG.exception("the site failed in a match against a person")
            self._stop(_FAILED)

    def _stop(self, reason: Sentence) -> None:
        for human in self.people.values():
            human.stop(reason)

    async def _played(self, thinking: Thinking) -> PlayedOut:
        match = Match(self.terms)
        self._starts = {
            seat: start.SerializeToString()
            for seat, start in match.begin().messages
            if isinstance(start, v1.MatchStart)
        }
        for human in self.people.values():
            human.begin()
        step = match.step(None)
        while step.played_out is None:
            self._notice_leavers()
            step = match.step(None if step.question is None else await self._reply(step.question, thinking))
            self._show_choices(step.entries)
        return step.played_out

    def _notice_leavers(self) -> None:
        """Tell the others who has left.

        Raises:
            _StoppedError: nobody plays on.
        """
        if self.ended_at is not None:
            raise _StoppedError(LEFT)
        for seat, human in self.people.items():
            if not human.is_played and seat not in self._left:
                self._left.add(seat)
                notice = sentence("{name} left the table. The house plays on.", name=self.terms.seats[seat].name)
                for other in self.people.values():
                    other.notify(notice)

    async def _reply(self, question: Question, thinking: Thinking) -> Reply:
        began = trio.current_time()
        answer = await self._asked(question) or await self._think(question, thinking)
        return Reply(answer.SerializeToString(), trio.current_time() - began)

    async def _asked(self, question: Question) -> v1.Answer | None:
        """Return the answer of the person at a seat; ``None`` if the house plays there.

        Raises:
            _StoppedError: nobody plays on.
        """
        human = self.people.get(question.seat)
        if human is None or not human.is_played:
            return None
        # With others at the table, the house helps nobody.
        hint = Hint(Thought(self._starts[question.seat], question.serialized(), "")) if len(self.people) == 1 else None
        answer = await human.ask(question.decision.number, hint)
        if answer is None:
            human.stop(LEFT if len(self.people) == 1 else _ASLEEP)
            self._notice_leavers()
        return answer

    async def _think(self, question: Question, thinking: Thinking) -> v1.Answer:
        """Return the answer of a house bot, which gets the same messages as any bot. A failure is tried once more."""
        strength = self._strengths[question.seat] or DEFAULT_STRENGTH
        thought = Thought(self._starts[question.seat], question.serialized(), strength)
        try:
            return await thinking.answer(thought)
        except ThinkingFailedError as error:
            _LOG.warning("the house is asked again", extra={"error": str(error)})
            return await thinking.answer(thought)

    def _show_choices(self, entries: Iterable[bytes]) -> None:
        """Show everybody the choices that the referee has recorded."""
        recorded = list(entries)
        for human in self.people.values():
            human.show_choices(recorded)
        self._choices += len(recorded)
        if self._choices >= _MOST_CHOICES:
            raise _StoppedError(_TOO_LONG)
