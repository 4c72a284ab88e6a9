"""The matches of one process of referees. It hears calls and says others, and does nothing else.

A match knows no clock and no connection, so it can be played anywhere: its steps go to the server, which carries them
out, and what comes of its questions comes back.
"""

import traceback
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, cast

from ordago import v1
from ordago.arena.referees.steps import Call, plain_step
from ordago.journal import terms_of
from ordago.journal.v1 import JournaledMatch
from ordago.match import Match, Reply, Step
from ordago.record.head import Head


class _Match:
    """A match that is played here."""

    def __init__(self, match: Match, *, watched: bool) -> None:
        self.match: Final = match
        self.watched: Final = watched
        """Whether anybody looks on at the server."""


class RefereeWorker:
    """The matches of one process of referees. ``hear`` takes what the server says."""

    def __init__(self) -> None:
        """Begin without a match."""
        self.said: list[Call] = []
        """What is to be said to the server, in order. Whoever says it empties the list."""
        self._matches: dict[int, _Match] = {}
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

    def _do(self, action: Callable[..., None], told: tuple[object, ...]) -> None:
        """Do what is told of a match, whose number comes first."""
        try:
            action(*told)
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
        entries = v1.MatchRecord.FromString(past).entries
        begun = Match(terms_of(entry, secret=secret), past=entries, head=Head(*head))
        played = self._matches[number] = _Match(begun, watched=watched)
        self._say("begun", number, played, begun.begin())
        for seat, fault, sentence in losses:
            begun.forfeit(seat, fault, sentence)
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
            match = self._matches[number]
            self._say("forfeited", number, match, match.match.forfeit(seat, fault, sentence))

    def _drop(self, number: int) -> None:
        """Forget a match that the server plays no more."""
        self._matches.pop(number, None)

    def _go_on(self, number: int, reply: Reply | None) -> None:
        match = self._matches[number]
        step = match.match.step(reply)
        if step.played_out is not None:
            del self._matches[number]
        elif step.question is None:
            self._resting.append(number)
        self._say("step", number, match, step)

    def _say(self, name: str, number: int, match: _Match, step: Step) -> None:
        self.said.append((name, number, plain_step(step, watched=match.watched)))
