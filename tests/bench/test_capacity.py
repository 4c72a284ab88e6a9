"""What one server bears: costs are told apart, sizes follow from them, and a real server is measured."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support.commands import assert_told, ordago

from ordago_bench.capacity import measuring
from ordago_bench.capacity.ladder_server import Published, Usage, games_of
from ordago_bench.capacity.measuring import _costs, measure_costs
from ordago_bench.capacity.sizes import BOTS, THINK_MS, Costs, all_sizes, size_of
from ordago_bench.server import NothingMeasuredError

COSTS = Costs(
    server_mib=100,
    publisher_mib=50,
    bot_kib=64,
    bot_descriptors=1,
    waiting_us_per_s=100,
    session_us=2_000,
    session_kib=10,
    decision_us=200,
    publisher_us=500,
    deciding=0.5,
    match_decisions=100,
    journal_bytes=40,
    database_bytes=4_000,
    ledger_bytes=300,
    record_bytes=2_700,
)
EMPTY = Usage(0, 1.0, 100 << 20, 40, 0, 0, 2.0, 50 << 20, 100_000, 0)
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
    size = size_of(COSTS, bots=1_024, think_ms=1_000)
    assert size.decisions_per_s == 512
    assert size.cores == pytest.approx((1_024 * 100 + 512 * 200) / 1e6)
    assert size.mib == 100 + 50 + 64
    assert size.descriptors == 1_024
    matches_a_day = 512 / 100 * 86_400
    assert size.database_gb_a_day == pytest.approx(matches_a_day * 4e-6)
    assert size.archive_gb_a_day == pytest.approx(matches_a_day * 3e-6)


def test_each_cost_is_told_apart_from_the_others() -> None:
    """Ten bots think for 10 s at 1 ms of CPU a second, then play for 10 s at 2 ms a decision, at half a bot a time."""
    came = EMPTY._replace(at=10, cpu_s=1.05, descriptors=50)
    end = came._replace(at=20, cpu_s=1.15)
    playing = end._replace(at=30, cpu_s=5.0, decisions=1_000, results=10, journal_bytes=1_000)
    played = playing._replace(
        at=40,
        cpu_s=5.1 + 2.0,
        memory_bytes=EMPTY.memory_bytes + 10 * (64 << 10),
        decisions=2_000,
        results=20,
        journal_bytes=41_000,
        publisher_cpu_s=2.005,
        database_bytes=140_000,
    )
    lost = played._replace(at=50, memory_bytes=EMPTY.memory_bytes + 10 * (10 << 10))
    costs = _costs(10, 50, [EMPTY, came, came, end, playing, played, lost], Published(100, 30_000, 270_000))
    assert costs == pytest.approx(
        COSTS._replace(waiting_us_per_s=1_000, session_us=5_000, decision_us=2_000, match_decisions=100)
    )


def test_without_results_nothing_is_measured() -> None:
    with pytest.raises(NothingMeasuredError, match="too few matches"):
        _costs(10, 50, [EMPTY] * 7, Published(0, 0, 0))


def test_the_command_prints_costs_and_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "measure_costs", lambda *_, **__: COSTS)
    told = ordago("bench", "capacity")
    assert_told(told, 0, "connected bot", "64  KiB", "10,000", "archive GB/day")
    rows = [line.split() for line in told.stdout.splitlines() if line.strip().startswith("10,000")]
    assert [row[1] for row in rows] == ["10", "1,000", "10,000"]
    read = json.loads(ordago("bench", "capacity", "--json").stdout)
    assert read["costs"] == COSTS._asdict()
    assert read["sizes"] == [size._asdict() for size in all_sizes(COSTS)]
    assert len(read["sizes"]) == len(BOTS) * len(THINK_MS)


def test_mistakes_are_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    assert_told(ordago("bench", "capacity", "--ladder", file), 2, str(file))
    file.write_text(SHORT.replace("mittlere", "bridge"))
    assert_told(ordago("bench", "capacity", "--ladder", file), 2, "bridge")
    nobody = ("--store", "sqlite:///somewhere")
    assert_told(ordago("bench", "capacity", *nobody), 2, "postgresql://USER@HOST/NAME")


def test_house_bots_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "ladder.toml"
    file.write_text(SHORT)
    games = games_of(str(file))
    assert "deals = 3" in games
    assert "house" not in games


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Costs]:
    """A short measurement of a server and few bots."""
    for name, seconds in (("_FIRST_SECONDS", 0.5), ("_SETTLING_SECONDS", 0.5), ("_LOST_SECONDS", 1.0)):
        monkeypatch.setattr(measuring, name, seconds)
    file = tmp_path / "ladder.toml"
    file.write_text(SHORT)
    return lambda **how: measure_costs(games_of(str(file)), bots=24, think_ms=2, seconds=1.0, **how)


@pytest.mark.slow
@pytest.mark.parametrize("tls", [False, True])
def test_a_real_server_is_measured(measured: Callable[..., Costs], tls: bool) -> None:  # noqa: FBT001 - a parameter
    """With so few bots for so short a time no figure is exact; those that are counted are."""
    costs = measured(place=None, tls=tls)
    assert 50 < costs.server_mib < 400
    assert 0.5 < costs.bot_descriptors < 2
    assert 20 < costs.match_decisions < 60
    assert 10 < costs.decision_us < 20_000
    assert costs.database_bytes > costs.ledger_bytes > 100
    assert costs.record_bytes > 500
    assert 0 < costs.deciding < 1
