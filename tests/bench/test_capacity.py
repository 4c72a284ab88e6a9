"""What one server bears: costs are told apart, sizes follow from them, and a real server is measured."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import assert_told, ordago

from ordago_bench import capacity
from ordago_bench.capacity import COSTS, Costs, _costs, all_sizes, measure_costs, size_of
from ordago_bench.ladder_server import Usage, ladder_text
from ordago_bench.server import NothingMeasuredError

MEASURED = {
    "server_mib": 100.0,
    "server_us_per_s": 5_000.0,
    "publisher_mib": 50.0,
    "bot_kib": 64.0,
    "bot_descriptors": 1.0,
    "bot_us_per_s": 1_000.0,
    "session_us": 5_000.0,
    "session_kib": 10.0,
    "decision_us": 2_000.0,
    "publisher_us": 500.0,
    "deciding": 0.5,
    "match_decisions": 100.0,
    "journal_bytes": 40.0,
    "database_bytes": 4_000.0,
    "ledger_bytes": 300.0,
    "record_bytes": 2_700.0,
}
EMPTY = Usage(
    at=0,
    cpu_s=1.0,
    kib=100 << 10,
    descriptors=40,
    publisher_cpu_s=2.0,
    publisher_kib=50 << 10,
    decisions=0,
    matches=0,
    journal_bytes=0,
    database_bytes=100_000,
)
SHORT = """
[ladder]
name = "short"
epoch_hours = 1

[[game]]
name = "mittlere"
options = { deals = 3 }

[[house]]
name = "one"
house = "random"
"""


def test_sizes_follow_from_costs() -> None:
    size = size_of(MEASURED, bots=1_024, think_ms=1_000)
    assert size.decisions_per_s == 512
    assert size.cores == pytest.approx((5_000 + 1_024 * 1_000 + 512 * 2_000) / 1e6)
    assert size.mib == 100 + 50 + 64
    assert size.descriptors == 1_024
    matches_a_day = 512 / 100 * 86_400
    assert size.database_gb_a_day == pytest.approx(matches_a_day * 4e-6)
    assert size.archive_gb_a_day == pytest.approx(matches_a_day * 3e-6)


def test_each_cost_is_told_apart_from_the_others() -> None:
    """Ten bots think for 10 s at 1 ms of CPU a second, then play for 10 s at 2 ms a decision, half of them."""
    idle = EMPTY._replace(at=-10, cpu_s=0.95)
    came = EMPTY._replace(at=10, cpu_s=1.10, descriptors=50)
    thought = came._replace(at=20, cpu_s=1.10 + 0.15)
    playing = thought._replace(at=30, cpu_s=5.0, decisions=1_000, matches=10, journal_bytes=1_000)
    played = playing._replace(
        at=40,
        cpu_s=5.15 + 2.0,
        kib=EMPTY.kib + 10 * 64,
        decisions=2_000,
        matches=20,
        journal_bytes=41_000,
        publisher_cpu_s=2.005,
        database_bytes=140_000,
    )
    lost = played._replace(at=50, kib=EMPTY.kib + 10 * 10)
    found = _costs(10, 50, idle, EMPTY, came, thought, playing, played, lost, published=(100, 270_000, 30_000))
    assert found == pytest.approx(MEASURED)
    assert list(found) == list(COSTS)


def test_without_results_nothing_is_measured() -> None:
    with pytest.raises(NothingMeasuredError, match="too few matches"):
        _costs(10, 50, *[EMPTY] * 7, published=(0, 0, 0))


def test_the_command_prints_costs_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "measure_costs", lambda *_, **__: MEASURED)
    told = ordago("bench", "capacity")
    assert_told(told, 0, "connected bot", "10,000", "archive gb a day")
    rows = [line.split() for line in told.stdout.splitlines() if line.strip().startswith("10,000")]
    assert [row[1] for row in rows] == ["10", "1,000", "10,000"]
    read = json.loads(ordago("bench", "capacity", "--json").stdout)
    assert read["costs"] == MEASURED
    assert read["sizes"] == [size._asdict() for size in all_sizes(MEASURED)]


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    assert_told(ordago("bench", "capacity", "--ladder", file), 2, str(file))
    file.write_text(SHORT.replace("mittlere", "bridge"))
    assert_told(ordago("bench", "capacity", "--ladder", file), 2, "bridge")
    assert_told(ordago("bench", "capacity", "--store", "sqlite:///here"), 2, "postgresql://USER@HOST/NAME")


def test_a_ladder_is_measured_with_its_games_and_without_its_house(tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    file.write_text(SHORT)
    text = ladder_text(str(file))
    assert "deals = 3" in text
    assert "house" not in text


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Costs]:
    """A short measurement of a server and few bots."""
    for name, seconds in (("_FIRST_SECONDS", 0.5), ("_MORE_SECONDS", 0.5), ("_LOST_SECONDS", 1.0)):
        monkeypatch.setattr(capacity, name, seconds)
    file = tmp_path / "ladder.toml"
    file.write_text(SHORT)
    return lambda **how: measure_costs(ladder_text(str(file)), bots=24, think_ms=2, seconds=1.0, **how)


@pytest.mark.slow
@pytest.mark.parametrize("tls", [False, True])
def test_a_real_server_is_measured(measured: Callable[..., Costs], tls: bool) -> None:  # noqa: FBT001 - a parameter
    """With so few bots for so short a time no figure is exact; those that are counted are."""
    costs = measured(place=None, tls=tls)
    assert 50 < costs["server_mib"] < 400
    assert 0.5 < costs["bot_descriptors"] < 2
    # 3 deals of 9 tricks and 4 seats are 108 decisions.
    assert 80 < costs["match_decisions"] < 200
    assert 10 < costs["decision_us"] < 20_000
    assert costs["database_bytes"] > costs["ledger_bytes"] > 100
    assert costs["record_bytes"] > 500
    assert 0 < costs["deciding"] < 1
