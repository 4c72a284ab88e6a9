"""Two distributions: bots' authors get nothing of the server, organisers get both, and no file is in both."""

import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from packages import BOTS, ROOT, SERVER, build

from ordago.version import __version__

pytestmark = pytest.mark.slow

PLAYED = """
from ordago_bot import play_locally
from ordago_bot.house.solid import SolidBot

for game, seats in {"mitaines": 4, "mitigati": 3, "mittlere": 3, "mus": 4, "taihe": 3}.items():
    assert list(play_locally([SolidBot] * seats, game, seed=1, strict=True))
"""
IMPORTED = """
import importlib, pathlib
root = pathlib.Path(sys.path[0])
for path in root.glob("**/*.py"):
    if path.name != "__main__.py":
        importlib.import_module(".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"))
foreign = {"click", "sqlalchemy", "ordago_cli", "ordago_ladder", "ordago.arena", "ordago.store"} & set(sys.modules)
assert not foreign, foreign
"""
# An editable installation has data of the command line beside the dependencies, which passes for a package.
COMMAND = "import runpy; sys.modules['ordago_cli'] = None; runpy.run_module('ordago', run_name='__main__')"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return all that is built, by the beginning and the end of its name."""
    made = build(tmp_path_factory.mktemp("packages"))
    return {f"{path.name.split('-')[0]}{path.suffix}": path for path in made}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what a bot's author installs."""
    folder = tmp_path_factory.mktemp("installed")
    zipfile.ZipFile(built["ordago.whl"]).extractall(folder)  # noqa: S202 - ours
    return folder


def files(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}


def metadata(wheel: Path) -> Message:
    archive = zipfile.ZipFile(wheel)
    [name] = [name for name in archive.namelist() if name.endswith("/METADATA")]
    return Parser().parsestr(archive.read(name).decode())


def run(installed: Path, program: str) -> "subprocess.CompletedProcess[str]":
    """Run a program with what is installed and its dependencies, without the checkout."""
    # Without the module site, files such as that of an editable installation are not read.
    paths = [str(installed), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    whole = f"import sys; sys.path[:0] = {paths}\n{program}"
    command = [sys.executable, "-I", "-S", "-c", whole]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=installed)  # noqa: S603 - ours


def sources() -> Iterator[str]:
    for root in ("server", "clients/python", "tournaments"):
        for package in (ROOT / root).glob("ordago*"):
            yield from (path.relative_to(ROOT / root).as_posix() for path in package.rglob("*.py"))


def test_each_source_is_in_one_of_both(built: dict[str, Path]) -> None:
    bots, server = files(built["ordago.whl"]), files(built["ordago_server.whl"])
    assert not bots & server
    assert set(sources()) <= bots | server


def test_bots_get_nothing_of_the_server(built: dict[str, Path], installed: Path) -> None:
    assert {name.split("/")[0] for name in files(built["ordago.whl"])} == {"ordago", "ordago_bot", "ordago_gym"}
    assert run(installed, IMPORTED).stderr == ""
    assert run(installed, PLAYED).stderr == ""


def test_the_command_says_what_it_needs(installed: Path) -> None:
    ended = run(installed, COMMAND)
    assert ended.returncode == 2
    assert "pip install 'ordago[server]'" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_the_command_refuses_two_versions_in_one_place(built: dict[str, Path], tmp_path: Path) -> None:
    for name in ("ordago.whl", "ordago_server.whl"):
        zipfile.ZipFile(built[name]).extractall(tmp_path)  # noqa: S202 - ours
    command = "import runpy; sys.argv[1:] = ['--version']; runpy.run_module('ordago', run_name='__main__')"
    assert run(tmp_path, command).stdout.startswith(f"ordago, version {__version__}")
    (tmp_path / f"ordago-{__version__}.dist-info").rename(tmp_path / "ordago-0.0.9.dist-info")
    ended = run(tmp_path, command)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"pip install 'ordago[server]=={__version__}'" in ended.stderr


def test_extras_lead_to_the_server_of_the_same_version(built: dict[str, Path]) -> None:
    bots, server = metadata(built["ordago.whl"]), metadata(built["ordago_server.whl"])
    assert (bots["Name"], server["Name"], bots["Version"], server["Version"]) == (BOTS, SERVER, *[__version__] * 2)
    needed = {need for need in bots.get_all("Requires-Dist", []) if need.startswith("ordago")}
    extras = {"web", "postgres", "encryption", "parquet", "cluster", "bench"}
    named = {f"ordago-server[{extra}]=={__version__}; extra == '{extra}'" for extra in extras}
    assert needed == named | {f"ordago-server=={__version__}; extra == 'server'"}
    assert set(server.get_all("Provides-Extra", [])) == extras
    assert [need for need in server.get_all("Requires-Dist", []) if "ordago" in need] == [f"ordago=={__version__}"]
    assert {bots["Requires-Python"], server["Requires-Python"]} == {">=3.11"}


def test_sources_have_the_licence_and_nothing_that_is_built(built: dict[str, Path]) -> None:
    for name in ("ordago.gz", "ordago_server.gz"):
        with tarfile.open(built[name]) as archive:
            names = {name.partition("/")[2] for name in archive.getnames()}
        assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= names
        assert not [name for name in names if name.startswith(("tests/", "out/dist")) or "node_modules" in name]


def test_builds_are_alike(built: dict[str, Path], tmp_path: Path) -> None:
    again = build(tmp_path)
    assert {path.name: path.read_bytes() for path in again} == {path.name: path.read_bytes() for path in built.values()}
