"""What holds for all tests.

Async tests marked ``virtual_time``, one by one or by the ``pytestmark`` of their module, run under a clock that jumps
whenever all wait.
"""

import gc
import signal
from collections import Counter
from inspect import iscoroutinefunction

import pytest
from hypothesis import settings
from support.clocks import run_in_virtual_time
from support.stores import close_stores

import ordago.edge  # noqa: F401 - before a test imports grpc: as a server imports it

pytest_plugins = ["support.bots_in_threads", "support.figures", "support.postgresql"]

_MARKED_BY_FIXTURE = {"chromium": "browser", "postgresql": "postgresql"}
_BEGIN_FIRST = ("foreign", "torture", "slow", "browser")

# The same examples on every machine and in every run, and no failure because a machine is busy.
settings.register_profile("ordago", derandomize=True, deadline=None, database=None)
settings.load_profile("ordago")


def pytest_configure(config: pytest.Config) -> None:
    # A shell has what it starts in the background ignore Ctrl-C, and so would all that tests start and stop by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # So it is with nohup and the end of the terminal; but that is to be ignored by whoever only hands tests out.
    if hasattr(config, "workerinput") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_itemcollected(item: pytest.Item) -> None:
    for fixture, marker in _MARKED_BY_FIXTURE.items():
        if fixture in getattr(item, "fixturenames", ()):
            item.add_marker(marker)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # What begins last is waited for: files that take longest begin first.
    slow = Counter(item.path for item in items for marker in _BEGIN_FIRST if item.get_closest_marker(marker))
    items.sort(key=lambda item: -slow[item.path])
    for item in items:
        marked = item.get_closest_marker("virtual_time") is not None
        if marked and isinstance(item, pytest.Function) and iscoroutinefunction(item.obj):
            # Before the marker that trio_mode gives to each async test: the first one counts.
            item.add_marker(pytest.mark.trio(run=run_in_virtual_time), append=False)


def pytest_collection_finish() -> None:
    # Modules and tests stay until the end, and are so many that a look at all of them takes half a second.
    gc.freeze()


@pytest.hookimpl(trylast=True)  # after all fixtures
def pytest_runtest_teardown() -> None:
    close_stores()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was left out, in a line for each reason: a run that skips must not look like one that does not."""
    skipped = terminalreporter.getreports("skipped")
    reasons = Counter(report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple))
    for reason, tests in reasons.items():
        terminalreporter.write_line(f"left out {tests} of the tests: {reason.removeprefix('Skipped: ')}")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--kills", default="3", help="how often the event of test_kill.py is killed")
    parser.addoption("--compiled", action="store_true", help="the build under test is compiled, and has to be")
    parser.addoption("--minutes", default="20", help="how long the long days of test_day.py and test_visitors.py last")
