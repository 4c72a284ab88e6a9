"""docs/monitoring.md names all metrics and log lines, and no others; docs/runbooks.md has all alarms and warnings."""

import json
import re
from pathlib import Path

from ordago.edge.server import CONNECTION_BROKE
from ordago.ops.metrics import CountersCollector
from ordago.telemetry.counters import Counters
from ordago.telemetry.telemetry import _ENDINGS
from ordago.telemetry.troubles import Trouble

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
RUNBOOKS = (ROOT / "docs" / "runbooks.md").read_text(encoding="utf-8")
ALARMS = (ROOT / "deploy" / "alerts.yml").read_text(encoding="utf-8")
PANELS = json.loads((ROOT / "deploy" / "dashboard.json").read_text(encoding="utf-8"))["panels"]
GRID_COLUMNS = 24
LOGGERS = [
    path
    for folder in ("server/ordago", "server/ordago_cli", "tournaments/ordago_ladder", "tournaments/ordago_web")
    for path in (ROOT / folder).rglob("*.py")
    # `ordago rules` has a log of its own.
    if "search" not in path.relative_to(ROOT / folder).parts
]
LOGGED = re.compile(r'(?:_logger\.\w+|_LOG\.(?!debug)\w+|_sparing\.log)\(\s*"([^"]+)"')
GOES_WRONG = re.compile(r"cannot|fail|refused|lost|shut|broke|aborted|turned away|missing|void|stalled|held up")
"""What an event says that somebody may be called for, though it is only an information."""


def rows(heading: str) -> list[tuple[list[str], str]]:
    """Return the rows of a table: what stands between code marks in the first column, and the second column."""
    found = re.search(rf"^\| {heading} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", PAGE, flags=re.MULTILINE)
    assert found is not None
    cells = [line.split("|")[1:3] for line in found[1].splitlines()]
    return [(re.findall(r"`([^`]+)`", first), second) for first, second in cells]


def first_cells(heading: str) -> list[str]:
    return [name for names, _ in rows(heading) for name in names]


def metric_names() -> list[str]:
    families = CountersCollector(Counters()).collect()
    return [f"{family.name}_total" if family.type == "counter" else family.name for family in families]


def test_every_metric_is_on_the_page() -> None:
    assert sorted(metric_names()) == sorted(first_cells("metric"))


def test_every_line_of_the_log_is_on_the_page() -> None:
    logged = {*_ENDINGS.values(), CONNECTION_BROKE, *(line for trouble in Trouble for line in trouble.value)}
    for path in LOGGERS:
        logged |= set(LOGGED.findall(path.read_text(encoding="utf-8")))
    assert len(logged) > 15
    assert sorted(logged) == sorted(first_cells("event"))


def test_every_warning_has_a_runbook() -> None:
    warnings = {name for names, levels in rows("event") if levels.strip() not in ("info", "") for name in names}
    assert len(warnings) > 25
    assert {name for name in warnings if f"`{name}`" not in RUNBOOKS} == set()


def test_every_information_of_something_that_went_wrong_has_a_runbook() -> None:
    told = {name for name in first_cells("event") if GOES_WRONG.search(name)}
    assert len(told) > 25
    assert {name for name in told if f"`{name}`" not in RUNBOOKS} == set()


def test_every_trouble_and_alarm_has_a_runbook() -> None:
    headings = re.findall(r"^## (.+)$", RUNBOOKS, flags=re.MULTILINE)
    assert len(headings) == len(set(headings)), "an address leads to one runbook"
    anchors = set(re.findall(r"runbooks\.md#([a-z_]+)$", ALARMS, flags=re.MULTILINE))
    assert ALARMS.count("runbooks.md#") == ALARMS.count("- alert:") > 10
    assert anchors | {trouble.name.lower() for trouble in Trouble} <= set(headings)


def test_alarms_watch_metrics_that_there_are() -> None:
    watched = {re.sub(r"_bucket$", "", name) for name in re.findall(r"\bordago_\w+", ALARMS)}
    assert len(watched) > 10
    assert watched <= set(metric_names())


def test_the_dashboard_shows_metrics_that_there_are_and_runbooks_too() -> None:
    shown = {
        name for panel in PANELS for target in panel["targets"] for name in re.findall(r"\bordago_\w+", target["expr"])
    }
    assert len(shown) > 15
    assert {re.sub(r"_bucket$", "", name) for name in shown} <= set(metric_names())
    headings = re.findall(r"^## (.+)$", RUNBOOKS, flags=re.MULTILINE)
    assert len(headings) == len(set(headings)), "an address leads to one runbook"
    assert {link["url"].partition("#")[2] for panel in PANELS for link in panel.get("links", ())} <= set(headings)


def test_no_panel_of_the_dashboard_hides_another() -> None:
    places = [tuple(panel["gridPos"][key] for key in "xywh") for panel in PANELS]
    cells = [(x + right, y + down) for x, y, wide, high in places for right in range(wide) for down in range(high)]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < GRID_COLUMNS
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
