"""A log that strangers can fill: it is written sparingly, and says how much was left out."""

import logging

import pytest

from ordago.telemetry.telemetry import Telemetry


def test_of_what_strangers_do_only_so_much_is_told_in_a_second(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.INFO)
    now = [100.25]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    telemetry = Telemetry()
    for _ in range(1000):
        telemetry.turned_away("RESOURCE_EXHAUSTED", name="", reason="too many", origin="192.0.2.7")
    telemetry.call_refused("192.0.2.1", "too many calls")
    now[0] += 1
    telemetry.turned_away("UNAUTHENTICATED", name="ana", reason="no token", origin="192.0.2.7")
    turned_away = [record for record in caplog.records if record.getMessage() == "bot turned away"]
    assert len(turned_away) == 21
    assert turned_away[-1].__dict__["left_out"] == 980
    assert "left_out" not in turned_away[0].__dict__
    assert [record.__dict__["origin"] for record in caplog.records if record.getMessage() == "call refused"]
    assert telemetry.counters.sessions.turned_away.total() == 1001
