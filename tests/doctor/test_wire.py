"""The wire between a bot and the doctor's server."""

import socket

import pytest
from support.ports import free_port

from ordago_doctor.wire import Wire, kept_address


def test_a_kept_address_is_refused_to_others_and_listened_on_again() -> None:
    address = ("127.0.0.1", free_port())
    with kept_address(*address), socket.socket() as other:
        for _ in range(2):
            with Wire(address[1], port=address[1]), socket.create_connection(address):
                pass
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(address)
        with pytest.raises(OSError, match="in use"):
            other.bind(address)


def test_an_address_that_another_program_has_is_not_kept() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        pytest.raises(OSError, match="in use"),
        kept_address(*taken.getsockname()),
    ):
        pass
