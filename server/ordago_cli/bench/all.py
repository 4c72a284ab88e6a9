"""``ordago bench all``: all measurements in one run, with peers and goals."""

import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, NamedTuple

import click

from ordago_bench.lines import Benchmark, Found, MissingError, all_lines
from ordago_cli.errors import stopped
from ordago_cli.options.outputs import json_option
from ordago_cli.terminal.tables import print_table

_HEADS = ("what", "against", "figure", " ratio", "goal", "met")


class Row(NamedTuple):
    """A measurement, or the reason why there is none."""

    what: str
    against: str
    figure: str | None
    ratio: float | None
    goal: str
    met: bool | None
    """``None`` if it could not be measured, which counts as not met."""
    why: str
    """The reason why there is no figure; empty if there is one."""


@click.command("all", epilog="Example: ordago bench all --quick")
@click.option("--quick", is_flag=True, help="Measure for a shorter time, and do not count instructions.")
@json_option
def all_command(*, quick: bool, as_json: bool) -> None:
    """Measure everything in one run, with peers and goals. Ctrl-C prints the measurements so far."""
    found_on, rows, ended = machine(), list[Row](), False
    try:
        for line in all_lines(quick=quick):
            rows.append(_row(line, quick=quick))
            click.echo(f"{len(rows)}: {line.what}", err=True)
        ended = True
    except KeyboardInterrupt:
        pass
    _print(found_on, rows, as_json=as_json)
    if not ended:
        raise stopped()


def _row(line: Benchmark, *, quick: bool) -> Row:
    """Take one measurement. An error is reported in its row, so that the other measurements go on."""
    found, why = Found("", None, None), ""
    try:
        if line.slow and quick:
            raise MissingError("skipped by --quick")  # noqa: TRY301 - reported like any missing figure
        found = line.measure()
    except MissingError as error:
        why = str(error)
    except Exception as error:  # noqa: BLE001 - a line that fails does not take down the others
        why = f"it failed: {type(error).__name__}: {error}".splitlines()[0]
    return Row(line.what, line.against, found.figure or None, found.ratio, line.goal, found.met, why)


def _print(found_on: Mapping[str, object], rows: Sequence[Row], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"machine": found_on, "lines": [row._asdict() for row in rows]}, indent=1))
        return
    click.echo(", ".join(f"{name} {value}" for name, value in found_on.items()))
    print_table(_HEADS, map(_cells, rows))


def _cells(row: Row) -> tuple[str, ...]:
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    return row.what, row.against, row.figure or row.why, ratio, row.goal, "yes" if row.met else "no"


_PACKAGES: Final = ("ordago", "grpcio", "protobuf", "trio", "open-spiel")


def machine() -> Mapping[str, object]:
    """Return the facts of this machine: cores, processor, system, Python, load, and versions of packages."""
    return {
        "cores": os.cpu_count(),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "load": round(os.getloadavg()[0], 2),
        **{name: _version(name) for name in _PACKAGES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
