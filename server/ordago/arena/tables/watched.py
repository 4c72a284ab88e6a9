"""Public events of running matches, for spectators.

A match appends its public events to a list and has no list of readers: each spectator reads that list at its own
position, in a thread of its own. So no match waits for spectators, however many or slow they are, and nothing is
queued for them.

They see events late, by the organiser's delay. Events have no time of their own, since reading a clock would be most of
their cost. Instead, the number of events of each match is noted several times a second.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.match import MatchTerms, record_heading

LOOK_SECONDS: Final = 0.25
"""Interval of noting the number of events of each match, and releasing those that are old enough."""
_KEPT_SECONDS: Final = 60.0
"""Time to hold a match after its end has been released."""
_MOST_KEPT: Final = 1024
"""Maximum of finished matches to hold: at some 20 KB each these are 20 MB."""


class Seen(NamedTuple):
    """The next released part of a match."""

    events: Sequence[bytes]
    """The next events, each as a serialized field ``events`` of a response."""
    end: v1.WatchedEnd | None
    """The end of the match, if it is released and follows these events; else ``None``."""


class WatchedMatch:
    """The public side of one match. Trio's thread writes it, and any thread may read it."""

    def __init__(self, start: v1.WatchedStart, *, now: Callable[[], float]) -> None:
        """Hold a match without events; use ``WatchedMatches.begin``."""
        self.start = start
        """The description of the match."""
        self.news: list[bytes] = []
        """The public events so far; the match appends to it."""
        self._now = now
        self._noted: deque[tuple[float, int]] = deque()
        """Times, with the numbers of events at them, that are not old enough to be released."""
        self._shown = 0
        """Number of released events."""
        self._end: v1.WatchedEnd | None = None
        self._ended_at = 0.0
        self._end_shown = False

    def over(self, record: v1.MatchRecord) -> None:
        """Note that the match is finished."""
        self._ends(watched_end(record))

    def void(self, sentence: str) -> None:
        """Note that the match is void, and why."""
        self._ends(v1.WatchedEnd(sentence=sentence))

    def _ends(self, end: v1.WatchedEnd) -> None:
        self.note()
        self._end, self._ended_at = end, self._now()

    def note(self) -> None:
        """Note the number of events, and release events and the end that are old enough."""
        now, old_enough = self._now(), self._now() - self.start.delay_seconds
        if len(self.news) > (self._noted[-1][1] if self._noted else self._shown):
            self._noted.append((now, len(self.news)))
        while self._noted and self._noted[0][0] <= old_enough:
            self._shown = self._noted.popleft()[1]
        self._end_shown = self._end is not None and self._ended_at <= old_enough

    def seen(self, after: int, *, at_most: int) -> Seen:
        """Return the next released events. Any thread may call it.

        Args:
            after: the number of events that the spectator has.
            at_most: the maximum of events to return.
        """
        # The end is read first: once it is released, so are all events before it.
        end = self._end if self._end_shown else None
        shown = self._shown
        events = self.news[after : min(after + at_most, shown)]
        return Seen(events, end if after + len(events) == shown else None)

    def is_forgotten(self, *, after_seconds: float) -> bool:
        """Return True if its end was released longer ago than this."""
        return self._end_shown and self._now() - self.start.delay_seconds - self._ended_at > after_seconds


class WatchedMatches:
    """The matches to watch: those that are running, and for a while those that have ended."""

    def __init__(self, *, delay_seconds: int = 0, now: Callable[[], float] = trio.current_time) -> None:
        """Begin without matches.

        Args:
            delay_seconds: the delay for spectators, in seconds, from 0.
            now: returns the time in seconds; called in trio's thread.
        """
        self._delay_seconds = delay_seconds
        self._now = now
        self._matches: dict[str, WatchedMatch] = {}

    def begin(self, terms: MatchTerms) -> WatchedMatch:
        """Return the onlooker for a match that begins or goes on, and offer it to spectators."""
        start = watched_start(record_heading(terms), delay_seconds=self._delay_seconds)
        match = self._matches[terms.match_id] = WatchedMatch(start, now=self._now)
        return match

    def find(self, match_id: str) -> WatchedMatch | None:
        """Return a match that is running or has just ended; ``None`` for any other. Any thread may call it."""
        return self._matches.get(match_id)

    async def keep(self) -> None:
        """Call ``look`` every ``LOOK_SECONDS``, until cancelled."""
        while True:
            self.look()
            await trio.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Release events that are old enough, and forget matches that ended long ago, or the oldest if too many."""
        for match in self._matches.values():
            match.note()
        ended = [name for name, match in self._matches.items() if match.is_forgotten(after_seconds=0)]
        too_many = set(ended[: max(0, len(ended) - _MOST_KEPT)])
        for name in ended:
            if name in too_many or self._matches[name].is_forgotten(after_seconds=_KEPT_SECONDS):
                del self._matches[name]


def watched_start(heading: v1.MatchRecord, *, delay_seconds: int) -> v1.WatchedStart:
    """Return the description of a match for spectators, from the heading of its record."""
    return v1.WatchedStart(
        match_id=heading.match_id,
        game=heading.game,
        rules_version=heading.rules_version,
        options=heading.options,
        players=[v1.Player(name=seat.name, version=seat.version, side=seat.side) for seat in heading.seats],
        clock=heading.clock,
        delay_seconds=delay_seconds,
    )


def watched_end(record: v1.MatchRecord) -> v1.WatchedEnd:
    """Return the end of a match for spectators, from its record."""
    forfeits = [entry.forfeit for entry in record.entries if entry.HasField("forfeit")]
    return v1.WatchedEnd(outcome=record.outcome, forfeits=forfeits)
