"""A real server that is attacked from all sides: it stays up, it stays small, and honest bots play there in time."""

import time
from collections import Counter
from pathlib import Path

import pytest
from support.figures import Note, Size
from torture.attacks import Attack
from torture.crowd import crowd
from torture.hall import HONEST
from torture.served import served

from ordago.record import faults_of

pytestmark = pytest.mark.alone

_SEED = "wire"
_DECISION_MS = 1_000
_START_SECONDS = 20.0
_MORE_MIB = 64
_BOTS, _MATCHES = 9, 3


def test_honest_bots_play_in_time_while_others_attack(tmp_path: Path, size: Size, note: Note) -> None:
    seconds = size(2, 30)
    arguments = ("--matches", _MATCHES, "--decision-ms", _DECISION_MS, "--option", "deals=3")
    with (
        served("mittlere", tmp_path, *arguments) as server,
        crowd(server.port, bots=_BOTS, processes=1, matches=_MATCHES) as honest,
    ):
        honest.wait_for(bots=_BOTS, playing=_BOTS, seconds=_START_SECONDS)
        with Attack(server.port, _SEED) as attack:
            time.sleep(seconds / 3)
            begun, before = honest.look(), server.resident_mib
            time.sleep(2 * seconds / 3)
            seen, after = honest.look(), server.resident_mib
        assert server.stop() == 0
    latencies = seen.latencies.since(begun.latencies)
    records = list(server.kept())
    faults = Counter[str]()
    for record in records:
        for seat, of_seat in zip(record.seats, faults_of(record), strict=True):
            faults[seat.name] += sum(fault.decisions for fault in of_seat)
    of_honest, of_others = faults.pop(HONEST), faults.total()
    note("seed", repr(_SEED))
    note("fuzzed frames offered", attack.count.pop("frames"))
    attacks = attack.count.total()
    note("attacks of all kinds", attacks)
    note("matches", len(records))
    note("decisions of honest bots", seen.decisions)
    note("faults of honest bots", seen.faults + of_honest, bound="0")
    note("faults of attackers", of_others)
    note("latency p50 of honest bots", latencies.quantile_ms(0.50), "ms")
    note("latency p99 of honest bots", latencies.quantile_ms(0.99), "ms", bound=str(_DECISION_MS))
    note("more memory of the server", after - before, "MiB", bound=str(_MORE_MIB))
    note("unhandled exceptions", server.log.count("Traceback"), bound="0")
    assert "Traceback" not in server.log, server.log
    assert not seen.ended
    assert not seen.faults
    assert not of_honest
    assert attacks, "somebody attacked"
    # In a short run on a busy machine no match of an attacker may come to its end.
    assert of_others or size(1, 0), "attackers sat at tables"
    assert len(attack.count) == 7, "all kinds of attacks were made"
    assert after - before < _MORE_MIB
