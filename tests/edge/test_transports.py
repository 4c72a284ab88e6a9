"""Connections as sockets: which are known, and which are shut because they ask for nothing."""

import asyncio
import errno
import os
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ordago.edge import transports
from ordago.edge.origins import Endpoint, endpoint
from ordago.edge.sockets import has_fewer_files_open, number_of_files
from ordago.edge.transports import TransportBounds, Transports
from ordago.telemetry.telemetry import Telemetry, is_full

BOUNDS = TransportBounds(idle_seconds=10, idle_of_one=3, idle=5, of_one_process=2, in_all=8)


class Street:
    """A port, and who connects to it, from addresses of the loopback."""

    def __init__(self, *, tls: bool = False) -> None:
        self.now = 1000.0
        self.telemetry = Telemetry()
        self.transports = Transports(self.telemetry, tls=tls, bounds=BOUNDS, now=lambda: self.now)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.transports.listen("127.0.0.1:0", self.port)
        self._sockets = [self._listener]

    def connect(self, host: str = "127.0.0.1") -> "Visitor":
        """Connect from an address, and let the connection be seen."""
        client = socket.create_connection(("127.0.0.1", self.port), source_address=(host, 0))
        accepted, _ = self._listener.accept()
        self._sockets += [client, accepted]
        self.transports.look()
        self.now += 0.01
        return Visitor(client, accepted, endpoint(*client.getsockname()))

    def after(self, seconds: float) -> None:
        """Let time pass, and look."""
        self.now += seconds
        self.transports.look()

    @property
    def shut(self) -> int:
        """How many were shut so far."""
        return self.telemetry.counters.gate.shut

    def close(self) -> None:
        for one in self._sockets:
            one.close()


class Visitor:
    """Somebody who is connected."""

    def __init__(self, client: socket.socket, accepted: socket.socket, end: Endpoint) -> None:
        self.client, self.accepted, self.end = client, accepted, end
        client.settimeout(0)

    @property
    def is_shut(self) -> bool:
        """Whether the server has shut the connection."""
        try:
            return self.client.recv(1) == b""
        except BlockingIOError:
            return False


@pytest.fixture
def street() -> Iterator[Street]:
    street = Street()
    yield street
    street.close()


def test_who_asks_for_nothing_has_to_go(street: Street) -> None:
    silent, asks, plays = (street.connect() for _ in range(3))
    street.after(6)
    assert street.transports.call(asks.end)
    assert street.transports.call(plays.end)
    street.transports.play_begins(plays.end)
    street.after(6)
    assert (silent.is_shut, asks.is_shut, plays.is_shut) == (True, False, False)
    street.after(6)
    assert (asks.is_shut, plays.is_shut) == (True, False)
    street.after(10_000)
    assert not plays.is_shut
    street.transports.play_ends(plays.end)
    street.after(9)
    assert not plays.is_shut
    street.after(2)
    assert plays.is_shut
    assert street.shut == 3


def test_of_too_many_from_one_address_the_oldest_go(street: Street) -> None:
    first, *others = (street.connect() for _ in range(5))
    street.after(0.5)
    assert not any(one.is_shut for one in (first, *others)), "they have just come in"
    elsewhere = street.connect("127.0.0.2")
    street.after(1)
    assert [one.is_shut for one in (first, *others)] == [True, True, False, False, False]
    assert not elsewhere.is_shut


def test_of_too_many_in_all_those_of_the_greatest_crowd_go_at_once(street: Street) -> None:
    crowd = [street.connect("127.0.0.2") for _ in range(4)]
    few = [street.connect(f"127.0.0.{number}") for number in (3, 4)]
    assert [one.is_shut for one in crowd] == [True, False, False, False]
    assert not any(one.is_shut for one in few)


def test_those_on_whom_bots_play_are_in_nobodys_way(street: Street) -> None:
    playing = []
    for _ in range(7):
        playing.append(street.connect())
        street.transports.play_begins(playing[-1].end)
    newcomer = street.connect()
    street.after(5)
    assert not any(one.is_shut for one in (*playing, newcomer))


def test_a_server_without_room_for_another_connection_says_so(street: Street) -> None:
    for number in range(8):
        assert not is_full(street.telemetry.counters)
        visitor = street.connect(f"127.0.0.{number + 2}")
        street.transports.play_begins(visitor.end)
    street.transports.look()
    assert is_full(street.telemetry.counters)
    assert street.telemetry.counters.gate.connections == 8


def test_a_connection_with_far_too_many_calls_is_shut(street: Street) -> None:
    visitor, other = street.connect(), street.connect()
    taken = [street.transports.call(visitor.end) for _ in range(300)]
    assert 200 <= sum(taken) < 300
    street.after(0.1)
    assert visitor.is_shut
    assert not other.is_shut
    assert street.transports.call(other.end)
    assert street.shut == 1


def test_what_is_no_connection_of_the_server_is_left_alone(street: Street) -> None:
    """Other files, other sockets, and the clients' ends of its own connections, which this process has open too."""
    other_listener = socket.create_server(("127.0.0.1", 0))
    other = socket.create_connection(other_listener.getsockname())
    accepted, _ = other_listener.accept()
    street.connect()
    street.after(100)
    assert street.shut == 1
    for one in (other, accepted):
        one.settimeout(0)
        with pytest.raises(BlockingIOError):
            one.recv(1)
    for one in (other, accepted, other_listener):
        one.close()


def test_a_file_that_takes_the_number_of_another_is_not_shut(street: Street) -> None:
    """A connection ends, and its number goes to a socket of somebody else before it is looked at again."""
    visitor = street.connect()
    number = visitor.accepted.fileno()
    visitor.accepted.close()
    one, two = socket.socketpair()
    assert number in (one.fileno(), two.fileno())
    street.after(100)
    assert street.shut == 0
    assert street.telemetry.counters.gate.connections == 0
    one.sendall(b"?")
    assert two.recv(1) == b"?"
    one.close()
    two.close()


def test_what_came_on_connections_that_have_ended_is_forgotten(street: Street) -> None:
    for port in range(1, 1000):
        street.transports.call(endpoint("192.0.2.1", port))
    street.after(11)
    assert not street.transports._calls


@pytest.mark.parametrize("tls", [False, True])
def test_a_handshake_that_fails_is_counted(*, tls: bool) -> None:
    """It is one of those connections that end before anything was asked on them."""
    street = Street(tls=tls)
    failed, asked = street.connect(), street.connect()
    street.transports.call(asked.end)
    for one in (failed, asked):
        one.accepted.close()
    street.after(1)
    assert street.telemetry.counters.gate.handshakes_failed == int(tls)
    street.close()


def test_a_process_of_this_machine_has_only_so_many_connections(tmp_path: Path) -> None:
    """At a Unix socket all look the same to grpc, so that it is not known who plays: whoever comes last has to go."""
    telemetry = Telemetry()
    transports = Transports(telemetry, tls=False, bounds=BOUNDS)
    path = str(tmp_path / "s")
    with ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(path)
        listener.listen()
        transports.listen(f"unix:{path}", 1)

        def connected() -> socket.socket:
            client = stack.enter_context(socket.socket(socket.AF_UNIX))
            client.connect(path)
            stack.enter_context(listener.accept()[0])
            client.settimeout(0)
            transports.look()
            return client

        mine = [connected() for _ in range(2)]
        assert transports.call(None)
        with pytest.raises(BlockingIOError):
            mine[1].recv(1)
        assert connected().recv(1) == b"", "that is one too many"
        for one in mine:
            with pytest.raises(BlockingIOError):
                one.recv(1)
        assert telemetry.counters.gate.shut == 1
        # Where bots of the house connect does not hide those from outside.
        elsewhere = Transports(telemetry, tls=False, bounds=BOUNDS)
        elsewhere.listen("127.0.0.1", 2)
        elsewhere.look()
        assert telemetry.counters.gate.connections == 3


class Watched(Transports):
    """Notes in which thread it was looked, and ends the watch with the first look."""

    def look(self) -> None:
        self.thread = threading.current_thread()
        raise asyncio.CancelledError


@pytest.mark.parametrize(("files", "is_elsewhere"), [(20, False), (5_000, True)])
def test_thousands_are_looked_at_in_another_thread_so_that_no_stream_waits(
    files: int, *, is_elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transports, "has_fewer_files_open", lambda than: files < than)
    watched = Watched(Telemetry(), tls=False)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watched.watch())
    assert (watched.thread is not threading.main_thread()) == is_elsewhere


class Looks(Transports):
    """Notes at which time it looked, and has a clock and files of its own."""

    def __init__(self) -> None:
        self.now, self.files, self.at = 100.0, 20, list[float]()
        super().__init__(Telemetry(), tls=False, now=lambda: self.now)

    def look(self) -> None:
        self.at.append(self.now - 100)

    def watched(self, monkeypatch: pytest.MonkeyPatch, *came: Callable[["Looks"], object]) -> list[float]:
        """Return when it looked, while between two moments to look something comes each time."""
        coming = iter(came)

        async def sleep(seconds: float) -> None:
            self.now += seconds
            next(coming, _interrupt)(self)

        monkeypatch.setattr(transports, "number_of_files", lambda: self.files)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(self.watch())
        return self.at


def _interrupt(_: Looks) -> None:
    raise asyncio.CancelledError


def _nothing(_: Looks) -> None:
    """Let nothing come or go."""


def _another(looks: Looks) -> None:
    looks.files += 1


def _call(looks: Looks) -> None:
    looks.call(endpoint("127.0.0.1", 5000))


def _notice(looks: Looks) -> None:
    looks.notice()


def _play_begins(looks: Looks) -> None:
    looks.play_begins(endpoint("127.0.0.1", 5000))


def _play_ends(looks: Looks) -> None:
    looks.play_ends(endpoint("127.0.0.1", 5000))


def test_where_nothing_comes_or_goes_it_is_looked_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever closes a connection as he opens another is seen then, too."""
    assert Looks().watched(monkeypatch, *[_nothing] * 9) == [0.0, 1.0, 2.0]


def test_whatever_comes_or_goes_is_looked_at_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    came = (_another, _nothing, _call, _nothing, _play_begins, _play_ends, _nothing, _notice, _nothing)
    assert Looks().watched(monkeypatch, *came) == [0.0, 0.25, 0.75, 1.5, 2.0]


def test_where_the_system_does_not_count_files_it_is_looked_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Looks()
    looks.files = 0
    assert looks.watched(monkeypatch, *[_nothing] * 3) == [0.0, 0.25, 0.5, 0.75]


def test_files_are_counted_without_looking_at_them() -> None:
    """Linux has it since 6.2; before that the number is 0."""
    number = number_of_files()
    with socket.socket():
        assert number_of_files() == (number + 1 if number else 0)


def test_files_that_are_open_are_counted_up_to_a_number() -> None:
    number = next(number for number in range(1000) if has_fewer_files_open(number))
    with socket.socket():
        assert not has_fewer_files_open(number)
        assert has_fewer_files_open(number + 1)


def test_who_may_open_no_more_files_is_said_to_have_many(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: str) -> Iterator[os.DirEntry[str]]:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(os, "scandir", refuse)
    assert not has_fewer_files_open(1000)
