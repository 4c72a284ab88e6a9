"""Requests to URLs of strangers: where a server may connect to, and which failures are final."""

import socket
from collections.abc import Callable

import pytest
from support.webhooks import received_announcements

from ordago_ladder.announcing.posting import FailedError, RefusedError, is_public, post
from ordago_ladder.settings.webhooks import receiver_of
from ordago_ladder.settings.written_values import UnfitValueError

HERE_OR_NEAR = [
    *("127.0.0.1", "127.8.9.10", "0.1.2.3", "10.0.0.1", "172.16.3.4", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
    *("255.255.255.255", "224.0.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::"),
]


@pytest.mark.parametrize("address", HERE_OR_NEAR)
def test_no_address_of_the_machine_or_its_network_is_public(address: str):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "162.159.135.232", "2606:4700::1", "::ffff:1.1.1.1"])
def test_addresses_elsewhere_are_public(address: str):
    assert is_public(address)


@pytest.fixture
def resolving(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[str, int]]]:
    """Return a function that lets all names have these addresses, and lists what is connected to."""

    def resolve(*addresses: str) -> list[tuple[str, int]]:
        connected: list[tuple[str, int]] = []

        def connect(address: tuple[str, int], timeout: float) -> socket.socket:
            assert timeout > 0
            connected.append(address)
            raise ConnectionRefusedError(111, "Connection refused")

        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 443)) for address in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        monkeypatch.setattr(socket, "create_connection", connect)
        return connected

    return resolve


class TestOfAServer:
    """Posts of a server, for the events of accounts."""

    HOSTS = frozenset({"hooks.example"})

    def test_it_connects_to_the_address_that_it_checked(self, resolving):
        connected = resolving("1.1.1.1")
        with pytest.raises(FailedError):
            post("https://hooks.example/x", b"{}", {}, hosts=self.HOSTS)
        assert connected == [("1.1.1.1", 443)]

    @pytest.mark.parametrize("addresses", [["10.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::ffff:127.0.0.1"]])
    def test_an_allowed_name_that_leads_here_is_not_connected_to(self, resolving, addresses: list[str]):
        connected = resolving(*addresses)
        with pytest.raises(RefusedError):
            post("https://hooks.example/x", b"{}", {}, hosts=self.HOSTS)
        assert connected == []

    @pytest.mark.parametrize(
        "url", ["https://other.example/", "http://hooks.example/", "https://hooks.example.evil/", "https://127.0.0.1/"]
    )
    def test_nothing_else_is_connected_to(self, resolving, url: str):
        connected = resolving("1.1.1.1")
        with pytest.raises(RefusedError):
            post(url, b"{}", {}, hosts=self.HOSTS)
        assert connected == []


class TestAnswers:
    @pytest.mark.parametrize("status", [200, 204])
    def test_taken(self, status: int):
        with received_announcements(status) as hook:
            post(hook.url, b'{"a": 1}', {"webhook-id": "msg_1"}, hosts=None)
        [request] = hook.received
        assert (request.path, request.content) == ("/hook?token=let-me-in", {"a": 1})
        assert request.headers["webhook-id"] == "msg_1"

    @pytest.mark.parametrize("status", [408, 429, 500, 503])
    def test_later(self, status: int):
        with (
            received_announcements(status, headers=[("Retry-After", "7")]) as hook,
            pytest.raises(FailedError) as failed,
        ):
            post(hook.url, b"{}", {}, hosts=None)
        assert failed.value.after == 7

    @pytest.mark.parametrize("status", [301, 307, 400, 404, 410])
    def test_never(self, status: int):
        elsewhere = [("Location", "http://127.0.0.1:1/")]
        with received_announcements(status, headers=elsewhere) as hook, pytest.raises(RefusedError):
            post(hook.url, b"{}", {}, hosts=None)
        assert len(hook.received) == 1

    def test_what_is_not_http_fails(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        with pytest.raises(FailedError):
            post(f"http://127.0.0.1:{port}/", b"{}", {}, hosts=None)


class TestUrls:
    def test_the_parts(self):
        assert receiver_of("https://Hooks.Example/a/b?c=d#e") == ("https", "hooks.example", 443, "/a/b?c=d")
        assert receiver_of("http://[::1]:8080") == ("http", "::1", 8080, "/")

    @pytest.mark.parametrize(
        "url",
        [
            *("", "hooks.example", "ftp://hooks.example/", "file:///etc/passwd", "https://", "https:///x"),
            *("https://user:word@hooks.example/", "https://hooks.example:99999/", "https://hooks.example:x/"),
            *("https://hooks.example/\r\nX: y", "https://hooks.example/ x", "https://hööks.example/", "https://[::1/"),
            f"https://hooks.example/{'x' * 2_000}",
        ],
    )
    def test_others_are_refused(self, url: str):
        with pytest.raises(UnfitValueError):
            receiver_of(url)
