"""The counters as Prometheus metrics.

No label holds a text chosen by a bot: games, faults and endings are few and known, so the number of series is limited.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from ordago import v1
from ordago.ops.logs import dropped_lines
from ordago.record import fault_name
from ordago.telemetry.counters import Counters, GameCounters, Histogram, LadderCounters
from ordago.telemetry.telemetry import Ending, is_full
from ordago.telemetry.troubles import Trouble
from ordago.version import __version__

_MS_A_SECOND: Final = 1000
_US_A_SECOND: Final = 1_000_000
_CHARGED_BINS: Final = range(22)
"""Buckets from 0 ms to 35 minutes, by powers of two: from an immediate answer to a bank for a whole match."""
_LATENCY_BINS: Final = range(6, 25)
"""Buckets from 63 µs to 17 s, by powers of two."""
_COMMIT_BINS: Final = range(9, 28)
"""Buckets from 0.5 ms to 134 s, by powers of two: a database may come back after a minute."""

_GAME_COUNTERS: Final[tuple[tuple[str, str, Callable[[GameCounters], int]], ...]] = (
    ("ordago_matches_begun", "Matches that began.", lambda game: game.matches_begun),
    ("ordago_matches_finished", "Matches that ended with a result.", lambda game: game.matches_finished),
    ("ordago_matches_void", "Void matches: stopped or failed.", lambda game: game.matches_void),
    ("ordago_decisions_asked", "Decisions asked of seats.", lambda game: game.asked),
    (
        "ordago_decisions_answered",
        "Decisions made by the bot's own answer.",
        lambda game: game.charged_ms.count - sum(game.faults),
    ),
    ("ordago_answers_refused", "Refused answers that the bot could correct.", lambda game: game.refused),
)
_COUNTERS: Final[tuple[tuple[str, str, Callable[[Counters], float]], ...]] = (
    ("ordago_stale_choices", "Answers to no open decision.", lambda counters: counters.stale_choices),
    ("ordago_connections_shut", "Connections closed by the server.", lambda counters: counters.gate.shut),
    ("ordago_handshakes_failed", "Failed TLS handshakes.", lambda counters: counters.gate.handshakes_failed),
    ("ordago_calls_refused", "Calls refused because of rate limits.", lambda counters: counters.gate.calls_refused),
    ("ordago_sessions_opened", "Sessions opened.", lambda counters: counters.sessions.opened),
    ("ordago_sessions_given_up", "Sessions lost without a resume.", lambda counters: counters.sessions.given_up),
    ("ordago_sessions_resumed", "Sessions resumed.", lambda counters: counters.sessions.resumed),
    ("ordago_stalls", "Noticeable stalls of all matches.", lambda counters: counters.stalls),
    ("ordago_stalled_seconds", "Duration of all stalls.", lambda counters: counters.stalled_seconds),
    (
        "ordago_lost_seconds",
        "Time lost by the server, which no seat is charged.",
        lambda counters: counters.lost_seconds,
    ),
    ("ordago_frames_received", "Frames from bots.", lambda counters: counters.wire.frames_in),
    ("ordago_frames_sent", "Frames to bots.", lambda counters: counters.wire.frames_out),
    ("ordago_received_bytes", "Bytes of frames from bots.", lambda counters: counters.wire.bytes_in),
    ("ordago_sent_bytes", "Bytes of frames to bots.", lambda counters: counters.wire.bytes_out),
    ("ordago_records_kept", "Records written.", lambda counters: counters.records_kept),
    ("ordago_record_failures", "Failed attempts to write a record.", lambda counters: counters.record_failures),
    ("ordago_records_lost", "Records lost.", lambda counters: counters.records_lost),
    ("ordago_commits", "Transactions with results, of an event or a ladder.", lambda counters: counters.commits),
    ("ordago_log_lines_dropped", "Lines of the log that nobody read in time.", lambda _: dropped_lines()),
    ("ordago_journal_bytes", "Bytes written to the journal.", lambda counters: counters.journal_bytes),
)
_GAUGES: Final[tuple[tuple[str, str, Callable[[Counters], float]], ...]] = (
    ("ordago_bots_connected", "Bots connected.", lambda counters: counters.sessions.connected),
    ("ordago_connections", "Open connections.", lambda counters: counters.gate.connections),
    ("ordago_full", "1 while new connections are refused because the server is full.", is_full),
    ("ordago_seating_paused", "1 while an announcement pauses seating.", lambda counters: counters.seating_paused),
    ("ordago_draining", "1 while the server starts no new match.", lambda counters: counters.draining),
    ("ordago_bots_unseated", "Waiting bots that cannot be seated.", lambda counters: counters.unseated),
    ("ordago_records_waiting", "Records waiting to be written.", lambda counters: counters.records_waiting),
)


class CountersCollector(Collector):
    """Converts counters to metrics at each request of Prometheus."""

    def __init__(self, counters: Counters) -> None:
        """Collect from these counters."""
        self._counters = counters

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics."""
        for name, help_text, value in _COUNTERS:
            yield CounterMetricFamily(name, help_text, value=value(self._counters))
        for name, help_text, value in _GAUGES:
            yield GaugeMetricFamily(name, help_text, value=value(self._counters))
        most = self._counters.sessions.most_connected
        yield _known("ordago_bots_limit", "Most bots from outside that may be connected.", most)
        yield self._troubles()
        yield _build()
        yield from self._queues()
        yield from self._upkeep()
        yield self._endings()
        yield self._turned_away()
        yield from self._store()
        yield from _of_ladder(self._counters.ladder)
        yield from _of_games(self._counters.games())
        latency = HistogramMetricFamily(
            "ordago_answer_latency_seconds", "Time from the arrival of an answer until its effects were sent."
        )
        _add(latency, [], self._counters.wire.latency_us, _LATENCY_BINS, per_second=_US_A_SECOND)
        yield latency
        lag = HistogramMetricFamily("ordago_loop_lag_seconds", "Delay of each turn of the thread of the matches.")
        _add(lag, [], self._counters.loop_lag_us, _LATENCY_BINS, per_second=_US_A_SECOND)
        yield lag

    def _troubles(self) -> Metric:
        now = self._counters.troubles.copy()
        metric = GaugeMetricFamily("ordago_troubles", "1 while this part does not work.", labels=["trouble"])
        for trouble in Trouble:
            metric.add_metric([trouble.name.lower()], trouble.value[0] in now)
        return metric

    def _queues(self) -> Iterator[Metric]:
        waiting = self._counters.wire.waiting_bytes()
        yield GaugeMetricFamily("ordago_queued_bytes", "Bytes queued for all bots.", value=sum(waiting))
        yield GaugeMetricFamily(
            "ordago_longest_queue_bytes", "Bytes queued for the bot with the most.", value=max(waiting, default=0)
        )

    def _upkeep(self) -> Iterator[Metric]:
        counters = self._counters
        certificate = counters.certificate() if counters.certificate is not None else None
        backed_up = counters.backed_up
        yield _known(
            "ordago_certificate_expiry_timestamp_seconds",
            "Expiry of the certificate, in seconds since 1970.",
            certificate and certificate.ends,
        )
        yield _known(
            "ordago_certificate_files_usable",
            "0 while the files of the certificate cannot be used, so that the next start would fail.",
            certificate and certificate.files_usable,
        )
        yield _known(
            "ordago_backup_timestamp_seconds",
            "Last complete backup, in seconds since 1970.",
            backed_up() if backed_up is not None else None,
        )
        yield _known("ordago_disk_free_bytes", "Free space on the disk of the journal.", counters.free_bytes)
        tables = GaugeMetricFamily("ordago_table_version", "Version of the tables of a database.", labels=["tables"])
        for content, version in counters.table_versions.items():
            tables.add_metric([content], version)
        yield tables

    def _endings(self) -> Metric:
        metric = CounterMetricFamily("ordago_sessions_ended", "Ended connections by reason.", labels=["how"])
        for ending in Ending:
            metric.add_metric([ending.value], getattr(self._counters.sessions, ending.value))
        return metric

    def _turned_away(self) -> Metric:
        metric = CounterMetricFamily("ordago_bots_turned_away", "Bots that were refused.", labels=["status"])
        for status, times in self._counters.sessions.turned_away.copy().items():
            metric.add_metric([status], times)
        return metric

    def _store(self) -> Iterator[Metric]:
        wait = self._counters.store_wait
        waited = wait() if wait is not None else None
        yield _known("ordago_store_wait_seconds", "Age of the oldest open transaction.", waited)
        commits = HistogramMetricFamily("ordago_commit_seconds", "Time until results were committed.")
        _add(commits, [], self._counters.commit_us, _COMMIT_BINS, per_second=_US_A_SECOND)
        yield commits


def _known(name: str, help_text: str, value: float | None) -> Metric:
    """Return a metric that has no value while it is unknown."""
    metric = GaugeMetricFamily(name, help_text, labels=())
    if value is not None:
        metric.add_metric([], value)
    return metric


def _build() -> Metric:
    metric = GaugeMetricFamily("ordago_build", "Always 1, with Ordago's version.", labels=["version"])
    metric.add_metric([__version__], 1)
    return metric


def _of_ladder(ladder: LadderCounters) -> Iterator[Metric]:
    """Yield the metrics of a ladder, which have no values without one."""
    for name, help_text, value in (
        ("ordago_epoch", "Number of the newest epoch.", ladder.epoch),
        (
            "ordago_epoch_begun_timestamp_seconds",
            "Begin of the newest epoch, in seconds since 1970.",
            ladder.epoch_began,
        ),
        ("ordago_published_timestamp_seconds", "Last publication, in seconds since 1970.", ladder.published),
    ):
        yield _known(name, help_text, value or None)
    waiting = GaugeMetricFamily("ordago_bots_waiting", "Bots with room for a match.", labels=["game"])
    longest = GaugeMetricFamily("ordago_longest_wait_seconds", "Longest wait for a match.", labels=["game"])
    for game, waits in ({} if ladder.waits is None else ladder.waits()).items():
        waiting.add_metric([game], len(waits))
        longest.add_metric([game], max(waits, default=0.0))
    yield from (waiting, longest)


def _of_games(games: dict[str, GameCounters]) -> Iterator[Metric]:
    for name, help_text, value in _GAME_COUNTERS:
        metric = CounterMetricFamily(name, help_text, labels=["game"])
        for game, counters in games.items():
            metric.add_metric([game], value(counters))
        yield metric
    running = GaugeMetricFamily("ordago_matches_running", "Running matches.", labels=["game"])
    charged = HistogramMetricFamily("ordago_charged_seconds", "Charged time of decisions.", labels=["game"])
    for game, counters in games.items():
        running.add_metric([game], counters.matches_running)
        _add(charged, [game], counters.charged_ms, _CHARGED_BINS, per_second=_MS_A_SECOND)
    yield from (running, charged)
    yield _by_fault(games, "ordago_faults", "Default answers because of a fault.", lambda game: game.faults)
    yield _by_fault(games, "ordago_forfeits", "Forfeited seats.", lambda game: game.forfeits)


def _by_fault(
    games: dict[str, GameCounters], name: str, help_text: str, counts: Callable[[GameCounters], list[int]]
) -> Metric:
    metric = CounterMetricFamily(name, help_text, labels=["game", "fault"])
    for game, counters in games.items():
        counted = counts(counters)
        for fault in v1.Fault.values():
            if counted[fault]:
                metric.add_metric([game, fault_name(fault)], counted[fault])
    return metric


def _add(
    metric: HistogramMetricFamily, labels: list[str], histogram: Histogram, bins: range, *, per_second: int
) -> None:
    """Add a histogram of whole numbers to a metric. Each bucket ends with the last number of so many binary digits."""
    counts = histogram.bins.copy()
    buckets: list[tuple[str, float]] = [
        (str((2**digits - 1) / per_second), sum(counts[: digits + 1])) for digits in bins
    ]
    metric.add_metric(labels, [*buckets, ("+Inf", sum(counts))], histogram.total / per_second)
