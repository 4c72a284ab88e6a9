"""docs/monitoring.md names all metrics and all lines of the log, and no others."""

import re
from pathlib import Path

from ordago.edge.server import CONNECTION_BROKE
from ordago.ops.metrics import CountersCollector
from ordago.telemetry.counters import Counters
from ordago.telemetry.telemetry import _ENDINGS
from ordago.telemetry.troubles import Trouble

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
LOGGERS = [
    *(ROOT / "server" / "ordago" / name for name in ("telemetry/telemetry.py", "telemetry/seat.py", "ops/records.py")),
    *(ROOT / "server" / "ordago_cli" / "serve").glob("*.py"),
    *(ROOT / "tournaments" / "ordago_ladder" / "hosted").glob("*.py"),
]


def first_cells(heading: str) -> list[str]:
    """Return what stands between code marks in the first column of a table."""
    found = re.search(rf"^\| {heading} \|.*\n\|[-| ]+\n((?:\|.*\n)+)", PAGE, flags=re.MULTILINE)
    assert found is not None
    return [name for line in found[1].splitlines() for name in re.findall(r"`([^`]+)`", line.split("|")[1])]


def test_every_metric_is_on_the_page() -> None:
    families = CountersCollector(Counters()).collect()
    names = [f"{family.name}_total" if family.type == "counter" else family.name for family in families]
    assert sorted(names) == sorted(first_cells("metric"))


def test_every_line_of_the_log_is_on_the_page() -> None:
    logged = {*_ENDINGS.values(), CONNECTION_BROKE, *(line for trouble in Trouble for line in trouble.value)}
    for path in LOGGERS:
        logged |= set(re.findall(r'(?:_logger\.\w+|_sparing\.log)\("([^"]+)"', path.read_text(encoding="utf-8")))
    assert len(logged) > 15
    assert sorted(logged) == sorted(first_cells("event"))
