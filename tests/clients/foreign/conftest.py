"""The bots that are not written in Python, built, and a server that follows a script."""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from support.programs import leave_out, need_program
from support.scripted_server import ScriptedServer

ROOT = Path(__file__).parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from foreign_clients import CLIENTS, STAMPS, Client, outcome_of  # noqa: E402 - the tools are no package

LANGUAGES = ("python", *(client.folder.name for client in CLIENTS))


def pytest_itemcollected(item: pytest.Item) -> None:
    item.add_marker("foreign")


def build(client: Client) -> None:
    """See to it that it was tried to build a client."""
    STAMPS.mkdir(parents=True, exist_ok=True)
    # Several workers of a test run may come here at the same time.
    with FileLock(STAMPS / "tests.lock"):
        # What could not be built is not tried again by each of them, but by make.
        if not client.missing and outcome_of(client) is None:
            tool = str(ROOT / "tools" / "foreign_clients.py")
            command = [sys.executable, tool, "build", "--only", client.folder.name]
            subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - ours


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Print the SDKs in trouble as one table, a line for each case, in the long form."""
    cells: dict[str, dict[str, str]] = {}
    for outcome in ("passed", "failed", "skipped"):
        for report in terminalreporter.stats.get(outcome, ()):
            if found := re.search(r"test_(?:trouble|failures)\.py::test_(\w+)\[(.*)\]$", report.nodeid):
                name, words = found[1], found[2].split("-")
                language = next((word for word in words if word in LANGUAGES), "")
                case = " ".join([name.replace("_", " "), *(word for word in words if word not in (language, "random"))])
                cells.setdefault(case, {})[language] = outcome
    if not cells or not config.getoption("--torture"):
        return
    terminalreporter.section("the SDKs in trouble")
    rows = [(case, [row.get(name, "") for name in LANGUAGES]) for case, row in cells.items()]
    for head, shown in [("", LANGUAGES), *rows]:
        terminalreporter.line(" ".join([f"{head[:64]:64}", *(f"{cell:10}" for cell in shown)]))


def present(client: Client) -> Client:
    """Return the client; skip the test if it is not built, or fail if this is CI."""
    for program in client.needs:
        need_program(program, to=f"build {client.name} with")
    build(client)
    outcome = outcome_of(client)
    assert outcome is not None
    if outcome.missing:
        leave_out(f"{client.name} is not built, since {outcome.missing}; make clients tries again")
    if outcome.failed:
        pytest.skip(f"{client.name} cannot be built, which is a test of its own")
    return client


@pytest.fixture(scope="session")
def built() -> None:
    """See to it that it was tried to build all clients; in CI all of them are."""
    for client in CLIENTS:
        build(client)


@pytest.fixture(params=CLIENTS, ids=lambda client: client.name)
def client(request: pytest.FixtureRequest) -> Client:
    return present(request.param)


@pytest.fixture(params=[None, *CLIENTS], ids=lambda client: client.name if client else "python")
def command(request: pytest.FixtureRequest) -> Sequence[str]:
    """Return what starts a bot, one in Python too."""
    return present(request.param).command if request.param else (sys.executable, "-m", "ordago_bot", "random")


@pytest.fixture
def all_clients() -> list[Client]:
    return [present(client) for client in CLIENTS]


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server
