"""What ``ordago bot new`` writes is built and plays in an event by the lines of its README, without a network.

Where a compiler takes minutes for all that the SDK depends on it belongs to the long form: ``make projects``.
"""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from missing import what_is_missing
from support.cells import each_way, isolation_by, user_here, why_not
from support.commands import ordago
from support.figures import Size
from support.programs import leave_out, need_program

from ordago.arena.processes.isolation.confinement import Isolation
from ordago_cli.bot.languages import Language, languages
from ordago_ladder.entrants import sandboxes as sandboxes_module

LANGUAGES: Final = list(languages().values())
QUICK: Final = ("python", "typescript")
FETCH_SECONDS: Final = 1_500
NOT_BEHIND_LANDLOCK: Final = ("cpp", "java", "rust")
"""What sets modes, or starts what it has compiled, while it builds; the README says so."""
EVENT: Final = """
[event]
name = "built"
build_timeout = 3_600
start_timeout = 120
decision_ms = 60_000
{limits}
[[game]]
name = "mittlere"
options = {{ deals = 3 }}
sets = 1

[[entrant]]
name = "house"
house = "random"

[[entrant]]
name = "default"
house = "default"

{entrant}
"""


def blocks(readme: str, kind: str) -> list[str]:
    """Return the blocks of a kind under the heading of events."""
    told = readme.partition("\n## In an event\n")[2]
    return re.findall(rf"^```{kind}\n(.*?)^```", told, flags=re.DOTALL | re.MULTILINE)


def lines_of(readme: str, home: Path) -> tuple[str, str]:
    """Return the lines of an event file that the README of a project has: those of limits, and those of the entrant."""
    first, *further = blocks(readme, "toml")
    limits, _, entrant = first.rpartition("[[entrant]]")
    for lines in further:
        here = lines.replace("/home/me/.rustup", str(home / ".rustup"))
        # What a machine has elsewhere, the README says, is given to the bot: where there is nothing, nothing is.
        if all(Path(path).exists() for path in tomllib.loads(here)["readable"]):
            entrant += here
    return limits, f"[[entrant]]{entrant}"


@pytest.fixture(params=LANGUAGES, ids=lambda language: language.key, scope="module")
def language(request: pytest.FixtureRequest) -> Language:
    """Return a language that is on the machine."""
    chosen: Language = request.param
    for program in chosen.needs:
        need_program(program, to=f"build a project in {chosen.name} with")
    return chosen


@pytest.fixture(scope="module")
def fetched(language: Language, size: Size, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project into which its one command has brought what its build needs."""
    if language.key not in QUICK and not size(0, 1):
        pytest.skip(f"a project in {language.name} takes minutes to build; make projects does it")
    project = tmp_path_factory.mktemp(language.key) / "my-bot"
    assert ordago("bot", "new", language.key, project).exit_code == 0
    with own_programs():
        for line in blocks((project / "README.md").read_text(encoding="utf-8"), "sh"):
            ended = subprocess.run(  # noqa: S602 - what the README says
                line, shell=True, cwd=project, capture_output=True, text=True, check=False, timeout=FETCH_SECONDS
            )
            if ended.returncode and (missing := what_is_missing(ended.stdout + ended.stderr)):
                leave_out(f"the project in {language.name} cannot be made ready, since {missing}")
            assert ended.returncode == 0, ended.stdout + ended.stderr
    return project


@contextmanager
def own_programs() -> Iterator[None]:
    """Let ``python`` be the one that Ordago is installed in, as in an environment that was activated."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
        yield


def without_what_was_built(project: Path, target: Path) -> None:
    """Copy a project; what its command built on the way is not what an event builds."""
    shutil.copytree(project, target, symlinks=True)
    for built in target.glob("*/target"):
        shutil.rmtree(built)


@each_way
def test_a_new_project_is_built_and_plays_in_an_event(
    way: str, language: Language, fetched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why_not(way) or (way == "landlock" and language.key in NOT_BEHIND_LANDLOCK):
        pytest.skip(why_not(way) or f"the README of {language.name} says that it needs bubblewrap")
    without_what_was_built(fetched, tmp_path / "my-bot")
    limits, entrant = lines_of((fetched / "README.md").read_text(encoding="utf-8"), Path.home())
    (tmp_path / "event.toml").write_text(EVENT.format(limits=limits, entrant=entrant), encoding="utf-8")
    (tmp_path / "scratches").mkdir()

    @contextmanager
    def isolation(*_: Any) -> Iterator[Isolation]:
        yield isolation_by(way, tmp_path / "scratches", user_here())

    monkeypatch.setattr(sandboxes_module, "isolation_here", isolation)
    monkeypatch.chdir(tmp_path)
    with own_programs():
        ended = ordago("run", "event.toml", "--out", "out")
    log = tmp_path / "out/private/logs/my-bot.build.log"
    assert ended.exit_code == 0, ended.output + (log.read_text(encoding="utf-8") if log.exists() else "")
    assert "no findings" in ended.output
    assert "forfeit" not in ended.output
    assert log.exists() == ("build" in tomllib.loads(entrant)["entrant"][0])


def test_each_readme_has_one_command_at_most_and_an_entrant() -> None:
    for language in LANGUAGES:
        readme = (language.folder / "template/README.md").read_text(encoding="utf-8")
        assert len(blocks(readme, "sh")) <= 1
        told = tomllib.loads(blocks(readme, "toml")[0])["entrant"]
        assert [entrant["folder"] for entrant in told] == ["@NAME@"]
