"""Each alarm rings for what it is there for, and not before, as the tester of Prometheus plays it."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
import yaml
from support.shipped import ROOT

ALARMS: Final = ROOT / "deploy" / "alerts.yml"
[GROUP] = yaml.safe_load(ALARMS.read_text(encoding="utf-8"))["groups"]
WHAT_RINGS: Final = 'count by (alertname) (ALERTS{alertstate="firing"})'


class Case(NamedTuple):
    """Values that Prometheus collects once a minute from its start, and the alarm that they ring."""

    alarm: str
    series: dict[str, str]
    """The values by series, in the notation of ``promtool``."""
    silent: int
    """The last minute at which nothing rings."""
    rings: int | None
    """The minute at which this alarm rings, and nothing else; ``None`` if it never does."""


HERE: Final = '{instance="a"}'
DAY: Final = 24 * 60
CASES: Final = (
    Case("OrdagoDown", {'up{job="ordago", instance="a"}': "1x5 0x20"}, 6, 8),
    Case("OrdagoDown", {'up{job="another", instance="a"}': "0x20"}, 20, None),
    Case("OrdagoTrouble", {'ordago_troubles{trouble="store"}': "0x5 1x20"}, 6, 8),
    Case(
        "OrdagoStoreSlow",
        {
            f'ordago_commit_seconds_bucket{{le="{le}"}}': f"0+{count}x30"
            for le, count in {"1": 5, "5": 60, "+Inf": 60}.items()
        },
        5,
        15,
    ),
    Case("OrdagoStoreSlow", {"ordago_store_wait_seconds": "0x5 4x20"}, 10, 12),
    Case(
        "OrdagoNotPublished", {"ordago_published_timestamp_seconds": "0x40", "ordago_commits_total": "0+10x40"}, 15, 17
    ),
    Case(
        "OrdagoNotPublished", {"ordago_published_timestamp_seconds": "0x40", "ordago_commits_total": "9x40"}, 40, None
    ),
    Case("OrdagoRecordsLost", {"ordago_records_lost_total": "0x5 1x20"}, 5, 7),
    Case("OrdagoMatchesVoid", {'ordago_matches_void_total{instance="a", game="mus"}': "0x5 2x20"}, 5, 7),
    Case(
        "OrdagoMatchesVoid",
        {'ordago_matches_void_total{instance="a", game="mus"}': "0x5 2x8", f"ordago_draining{HERE}": "1x13"},
        13,
        None,
    ),
    Case("OrdagoFull", {"ordago_full": "0x5 1x20"}, 10, 12),
    Case("OrdagoFlood", {'ordago_bots_turned_away_total{status="RESOURCE_EXHAUSTED"}': "0+600x20"}, 1, 4),
    # Bots that come back when they are told to.
    Case("OrdagoFlood", {'ordago_bots_turned_away_total{status="RESOURCE_EXHAUSTED"}': "0+30x60"}, 60, None),
    Case("OrdagoFlood", {'ordago_bots_turned_away_total{status="UNAUTHENTICATED"}': "0+600x60"}, 60, None),
    Case("OrdagoNearlyFull", {"ordago_bots_connected": "95x30", "ordago_bots_limit": "100x30"}, 14, 16),
    Case("OrdagoNearlyFull", {"ordago_bots_connected": "90x30", "ordago_bots_limit": "100x30"}, 30, None),
    Case("OrdagoStalls", {"ordago_stalled_seconds_total": "0+3x30"}, 10, 14),
    Case("OrdagoBotsUnseated", {"ordago_bots_unseated": "2x30"}, 14, 16),
    Case(
        "OrdagoForfeits",
        {f"ordago_forfeits_total{HERE}": "0+4x60", f"ordago_matches_finished_total{HERE}": "0+6x60"},
        15,
        20,
    ),
    Case("OrdagoNobody", {"ordago_bots_connected": "0x60"}, 29, 31),
    Case("OrdagoRoom", {"ordago_disk_free_bytes": "5e8x60"}, 29, 31),
    # It would be full in two hours.
    Case("OrdagoRoom", {"ordago_disk_free_bytes": "120e9-1e9x60"}, 29, 33),
    Case("OrdagoBackup", {"ordago_backup_timestamp_seconds": f"0x{3 * DAY}"}, 2 * DAY + 60, 2 * DAY + 62),
    Case("OrdagoBackup", {f"ordago_epoch{HERE}": "3x90"}, 59, 61),
    Case("OrdagoBackup", {f"ordago_epoch{HERE}": "3x90", f"ordago_backup_timestamp_seconds{HERE}": "0x90"}, 90, None),
    Case(
        "OrdagoCertificate",
        {"ordago_certificate_expiry_timestamp_seconds": f"{15 * DAY * 60}x{2 * DAY}"},
        DAY,
        DAY + 1,
    ),
    Case("OrdagoCertificateFiles", {"ordago_certificate_files_usable": "1x5 0x20"}, 10, 12),
    Case("OrdagoLogLinesDropped", {"ordago_log_lines_dropped_total": "0x5 7x20"}, 5, 7),
    Case(
        "OrdagoBackupFailed",
        {'node_systemd_unit_state{name="ordago-backup.service", state="failed"}': "0x5 1x20"},
        5,
        6,
    ),
    Case("OrdagoSeatingPaused", {"ordago_seating_paused": "1x40"}, 29, 31),
    Case("OrdagoDraining", {"ordago_draining": "1x20"}, 14, 16),
)


def looked_at(minute: int, *ringing: str) -> dict[str, Any]:
    samples = [{"labels": f'{{alertname="{alarm}"}}', "value": 1} for alarm in ringing]
    return {"expr": WHAT_RINGS, "eval_time": f"{minute}m", "exp_samples": samples}


def played(case: Case) -> dict[str, Any]:
    """Return a case as ``promtool`` reads it."""
    return {
        "interval": "1m",
        "input_series": [{"series": series, "values": values} for series, values in case.series.items()],
        "promql_expr_test": [
            *(looked_at(minute) for minute in range(0, case.silent + 1, max(1, case.silent // 60))),
            *([] if case.rings is None else [looked_at(case.rings, case.alarm)]),
        ],
    }


def test_every_alarm_is_played() -> None:
    ringing = [case.alarm for case in CASES if case.rings is not None]
    assert {rule["alert"] for rule in GROUP["rules"]} == set(ringing)


def test_alarms_ring_for_what_they_are_there_for_and_not_before(tmp_path: Path) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("there is no promtool: the alarms are only read")
    # JSON is YAML.
    file = tmp_path / "alarms.yml"
    tests = {"rule_files": [str(ALARMS)], "evaluation_interval": "1m", "tests": [played(case) for case in CASES]}
    file.write_text(json.dumps(tests))
    for arguments in (["check", "rules", ALARMS], ["test", "rules", file]):
        done = subprocess.run([promtool, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 - ours
        assert done.returncode == 0, done.stdout + done.stderr
