"""Counters of a server's work, as plain numbers.

Counting has to cost next to nothing, since it is done for every decision. So there are no locks: each number is written
by one thread alone, and a reader in any thread may find one number a moment older than another.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from ordago import v1

_BINS: Final = 40
"""Enough for numbers of 39 binary digits, for instance six days in microseconds."""


class Histogram:
    """The frequency of numbers by size, with powers of two as the bounds."""

    def __init__(self) -> None:
        self.bins = [0] * _BINS
        """The frequency of numbers with 0, 1, 2, … binary digits."""
        self.total = 0
        """The sum of all numbers."""

    def add(self, number: int, *, times: int = 1) -> None:
        """Count a number from 0, of up to 39 binary digits."""
        self.bins[number.bit_length()] += times
        self.total += number * times

    @property
    def count(self) -> int:
        """The number of numbers counted."""
        return sum(self.bins)


class GameCounters:
    """The matches and decisions of one game."""

    def __init__(self) -> None:
        self.matches_begun = 0
        self.matches_finished = 0
        """Matches that came to their end."""
        self.matches_void = 0
        """Matches that were stopped, or that failed by a mistake of the server."""
        self.asked = 0
        """Decisions that were put to a seat, or would have been if its bot were connected."""
        self.charged_ms = Histogram()
        """The time that each closed decision was charged, in milliseconds. Its count is that of closed decisions."""
        self.refused = 0
        """Answers that break a rule."""
        self.faults = [0] * (max(v1.Fault.values()) + 1)
        """Decisions that were taken for the seat because of a fault, by the number of the fault."""
        self.forfeits = [0] * (max(v1.Fault.values()) + 1)
        """Seats that were forfeited, by the number of the fault. Counted by ``SeatTelemetry.forfeited``."""

    @property
    def matches_running(self) -> int:
        """The number of matches that are played now."""
        return self.matches_begun - self.matches_finished - self.matches_void


class SessionCounters:
    """The outcomes of connections. Each begins with one of the first two and ends in one of six ways."""

    def __init__(self) -> None:
        self.most_connected: int | None = None
        """The most bots from outside that may be connected at once; ``None`` if none may."""
        self.opened = 0
        self.resumed = 0
        self.turned_away: Counter[str] = Counter()
        """Connections without a session, since the bot was not let in, by the status of its stream."""
        self.superseded = 0
        """Connections that ended because the bot came back on another one."""
        self.lost = 0
        """Connections that broke."""
        self.slow = 0
        """Connections that were cut off because the bot did not read."""
        self.refused = 0
        """Connections that ended because of a message that could not be understood, or was not due."""
        self.given_up = 0
        """Sessions that were not resumed in time after their connection was lost."""
        self.left = 0
        """Connections that ended by a Goodbye of the bot."""
        self.dismissed = 0
        """Connections that ended by a Goodbye of the server."""

    @property
    def connected(self) -> int:
        """The number of bots that are connected now."""
        begun = self.opened + self.resumed
        return begun - self.superseded - self.lost - self.slow - self.refused - self.left - self.dismissed


class GateCounters:
    """The actions against clients that connect but do not sign in. Each edge writes in one thread at a time."""

    def __init__(self) -> None:
        self.connections_at: dict[str, int] = {}
        """Transport connections that are there now, as they were last counted, by the address that they came to."""
        self.shut = 0
        """Transport connections that were shut because they had nothing to say, or too much."""
        self.handshakes_failed = 0
        """Transport connections over TLS that ended before anything was asked on them."""
        self.calls_refused = 0
        """Calls that were too many for one address or connection."""

    @property
    def connections(self) -> int:
        """The number of transport connections, at all addresses."""
        return sum(self.connections_at.copy().values())


class OutgoingQueue(Protocol):
    """The messages that wait for a bot to read them."""

    @property
    def waiting_bytes(self) -> int:
        """The bytes that wait now."""


class WireCounters:
    """The traffic on the wire. Written by the transport; bytes are those of frames, without the overhead of HTTP/2."""

    def __init__(self) -> None:
        self.frames_in = 0
        self.bytes_in = 0
        self.frames_out = 0
        self.bytes_out = 0
        self.latency_us = Histogram()
        """The time from the arrival of a frame until all its results were handed to the writer, in microseconds.

        Where frames were read together, the oldest one's time is counted: none took longer.
        """
        self.queues: set[OutgoingQueue] = set()
        """The queue of each open stream."""

    def waiting_bytes(self) -> Sequence[int]:
        """Return the bytes that wait in each queue now."""
        return [queue.waiting_bytes for queue in self.queues.copy()]


class LadderCounters:
    """The progress of a standing ladder."""

    def __init__(self) -> None:
        self.epoch = 0
        """The number of the newest epoch; 0 without a ladder."""
        self.epoch_began = 0.0
        """The time when it began, in seconds since 1970."""
        self.published = 0.0
        """The time when results and ratings were last published, in seconds since 1970; 0: not since the start."""
        self.waits: Callable[[], Mapping[str, Sequence[float]]] | None = None
        """Returns the waits of bots that have room for a match, in seconds, by game. Safe in any thread."""


class CertificateState(NamedTuple):
    """The certificate of a server, and its files."""

    ends: float
    """The time at which the certificate in use expires, in seconds since 1970, UTC."""
    files_usable: bool
    """False while its files hold another one that cannot be used, or none, so that the next start would fail."""


class Counters:
    """All counters of a server. Created by the code that starts the server, written by the parts that they count."""

    def __init__(self) -> None:
        self._games: dict[str, GameCounters] = {}
        self.sessions = SessionCounters()
        self.wire = WireCounters()
        self.gate = GateCounters()
        self.ladder = LadderCounters()
        self.stale_choices = 0
        """Choices for no open decision."""
        self.records_kept = 0
        self.records_waiting = 0
        """Records that are yet to be kept."""
        self.record_failures = 0
        """Attempts to keep a record that failed, each of them followed by another one or by a loss."""
        self.records_lost = 0
        """Records that could not be kept before the server ended."""
        self.commits = 0
        """Transactions with results, of an event or a ladder."""
        self.commit_us = Histogram()
        """The time of each commit of results, in microseconds, until it succeeded."""
        self.store_wait: Callable[[], float] | None = None
        """Returns the age of the oldest open transaction, in seconds; ``None`` without a ladder. Safe in any thread."""
        self.stalls = 0
        """The number of times that the thread of the matches was noticeably delayed."""
        self.stalled_seconds = 0.0
        """The total time of these delays."""
        self.loop_lag_us = Histogram()
        """The delay of each turn that the thread of the matches takes ten times a second, in microseconds."""
        self.lost_seconds = 0.0
        """The delay caused by the server that was charged to nobody, as the referee measures it."""
        self.journal_bytes = 0
        """The bytes written into the journal of running matches, as last measured."""
        self.free_bytes: int | None = None
        """The free space on the disk of the journal, in bytes, as last measured; ``None`` without a journal."""
        self.table_versions: dict[str, int] = {}
        """The versions of the tables of databases, by their content: ``accounts``, ``ladder``."""
        self.backed_up: Callable[[], float | None] | None = None
        """Returns when the last backup was complete, in seconds since 1970, or ``None``. Safe in any thread."""
        self.troubles: dict[str, str] = {}
        """The parts that do not work now although the server goes on, and the reason for each."""
        self.unseated = 0
        """The number of bots that have long waited for a ladder match, and cannot be seated with the bots present."""
        self.unseated_why = ""
        """The reason for one of them."""
        self.shut_out_at = 0.0
        """The time when newcomers were last turned away for want of room, by ``time.monotonic``. 0: never."""
        self.certificate: Callable[[], CertificateState] | None = None
        """Returns the state of the certificate of the server; ``None`` without TLS. Safe in any thread."""
        self.draining = False
        """True if the server begins no new match."""
        self.seating_paused = False
        """True while an announcement of the operator pauses seating."""
        self.turned_at = 0.0
        """The time when the server was last seen at work, by ``time.monotonic``. 0: not yet."""

    def game(self, name: str) -> GameCounters:
        """Return the counts of a game. The name is that of a game which is played here, never one that a bot gave."""
        counters = self._games.get(name)
        if counters is None:
            counters = self._games[name] = GameCounters()
        return counters

    def games(self) -> dict[str, GameCounters]:
        """Return the counts of all games that were played, by name."""
        return self._games.copy()
