"""The decisions of a recorded match, as a seat was asked them."""

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from ordago import v1
from ordago.game import Event
from ordago.match.messages import match_start
from ordago.match.seat_clock import Charge, SeatClock, TimeTerms
from ordago.match.step import Question
from ordago.record.opening import clocks_of
from ordago.record.playback import Playback
from ordago.wire.decision_parts import EVERYBODY, EventParts, decision_parts


class PastDecision(NamedTuple):
    """A decision of a recorded match."""

    start: v1.MatchStart
    """The announcement of the match to the seat, without the bot's seed, which no record has."""
    decision: v1.Decision
    """The decision, as it was first put."""
    choice: v1.RecordedChoice
    """The choice of the seat, or the one taken for it."""


def decisions_of(record: v1.MatchRecord, seat: int) -> Iterator[PastDecision]:
    """Yield the decisions of a seat, in order, until it was forfeited or the match ended.

    Args:
        record: the match; its choices are played by the rules, and nothing else of it is checked.
        seat: the seat, from 0.

    Raises:
        UnplayableError: the rules cannot play it, or only up to here.
    """
    yield from _Seat(record, seat).decisions()


class _Seat:
    """A recorded match, seen from one seat."""

    def __init__(self, record: v1.MatchRecord, seat: int) -> None:
        self._record = record
        self._seat = seat
        self._playback = Playback(record)
        codec = self._playback.game.codec
        self._parts = decision_parts(codec)
        self._views = codec.views()
        self._clock = SeatClock(TimeTerms.of(clocks_of(record)[seat]))
        self._start = match_start(record, seat, seed=b"", last_decision=0)
        self._start.options.CopyFrom(self._playback.options)
        self._start.match_handle = 1
        self._events: list[bytes] = []
        self._first_event = 1
        self._number = 0

    def decisions(self) -> Iterator[PastDecision]:
        for entry in self._record.entries:
            if entry.HasField("choice") and entry.choice.seat == self._seat:
                yield self._decision(entry.choice)
            elif entry.HasField("forfeit") and entry.forfeit.seat == self._seat:
                return
            self._see(self._playback.play(entry))
        self._playback.outcome()

    def _see(self, events: Sequence[Event[Hashable]]) -> None:
        seen = (_seen(self._parts.event(event), self._seat) for event in events)
        self._events += filter(None, seen)

    def _decision(self, choice: v1.RecordedChoice) -> PastDecision:
        self._playback.check_turn(self._seat)
        question = self._question()
        self._clock.settle(Charge(choice.charged_ms, choice.lag_ms), away_ms=choice.away_ms)
        message = question.message()
        message.match_handle = self._start.match_handle
        return PastDecision(self._start, message, choice)

    def _question(self) -> Question:
        state, events = self._playback.state, self._events
        self._number += 1
        serialized = self._parts.decision(
            number=self._number,
            seat=self._seat,
            first_event=self._first_event,
            events=events,
            legal_actions=state.legal_actions(),
            extras=state.extras(),
            default=state.default_action(),
            view=self._views(state.view(self._seat)),
            may_concede=self._playback.concessions.allowed,
        )
        self._first_event += len(events)
        self._events = []
        return Question(self._seat, serialized, self._clock.left)


def _seen(parts: EventParts, seat: int) -> bytes:
    """Return the event as a seat sees it, serialized; empty if it sees nothing of it."""
    sees_all = parts.audience == EVERYBODY or parts.audience >> seat & 1
    return parts.full if sees_all else parts.redacted
