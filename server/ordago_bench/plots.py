"""Plots of the server: CPU cost by number of matches, throughput by batch size, and latency."""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ordago.outputs import Output
from ordago_bench.server import Measurement, measure_server

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CONNECTIONS: Final = 4
"""The number of connections in every measurement."""
MATCHES: Final = (1, 4, 16, 64, 256)
"""The numbers of matches at once for each connection."""
_CREATOR: Final = "ordago bench plots"
"""The creator in the metadata of a plot, by which it is recognised."""
_HEAD_BYTES: Final = 4096
"""The part of the file with the metadata."""
_Plot: TypeAlias = Callable[[Any, Mapping[int, Measurement]], None]
_WIDE, _HIGH = 6.4, 3.6
"""The size of a plot in inches."""


class PlotterMissingError(Exception):
    """matplotlib is not installed."""


def measure_course(
    game: str, *, seconds: float, announce: Callable[[int], None] = lambda _matches: None
) -> dict[int, Measurement]:
    """Measure the server and its peers with increasing numbers of matches for each of four connections.

    Args:
        game: the name of a game, or several with commas between them.
        seconds: the length of each run.
        announce: called with the number of matches before each measurement.
    """
    found = {}
    for matches in MATCHES:
        announce(matches)
        found[matches] = measure_server(game, connections=CONNECTIONS, matches=matches, seconds=seconds, all_in=True)
    return found


def outputs(folder: Path, *, force: bool = False) -> list[Output]:
    """Return the files of the plots in a folder, which is created if needed.

    Raises:
        OSError: the folder cannot be created.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [Output(folder / f"{name}.svg", "a plot of ours", _is_plot, force=force) for name in _plots()]


def draw(files: Sequence[Output], course: Mapping[int, Measurement]) -> list[Path]:
    """Write the plots as SVG into their files, and return the paths.

    Raises:
        PlotterMissingError: matplotlib is not installed.
        OccupiedError: a file cannot be written.
    """
    for output, plot in zip(files, _plots().values(), strict=True):
        output.write(_drawn(plot, course))
    return [output.path for output in files]


def _plots() -> Mapping[str, _Plot]:
    return {"cost-per-decision": _cost, "decisions-by-batch": _batches, "latency": _latency}


def _is_plot(content: bytes) -> bool:
    return _CREATOR.encode() in content[:_HEAD_BYTES]


def _drawn(plot: _Plot, course: Mapping[int, Measurement]) -> bytes:
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
    # No date, so that the same figures give the same file.
    drawn = BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": _CREATOR})
    return drawn.getvalue()


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
