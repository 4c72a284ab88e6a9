"""Real matches with a bot, many at once, and its answers in them."""

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from ordago import v1
from ordago_doctor.bot_under_test import BotUnderTest, Heard
from ordago_doctor.findings import ProblemError
from ordago_doctor.messages import brief, short
from ordago_doctor.table import Table

_MOST_STRAY: Final = 3
"""The number of messages without a match that are tolerated: they may have been on the way."""

_MOST_OLD: Final = 1_024
"""The number of tolerated answers to earlier matches: one for each that a bot may play at once."""


class Answered(NamedTuple):
    """An answer of the bot."""

    handle: int
    """The handle of the match."""
    number: int
    """The number of the decision."""
    answer: v1.Answer
    seconds: float
    """The time from the sending of the decision to the answer."""
    frame: int
    """The number of its frame on the connection."""
    thought_ms: int | None
    """The thinking time that the bot reports, if it does."""


class PracticeServer:
    """Matches that a bot plays at the same time."""

    def __init__(
        self, bot: BotUnderTest, tables: Iterable[Table], *, at_once: int, longest: int = 0, is_tacit: bool = False
    ) -> None:
        """Prepare to play.

        Args:
            bot: the bot.
            tables: the matches, in the order in which they begin. Their handles are new in the session.
            at_once: the number of concurrent matches.
            longest: the number of decisions after which a match is broken off; 0 for no limit.
            is_tacit: send no reply to legal answers.
        """
        self._bot = bot
        self._waiting = iter(tables)
        self._before = bot.handles
        """The last handle of earlier matches, for which answers may still be on the way."""
        self._at_once = at_once
        self._longest = longest
        self._is_tacit = is_tacit
        self._playing: dict[int, Table] = {}
        self._asked_seconds: dict[int, float] = {}
        self._announced: set[int] = set()
        """The matches that the bot believes to be running."""
        self._stray = self._old = 0

    def play(self) -> Iterator[Answered]:
        """Yield each answer, until all matches are over.

        Raises:
            ProblemError: an answer is illegal or late, or belongs to no open decision.
        """
        self._say(self._begin())
        while self._playing:
            replies: list[v1.ServerMessage] = []
            for one in self._bot.hear_all(self._patience()):
                if (table := self._table_of(one)) is not None:
                    yield self._answered(one)
                    replies += self._replies(table, one.message.choice)
            self._say([*replies, *self._begin()])

    def _patience(self) -> float:
        """Return the seconds that the bot may stay silent, given the age of its oldest decision."""
        asked, oldest = min((self._asked_seconds[handle], handle) for handle in self._playing)
        left = asked + self._bot.practice.patience_seconds - time.monotonic()
        if left <= 0:
            raise ProblemError(f"the decision of match {oldest} was not answered in time, though others were")
        return left

    def leave(self) -> None:
        """End the matches that still run."""
        ends = [v1.MatchEnd(match_handle=handle, sentence="the case is over") for handle in sorted(self._announced)]
        self._say([v1.ServerMessage(match_end=end) for end in ends])

    def _begin(self) -> list[v1.ServerMessage]:
        messages: list[v1.ServerMessage] = []
        for table in islice(self._waiting, self._at_once - len(self._playing)):
            self._playing[table.handle] = table
            messages += [v1.ServerMessage(match_start=table.start), *self._next(table)]
        return messages

    def _next(self, table: Table) -> list[v1.ServerMessage]:
        if table.decision is not None and (not self._longest or table.decision.number <= self._longest):
            return [v1.ServerMessage(decision=table.decision)]
        del self._playing[table.handle]
        broken_off = v1.MatchEnd(match_handle=table.handle, sentence="this is enough")
        return [v1.ServerMessage(match_end=table.end or broken_off)]

    def _table_of(self, heard: Heard) -> Table | None:
        """Return the match of a message; ``None`` if it answers no open decision."""
        choice = heard.message.choice
        table = self._playing.get(choice.match_handle)
        if table is not None and table.decision is not None and table.decision.number == choice.number:
            return table
        old = 0 < choice.match_handle <= self._before
        self._old, self._stray = self._old + old, self._stray + (not old)
        if not heard.message.HasField("choice") or self._stray > _MOST_STRAY or self._old > _MOST_OLD:
            raise ProblemError(f"this answers no open decision: {short(heard.message)}")
        return None

    def _answered(self, heard: Heard) -> Answered:
        choice = heard.message.choice
        seconds = heard.seconds - self._asked_seconds[choice.match_handle]
        thought_ms = choice.thought_ms if choice.HasField("thought_ms") else None
        return Answered(choice.match_handle, choice.number, choice.answer, seconds, heard.frame, thought_ms)

    def _replies(self, table: Table, choice: v1.Choice) -> list[v1.ServerMessage]:
        decision = table.decision
        answers = table.answer(choice.answer)
        if isinstance(refusal := answers[0], v1.Refused):
            of = (
                ""
                if decision is None
                else f"decision {decision.number} of {table.game}, {len(decision.actions)} actions"
            )
            raise ProblemError(
                f"its answer is illegal ({refusal.rule}): {refusal.sentence}; {of}; it said {brief(choice.answer)}"
            )
        accepted = [v1.ServerMessage(accepted=one) for one in answers if isinstance(one, v1.Accepted)]
        return [*([] if self._is_tacit else accepted), *self._next(table)]

    def _say(self, messages: list[v1.ServerMessage]) -> None:
        if not messages:
            return
        now = time.monotonic()
        self._announced |= {one.match_start.match_handle for one in messages if one.HasField("match_start")}
        self._announced -= {one.match_end.match_handle for one in messages if one.HasField("match_end")}
        self._asked_seconds.update({one.decision.match_handle: now for one in messages if one.HasField("decision")})
        self._bot.send(v1.PlayResponse(messages=messages).SerializeToString())
