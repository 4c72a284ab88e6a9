"""Tests that measure: how large they are, what they found, and the table of it at the end of a run.

``--torture`` makes them large, ``--figures FILE`` writes what they found as JSON. This is a plugin of pytest, so that
figures come from the processes of pytest-xdist as well.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import pytest

_PROPERTY = "figure"


class Note(Protocol):
    """Notes a figure for the table."""

    def __call__(self, name: str, value: float | str, unit: str = "", *, bound: str = "", total: str = "") -> None:
        """Note what was found, in which unit, and what it must keep to; or add it to the figure of a total."""


Size = Callable[[int, int], int]
"""Returns the first number in a short run, the second in a long one."""


@pytest.fixture
def note(request: pytest.FixtureRequest) -> Note:
    """Note figures of a test; they are printed even if it fails afterwards."""
    part = request.node.name

    def noted(name: str, value: float | str, unit: str = "", *, bound: str = "", total: str = "") -> None:
        figure = {
            "test": total or part,
            "name": name,
            "value": value,
            "unit": unit,
            "bound": bound,
            "adds": bool(total),
        }
        request.node.user_properties.append((_PROPERTY, figure))

    return noted


@pytest.fixture(scope="session")
def size(pytestconfig: pytest.Config) -> Size:
    """Say how large a test is."""
    long = bool(pytestconfig.getoption("--torture"))
    return lambda short, torture: torture if long else short


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("figures", "tests that measure")
    group.addoption("--torture", action="store_true", help="run the tests that measure in their long form")
    group.addoption("--figures", type=Path, metavar="FILE", help="write what they measured as JSON")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    figures = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == _PROPERTY
    ]
    figures = added_up(figures)
    if config.getoption("--figures"):
        config.getoption("--figures").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if figures and (config.getoption("--torture") or config.getoption("--figures")):
        terminalreporter.section("figures")
        for line in table(figures):
            terminalreporter.write_line(line)


def added_up(figures: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the figures, those that belong to a total behind all others, as one each."""
    totals: dict[tuple[str, str], dict[str, Any]] = {}
    for figure in figures:
        if figure["adds"]:
            known = totals.setdefault((figure["test"], figure["name"]), {**figure, "value": 0})
            known["value"] += figure["value"]
    return [figure for figure in figures if not figure["adds"]] + list(totals.values())


def table(figures: list[dict[str, Any]]) -> list[str]:
    """Return the lines of the table: what was measured, test by test."""
    rows = [(figure["name"], _written(figure["value"]), figure["unit"], figure["bound"]) for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for number, (figure, row) in enumerate(zip(figures, rows, strict=True)):
        if number == 0 or figures[number - 1]["test"] != figure["test"]:
            lines.append(figure["test"])
        name, value, unit, bound = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        lines.append(f"  {name}  {row[1].rjust(len(value))} {unit}  {bound}".rstrip())
    return lines


def _written(value: float | str) -> str:
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else value
