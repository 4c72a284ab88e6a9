"""What a server finds outside before it starts: certificates, who can read its files, how many it may open."""

import resource
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme
from click.testing import CliRunner, Result

from ordago.edge.tls import validity_of
from ordago_cli.errors import EXIT_OUTSIDE
from ordago_cli.program import program
from ordago_cli.serve.outside import raise_file_limit

NOW = datetime.now(UTC).replace(microsecond=0)


class Pair:
    """A certificate that is good for some days, and its key, which only its owner can read."""

    def __init__(self, folder: Path, *, begins: int = -1, ends: int = 365) -> None:
        issued = trustme.CA().issue_cert(
            "localhost", not_before=NOW + timedelta(days=begins), not_after=NOW + timedelta(days=ends)
        )
        self.certificate, self.key = folder / "server.pem", folder / "server.key"
        issued.cert_chain_pems[0].write_to_path(self.certificate)
        issued.private_key_pem.write_to_path(self.key)
        self.key.chmod(0o600)

    def serve(self, *more: str) -> Result:
        """Start a server with it, or check that one could start."""
        tls = ("--tls-cert", str(self.certificate), "--tls-key", str(self.key))
        arguments = ["serve", "--tables", "mittlere", "--address", "127.0.0.1:0", *tls, *more]
        return CliRunner().invoke(program, arguments)

    def check(self, *more: str) -> Result:
        """Check that a server could start with it."""
        return self.serve("--check", *more)


def test_the_days_of_a_certificate_are_read(tmp_path: Path) -> None:
    """Years from 2050 are written in another way."""
    for ends in (30, 365 * 40):
        pair = Pair(tmp_path, ends=ends)
        validity = validity_of(pair.certificate)
        assert validity.begins == (NOW - timedelta(days=1)).timestamp()
        assert validity.ends == (NOW + timedelta(days=ends)).timestamp()


@pytest.mark.parametrize(("begins", "ends", "said"), [(-9, -1, "expired on"), (1, 9, "is not valid before")])
def test_a_certificate_that_is_not_good_keeps_a_server_from_starting(
    tmp_path: Path, begins: int, ends: int, said: str
) -> None:
    pair = Pair(tmp_path, begins=begins, ends=ends)
    for result in (pair.check(), pair.serve()):
        assert result.exit_code == EXIT_OUTSIDE
        assert said in result.output


def test_a_certificate_that_is_good_is_no_matter(tmp_path: Path) -> None:
    result = Pair(tmp_path).check()
    assert result.exit_code == 0
    assert "warn" not in result.output


def test_a_certificate_that_expires_soon_is_told(tmp_path: Path) -> None:
    result = Pair(tmp_path, ends=10).check()
    assert result.exit_code == 0
    assert f"server.pem expires on {NOW + timedelta(days=10):%Y-%m-%d}: renew it" in result.output


def test_a_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    trustme.CA().issue_cert("localhost").private_key_pem.write_to_path(pair.key)
    result = pair.check()
    assert result.exit_code == EXIT_OUTSIDE
    assert "are not a certificate and its key" in result.output


@pytest.mark.parametrize(("mode", "who"), [(0o644, "everybody on this machine"), (0o640, "its group")])
def test_a_key_that_others_can_read_is_told(tmp_path: Path, mode: int, who: str) -> None:
    pair = Pair(tmp_path)
    pair.key.chmod(mode)
    result = pair.check()
    assert result.exit_code == 0
    assert f"warn   key: {who} can read {pair.key} and impersonate this server: chmod 600" in result.output


def test_a_folder_that_others_can_look_into_is_told(tmp_path: Path) -> None:
    pair, data = Pair(tmp_path), tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    assert f"warn   data: everybody on this machine can read {data}" in pair.check("--data", str(data)).output
    data.chmod(0o700)
    assert "warn" not in pair.check("--data", str(data)).output


def test_too_few_files_are_told_and_the_limit_is_raised_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (64, 1024))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: raised.append(limits))
    result = Pair(tmp_path).check()
    assert result.exit_code == 0
    assert "warn   files: the limit of open files is 1024, and 2048 connections need 2176" in result.output
    assert raise_file_limit() == 1024
    assert raised == [(1024, 1024)]
