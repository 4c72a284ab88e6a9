"""The searching bots ask the rules service, and beat chance."""

import sys
from pathlib import Path

import pytest
from foreign_clients import CLIENTS, Client
from support.commands import assert_told, ordago

from ordago.record import read_record

BOTS = {"go": "bin/search", "rust": "target/release/examples/search"}
SEARCHING = pytest.mark.parametrize(
    "client",
    [client for client in CLIENTS if client.folder.name in BOTS],
    ids=lambda client: client.name,
    indirect=True,
)


@SEARCHING
def test_a_searching_bot_beats_chance(client: Client, tmp_path: Path) -> None:
    rules = f"{sys.executable} -m ordago rules --processes 1"
    searching = f"cmd:{rules} -- {client.folder / BOTS[client.folder.name]}"
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
    assert_told(ordago("play", "mus", *places), 4, "ORDAGO_RULES", "ordago rules -- search")
