"""Plays a match at seats that bots have taken."""

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
"""Why a match is void in which that happened."""


class MatchFailedError(Exception):
    """The server failed in a match, which is void. No bot is to blame; the cause says what it was."""


def failed(cause: Exception | None) -> MatchFailedError:
    """Return what is raised where the server failed in a match, for this reason."""
    error = MatchFailedError(FAILED)
    # Said so, and not by ``raise … from``, it is there in a compiled build as well.
    error.__cause__ = cause
    return error


class Onlooker(Protocol):
    """Whoever looks on at a match and holds no cards. It is asked nothing, and reads what it hears when it likes."""

    news: list[bytes]
    """Events that it sees are added here: those that every seat sees at least."""


class Seated(Protocol):
    """Whoever sits at a seat, as a match that is carried out sees it."""

    def accept(self, accepted: Acceptance) -> None:
        """Tell that the decision of the seat is closed."""

    def tell(self, message: Message) -> None:
        """Tell anything else. The message has no match handle yet."""


def tell(step: Step, seats: Sequence[Seated], onlookers: Sequence[Onlooker] = ()) -> None:
    """Tell what came of a step whose entries are kept."""
    for seat, message in step.told:
        if isinstance(message, Acceptance):
            seats[seat].accept(message)
        else:
            seats[seat].tell(message)
    for onlooker in onlookers:
        onlooker.news += step.seen


class SeatedMatch(NamedTuple):
    """A match to be played, and who takes part. See ``play_untold``."""

    terms: MatchTerms
    seats: Sequence[BotSeat]
    past: Iterable[v1.RecordEntry]
    choice_log: ChoiceLog
    head: Head
    onlookers: Sequence[Onlooker]


_turns: Final = trio.lowlevel.RunVar[trio.Lock]("turns")
"""Whose turn it is, among the matches that everybody left."""


class RunningMatch:
    """A match and its seats. It goes on whenever an answer comes in, within the call that brings it.

    A switch of tasks for each decision would cost as much as playing the card. What needs no bot goes on in the task
    that waits for the match: one decision in each turn of the loop, and where everybody has left, one match after the
    other. Thousands that were left together would hold up all others for a minute if each ended at a stroke.
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
        """Whether it goes on by itself: the open question needs no bot, or there is none."""
        self._known: Reply | None = None
        """What comes of the open question, where it needs no bot."""
        self._awake = trio.Event()
        """Set when it rests or is over."""
        self._failure: Exception | None = None
        self._played_out: PlayedOut | None = None

    async def play(self) -> PlayedOut:
        """Play the match to its end and return what came of it.

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
            # A match that was stopped may go on at the next server: nothing is decided here any more.
            self._over = True
        # What it ended by may be what could not be kept.
        if self._failure is not None or self._played_out is None:
            raise failed(self._failure)
        return self._played_out

    def _begin(self) -> None:
        if self._over:
            # A bot of the server's own was lost before it began: nobody is told of a match that is none.
            return
        try:
            tell(self._match.begin(), self._seats, self._onlookers)
        except Exception as error:  # noqa: BLE001 - it is raised where the match is waited for
            self.fail(error)

    async def _until_over(self) -> None:
        """Wait for the end, and go on meanwhile with what needs no bot, whenever it is this match's turn."""
        while not self._over:
            await self._awake.wait()
            await trio.lowlevel.checkpoint()
            if self._known is not None:
                self._awake, self._rests = trio.Event(), False
                self.answered(self._known)
            elif not self._over:
                await self._play_out()

    async def _play_out(self) -> None:
        """Play a match that everybody left to its end, when it is its turn, and give all else a turn meanwhile."""
        async with _fair_turns():
            while not self._over:
                self._rests = False
                self.answered(None)
                await trio.lowlevel.checkpoint()

    def answered(self, reply: Reply | None) -> None:
        """Go on up to the next question, and rest where it needs no bot; but not while the match goes on by itself.

        Args:
            reply: what came of the open question; ``None`` where there was none.
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
        except Exception as error:  # noqa: BLE001 - as above; whoever told of the loss has others to tell
            self.fail(error)

    def fail(self, failure: Exception) -> None:
        """End the match, since the server failed in it."""
        self._failure = failure
        self._end()


def _fair_turns() -> trio.Lock:
    """Return the lock that gives one match after the other its turn."""
    try:
        return _turns.get()
    except LookupError:
        _turns.set(trio.Lock())
        return _turns.get()


class Referees(Protocol):
    """Where the referees of matches are."""

    async def play(self, match: SeatedMatch) -> PlayedOut:
        """Play a match, and return what came of it.

        Raises:
            MatchFailedError: the server failed.
        """


class _RefereesHere:
    """Referees in this process and thread."""

    async def play(self, match: SeatedMatch) -> PlayedOut:
        return await RunningMatch(match).play()


HERE: Final[Referees] = _RefereesHere()
"""Referees in the process that asks for them."""


class UntoldMatch:
    """A match that came to its end, of which the bots have not been told yet. Its seats are still theirs."""

    def __init__(self, played_out: PlayedOut, seats: Sequence[BotSeat]) -> None:
        """Prepare to tell the bots at some seats, which are in order."""
        self.finished: Final = played_out.record
        """Its record."""
        self._ends = played_out.ends
        self._seats = seats

    @property
    def record(self) -> v1.MatchRecord:
        """The message of its record."""
        return self.finished.message

    def tell(self, record_digest: bytes = b"", head: Head = NO_LINES) -> None:
        """Tell the bots that the match is over, and give their seats back.

        Args:
            record_digest: the digest of the record; empty where nobody is held to it.
            head: how far the ledger of the event has come, with the result in it.
        """
        for seat, end in zip(self._seats, self._ends, strict=True):
            end.record_digest = record_digest
            _end(seat, end, head)


def tell_void(seats: Iterable[BotSeat], sentence: str, head: Head = NO_LINES) -> None:
    """Tell the bots of a match that did not come to its end that it is void, and give their seats back.

    Args:
        seats: the seats.
        sentence: why it is void.
        head: how far the ledger of the event has come, in which that stands.
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
    """Play a match at these seats, in order, whose end the bots are to be told when it is kept.

    Args:
        terms: what the match is played under.
        seats: the seats. Whoever calls gives them back: by ``tell``, or by ``tell_void`` if the server fails.
        past: the choices and forfeits of this match that were made already, in order.
        choice_log: is told each choice and forfeit before anybody else is.
        head: how far the ledger of the event has come, which the bots are told.
        onlookers: who hears what everybody may see.
        referees: where its referee is.

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

    If it is cancelled, or if the server itself fails, the match is void and the bots are told so.

    Args:
        terms: what the match is played under.
        seats: the seats, which are given back at the end.
        past: the choices and forfeits of this match that were made already, in order.
        choice_log: is told each choice and forfeit before anybody else is.
        goes_on_later: whether a match that is cancelled is not void, but goes on when the server is started anew;
            nobody is told anything then.
        referees: where its referee is.

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
