"""The files of a certificate while a server runs: what is renewed, what cannot be used, and what expires soon."""

import logging
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from prometheus_client.core import CollectorRegistry
from support.certificates import Files
from support.connections import Lobby

from ordago.edge import Edge
from ordago.edge.tls import CertificateFiles, TlsError, validity_of
from ordago.ops.metrics import CountersCollector

DAY = timedelta(days=1)
METRIC = "ordago_certificate_expiry_timestamp_seconds"
USABLE = "ordago_certificate_files_usable"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def warned(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was warned of, and forget it."""
    said = [record.__dict__.get("what", record.__dict__.get("error", record.getMessage())) for record in caplog.records]
    caplog.clear()
    return said


def test_a_renewed_certificate_is_news_once(files: Files) -> None:
    in_use = CertificateFiles(files.tls())
    assert not in_use.look()
    files.issue(trustme.CA(), ends=200 * DAY)
    assert in_use.look()
    assert in_use.state.ends == validity_of(files.certificate).ends
    assert not in_use.look()


def test_what_expires_soon_is_told_once_for_each_certificate(files: Files, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    files.issue(trustme.CA(), ends=10 * DAY)
    in_use = CertificateFiles(files.tls())
    for _ in range(3):
        in_use.look()
    assert ["server.pem expires on" in said for said in warned(caplog)] == [True]
    files.issue(trustme.CA(), ends=9 * DAY)
    assert in_use.look()
    assert ["server.pem expires on" in said for said in warned(caplog)] == [True]
    files.issue(trustme.CA())
    assert in_use.look()
    assert warned(caplog) == []


@pytest.mark.parametrize(
    ("begins", "ends", "why"), [(-9 * DAY, -DAY, "expired on"), (DAY, 9 * DAY, "is not valid before")]
)
def test_a_certificate_that_is_not_good_now_is_not_taken_up(
    files: Files, caplog: pytest.LogCaptureFixture, begins: timedelta, ends: timedelta, why: str
) -> None:
    in_use = CertificateFiles(files.tls())
    before = in_use.state.ends
    files.issue(trustme.CA(), begins=begins, ends=ends)
    assert not in_use.look()
    assert in_use.state.ends == before
    (said,) = warned(caplog)
    assert why in said
    with pytest.raises(TlsError, match=why):
        CertificateFiles(files.tls())


@pytest.mark.parametrize("left", [b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", b"\xff"])
def test_what_is_no_certificate_leaves_the_one_before(
    files: Files, caplog: pytest.LogCaptureFixture, left: bytes
) -> None:
    in_use = CertificateFiles(files.tls())
    files.certificate.write_bytes(left)
    assert not in_use.look()
    assert len(warned(caplog)) == 1
    assert not in_use.state.files_usable
    files.certificate.unlink()
    assert [in_use.look() for _ in range(3)] == [False] * 3
    assert len(warned(caplog)) == 1, "nobody reads the same at each connection"


def test_files_that_are_taken_away_and_brought_back_can_be_used(files: Files, tmp_path: Path) -> None:
    in_use = CertificateFiles(files.tls())
    away = files.key.rename(tmp_path / "away")
    assert not in_use.look()
    assert not in_use.state.files_usable
    away.rename(files.key)
    assert in_use.look()
    assert in_use.state.files_usable


async def test_when_the_certificate_expires_is_a_metric(files: Files) -> None:
    lobby = Lobby()
    registry = CollectorRegistry()
    registry.register(CountersCollector(lobby.server.telemetry.counters))
    assert registry.get_sample_value(METRIC) is None, "there is no certificate"
    async with Edge.open("127.0.0.1:0", lobby.server, tls=files.tls()):
        assert registry.get_sample_value(METRIC) == validity_of(files.certificate).ends
        files.issue(trustme.CA(), ends=200 * DAY)
        assert registry.get_sample_value(METRIC) == validity_of(files.certificate).ends
        assert registry.get_sample_value(USABLE) == 1
        files.key.write_bytes(b"")
        assert registry.get_sample_value(USABLE) == 0, "the next start would fail, and somebody has to know before"
