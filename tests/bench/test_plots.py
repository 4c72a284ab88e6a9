"""The plots: what they show, that the same figures draw the same file, and what is said where they cannot be drawn."""

import sys

import pytest
from support.commands import ordago

from ordago_bench import plots
from ordago_bench.latency import Latencies
from ordago_bench.server import Figures, Measurement
from ordago_cli.bench import command as bench_plots


def measured(rate: float, batch: float) -> Measurement:
    latencies = Latencies()
    for milliseconds in (1, 2, 2, 30):
        latencies.add(milliseconds / 1000)
    echo = Figures(12_000.0, 74.0, 2.0, 4.0)
    return Measurement(Figures(rate, 40.0, 2.5, 9.0), echo, Figures(200_000.0, 4.0, 1.0, 2.0), batch, latencies)


COURSE = {1: measured(9_000.0, 1.5), 64: measured(30_000.0, 50.0)}


@pytest.mark.slow
def test_three_plots_say_what_their_axes_are_of(tmp_path):
    drawn = {
        path.stem: path.read_text(encoding="utf-8") for path in plots.draw(plots.outputs(tmp_path / "new"), COURSE)
    }
    assert set(drawn) == {"cost-per-decision", "decisions-by-batch", "latency"}
    assert all(text.startswith("<?xml") for text in drawn.values())
    assert "<!-- CPU µs a decision -->" in drawn["cost-per-decision"]
    assert "<!-- decisions in a frame -->" in drawn["decisions-by-batch"]
    assert "<!-- 256 matches -->" in drawn["latency"]


def test_latencies_add_up_to_all_of_them():
    ends, shares = zip(*COURSE[1].latencies.shares(), strict=True)
    assert shares == (0.25, 0.75, 1.0)
    assert [round(end) for end in ends] == [1, 2, 30]


@pytest.mark.slow
def test_the_command_measures_and_says_where_the_plots_are(tmp_path, monkeypatch: pytest.MonkeyPatch):
    asked = []
    monkeypatch.setattr(plots, "measure_server", lambda game, **how: asked.append((game, how)) or COURSE[64])
    told = ordago("bench", "plots", tmp_path / "plots", "--seconds", "0.5")
    assert told.exit_code == 0
    assert [how["matches"] for _, how in asked] == list(plots.MATCHES)
    assert str(tmp_path / "plots" / "latency.svg") in told.output


def test_without_the_plotter_it_is_said_in_a_sentence(tmp_path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bench_plots, "measure_course", lambda *_, **__: COURSE)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    told = ordago("bench", "plots", tmp_path)
    assert told.exit_code == 3
    assert "pip install 'ordago[bench]'" in told.output
