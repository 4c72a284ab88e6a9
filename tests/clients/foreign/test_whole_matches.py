"""The bots in other languages play whole matches at the real server, and read what they see as Python does."""

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from foreign_clients import ROOT, Client
from support.commands import ordago

from ordago import v1
from ordago.games import find_game, game_names
from ordago.record import read_record

SIMPLE_IN_PYTHON = (sys.executable, "clients/python/bots/simple.py")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their commands are those of the checkout."""
    monkeypatch.chdir(ROOT)


def play(commands: Sequence[Sequence[str]], record: Path, *, game: str) -> v1.MatchRecord:
    specs = [f"cmd:{shlex.join(command)}" for command in commands]
    specs += ["house:random"] * (seats_of(game) - len(specs))
    bots = [word for spec in specs for word in ("--bot", spec)]
    played = ordago("play", game, *bots, "--seed", "5eed", "--record", record, "--json")
    assert played.exit_code == 0, played.output
    assert json.loads(played.stdout)["faults"] == 0
    return read_record(record.read_bytes())


def seats_of(game: str) -> int:
    return find_game(game).rules.seat_counts[0]


def choices(record: v1.MatchRecord) -> list[tuple[int, v1.Action]]:
    return [(entry.choice.seat, entry.choice.action) for entry in record.entries if entry.HasField("choice")]


@pytest.mark.parametrize("game", game_names())
def test_they_play_every_game_and_the_record_verifies(all_clients: list[Client], tmp_path: Path, game: str) -> None:
    for table in batched([client.command for client in all_clients], seats_of(game)):
        play(table, tmp_path / "match.record", game=game)
        assert "clean" in ordago("verify", tmp_path / "match.record").stdout


def batched(commands: Sequence[Sequence[str]], number: int) -> Iterator[Sequence[Sequence[str]]]:
    for first in range(0, len(commands), number):
        yield commands[first : first + number]


def test_the_same_match_is_played_the_same(client: Client, tmp_path: Path) -> None:
    first, second = (play([client.command], tmp_path / name, game="mittlere") for name in ("first", "second"))
    assert choices(first) == choices(second)


@pytest.fixture(scope="module")
def simple_in_python(tmp_path_factory: pytest.TempPathFactory) -> v1.MatchRecord:
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(ROOT)
        return play([SIMPLE_IN_PYTHON] * 3, tmp_path_factory.mktemp("simple") / "python", game="mittlere")


def test_the_simple_bot_plays_in_every_language_as_it_does_in_python(
    client: Client, tmp_path: Path, simple_in_python: v1.MatchRecord
) -> None:
    """It shows how a view is read: all six read the same in it, by the same table of cards."""
    assert client.simple
    there = play([client.simple] * 3, tmp_path / "there", game="mittlere")
    assert choices(simple_in_python) == choices(there)
