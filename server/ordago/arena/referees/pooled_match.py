"""A match whose referee is in another process, as the server drives it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

import trio

from ordago import v1
from ordago.arena.play import SeatedMatch, failed, tell
from ordago.arena.referees.steps import Call, PlainStep, step_of
from ordago.chance import SecretDeals
from ordago.journal import NO_JOURNAL, MatchJournal, match_entry
from ordago.journal.v1 import JournaledSeat
from ordago.match import PlayedOut, Question, Reply, Step

_MOST_CRASHES: Final = 2
"""So many processes may end while they work at one match; then it is the match that ends them."""


class RefereeFailedError(Exception):
    """The referee of a match failed, in a process of its own; what it says is the traceback there."""


class PooledMatch:
    """A match whose referee is in another process. See ``driver.Driver``.

    Seats, clocks and choice log are here. The referee says its steps, which are carried out as those of a referee in
    this process, and it is told what comes of its questions. Between a reply and what comes of it the seats go on: what
    they reply meanwhile is of no interest, since the decision is taken.

    Where the process ends, the match goes on in another one from the choices that were entered. Of these the seats have
    been told, so they are not told again; a reply that was on its way is given once more.
    """

    def __init__(self, number: int, match: SeatedMatch) -> None:
        """Prepare a match."""
        terms, seats, past, choice_log, head, onlookers = match
        source = terms.deals.source
        assert isinstance(source, SecretDeals)
        self.number: Final = number
        """What the server and its referees call it."""
        self._match_id = terms.match_id
        self._terms = match_entry(terms, [JournaledSeat() for _ in seats]).SerializeToString()
        self._secret = b"" if terms.deals.revealed_secret else source.secret
        self._seats = seats
        self._entries = [v1.MatchRecord(entries=past).SerializeToString()]
        """The choices and forfeits so far, as parts of one serialized record."""
        self._choice_log = choice_log
        choice_log.on_failure(self.fail)
        self._head = head
        self._onlookers = onlookers
        self._say: Callable[[Call], None] = _nobody_listens
        self._asked = (-1, 0)
        """The seat and the number of the decision that was asked for last."""
        self._reply: Call | None = None
        """What was replied to it, until something comes of that."""
        self._awaited = False
        """Whether it is the referee's turn."""
        self._begun = False
        """Whether the seats were told that it begins."""
        self._recalls = False
        """Whether the referee only says again what was said before it was lost."""
        self._seen = 0
        """How much onlookers were told."""
        self._seen_again = 0
        """How much of what comes next they were told before."""
        self._crashes = 0
        self._over = trio.Event()
        self._is_over = False
        """Whether that is set: asked several times for each decision."""
        self._played_out: PlayedOut | None = None
        self._failure: Exception | None = None

    def begin_at(self, say: Callable[[Call], None]) -> None:
        """Let a referee begin it, or go on with it, who hears what is said by ``say``."""
        self._say, self._awaited, self._seen_again = say, True, self._seen
        losses = [
            (number, *seat.channel.loss) for number, seat in enumerate(self._seats) if seat.channel.loss is not None
        ]
        told = (b"".join(self._entries), self._secret, tuple(self._head), bool(self._onlookers), tuple(losses))
        say(("begin", self.number, self._terms, *told))

    async def played_out(self) -> PlayedOut:
        """Wait for the end of the match, and return what came of it.

        Raises:
            MatchFailedError: the server failed.
        """
        for number, seat in enumerate(self._seats):
            seat.sit(self, number)
        try:
            await self._over.wait()
        finally:
            # A match that was stopped may go on at the next server: nothing is decided here any more.
            self._finish()
        if self._played_out is None:
            raise failed(self._failure)
        return self._played_out

    def lose_referee(self) -> bool:
        """Note that its referee is gone, and say whether another one may go on: not where this match ends them all."""
        self._say, self._recalls = _nobody_listens, self._begun
        self._crashes += self._awaited
        if self._crashes > _MOST_CRASHES:
            self.fail(RefereeFailedError(f"{self._crashes} processes ended while they played this match"))
        return not self._is_over

    def keep(self, call: Call) -> Step | None:
        """Keep what was decided in the step that the referee says; return the step, if it is one."""
        if self._is_over or call[0] == "fail":
            return None
        try:
            step = step_of(cast(PlainStep, call[2]), match_id=self._match_id)
            self._entries += step.entries
            self._choice_log.enter(step.entries)
        except Exception as error:  # noqa: BLE001 - it is raised where the match is waited for
            self.fail(error)
            return None
        return step

    def hear(self, call: Call, step: Step | None) -> None:
        """Do what the referee says. Where that fails, the match is over.

        Args:
            call: what it says.
            step: the step in it, which is kept.
        """
        if self._is_over:
            return
        try:
            self._hear(call, step)
        except Exception as error:  # noqa: BLE001 - it is raised where the match is waited for
            self.fail(error)

    def _hear(self, call: Call, step: Step | None) -> None:
        if step is None:
            raise RefereeFailedError(call[2])
        # A referee that began anew says once more what the seats were told at the beginning.
        if call[0] != "begun" or not self._begun:
            tell(step, self._seats)
        self._begun = True
        self._look(step.seen)
        if step.played_out is not None:
            self._played_out = step.played_out
            self._finish()
        elif step.question is not None:
            self._ask(step.question)

    def answered(self, reply: Reply) -> None:
        """Hand on what came of the open question, unless that is known by now."""
        if self._reply is not None or self._is_over:
            return
        times = (reply.thought_ms, reply.away, reply.lost)
        self._reply = ("answer", self.number, reply.answer, reply.elapsed, reply.fault, *times)
        self._awaited = True
        self._say(self._reply)

    def forfeit(self, seat: int, fault: v1.Fault, sentence: str) -> None:
        """Take the default answers for a seat from now on."""
        if not self._is_over:
            self._say(("lost", self.number, seat, fault, sentence))

    def fail(self, failure: Exception) -> None:
        """End the match, since the server failed in it."""
        self._failure = failure
        self._finish()

    def _finish(self) -> None:
        self._is_over = True
        self._over.set()

    def _look(self, seen: Sequence[bytes]) -> None:
        fresh = seen[self._seen_again :]
        self._seen_again = max(0, self._seen_again - len(seen))
        self._seen += len(fresh)
        for onlooker in self._onlookers:
            onlooker.news += fresh

    def _ask(self, question: Question) -> None:
        asked, known = (question.seat, question.decision.number), self._asked
        recalls, self._recalls, self._awaited = self._recalls, False, False
        if recalls and asked == known:
            self._reply_again()
            return
        self._asked, self._reply = asked, None
        reply = self._seats[question.seat].ask(question)
        if reply is not None:
            self.answered(reply)

    def _reply_again(self) -> None:
        """Give the reply once more that a referee who is gone has not done anything with."""
        if self._reply is not None:
            self._awaited = True
            self._say(self._reply)


def hear(calls: Sequence[Call], matches: Mapping[object, PooledMatch], *, journal: MatchJournal = NO_JOURNAL) -> None:
    """Let those of some matches hear calls, by their numbers, whom they concern.

    Args:
        calls: the calls, in order.
        matches: the matches.
        journal: where their choices are entered.
    """
    concerned = [(match, call) for call in calls if (match := matches.get(call[1])) is not None]
    # All choices and forfeits before anybody is told of one, so that they are written in one go.
    with journal.together():
        kept = [(match, call, match.keep(call)) for match, call in concerned]
    for match, call, step in kept:
        match.hear(call, step)


def _nobody_listens(_call: Call) -> None:
    """Say nothing: there is no referee at the moment, and whoever takes over is told all of it."""
