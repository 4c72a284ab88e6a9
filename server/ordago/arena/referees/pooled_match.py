"""The server's side of a match whose referee is in another process."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

import trio

from ordago import v1
from ordago.arena.play import SeatedMatch, failed, tell
from ordago.arena.referees.steps import Call, PlainStep, step_of
from ordago.chance import SecretDeals
from ordago.journal import NO_CHOICE_LOG, NO_JOURNAL, MatchJournal, match_entry
from ordago.journal.v1 import JournaledSeat
from ordago.match import PlayedOut, Question, Reply, Step

_MOST_CRASHES: Final = 2
"""Processes that may end while they work on one match. Beyond that the match is taken for the cause, and fails."""


class RefereeFailedError(Exception):
    """The referee of a match failed in another process; the text is the traceback from there."""


class PooledMatch:
    """A match whose referee is in another process. See ``driver.Driver``.

    Seats, clocks and choice log are here. The referee sends its steps, which are carried out like those of a referee in
    this process, and gets the replies to its questions. Replies that arrive before the next step are ignored, since
    the decision has its reply by then.

    If the process ends, the match goes on in another one from the choices in the log. The seats have been notified of
    these, so they are not notified again; a reply that got no step yet is sent once more.
    """

    def __init__(self, number: int, match: SeatedMatch) -> None:
        """Prepare a match."""
        terms, seats, past, choice_log, head, onlookers = match
        source = terms.deals.source
        assert isinstance(source, SecretDeals)
        self.number: Final = number
        """The number of the match in calls between the server and its referees."""
        self._match_id = terms.match_id
        self._terms = match_entry(terms, [JournaledSeat() for _ in seats]).SerializeToString()
        self._secret = b"" if terms.deals.revealed_secret else source.secret
        self._seats = seats
        self._entries = [v1.MatchRecord(entries=past).SerializeToString()]
        """The choices and forfeits so far, as serialized parts of one record."""
        self._choice_log = choice_log
        choice_log.on_failure(self.fail)
        self._head = head
        self._onlookers = onlookers
        self._say: Callable[[Call], None] = _nobody_listens
        self._asked = (-1, 0)
        """The seat and the number of the last question."""
        self._reply: Call | None = None
        """The reply to it; ``None`` before there is one."""
        self._awaited = False
        """True while a step of the referee is due."""
        self._begun = False
        """True once the seats have been notified that it begins."""
        self._recalls = False
        """True until a new referee has put its first question, which its predecessor may have put already."""
        self._seen = 0
        """Number of events shown to onlookers."""
        self._seen_again = 0
        """Number of the next events to skip, since onlookers have seen them."""
        self._crashes = 0
        self._over = trio.Event()
        self._is_over = False
        """The state of that event, cached since it is checked several times for each decision."""
        self._played_out: PlayedOut | None = None
        self._failure: Exception | None = None

    def begin_at(self, say: Callable[[Call], None]) -> None:
        """Let a referee begin or continue it; ``say`` sends calls to that referee."""
        self._say, self._awaited, self._seen_again = say, True, self._seen
        losses = [
            (number, *seat.channel.loss) for number, seat in enumerate(self._seats) if seat.channel.loss is not None
        ]
        state = (b"".join(self._entries), self._secret, tuple(self._head), bool(self._onlookers), tuple(losses))
        say(("begin", self.number, self._terms, *state))

    async def played_out(self) -> PlayedOut:
        """Wait for the end of the match, and return its outcome.

        Raises:
            MatchFailedError: the server failed.
        """
        for number, seat in enumerate(self._seats):
            seat.sit(self, number)
        try:
            await self._over.wait()
        finally:
            # A cancelled match may go on after a restart, so nothing may be decided here any more.
            self._finish()
            # As in ``RunningMatch``: seats and log refer back to it.
            self._seats, self._choice_log = (), NO_CHOICE_LOG
        if self._played_out is None:
            raise failed(self._failure)
        return self._played_out

    def lose_referee(self) -> bool:
        """Note that its referee is gone, and return True if another one may continue the match."""
        self._say, self._recalls = _nobody_listens, self._begun
        self._crashes += self._awaited
        if self._crashes > _MOST_CRASHES:
            self.fail(RefereeFailedError(f"{self._crashes} processes ended while they played this match"))
        return not self._is_over

    def keep(self, call: Call) -> Step | None:
        """Enter the choices of a step in the log, and return the step; ``None`` if the call holds none or it fails."""
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
        """Carry out a call of the referee. If that fails, the match is over.

        Args:
            call: the call.
            step: the step in it, as ``keep`` returned it.
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
        # A new referee repeats the messages of the beginning, which the seats have had.
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
        """Send the reply to the open question to the referee, unless it has one."""
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
        """Send the last reply once more, if the former referee ended before its step."""
        if self._reply is not None:
            self._awaited = True
            self._say(self._reply)


def hear(calls: Sequence[Call], matches: Mapping[object, PooledMatch], *, journal: MatchJournal = NO_JOURNAL) -> None:
    """Carry out calls of referees.

    Args:
        calls: the calls, in order. Those of unknown matches are ignored.
        matches: the matches, by their numbers.
        journal: receives their choices.
    """
    concerned = [(match, call) for call in calls if (match := matches.get(call[1])) is not None]
    # All choices and forfeits are written in one go, before any bot is notified of one.
    with journal.together():
        kept = [(match, call, match.keep(call)) for match, call in concerned]
    for match, call, step in kept:
        match.hear(call, step)


def _nobody_listens(_call: Call) -> None:
    """Drop a call, since there is no referee now. The next one gets the whole state at its beginning."""
