"""The searching bots ask the rules service, and beat chance."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from foreign_clients import CLIENTS, Client
from support.commands import assert_told, ordago

from ordago.addresses import Address
from ordago.edge.services.rules import open_rules
from ordago.record import read_record
from ordago.search.pool import Pool

BOTS = {"go": "bin/search", "rust": "target/release/examples/search"}
SEARCHING = pytest.mark.parametrize(
    "client",
    [client for client in CLIENTS if client.folder.name in BOTS],
    ids=lambda client: client.name,
    indirect=True,
)


@pytest.fixture(scope="module")
def socket() -> Iterator[Path]:
    # The path of a test is too long for a socket.
    with TemporaryDirectory(prefix="ordago-") as folder:
        path = Path(folder) / "s"
        with open_rules(Address("", 0, str(path)), Pool(2)):
            yield path


@SEARCHING
def test_a_searching_bot_beats_chance(client: Client, socket: Path, tmp_path: Path) -> None:
    searching = f"cmd:env ORDAGO_RULES={socket} {client.folder / BOTS[client.folder.name]}"
    bots = [searching, "house:random", searching, "house:random"]
    record = tmp_path / "match.record"
    places = [word for bot in bots for word in ("--bot", bot)]
    played = ordago("play", "mus", *places, "--decision-ms", 60_000, "--seed", "2a", "--record", record)
    assert_told(played, 0)
    match = read_record(record.read_bytes())
    assert not [entry for entry in match.entries if entry.choice.fault]
    assert list(match.outcome.placings) == [1, 2, 1, 2]


@SEARCHING
def test_without_a_service_a_bot_says_what_to_do(client: Client) -> None:
    searching = f"cmd:{client.folder / BOTS[client.folder.name]}"
    places = [word for bot in [searching] * 4 for word in ("--bot", bot)]
    assert_told(ordago("play", "mus", *places), 4, "ORDAGO_RULES", "ordago rules --unix")
