"""Play a match at seats that bots have taken."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Protocol

import trio

from ordago import v1
from ordago.arena.seat import BotSeat
from ordago.journal import NO_CHOICE_LOG, ChoiceLog
from ordago.match import Acceptance, Match, MatchTerms, Message, PlayedOut, Reply, Step
from ordago.record import FinishedRecord
from ordago.record.head import NO_LINES, Head

FAILED: Final = "the server failed in a match"
"""The reason given for a match that is void since the server failed."""


class MatchFailedError(Exception):
    """The server failed in a match, which is void. No bot is to blame; ``__cause__`` is the failure."""


def failed(cause: Exception | None) -> MatchFailedError:
    """Return the error to raise when the server failed in a match, with its cause."""
    error = MatchFailedError(FAILED)
    # Set here, since a compiled build loses the cause of ``raise … from``.
    error.__cause__ = cause
    return error


class Onlooker(Protocol):
    """A spectator of a match. It is asked nothing, and reads its news at any time."""

    news: list[bytes]
    """The public events, serialized; new ones are appended."""


class Seated(Protocol):
    """The player at a seat, as the referee's messages reach it."""

    def accept(self, accepted: Acceptance) -> None:
        """Notify it that the decision of the seat is closed."""

    def tell(self, message: Message) -> None:
        """Send it any other message, which has no match handle yet."""


def tell(step: Step, seats: Sequence[Seated], onlookers: Sequence[Onlooker] = ()) -> None:
    """Send the messages of a step to the seats and its public events to the onlookers.

    The entries of the step have to be in the choice log by then, so that no bot knows more than the journal.
    """
    for seat, message in step.messages:
        if isinstance(message, Acceptance):
            seats[seat].accept(message)
        else:
            seats[seat].tell(message)
    for onlooker in onlookers:
        onlooker.news += step.seen


class SeatedMatch(NamedTuple):
    """A match to be played, its seats and its onlookers. See ``play_untold``."""

    terms: MatchTerms
    seats: Sequence[BotSeat]
    past: Iterable[v1.RecordEntry]
    choice_log: ChoiceLog
    head: Head
    onlookers: Sequence[Onlooker]


_turns: Final = trio.lowlevel.RunVar[trio.Lock]("turns")
"""The lock by which matches without any bot left take turns."""


class RunningMatch:
    """A match and its seats. It goes on within the call that brings an answer.

    A task switch for each decision would cost as much as playing the card. Decisions that need no bot are taken in the
    task that waits for the match, one in each turn of the loop; matches without any bot left are played out one after
    the other. Without that, thousands of matches abandoned together would hold up all others for a minute.
    """

    def __init__(self, seated: SeatedMatch) -> None:
        """Prepare a match."""
        self._match = Match(seated.terms, past=seated.past, head=seated.head)
        self._seats = seated.seats
        self._choice_log = seated.choice_log
        self._choice_log.on_failure(self.fail)
        self._onlookers = seated.onlookers
        self._over = False
        self._rests = False
        """True while it goes on by itself: the open question needs no bot, or there is no question."""
        self._known: Reply | None = None
        """The reply to the open question, if it needs no bot; else ``None``."""
        self._awake = trio.Event()
        """Set when it rests or is over."""
        self._failure: Exception | None = None
        self._played_out: PlayedOut | None = None

    async def play(self) -> PlayedOut:
        """Play the match to its end and return its outcome.

        Raises:
            MatchFailedError: the server failed.
        """
        for number, seat in enumerate(self._seats):
            seat.sit(self, number)
            if seat.channel.loss is not None:
                self._match.forfeit(number, *seat.channel.loss)
        try:
            self._begin()
            self.answered(None)
            await self._until_over()
        finally:
            # A cancelled match may go on after a restart, so nothing may be decided here any more.
            self._over = True
            # Seats and log refer back to it. In a circle, match and record would stay until the next full collection,
            # which may be a thousand matches away.
            self._seats, self._choice_log = (), NO_CHOICE_LOG
        # Even after the last step: its entries may have failed to be written.
        if self._failure is not None or self._played_out is None:
            raise failed(self._failure)
        return self._played_out

    def _begin(self) -> None:
        if self._over:
            # A bot of the server's own was lost before the start, so the bots are not notified of any match.
            return
        try:
            tell(self._match.begin(), self._seats, self._onlookers)
        except Exception as error:  # noqa: BLE001 - it is raised where the match is waited for
            self.fail(error)

    async def _until_over(self) -> None:
        """Wait for the end, and take the decisions that need no bot meanwhile."""
        while not self._over:
            await self._awake.wait()
            await trio.lowlevel.checkpoint()
            if self._known is not None:
                self._awake, self._rests = trio.Event(), False
                self.answered(self._known)
            elif not self._over:
                await self._play_out()

    async def _play_out(self) -> None:
        """Play out a match without any bot left when its turn comes, one step for each turn of the loop."""
        async with _fair_turns():
            while not self._over:
                self._rests = False
                self.answered(None)
                await trio.lowlevel.checkpoint()

    def answered(self, reply: Reply | None) -> None:
        """Go on to the next question, and rest if that needs no bot. Ignored while the match rests or is over.

        Args:
            reply: the reply to the open question; ``None`` if there was none.
        """
        if self._over or self._rests:
            return
        self._known = None
        try:
            step = self._match.step(reply)
            self._choice_log.enter(step.entries)
            tell(step, self._seats, self._onlookers)
            if step.question is not None:
                self._known = self._seats[step.question.seat].ask(step.question)
            if step.played_out is not None:
                self._played_out = step.played_out
                self._end()
            elif step.question is None or self._known is not None:
                self._rests = True
                self._awake.set()
        except Exception as error:  # noqa: BLE001 - it is raised where the match is waited for
            self.fail(error)

    def _end(self) -> None:
        self._over = True
        self._awake.set()

    def forfeit(self, seat: int, fault: v1.Fault, sentence: str) -> None:
        """Take the default answers for a seat from now on."""
        if self._over:
            return
        try:
            step = self._match.forfeit(seat, fault, sentence)
            self._choice_log.enter(step.entries)
            tell(step, self._seats, self._onlookers)
        except Exception as error:  # noqa: BLE001 - as above; the caller has other matches to notify of the loss
            self.fail(error)

    def fail(self, failure: Exception) -> None:
        """End the match, since the server failed in it."""
        self._failure = failure
        self._end()


def _fair_turns() -> trio.Lock:
    """Return the lock by which abandoned matches take turns; each run of trio has its own."""
    try:
        return _turns.get()
    except LookupError:
        _turns.set(trio.Lock())
        return _turns.get()


class Referees(Protocol):
    """A runner of referees: in this process, or in a pool of processes."""

    async def play(self, match: SeatedMatch) -> PlayedOut:
        """Play a match and return its outcome.

        Raises:
            MatchFailedError: the server failed.
        """


class _RefereesHere:
    """Referees in this process and thread."""

    async def play(self, match: SeatedMatch) -> PlayedOut:
        return await RunningMatch(match).play()


HERE: Final[Referees] = _RefereesHere()
"""Runs referees in the calling process."""


class UntoldMatch:
    """A finished match whose end the bots have not been notified of yet. They still hold their seats."""

    def __init__(self, played_out: PlayedOut, seats: Sequence[BotSeat]) -> None:
        """Hold an outcome and the seats to notify, in order."""
        self.finished: Final = played_out.record
        """Its record."""
        self._ends = played_out.ends
        self._seats = seats

    @property
    def record(self) -> v1.MatchRecord:
        """The message of its record."""
        return self.finished.message

    def tell(self, record_digest: bytes = b"", head: Head = NO_LINES) -> None:
        """Notify the bots that the match is over, and give their seats back.

        Args:
            record_digest: the digest of the record, to commit to it; empty for none.
            head: the length and head of the event's ledger, which holds the result by now.
        """
        for seat, end in zip(self._seats, self._ends, strict=True):
            end.record_digest = record_digest
            _end(seat, end, head)


def tell_void(seats: Iterable[BotSeat], sentence: str, head: Head = NO_LINES) -> None:
    """Notify the bots of an unfinished match that it is void, and give their seats back.

    Args:
        seats: the seats.
        sentence: the reason why it is void.
        head: the length and head of the event's ledger, including the entry that the match is void.
    """
    for seat in seats:
        _end(seat, v1.MatchEnd(sentence=sentence), head)


def _end(seat: BotSeat, end: v1.MatchEnd, head: Head) -> None:
    if head.length:
        end.ledger_length, end.ledger_head = head
    seat.end(end)


async def play_untold(
    terms: MatchTerms,
    seats: Sequence[BotSeat],
    *,
    past: Iterable[v1.RecordEntry] = (),
    choice_log: ChoiceLog = NO_CHOICE_LOG,
    head: Head = NO_LINES,
    onlookers: Sequence[Onlooker] = (),
    referees: Referees = HERE,
) -> UntoldMatch:
    """Play a match at these seats, in order, and leave it to the caller to notify the bots of its end.

    So the result can be stored first.

    Args:
        terms: the terms of the match.
        seats: the seats. The caller gives them back: by ``tell``, or by ``tell_void`` if the server fails.
        past: the choices and forfeits of this match that were made already, in order.
        choice_log: receives each choice and forfeit before any bot does.
        head: the length and head of the event's ledger, which are sent to the bots.
        onlookers: receive the public events.
        referees: run its referee.

    Raises:
        MatchFailedError: the server failed.
    """
    assert len(seats) == len(terms.seats), "a bot for each seat of the terms"
    match = SeatedMatch(terms, seats, past, choice_log, head, onlookers)
    return UntoldMatch(await referees.play(match), seats)


async def play(
    terms: MatchTerms,
    seats: Sequence[BotSeat],
    *,
    past: Iterable[v1.RecordEntry] = (),
    choice_log: ChoiceLog = NO_CHOICE_LOG,
    goes_on_later: bool = False,
    referees: Referees = HERE,
) -> FinishedRecord:
    """Play a match at these seats, in order, and return its record.

    If it is cancelled, or the server itself fails, the match is void and the bots are notified.

    Args:
        terms: the terms of the match.
        seats: the seats, which are given back at the end.
        past: the choices and forfeits of this match that were made already, in order.
        choice_log: receives each choice and forfeit before any bot does.
        goes_on_later: True if a cancelled match is not void but goes on after a restart; the bots are not notified
            then.
        referees: run its referee.

    Raises:
        MatchFailedError: the server failed.
    """
    sentence = "" if goes_on_later else "the match was stopped"
    try:
        match = await play_untold(terms, seats, past=past, choice_log=choice_log, referees=referees)
        match.tell()
    except Exception:
        sentence = FAILED
        raise
    finally:
        if sentence:
            for seat in seats:
                seat.abandon(sentence)
    return match.finished
