"""Addresses are read as the vectors that all SDKs share say, and gRPC gets them so that it cannot misread them."""

import json
from pathlib import Path
from typing import Any

import pytest

from ordago.addresses import Address, AddressError, parse_address

VECTORS = json.loads((Path(__file__).parents[1] / "clients/vectors/addresses.json").read_text(encoding="utf-8"))


def read(text: str) -> dict[str, Any]:
    try:
        address = parse_address(text)
    except AddressError as error:
        return {"because": str(error)}
    return {"path": address.path} if address.path else {"host": address.host, "port": address.port}


def test_every_vector_is_read_as_it_says() -> None:
    assert len(VECTORS) > 100
    wrong = [
        (case, found) for case in VECTORS if {**(found := read(case["address"])), "address": case["address"]} != case
    ]
    assert not wrong


def test_port_0_is_for_those_who_listen() -> None:
    assert parse_address("127.0.0.1:0", least_port=0) == Address("127.0.0.1", 0)
    with pytest.raises(AddressError, match="from 1 to"):
        parse_address("127.0.0.1:0")


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("dns:7447", "dns:///dns:7447"),
        ("[::1]:7447", "dns:///[::1]:7447"),
        ("unix:a%20b?c#d é", "unix:a%2520b%3Fc%23d%20%C3%A9"),
        ("unix:/run/bot.sock", "unix:/run/bot.sock"),
    ],
)
def test_what_grpc_would_misread_is_written_otherwise(text: str, target: str) -> None:
    assert parse_address(text).target == target
