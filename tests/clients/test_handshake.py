"""What can never work is found by one look: TLS on one side only, and certificates that cannot be trusted."""

import socket
from datetime import timedelta
from pathlib import Path

import pytest
import trustme
from support.certificates import Files
from support.tls_servers import forwarded, listening

from ordago.addresses import Address
from ordago_bot.handshake import permanent_trouble, unused_proxy
from ordago_bot.tls import Tls

DAY = timedelta(days=1)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


@pytest.mark.parametrize("mutual", [False, True])
def test_a_server_that_speaks_tls_is_noticed(files: Files, *, mutual: bool) -> None:
    with listening(files, mutual=mutual) as address:
        assert permanent_trouble(address, None).startswith("speaks TLS: connect with --tls")


def test_a_server_that_does_not_speak_tls_is_noticed(files: Files) -> None:
    with listening() as address:
        assert permanent_trouble(address, files.client()) == "does not speak TLS: connect without --tls"


def test_a_server_that_can_be_trusted_is_no_trouble(files: Files) -> None:
    with listening(files) as address, listening() as plain:
        assert permanent_trouble(address, files.client()) == ""
        assert permanent_trouble(plain, None) == ""


@pytest.mark.parametrize(
    ("begins", "ends", "trouble"),
    [(-2 * DAY, -DAY, "has a certificate that has expired"), (DAY, 2 * DAY, "has a certificate that is not valid yet")],
)
def test_the_times_of_a_certificate_are_looked_at(
    files: Files, begins: timedelta, ends: timedelta, trouble: str
) -> None:
    files.issue(files.authority, begins=begins, ends=ends)
    with listening(files) as address:
        assert permanent_trouble(address, files.client()) == trouble


def test_an_authority_that_is_not_trusted_is_named(files: Files) -> None:
    trouble = "has a certificate of an authority that is not trusted here: name its file with --tls-ca"
    with listening(files) as address:
        assert permanent_trouble(address, files.client(believes=trustme.CA())) == trouble
        assert permanent_trouble(address, Tls()) == trouble


def test_a_certificate_for_another_host_is_noticed(files: Files) -> None:
    # All of 127.0.0.0/8 is this machine, and the certificate is for 127.0.0.1 and localhost.
    with listening(files) as address, forwarded(lambda: address) as other:
        assert permanent_trouble(other, files.client()) == "has a certificate for other names than 127.0.0.2"


def test_what_is_not_there_and_what_says_nothing_is_no_trouble(files: Files) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert permanent_trouble(Address("127.0.0.1", port), files.client()) == ""
        assert permanent_trouble(Address("127.0.0.1", port), None) == ""
    assert permanent_trouble(Address("127.0.0.1", port), None) == ""
    assert permanent_trouble(Address("", 0, "/no/such/socket"), None) == ""


def test_a_proxy_that_is_not_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("grpc_proxy", "https_proxy", "http_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert unused_proxy() == ""
    monkeypatch.setenv("HTTPS_PROXY", "http://secret@127.0.0.1:1")
    assert unused_proxy() == "; the proxy in HTTPS_PROXY is not used"
