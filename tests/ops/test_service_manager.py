"""What systemd is told, by a socket that stands for it."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from ordago.ops.service_manager import ServiceManager


@pytest.fixture(params=["path", "abstract"])
def told(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """Return the socket of a service manager that wants to hear from the server every minute."""
    name = f"@ordago-{os.getpid()}" if request.param == "abstract" else str(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", name)
    monkeypatch.setenv("WATCHDOG_USEC", "60000000")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(name.replace("@", "\0"))
        manager.settimeout(0)
        yield manager


def all_of(manager: socket.socket) -> list[bytes]:
    notices = []
    while True:
        try:
            notices.append(manager.recv(100))
        except BlockingIOError:
            return notices


def test_the_manager_hears_of_the_start_and_of_the_end(told: socket.socket) -> None:
    manager = ServiceManager()
    manager.ready()
    manager.stopping()
    assert all_of(told) == [b"READY=1", b"STOPPING=1"]


@pytest.mark.virtual_time
async def test_the_watchdog_hears_three_times_in_its_time(told: socket.socket) -> None:
    with trio.move_on_after(59):
        await ServiceManager().keep_informed()
    assert all_of(told) == [b"WATCHDOG=1"] * 3


@pytest.mark.usefixtures("told")
def test_no_process_of_a_bot_inherits_the_socket() -> None:
    ServiceManager()
    assert not {"NOTIFY_SOCKET", "WATCHDOG_USEC"} & os.environ.keys()


async def test_a_server_that_was_started_by_hand_tells_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    manager = ServiceManager()
    manager.ready()
    await manager.keep_informed()


def test_a_manager_that_is_gone_is_no_reason_to_stop(told: socket.socket, caplog: pytest.LogCaptureFixture) -> None:
    manager = ServiceManager()
    told.close()
    manager.ready()
    assert [record.getMessage() for record in caplog.records] == ["the service manager cannot be told"]
