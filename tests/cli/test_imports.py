"""What is not needed is not imported: that is what keeps a start short, and unlike a time it is the same everywhere."""

import gc
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from ordago_cli.program import LazyGroup, Place, program

HEAVY = {"alembic", "google", "grpc", "jinja2", "numpy", "pydantic", "rich", "sqlalchemy", "structlog", "trio", "yaml"}
"""Each of them takes a tenth of a second or so."""


def loaded(*arguments: str) -> set[str]:
    """Return the modules that a run of Python imports, the first word of each name."""
    run = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    names = (line.rpartition("|")[2].strip() for line in run.stderr.splitlines() if line.startswith("import time:"))
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("arguments", [("-m", "ordago", "--help"), ("-m", "ordago", "--version")])
def test_help_imports_nothing_heavy(arguments: Iterable[str]) -> None:
    modules = loaded(*arguments)
    assert "click" in modules, "it is seen what is imported"
    assert not modules & HEAVY


def test_the_sdk_imports_nothing_of_the_server() -> None:
    """A bot connects with its first use of ``run``, so what connects is not there before."""
    modules = loaded("-c", "import ordago_bot")
    assert "ordago_bot" in modules
    assert not modules & (HEAVY - {"google"} | {"click", "ordago_ladder", "ordago_web"})


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "games"])
def test_a_command_does_not_import_the_others(command: str) -> None:
    assert not loaded("-m", "ordago", command, "--help") & {"numpy", "ordago_web", "hypercorn", "distributed"}


@pytest.mark.slow
def test_tables_for_anybody_begin_without_what_accounts_ladders_and_sites_need() -> None:
    """A server that answers at once is missed for a moment only when it is started anew."""
    modules = loaded("-m", "ordago", "serve", "--help")
    assert {"grpc", "trio"} <= modules
    assert not modules & {"alembic", "jinja2", "numpy", "ordago_ladder", "ordago_web", "pydantic", "sqlalchemy"}


@pytest.mark.slow
def test_a_worker_begins_without_what_plans_rates_and_commits() -> None:
    """It plays what it is sent, and there may be as many of them as there are processors."""
    modules = loaded("-c", "import ordago_ladder.workers.worker")
    assert {"grpc", "trio"} <= modules
    assert not modules & (HEAVY - {"google", "grpc", "pydantic", "trio"} | {"ordago_web", "tomlkit"})


@pytest.mark.slow
def test_a_process_that_proves_records_begins_without_what_events_and_ladders_need() -> None:
    """Each processor has one, which begins anew."""
    modules = loaded("-c", "import ordago_ladder.verification.records")
    assert "google" in modules
    assert not modules & (HEAVY - {"google", "pydantic"})


@pytest.mark.parametrize("name", sorted(program.commands))
def test_what_is_said_of_a_command_is_the_first_sentence_of_its_help(name: str) -> None:
    assert isinstance(program, LazyGroup)
    command, told = program.commands[name], program.places[name].help
    assert command.name == name
    assert click.Command(name, help=told).get_short_help_str(1_000) == command.get_short_help_str(1_000) == told


def test_a_command_is_found_when_it_is_used() -> None:
    group = LazyGroup(name="group", places={"one": Place("ordago_cli.games", "games", "Say one.")})
    with click.Context(group) as context:
        assert "Say one." in group.get_help(context)
        assert group.get_command(context, "one") is group.commands["one"]
        assert group.get_command(context, "two") is None


def test_nothing_is_collected_while_a_command_is_imported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a_command.py").write_text("import gc, click\ncollects = gc.isenabled()\none = click.Command('one')\n")
    (tmp_path / "a_broken_command.py").write_text("raise ImportError('this one is broken')\n")
    monkeypatch.syspath_prepend(tmp_path)
    places = {name: Place(name, "one", "Say one.") for name in ("a_command", "a_broken_command")}
    group = LazyGroup(name="group", places=places)
    command = group.commands["a_command"]
    assert not sys.modules.pop("a_command").collects
    assert gc.isenabled()
    assert not any(known is command for known in gc.get_objects()), "it is not looked at any more"
    with pytest.raises(ImportError, match="this one is broken"):
        group.commands["a_broken_command"]
    assert gc.isenabled(), "whatever becomes of the import"


def test_who_stops_a_command_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A code of 1 would say that what was checked is wrong."""

    def stop() -> None:
        raise KeyboardInterrupt

    group = LazyGroup(name="group", places={})
    monkeypatch.setitem(group.commands, "one", click.Command("one", callback=stop))
    run = CliRunner().invoke(group, ["one"])
    assert (run.exit_code, run.stderr) == (130, "ordago: stopped\n")


_STOPPED_AT_THE_NEXT_IMPORT = """
class Stop:
    stopped = False

    def find_spec(self, *_):
        if self.stopped:
            raise ImportError("what is half imported cannot be imported once more")
        self.stopped = True
        raise KeyboardInterrupt

sys.meta_path.insert(0, Stop())
sys.argv = ["ordago", "games"]
ordago_cli.main()
"""


@pytest.mark.parametrize("imported", ["ordago_cli", "ordago_cli.program"])
def test_who_stops_an_import_is_told_so_and_nothing_is_imported_to_say_it(imported: str) -> None:
    program = f"import sys, {imported}\n{_STOPPED_AT_THE_NEXT_IMPORT}"
    run = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr) == (130, "ordago: stopped\n")
