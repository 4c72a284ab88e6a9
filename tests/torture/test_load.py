"""Many bots at once over real connections: every decision in time."""

import time
from pathlib import Path

import pytest
from support.figures import Note, Size
from torture.crowd import crowd
from torture.served import served

from ordago.record import faults_of

pytestmark = pytest.mark.alone

_DECISION_MS = 3_000
_START_SECONDS = 60.0


def test_every_decision_is_in_time(tmp_path: Path, size: Size, note: Note) -> None:
    bots, seconds, processes = size(60, 1_000), size(1, 15), size(1, 2)
    arguments = ("--matches", 1, "--decision-ms", _DECISION_MS, "--option", "target=100")
    # The first number of seats that Mitaines can be played with is two.
    with served("mitaines", tmp_path, *arguments) as server:
        alone = server.resident_mib
        with crowd(server.port, bots=bots, processes=processes) as players:
            begun = players.wait_for(bots=bots, playing=bots - 2, seconds=_START_SECONDS)
            time.sleep(seconds)
            seen = players.look()
            resident = server.resident_mib
            latencies = seen.latencies.since(begun.latencies)
            # Before the bots leave, so that all matches come to their end.
            assert server.drain() == 0
    records = list(server.kept())
    choices = [entry.choice for record in records for entry in record.entries if entry.HasField("choice")]
    charged = sorted(choice.charged_ms for choice in choices)
    faults = sum(len(seat) for record in records for seat in faults_of(record))
    note("bots connected", seen.welcomed - seen.ended)
    note("matches at once", seen.playing // 2)
    note("decisions a second", round((seen.decisions - begun.decisions) / seconds))
    note("latency p50", latencies.quantile_ms(0.50), "ms")
    note("latency p99", latencies.quantile_ms(0.99), "ms")
    note("decisions in finished matches", len(choices))
    note("charged p99", charged[int(0.99 * len(charged))], "ms", bound=str(_DECISION_MS))
    note("charged at most", charged[-1], "ms", bound=str(_DECISION_MS))
    note("faults", seen.faults + faults, bound="0")
    note("memory of the server alone", alone, "MiB")
    note("memory of the server with all", resident, "MiB")
    assert seen.welcomed == bots
    assert not seen.ended
    assert seen.playing >= 0.9 * bots
    assert choices
    assert not seen.faults
    assert not faults
    assert "Traceback" not in server.log
