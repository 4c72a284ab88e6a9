"""Metrics and health over HTTP, and what counters look like to Prometheus."""

import time
import urllib.error
import urllib.request

import pytest
from prometheus_client.parser import text_string_to_metric_families

from ordago import v1
from ordago.ops.web import WebError, watched
from ordago.telemetry.counters import Counters, Histogram
from ordago.telemetry.telemetry import Ending, Telemetry
from ordago.telemetry.troubles import Trouble


class Queue:
    """The queue of a bot that reads slowly."""

    def __init__(self, waiting_bytes: int) -> None:
        self.waiting_bytes = waiting_bytes


def get(port: int, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def samples(counters: Counters) -> dict[str, float]:
    """Return what a scrape gives, by ``name{label,label}``."""
    with watched("127.0.0.1:0", counters) as port:
        status, text = get(port, "/metrics")
    assert status == 200
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            labels = ",".join(value for _, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


def test_what_was_counted_is_what_is_scraped() -> None:
    counters = Counters()
    counters.sessions.opened, counters.sessions.lost = 5, 2
    counters.wire.queues.update({Queue(100), Queue(2000)})
    counters.wire.latency_us.add(300, times=4)
    mus = counters.game("mus")
    mus.matches_begun, mus.matches_finished, mus.matches_void = 9, 5, 1
    for charged_ms in (0, 1, 250, 10_000):
        mus.asked += 1
        mus.charged_ms.add(charged_ms)
    mus.faults[v1.FAULT_TOO_LATE] = 1
    mus.forfeits[v1.FAULT_ILLEGAL] = 2
    counters.lost_seconds = 0.5
    found = samples(counters)
    assert found["ordago_bots_connected"] == 3
    assert found["ordago_sessions_ended_total{lost}"] == 2
    assert (found["ordago_queued_bytes"], found["ordago_longest_queue_bytes"]) == (2100, 2000)
    assert found["ordago_matches_running{mus}"] == 3
    assert found["ordago_decisions_asked_total{mus}"] == 4
    assert found["ordago_decisions_answered_total{mus}"] == 3
    assert found["ordago_faults_total{too_late,mus}"] == 1
    assert found["ordago_forfeits_total{illegal,mus}"] == 2
    assert found["ordago_lost_seconds_total"] == 0.5
    assert found["ordago_charged_seconds_count{mus}"] == 4
    assert found["ordago_charged_seconds_sum{mus}"] == 10.251
    assert found["ordago_charged_seconds_bucket{mus,0.0}"] == 1
    assert found["ordago_charged_seconds_bucket{mus,0.255}"] == 3
    assert found["ordago_charged_seconds_bucket{mus,+Inf}"] == 4
    assert found["ordago_answer_latency_seconds_bucket{0.000255}"] == 0
    assert found["ordago_answer_latency_seconds_bucket{0.000511}"] == 4


def test_a_server_that_shuts_out_newcomers_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    telemetry = Telemetry()
    counters = telemetry.counters
    counters.turned_at = time.monotonic()
    with watched("127.0.0.1:0", counters) as port:
        assert get(port, "/health") == (200, "ok\n")
        telemetry.newcomers_shut_out("the server is full")
        assert get(port, "/health") == (503, "the server is full and refuses new connections\n")
        assert samples(counters)["ordago_full"] == 1
        monkeypatch.setattr("ordago.telemetry.telemetry._SHUT_OUT_SECONDS", 0.0)
        assert get(port, "/health")[0] == 200
        assert samples(counters)["ordago_full"] == 0


def test_an_empty_census_can_be_scraped() -> None:
    found = samples(Counters())
    assert found["ordago_bots_connected"] == found["ordago_answer_latency_seconds_count"] == 0


def test_nothing_that_a_bot_says_of_itself_is_in_the_metrics() -> None:
    counters = Counters()
    told = Telemetry(counters).bot(session_id="5e551017", name="mallory", version="v66")
    told.opened()
    seat = told.seat(v1.MatchStart(match_id="a7c4", game="mus"))
    seat.asked()
    seat.closed(0, v1.FAULT_TOO_LATE)
    told.ended(Ending.LOST)
    with watched("127.0.0.1:0", counters) as port:
        _, text = get(port, "/metrics")
    assert 'ordago_faults_total{fault="too_late",game="mus"} 1.0' in text
    for said in ("mallory", "v66", "5e551017", "a7c4"):
        assert said not in text


@pytest.mark.parametrize(
    ("turned_ago", "draining", "status", "words"),
    [
        (None, 0, 503, "starting"),
        (0.0, 0, 200, "ok"),
        (60.0, 0, 503, "not responded for 60 s"),
        (0.0, 1, 503, "draining"),
    ],
)
def test_health_says_whether_bots_should_be_sent_here(
    turned_ago: float | None, draining: int, status: int, words: str
) -> None:
    counters = Counters()
    counters.turned_at = 0.0 if turned_ago is None else time.monotonic() - turned_ago
    counters.draining = bool(draining)
    with watched("127.0.0.1:0", counters) as port:
        answer = get(port, "/health")
    assert answer[0] == status
    assert words in answer[1]


@pytest.mark.parametrize(("turned_ago", "status"), [(None, 200), (0.0, 200), (50.0, 200), (70.0, 503)])
def test_a_server_that_hangs_for_a_minute_is_not_live(turned_ago: float | None, status: int) -> None:
    counters = Counters()
    counters.turned_at = 0.0 if turned_ago is None else time.monotonic() - turned_ago
    counters.draining = True
    with watched("127.0.0.1:0", counters) as port:
        assert get(port, "/live")[0] == status


def test_troubles_are_told_one_by_one() -> None:
    telemetry = Telemetry()
    telemetry.begins(Trouble.STORE, "away")
    found = samples(telemetry.counters)
    assert found["ordago_troubles{store}"] == 1
    assert sum(value for name, value in found.items() if name.startswith("ordago_troubles{")) == 1


def test_what_turned_bots_away_and_how_long_commits_took_is_scraped() -> None:
    telemetry = Telemetry()
    telemetry.turned_away("UNAUTHENTICATED", name="ana", reason="no token", origin="192.0.2.7")
    telemetry.committed(0.02)
    telemetry.counters.store_wait = lambda: 3.5
    found = samples(telemetry.counters)
    assert found["ordago_bots_turned_away_total{UNAUTHENTICATED}"] == 1
    assert (found["ordago_commit_seconds_count"], found["ordago_commit_seconds_sum"]) == (1, 0.02)
    assert found["ordago_store_wait_seconds"] == 3.5


def test_the_lag_of_the_matches_and_the_state_of_disk_and_tables_are_scraped() -> None:
    telemetry = Telemetry()
    assert not [name for name in samples(telemetry.counters) if name.startswith(("ordago_disk", "ordago_table"))]
    for seconds in (-1e-9, 0.0, 0.25):
        telemetry.loop_lag(seconds)
    telemetry.counters.free_bytes = 0
    telemetry.counters.table_versions["ladder"] = 3
    found = samples(telemetry.counters)
    assert (found["ordago_loop_lag_seconds_count"], found["ordago_loop_lag_seconds_sum"]) == (3, 0.25)
    assert found["ordago_loop_lag_seconds_bucket{6.3e-05}"] == 2
    assert found["ordago_disk_free_bytes"] == 0
    assert found["ordago_table_version{ladder}"] == 3


def test_a_ladder_shows_its_epoch_its_publication_and_who_waits() -> None:
    counters = Counters()
    assert not [name for name in samples(counters) if name.startswith(("ordago_epoch", "ordago_published"))]
    ladder = counters.ladder
    ladder.epoch, ladder.epoch_began, ladder.published = 3, 1_700_000_000.0, 1_700_000_600.0
    ladder.waits = lambda: {"mus": [4.0, 9.5], "taihe": []}
    found = samples(counters)
    assert (found["ordago_epoch"], found["ordago_epoch_begun_timestamp_seconds"]) == (3, 1_700_000_000)
    assert found["ordago_published_timestamp_seconds"] == 1_700_000_600
    assert [found[f"ordago_bots_waiting{{{game}}}"] for game in ("mus", "taihe")] == [2, 0]
    assert [found[f"ordago_longest_wait_seconds{{{game}}}"] for game in ("mus", "taihe")] == [9.5, 0]


def test_other_paths_are_not_there() -> None:
    with watched("127.0.0.1:0", Counters()) as port:
        assert get(port, "/secrets")[0] == 404


@pytest.mark.parametrize("address", ["nowhere", "127.0.0.1:99999", "192.0.2.1:0", ":1", ""])
def test_an_address_that_cannot_be_listened_on_is_told(address: str) -> None:
    with pytest.raises(WebError, match=r"HOST:PORT|cannot listen on"), watched(address, Counters()):
        pass


def test_a_port_that_is_taken_is_told_and_free_again_afterwards() -> None:
    taken = watched("127.0.0.1:0", Counters())
    with taken as port, pytest.raises(WebError, match=f"cannot listen on 127.0.0.1:{port}"):
        watched(f"127.0.0.1:{port}", Counters()).__enter__()
    with watched(f"127.0.0.1:{port}", Counters()) as again:
        assert again == port


def test_without_an_address_nothing_is_served() -> None:
    with watched(None, Counters()) as port:
        assert port == 0


def test_a_histogram_counts_by_powers_of_two() -> None:
    histogram = Histogram()
    for number in (0, 1, 2, 3, 4, 1000):
        histogram.add(number)
    histogram.add(1023, times=10)
    assert histogram.bins[:4] == [1, 1, 2, 1]
    assert histogram.bins[10] == 11
    assert (histogram.count, histogram.total) == (16, 1010 + 10_230)
