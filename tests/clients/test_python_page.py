"""What the pages of the Python SDK show works as it stands there, and so does a project that is begun with it."""

import logging
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from support.frames import from_server
from support.scripted_server import ScriptedServer, Stage

import ordago_bot
from ordago import v1
from ordago_bot import Bot, play_locally, testing
from ordago_cli.bot.command import write_project
from ordago_cli.bot.languages import languages_of_checkout

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "clients/vectors"
SIMPLE = ROOT / "clients/python/bots/simple.py"
PAGE = "".join((ROOT / "clients/python" / name).read_text(encoding="utf-8") for name in ("README.md", "running.md"))


@pytest.fixture(scope="module")
def shown() -> Iterator[dict[str, Any]]:
    """Return what the blocks of the pages define, run one after the other in the folder of a project."""
    names: dict[str, Any] = {"__name__": "page"}
    with chdir(VECTORS):
        for block in re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE):
            exec(compile(block, "README.md", "exec"), names)  # noqa: S102 - it is ours
    yield names
    logging.getLogger("ordago_bot").removeHandler(handler_of(names))


def handler_of(names: dict[str, Any]) -> Any:
    return next(one for one in logging.getLogger("ordago_bot").handlers if isinstance(one, names["Refusals"]))


BOTS = ["RandomBot", "Examples", "Polite", "InThreads", "UnderTrio", "Careful"]


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


class Stubborn(Bot):
    """Answers by what is no legal action."""

    def choose(self, _decision: v1.Decision) -> Any:
        return v1.Answer(legal_action=9999)


def test_the_handler_of_the_page_hears_of_refusals(shown: dict[str, Any]) -> None:
    bots = [Stubborn, shown["RandomBot"], shown["RandomBot"]]
    list(play_locally(bots, "mittlere", options={"deals": 3}))
    assert set(handler_of(shown).causes) == {"answer"}


@pytest.mark.slow
def test_the_session_of_the_page_is_played(shown: dict[str, Any], capsys: Any) -> None:
    def scene(stage: Stage) -> Iterator[bytes]:
        assert stage.hello().matches_in_all == 10
        yield from_server(v1.Welcome(session_id="s"), v1.Goodbye(sentence="good night"))

    with ScriptedServer() as server:
        server.stage(scene)
        shown["evening"](server.address)
    assert capsys.readouterr().out == "good night {} True\n"


@pytest.mark.slow
def test_the_test_of_the_page_runs_in_a_project(shown: dict[str, Any], project: Path) -> None:
    with chdir(project):
        shown["test_it_makes_no_mistakes"]()


def test_everything_public_stands_on_the_page() -> None:
    public = {*ordago_bot.__all__, *testing.__all__} - {"BotFactory", "Countdown", "LocalMatch", "Outcome"}
    public -= {"PlayedMatch", "PlayedSeat"}
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
    assert "2 passed" in ended.stdout, ended.stdout + ended.stderr


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
