"""What everybody may see of the matches that are played, for those who look on from outside.

A match adds what it makes public to a list, and knows nobody who reads it: those who look on read the list from where
they are, in a thread of their own. So however many they are and however slowly they read, no match waits for any of
them, and nothing piles up for one of them either.

They see it late, by the delay of the organiser. What is public has no time of its own, since to look at a clock would
be most of what it costs: several times a second it is noted how far each match has come.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import trio

from ordago import v1
from ordago.match import MatchTerms, record_heading

LOOK_SECONDS: Final = 0.25
"""How often it is noted how far the matches have come, and looked at what of it may be seen."""
_KEPT_SECONDS: Final = 60.0
"""For so long a match is kept when its end may be seen."""
_MOST_KEPT: Final = 1024
"""So many matches are kept after their end, at most: at some 20 KB each these are 20 MB."""


class Seen(NamedTuple):
    """What may be seen of a match by now, after what was seen before."""

    events: Sequence[bytes]
    """What happened next, each as a serialized field ``events`` of a response."""
    end: v1.WatchedEnd | None
    """How it ended, if that may be seen and nothing is to be seen before it."""


class WatchedMatch:
    """What everybody may see of one match. Trio's thread writes it, and every thread may read it."""

    def __init__(self, start: v1.WatchedStart, *, now: Callable[[], float]) -> None:
        """Use ``WatchedMatches.begin``."""
        self.start = start
        """What the match is."""
        self.news: list[bytes] = []
        """What was made public so far; the match adds to it."""
        self._now = now
        self._noted: deque[tuple[float, int]] = deque()
        """How many events there were at some times, as far as they may not be seen yet."""
        self._shown = 0
        """How many events may be seen."""
        self._end: v1.WatchedEnd | None = None
        self._ended_at = 0.0
        self._end_shown = False

    def over(self, record: v1.MatchRecord) -> None:
        """Note that the match came to its end."""
        self._ends(watched_end(record))

    def void(self, sentence: str) -> None:
        """Note that the match is void, and why."""
        self._ends(v1.WatchedEnd(sentence=sentence))

    def _ends(self, end: v1.WatchedEnd) -> None:
        self.note()
        self._end, self._ended_at = end, self._now()

    def note(self) -> None:
        """Note how far the match has come, and let be seen what has become old enough for it."""
        now, old_enough = self._now(), self._now() - self.start.delay_seconds
        if len(self.news) > (self._noted[-1][1] if self._noted else self._shown):
            self._noted.append((now, len(self.news)))
        while self._noted and self._noted[0][0] <= old_enough:
            self._shown = self._noted.popleft()[1]
        self._end_shown = self._end is not None and self._ended_at <= old_enough

    def seen(self, after: int, *, at_most: int) -> Seen:
        """Return what may be seen by now after so many events, and no more of it than so many. Any thread may ask."""
        # The end is looked at first: who sees it sees all that was shown before it.
        end = self._end if self._end_shown else None
        shown = self._shown
        events = self.news[after : min(after + at_most, shown)]
        return Seen(events, end if after + len(events) == shown else None)

    def is_forgotten(self, *, after_seconds: float) -> bool:
        """Say whether its end may be seen for longer than this."""
        return self._end_shown and self._now() - self.start.delay_seconds - self._ended_at > after_seconds


class WatchedMatches:
    """The matches that may be watched: those that are played, and for a while those that were."""

    def __init__(self, *, delay_seconds: int = 0, now: Callable[[], float] = trio.current_time) -> None:
        """Begin without any.

        Args:
            delay_seconds: so many seconds late they are seen, from 0.
            now: a clock in seconds; it is asked in trio's thread.
        """
        self._delay_seconds = delay_seconds
        self._now = now
        self._matches: dict[str, WatchedMatch] = {}

    def begin(self, terms: MatchTerms) -> WatchedMatch:
        """Return the onlooker of a match that begins or goes on, so that it can be watched."""
        start = watched_start(record_heading(terms), delay_seconds=self._delay_seconds)
        match = self._matches[terms.match_id] = WatchedMatch(start, now=self._now)
        return match

    def find(self, match_id: str) -> WatchedMatch | None:
        """Return a match that is played, or was until now. Any thread may ask."""
        return self._matches.get(match_id)

    async def keep(self) -> None:
        """Look at the matches again and again, for ever."""
        while True:
            self.look()
            await trio.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Note how far all matches have come, and forget those whose end was seen for long, or which are too many."""
        for match in self._matches.values():
            match.note()
        ended = [name for name, match in self._matches.items() if match.is_forgotten(after_seconds=0)]
        too_many = set(ended[: max(0, len(ended) - _MOST_KEPT)])
        for name in ended:
            if name in too_many or self._matches[name].is_forgotten(after_seconds=_KEPT_SECONDS):
                del self._matches[name]


def watched_start(heading: v1.MatchRecord, *, delay_seconds: int) -> v1.WatchedStart:
    """Return what is told of a match when it begins, by what its record says of it then."""
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
    """Return what is told of a match when it is over, by its record."""
    forfeits = [entry.forfeit for entry in record.entries if entry.HasField("forfeit")]
    return v1.WatchedEnd(outcome=record.outcome, forfeits=forfeits)
