"""The matches of one process of referees. It hears calls and says others, and does nothing else.

A match knows no clock and no connection, so it can be played anywhere: what its players and its choice log are told
goes to the server as calls, and what comes of its questions comes back as one.
"""

import traceback
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, cast

from ordago import v1
from ordago.arena.referees.calls import Asked, Call
from ordago.journal import terms_of
from ordago.journal.v1 import JournaledMatch
from ordago.match import Acceptance, Match, PlayedOut, Question, Reply
from ordago.record.head import Head

Say = Callable[[Call], None]
"""Says something to whoever is at the other end."""


class _Player:
    """A seat, whose player is at the server. See ``match.Player``."""

    def __init__(self, say: Say, match: int, seat: int) -> None:
        self._say = say
        self._where: Final = (match, seat)

    def begin(self, start: v1.MatchStart) -> None:
        self._say(("begin", *self._where, start.SerializeToString()))

    def refuse(self, refused: v1.Refused) -> None:
        self._say(("refuse", *self._where, refused.SerializeToString()))

    def accept(self, accepted: Acceptance) -> None:
        self._say(("accept", *self._where, *accepted.parts))

    def forfeit(self, forfeited: v1.Forfeited) -> None:
        self._say(("forfeit", *self._where, forfeited.SerializeToString()))


class _ChoiceLog:
    """The choice log of the server. See ``match.ChoiceLog``."""

    def __init__(self, say: Say, match: int) -> None:
        self._say = say
        self._match = match

    def entered(self, entry: bytes) -> None:
        self._say(("entered", self._match, entry))


class _Onlooker:
    """Whoever looks on at the server, as far as he has not been told yet. See ``match.Onlooker``."""

    def __init__(self) -> None:
        self.news: list[bytes] = []

    def hand_over(self) -> tuple[bytes, ...]:
        """Return what is to be told, which counts as told."""
        news, self.news = tuple(self.news), []
        return news


class _Refereed:
    """A match that is played here."""

    def __init__(
        self, say: Say, number: int, match: JournaledMatch, *, secret: bytes, head: Head, watched: bool
    ) -> None:
        terms = terms_of(match, secret=secret)
        players = [_Player(say, number, seat) for seat in range(len(terms.seats))]
        self.onlooker = _Onlooker()
        self.match = Match(
            terms,
            players,
            past=match.record.entries,
            choice_log=_ChoiceLog(say, number),
            head=head,
            onlookers=[self.onlooker] if watched else [],
        )


class Bench:
    """The matches of one process of referees. ``hear`` takes what the server says."""

    def __init__(self) -> None:
        """Begin without a match."""
        self.said: list[Call] = []
        """What is to be said to the server, in order. Whoever says it empties the list."""
        self._matches: dict[int, _Refereed] = {}
        self._resting: deque[int] = deque()
        """Those that go on by themselves: nobody is left to ask."""
        self._heard: Final[dict[object, Callable[..., None]]] = {
            "begin": self._begin,
            "answer": self._answer,
            "lost": self._lost,
            "drop": self._drop,
        }

    def hear(self, calls: Sequence[Call]) -> None:
        """Do what the server says, in order. A match in which that fails is over; all others go on."""
        for call in calls:
            self._do(self._heard[call[0]], call[1:])

    def _do(self, step: Callable[..., None], told: tuple[object, ...]) -> None:
        """Do what is told of a match, whose number comes first."""
        try:
            step(*told)
        except Exception:  # noqa: BLE001 - whatever it is, it is one match's, and the server tells of it
            self._matches.pop(cast(int, told[0]), None)
            self.said.append(("fail", told[0], traceback.format_exc()))

    @property
    def plays(self) -> int:
        """How many matches are played here."""
        return len(self._matches)

    @property
    def rests(self) -> bool:
        """Whether a match waits for its turn to go on by itself."""
        return bool(self._resting)

    def go_on_with_one(self) -> None:
        """Go on with a match that nobody is left in, up to where others are to have their turn."""
        number = self._resting.popleft()
        if number in self._matches:
            self._do(self._go_on, (number, None))

    def _say(self, call: Call) -> None:
        self.said.append(call)

    def _begin(
        self,
        number: int,
        match: bytes,
        past: bytes,
        secret: bytes,
        head: tuple[int, bytes],
        watched: bool,  # noqa: FBT001 - calls have no names
        losses: Sequence[tuple[int, v1.Fault, str]],
    ) -> None:
        """Begin a match, or go on with one.

        Args:
            number: what both ends call it.
            match: what it is played under: a ``JournaledMatch``, serialized.
            past: the choices and forfeits that were made already: a ``MatchRecord`` of nothing else, serialized.
            secret: what its deals come from, where it is not revealed at its end; else it stands in the match.
            head: how far the ledger of the event has come.
            watched: whether somebody looks on.
            losses: who does not come back, by seat, and why.
        """
        entry = JournaledMatch.FromString(match)
        entry.record.entries.extend(v1.MatchRecord.FromString(past).entries)
        begun = self._matches[number] = _Refereed(
            self._say, number, entry, secret=secret, head=Head(*head), watched=watched
        )
        for seat, fault, sentence in losses:
            begun.match.forfeit(seat, fault, sentence)
        self._go_on(number, None)

    def _answer(
        self,
        number: int,
        answer: bytes | None,
        elapsed: float,
        fault: v1.Fault,
        thought_ms: int | None,
        away: float,
        lost: float,
    ) -> None:
        """Go on with what came of the open question: see ``match.Reply``."""
        if number in self._matches:
            self._go_on(number, Reply(answer, elapsed, fault, thought_ms, away, lost))

    def _lost(self, number: int, seat: int, fault: v1.Fault, sentence: str) -> None:
        """Take the default answers for a seat from now on: its bot does not come back."""
        if number in self._matches:
            self._matches[number].match.forfeit(seat, fault, sentence)

    def _drop(self, number: int) -> None:
        """Forget a match that the server plays no more."""
        self._matches.pop(number, None)

    def _go_on(self, number: int, reply: Reply | None) -> None:
        refereed = self._matches[number]
        question = refereed.match.go_on(reply)
        played_out = refereed.match.played_out
        if played_out is not None:
            self._tell_news(number, refereed)
            self._end(number, played_out)
            return
        if question is None:
            self._resting.append(number)
        else:
            self._ask(number, question)
        # Behind the question, which goes along with the choice before it where nothing is said between them.
        self._tell_news(number, refereed)

    def _tell_news(self, number: int, refereed: _Refereed) -> None:
        if refereed.onlooker.news:
            self.said.append(("look", number, refereed.onlooker.hand_over()))

    def _ask(self, number: int, question: Question) -> None:
        decision, time = question.decision, question.time
        parts = (decision.number, decision.before_clock, decision.after_clock)
        left = (time.decision_ms, time.bank_ms, time.lag_credit_ms, time.disconnect_bank_ms)
        self._say_turn(number, (question.seat, parts, left, question.again))

    def _say_turn(self, number: int, asked: Asked) -> None:
        """Say what is asked, along with the choice before it, where that is what was said last."""
        said = self.said
        if len(said) > 1 and said[-1][:2] == ("accept", number) and said[-2][:2] == ("entered", number):
            accepted, entered = said.pop(), said.pop()
            said.append(("turn", number, entered[2], accepted[2:], asked))
        else:
            said.append(("ask", number, *asked))

    def _end(self, number: int, played: PlayedOut) -> None:
        del self._matches[number]
        ends = tuple(end.SerializeToString() for end in played.ends)
        self.said.append(("end", number, played.record.serialized, played.record.digest, ends))
