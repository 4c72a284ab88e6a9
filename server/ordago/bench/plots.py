"""Plots of what the server costs: by how many matches there are, by how much goes out at once, and how fast it is."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ordago.bench.server import Measurement, measure_server

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONNECTIONS: Final = 4
MATCHES: Final = (1, 4, 16, 64, 256)
"""For each connection."""
_WIDE, _HIGH = 6.4, 3.6
"""The size of a plot in inches."""


class PlotterMissingError(Exception):
    """matplotlib is not installed."""


def measure_course(
    game: str, *, seconds: float, told: Callable[[int], None] = lambda _matches: None
) -> dict[int, Measurement]:
    """Measure the server and its peers with more and more matches at once for each of four connections.

    Args:
        game: what is played; several games with commas between them.
        seconds: the length of each run.
        told: is told how many matches are measured next.
    """
    found = {}
    for matches in MATCHES:
        told(matches)
        found[matches] = measure_server(game, connections=CONNECTIONS, matches=matches, seconds=seconds, all_in=True)
    return found


def draw(folder: Path, course: Mapping[int, Measurement]) -> list[Path]:
    """Write the plots into a folder as SVG, and return where they are.

    Raises:
        PlotterMissingError: there is nothing to draw with.
    """
    folder.mkdir(parents=True, exist_ok=True)
    plots: dict[str, Callable[[Any, Mapping[int, Measurement]], None]] = {
        "cost-per-decision": _cost,
        "decisions-by-batch": _batches,
        "latency": _latency,
    }
    return [_drawn(folder / f"{name}.svg", plot, course) for name, plot in plots.items()]


def _drawn(
    path: Path, plot: Callable[[Any, Mapping[int, Measurement]], None], course: Mapping[int, Measurement]
) -> Path:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise PlotterMissingError("matplotlib is not installed; pip install 'ordago[bench]' brings it") from None
    figure = Figure(figsize=(_WIDE, _HIGH), layout="constrained")
    axes = figure.add_subplot()
    plot(axes, course)
    axes.grid(alpha=0.3)
    if axes.get_legend_handles_labels()[0]:
        axes.legend()
    # Without a date: the same figures make the same file.
    figure.savefig(path, format="svg", metadata={"Date": None})
    return path


def _cost(axes: "Axes", course: Mapping[int, Measurement]) -> None:
    matches = [CONNECTIONS * number for number in course]
    axes.plot(matches, [each.server.cpu_us_per_decision for each in course.values()], "o-", label="server")
    axes.plot(matches, [each.echo.cpu_us_per_decision for each in course.values()], "s--", label="bare echo")
    axes.set(xscale="log", xlabel="matches at once", ylabel="CPU µs a decision", ylim=(0, None))


def _batches(axes: "Axes", course: Mapping[int, Measurement]) -> None:
    batches = [each.decisions_per_frame for each in course.values()]
    axes.plot(batches, [each.server.decisions_per_s for each in course.values()], "o-", label="server")
    axes.plot(batches, [each.batched_echo.decisions_per_s for each in course.values()], "s--", label="echo, as many")
    axes.set(xscale="log", yscale="log", xlabel="decisions in a frame", ylabel="decisions a second")


def _latency(axes: "Axes", course: Mapping[int, Measurement]) -> None:
    for matches, measured in course.items():
        ends, shares = zip(*measured.latencies.shares(), strict=True)
        axes.plot(ends, [100 * share for share in shares], label=f"{CONNECTIONS * matches} matches")
    axes.set(xscale="log", xlabel="ms from an answer to the word that it was taken", ylabel="percent of answers")
