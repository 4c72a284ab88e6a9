"""``RulesService`` over a real socket: its errors, and the socket itself."""

import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc
import pytest

from ordago.addresses import Address
from ordago.edge import EdgeError
from ordago.edge.services.rules import is_loopback, open_rules
from ordago.search.pool import CallerGoneError
from ordago.search.requests import RequestError, Why

CALL = "/ordago.v1.RulesService/DrawWorlds"


class FakePool:
    """Answers with the name of the call and the request, or with an error."""

    size = 2

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.ended = False

    def answer(self, call: str, request: bytes, *, is_wanted: Callable[[], bool]) -> bytes:
        assert is_wanted()
        if self.error is not None:
            raise self.error
        return call.encode() + request

    def end(self) -> None:
        self.ended = True


@pytest.fixture
def pool() -> FakePool:
    return FakePool()


@pytest.fixture
def path() -> Iterator[Path]:
    # The path of a test is too long for a socket.
    with TemporaryDirectory(prefix="ordago-") as folder:
        yield Path(folder) / "s"


def ask(address: str, request: bytes = b"") -> bytes:
    with grpc.insecure_channel(address) as channel:
        answer: bytes = channel.unary_unary(CALL)(request, timeout=30)
        return answer


def test_a_request_is_answered_over_a_socket_of_its_owner(pool: FakePool, path: Path) -> None:
    with open_rules(Address("", 0, str(path)), pool) as address:
        assert address == f"unix:{path}"
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert ask(address, b"?") == b"DrawWorlds?"
    assert not path.exists()
    assert pool.ended
    # The mask of permissions is as it was.
    before = os.umask(0o022)
    os.umask(before)
    assert before != 0o177


def test_a_port_of_this_machine_is_served(pool: FakePool) -> None:
    with open_rules(Address("127.0.0.1", 0), pool) as address:
        assert ask(address) == b"DrawWorlds"
        host, _, port = address.rpartition(":")
        with pytest.raises(EdgeError, match="in use"), open_rules(Address(host, int(port)), pool):
            pass


@pytest.mark.parametrize(
    ("why", "status"),
    [
        (Why.UNFIT, grpc.StatusCode.INVALID_ARGUMENT),
        (Why.TOO_LARGE, grpc.StatusCode.RESOURCE_EXHAUSTED),
        (Why.FOREIGN_STATE, grpc.StatusCode.FAILED_PRECONDITION),
        (Why.TOO_LONG, grpc.StatusCode.DEADLINE_EXCEEDED),
        (Why.FAILED, grpc.StatusCode.INTERNAL),
    ],
)
def test_a_refusal_is_a_status_with_a_sentence(pool: FakePool, path: Path, why: Why, status: grpc.StatusCode) -> None:
    pool.error = RequestError(why, "It is wrong.")
    with open_rules(Address("", 0, str(path)), pool) as address, pytest.raises(grpc.RpcError) as error:
        ask(address)
    assert (error.value.code(), error.value.details()) == (status, "It is wrong.")


def test_a_caller_that_has_gone_is_no_error_of_the_service(pool: FakePool, path: Path) -> None:
    pool.error = CallerGoneError()
    with open_rules(Address("", 0, str(path)), pool) as address, pytest.raises(grpc.RpcError) as error:
        ask(address)
    assert error.value.code() is grpc.StatusCode.CANCELLED


def test_a_request_that_is_too_large_is_refused(pool: FakePool, path: Path) -> None:
    with open_rules(Address("", 0, str(path)), pool) as address:
        with pytest.raises(grpc.RpcError) as error:
            ask(address, bytes((16 << 20) + 1))
        assert error.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert ask(address, bytes(3 << 20))


def test_a_path_in_use_is_left_alone(pool: FakePool, path: Path) -> None:
    with open_rules(Address("", 0, str(path)), pool) as address:
        with pytest.raises(EdgeError, match="in use"), open_rules(Address("", 0, str(path)), FakePool()):
            pass
        assert ask(address) == b"DrawWorlds"


def test_a_socket_that_nobody_listens_on_is_replaced(pool: FakePool, path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(str(path))
    with open_rules(Address("", 0, str(path)), pool) as address:
        assert ask(address) == b"DrawWorlds"


def test_another_file_is_left_alone(pool: FakePool, path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(EdgeError, match="no socket"), open_rules(Address("", 0, str(path)), pool):
        pass
    assert path.read_text() == "mine"


def test_a_missing_folder_is_told(pool: FakePool, path: Path) -> None:
    with pytest.raises(EdgeError, match="folder is missing"), open_rules(Address("", 0, str(path / "deeper")), pool):
        pass
    assert pool.ended


@pytest.mark.parametrize(
    ("host", "here"),
    [
        *(("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True)),
        *(("0.0.0.0", False), ("::", False), ("10.0.0.1", False), ("example.org", False)),  # noqa: S104 - not opened
    ],
)
def test_only_addresses_of_this_machine_are_its_own(host: str, *, here: bool) -> None:
    assert is_loopback(host) is here
