"""What the page of the Python SDK shows works as it stands there, and so does a project that is begun with it."""

import logging
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import ordago_bot
from ordago_bot import Bot, play_locally
from ordago_cli.bot.command import write_project
from ordago_cli.bot.languages import languages_of_checkout

ROOT = Path(__file__).parents[2]
SIMPLE = ROOT / "clients/python/bots/simple.py"
PAGE = (ROOT / "clients/python/README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """Return what the blocks of the page define, run one after the other."""
    names: dict[str, Any] = {"__name__": "page"}
    for block in re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE):
        exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - it is ours
    return names


BOTS = ["RandomBot", "Examples", "Polite", "InThreads", "UnderTrio"]


def test_every_bot_of_the_page_is_played(shown: dict[str, Any]) -> None:
    defined = [name for name, value in shown.items() if isinstance(value, type) and issubclass(value, Bot)]
    assert [name for name in defined if shown[name].__module__ == "page"] == BOTS


@pytest.mark.parametrize("name", BOTS)
def test_the_bots_of_the_page_play(shown: dict[str, Any], name: str, caplog: pytest.LogCaptureFixture) -> None:
    bots = [shown[name], shown["RandomBot"], shown["RandomBot"]]
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        [match] = play_locally(bots, "mittlere", options={"deals": 3})
    assert len(match.scores) == 3
    assert caplog.messages == []


def test_everything_public_stands_on_the_page() -> None:
    public = {*ordago_bot.__all__} - {"BotFactory", "LocalMatch"}
    own = {name for name in vars(Bot) if not name.startswith("_") and name != "retiring"}
    properties = {name for name in vars(ordago_bot.Match) if not name.startswith("_")}
    assert {name for name in public | own | properties if not re.search(rf"\b{name}\b", PAGE)} == set()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(languages_of_checkout(ROOT)["python"], tmp_path, name="my-bot")
    return tmp_path


def run(project: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", *words], cwd=project, capture_output=True, text=True, check=False)  # noqa: S603 - ours


@pytest.mark.slow
def test_a_new_project_passes_its_own_test(project: Path) -> None:
    ended = run(project, "pytest", "-q", "-p", "no:cacheprovider", "-k", "mittlere")
    assert "1 passed" in ended.stdout, ended.stdout + ended.stderr


@pytest.mark.slow
def test_a_new_project_has_types_and_a_field_that_a_view_does_not_have_is_found(project: Path) -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert any(needed.startswith("types-protobuf") for needed in told["project"]["dependencies"])
    typo = (project / "bot.py").read_text(encoding="utf-8").replace("decision.actions)", "decision.view.mittlere.hnad)")
    (project / "typo.py").write_text(typo, encoding="utf-8")
    # The cache stays, so that only the first run takes long.
    ended = run(
        project,
        "mypy",
        "--cache-dir",
        str(ROOT / ".mypy_cache/of-authors"),
        "bot.py",
        "test_bot.py",
        "typo.py",
        str(SIMPLE),
    )
    assert ended.stdout.splitlines()[0].startswith('typo.py:16: error: "MittlereView" has no attribute "hnad"')
    assert "Found 1 error in 1 file (checked 4 source files)" in ended.stdout
