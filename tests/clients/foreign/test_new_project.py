"""What ``ordago bot new`` writes builds, passes its tests, plays and is fit for an event as it is, in every language.

Where a compiler takes minutes for all that the SDK depends on it belongs to the long form: ``make projects``.
"""

import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pytest
from foreign_clients import CLIENTS
from support.command_line import ordago
from support.figures import Size
from support.programs import need_program

from ordago_cli.bot.languages import Language, languages

LANGUAGES = list(languages().values())
SLOW = {client.folder.name for client in CLIENTS if client.slow}
BUILD_SECONDS = 1500


@pytest.fixture
def environment(tmp_path: Path, language: Language, size: Size) -> dict[str, str]:
    """Return an environment with the command ``ordago``, and a Python that a project may install itself into."""
    # Before that is made, which takes as long as many tests.
    if language.key in SLOW and not size(0, 1):
        pytest.skip(f"a project in {language.name} takes minutes to build; make projects does it")
    # Its pip is that of the packages below.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "python"], check=True)  # noqa: S603 - ours
    [packages] = (tmp_path / "python").glob("lib/*/site-packages")
    (packages / "ordago.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    path = [str(tmp_path / "python/bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    return {**os.environ, "PATH": os.pathsep.join(path)}


def done(command: Sequence[str], folder: Path, environment: dict[str, str]) -> None:
    ended = subprocess.run(  # noqa: S603 - what the project says
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=BUILD_SECONDS
    )
    assert ended.returncode == 0, f"{command}: {ended.stdout}{ended.stderr}"


def test_every_language_has_a_project() -> None:
    assert {language.key for language in LANGUAGES} == {"python", *(client.folder.name for client in CLIENTS)}


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.key)
def test_a_new_project_is_a_bot(language: Language, tmp_path: Path, environment: dict[str, str]) -> None:
    for program in language.needs:
        need_program(program, to=f"build a project in {language.name} with")
    folder = tmp_path / "my-bot"
    ordago("bot", "new", language.key, str(folder))
    for command in (language.build, language.test):
        if command:
            done(command, folder, environment)
    spec = f"cmd:{shlex.join(language.run)}"
    bots = ["--bot", spec, "--bot", "house:random", "--bot", "house:random"]
    done(("ordago", "play", "mittlere", *bots), folder, environment)
    done(("ordago", "doctor", "--", *language.run), folder, environment)
