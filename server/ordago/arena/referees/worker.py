"""The matches of one referee process, without input and output: calls come in, and calls go out.

A match has no clock and no connection, so it can be played anywhere: its steps go to the server, which carries them
out and sends back the replies to its questions.
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
    """A match in this process."""

    def __init__(self, match: Match, *, watched: bool) -> None:
        self.match: Final = match
        self.watched: Final = watched
        """True if the match has onlookers at the server."""


class RefereeWorker:
    """The matches of one referee process. ``hear`` processes calls of the server."""

    def __init__(self) -> None:
        """Begin without a match."""
        self.said: list[Call] = []
        """The calls to send to the server, in order. The sender empties the list."""
        self._matches: dict[int, _Match] = {}
        self._resting: deque[int] = deque()
        """Matches without any bot left to ask, which go on by themselves in turn."""
        self._heard: Final[dict[object, Callable[..., None]]] = {
            "begin": self._begin,
            "answer": self._answer,
            "lost": self._lost,
            "drop": self._drop,
        }

    def hear(self, calls: Sequence[Call]) -> None:
        """Carry out calls of the server, in order. A match in which one fails is over; all others go on."""
        for call in calls:
            self._do(self._heard[call[0]], call[1:])

    def _do(self, action: Callable[..., None], arguments: tuple[object, ...]) -> None:
        """Carry out an action on a match, whose number is the first argument, and report a failure."""
        try:
            action(*arguments)
        except Exception:  # noqa: BLE001 - any failure ends this match alone, and the server reports it
            self._matches.pop(cast(int, arguments[0]), None)
            self.said.append(("fail", arguments[0], traceback.format_exc()))

    @property
    def plays(self) -> int:
        """Number of matches in this process."""
        return len(self._matches)

    @property
    def rests(self) -> bool:
        """True if a match waits for its turn to go on by itself."""
        return bool(self._resting)

    def go_on_with_one(self) -> None:
        """Play one step of the next match without any bot left."""
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
        """Begin or continue a match.

        Args:
            number: the number of the match in calls.
            match: its terms, as a serialized ``JournaledMatch``.
            past: the choices and forfeits that were made already, as a serialized ``MatchRecord`` of nothing else.
            secret: the secret of its deals if that is not revealed at the end; otherwise ``match`` holds it.
            head: the length and head of the event's ledger.
            watched: True if the match has onlookers.
            losses: the bots that do not come back: seat, fault and reason.
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
        """Go on with the reply to the open question; see ``match.Reply``."""
        if number in self._matches:
            self._go_on(number, Reply(answer, elapsed, fault, thought_ms, away, lost))

    def _lost(self, number: int, seat: int, fault: v1.Fault, sentence: str) -> None:
        """Take the default answers for a seat from now on: its bot does not come back."""
        if number in self._matches:
            match = self._matches[number]
            self._say("forfeited", number, match, match.match.forfeit(seat, fault, sentence))

    def _drop(self, number: int) -> None:
        """Forget a match that the server has stopped."""
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
