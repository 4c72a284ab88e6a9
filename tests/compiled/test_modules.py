"""What holds in a compiled build alone: ``make compiled`` runs these tests there, by the option ``--compiled``."""

import importlib
import json
import subprocess
import sys
import traceback
from collections.abc import Mapping
from importlib.machinery import ExtensionFileLoader, SourceFileLoader
from pathlib import Path

import pytest
from compiled.listing import MODULES, SERVER, listed

import ordago
from ordago.build import PLAIN
from ordago.chance import ScriptedDeals
from ordago.game import Shuffle
from ordago.games import game_names

SAME_RECORDS = str(Path(__file__).parents[2] / "tools/same_records.py")


@pytest.fixture(autouse=True)
def _is_compiled(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--compiled"):
        pytest.skip("it takes a compiled build; make compiled makes one")


def test_the_build_knows_that_it_is_compiled():
    assert ordago.IS_COMPILED


@pytest.mark.parametrize("path", MODULES)
def test_each_module_that_is_to_be_compiled_runs_compiled(path: str):
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert isinstance(module.__loader__, ExtensionFileLoader)


def test_others_do_not():
    folders = (SERVER / "ordago/games", SERVER / "ordago/wire")
    others = {path.relative_to(SERVER).as_posix() for folder in folders for path in folder.rglob("*.py")} - {*MODULES}
    names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in sorted(others)]
    assert "ordago.wire.mirror" in names
    assert all(isinstance(importlib.import_module(name).__loader__, SourceFileLoader) for name in names)


def test_a_traceback_names_the_file_and_the_line():
    with pytest.raises(KeyError) as raised:
        ScriptedDeals({}).shuffled(Shuffle(0, 0, (1, 2)))
    frame = traceback.extract_tb(raised.value.__traceback__)[-1]
    lines = (SERVER / "ordago/chance.py").read_text(encoding="utf-8").splitlines()
    assert frame.lineno is not None
    assert (frame.filename, frame.name) == ("ordago/chance.py", "shuffled")
    assert "self.shuffles[due.deal, due.shuffle]" in lines[frame.lineno - 1]


def test_the_sources_of_the_build_are_those_of_the_checkout():
    installed = Path(ordago.__path__[0]).parent
    assert [path for path in MODULES if (installed / path).read_bytes() != (SERVER / path).read_bytes()] == []
    assert listed(installed) == MODULES


def said_by_python(*arguments: str, environment: Mapping[str, str] | None = None) -> str:
    command = (sys.executable, *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout  # noqa: S603 - Python


def test_a_word_of_the_environment_makes_the_sources_run():
    program = ("-W", "error", "-c", "import ordago, ordago.cards; print(ordago.IS_COMPILED, ordago.cards.__file__)")
    assert said_by_python(*program, environment={}).startswith("True ")
    plain = said_by_python(*program, environment={PLAIN: "1"})
    assert plain.startswith("False ")
    assert plain.strip().endswith("cards.py")


def test_under_a_debugger_the_sources_run():
    program = "import sys; sys.settrace(lambda *_: None); import ordago; print(ordago.IS_COMPILED)"
    assert said_by_python("-W", "error", "-c", program) == "False\n"


@pytest.mark.parametrize("option", ["-O", "-OO"])
def test_without_asserts_the_records_are_the_same(option: str):
    play = (SAME_RECORDS, "--one", "mus", "--matches", "3")
    digest, decisions, _ = json.loads(said_by_python(*play))
    assert json.loads(said_by_python(option, *play))[:2] == [digest, decisions]


def test_records_of_plain_and_compiled_play_are_the_same():
    said = said_by_python(SAME_RECORDS, "--matches", "20").splitlines()
    assert [line.split()[0] for line in said] == game_names()
    assert all("decisions: the same (" in line for line in said)
