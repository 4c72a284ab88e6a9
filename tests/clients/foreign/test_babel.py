"""Bots in six languages play an event in all five games, and nothing in its report is anybody's fault."""

import json
import re
from pathlib import Path

import pytest
from demo_event import for_this_machine
from foreign_clients import CLIENTS, ROOT, Client
from support.command_line import ordago

from ordago_ladder.event_file.file import parse_event

BABEL = ROOT / "tournaments/events/babel.toml"


def test_every_language_takes_part() -> None:
    entrants = parse_event(BABEL.read_text(encoding="utf-8")).entrants
    folders = {ROOT / entrant.folder for entrant in entrants if entrant.folder}
    assert folders == {client.folder for client in CLIENTS}
    assert [entrant.house for entrant in entrants if entrant.house] == ["random"], "and Python"


def shortened(text: str) -> str:
    """Return an event of half the sets, fewer of whose matches, and so of its processes, are there at once."""
    text = re.sub(r"^sets = (\d+)$", lambda sets: f"sets = {int(sets[1]) // 2}", text, flags=re.MULTILINE)
    return text.replace("parallel = 12\n", "parallel = 4\n")


@pytest.mark.timeout(600)
def test_they_play_without_a_fault(all_clients: list[Client], tmp_path: Path) -> None:
    assert all_clients
    event = tmp_path / "babel.toml"
    event.write_text(shortened(for_this_machine(BABEL.read_text(encoding="utf-8"))), encoding="utf-8")
    ordago("run", str(event), "--out", str(tmp_path / "out"), longest_seconds=500)
    told = json.loads((tmp_path / "out/ladder.json").read_text(encoding="utf-8"))
    assert told["state"]["finished"]
    played = {(match["game"], entrant) for match in told["matches"] for entrant in match["entrants"]}
    assert len(played) == 5 * 6, "each language in each game"
    assert {line["entrant"]: line["faults"] for line in told["overall"]["ladder"]} == {
        "python": 0,
        "typescript": 0,
        "go": 0,
        "rust": 0,
        "java": 0,
        "c++": 0,
    }
    ordago("verify", str(tmp_path / "out"), longest_seconds=100)
