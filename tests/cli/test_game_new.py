"""``ordago game new``: the skeleton of a game, as a package of its own and in a checkout."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from support.commands import assert_told, ordago
from support.packages import PROJECT, installed, offering

from ordago import v1
from ordago.games import find_game
from ordago_cli.errors import EXIT_OUTSIDE, EXIT_USAGE
from ordago_cli.game.checkout import _FILES, _LISTS, _SORTED
from ordago_cli.game.command import _stub

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def run(*command: object, cwd: Path) -> str:
    """Run a command that has to succeed, and return what it says."""
    ended = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)  # noqa: S603 - own
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package") / "briscola"
    assert_told(ordago("game", "new", "briscola", "--title", "Briscola Chiamata", "--folder", folder), 0, "pip install")
    return folder


def test_a_package_is_all_its_own(package: Path) -> None:
    files = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {"README.md", "pyproject.toml", "briscola.proto", "briscola.md", "test_briscola.py", "py.typed"} <= {
        path.name for path in files
    }
    for path in files:
        assert not re.search("high.?card", path.read_text(encoding="utf-8") + str(path), re.IGNORECASE), path
    assert (package / "proto/ordago/v1/cards.proto").read_bytes() == (ROOT / "proto/ordago/v1/cards.proto").read_bytes()


@pytest.mark.slow
def test_names_of_any_length_fit_the_lines(tmp_path: Path) -> None:
    """Those of a letter or two as well: what had to be wrapped is wrapped no more."""
    for name, title in (("b" * 20, "B" * 40), ("bo", "B")):
        assert_told(ordago("game", "new", name, "--title", title, "--folder", tmp_path / name), 0)
        run(sys.executable, "-m", "ruff", "check", "--no-cache", ".", cwd=tmp_path / name)
        run(sys.executable, "-m", "ruff", "format", "--no-cache", "--check", ".", cwd=tmp_path / name)


@pytest.mark.slow
def test_a_package_passes_lint_and_its_own_tests(package: Path) -> None:
    run(sys.executable, "-m", "ruff", "check", ".", cwd=package)
    run(sys.executable, "-m", "ruff", "format", "--check", ".", cwd=package)
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package)


@pytest.mark.slow
def test_a_package_plays_a_match(package: Path, tmp_path: Path) -> None:
    offering(tmp_path, {"briscola": "ordago_briscola:GAME"}, package="ordago-briscola")
    with installed(package, tmp_path):
        assert find_game("briscola").rules.title == "Briscola Chiamata"
        typed = f"cmd:env PYTHONPATH={package} {sys.executable} -m ordago_briscola.bot"
        record = tmp_path / "match.record"
        played = ordago("play", "briscola", "--bot", typed, "--bot", "house:random", "--record", record)
        assert_told(played, 0)
        assert_told(ordago("verify", record), 0, "clean")


@pytest.mark.slow
def test_a_package_passes_the_type_checker_and_a_wrong_field_of_its_messages_does_not(package: Path) -> None:
    run(sys.executable, "-m", "mypy", cwd=package)
    bot = package / "ordago_briscola/bot.py"
    wrong = bot.read_text().replace("view.plays", "view.played")
    (package / "ordago_briscola/wrong.py").write_text(wrong)
    command = [sys.executable, "-m", "mypy", "ordago_briscola/wrong.py"]
    told = subprocess.run(command, cwd=package, capture_output=True, text=True, check=False)  # noqa: S603 - own
    (package / "ordago_briscola/wrong.py").unlink()
    assert '"BriscolaView" has no attribute "played"' in told.stdout


@pytest.mark.slow
def test_a_package_is_installed_by_pip(package: Path, tmp_path: Path) -> None:
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check")
    source = shutil.copytree(package, tmp_path / "source")
    run(sys.executable, "-m", "pip", "install", *options, "--target", tmp_path / "site", source, cwd=tmp_path)
    with installed(tmp_path / "site"):
        assert find_game("briscola").rule_page.startswith("# Briscola Chiamata\n")
    assert (tmp_path / "site/ordago_briscola/briscola.proto").is_file()


def test_the_stub_describes_what_protoc_would() -> None:
    """Under the name that it has in the template nothing of it changes."""
    generated = (PROJECT / "ordago_highcard/highcard_pb2.py").read_text()
    same = _stub(generated, "highcard", "High Card")
    described = [FileDescriptorProto.FromString(_literal(text)) for text in (generated, same)]
    assert described[0] == described[1]
    assert [name for name in _stub(generated, "b", "B").split() if "ighcard" in name] == []


def _literal(stub: str) -> bytes:
    [literal] = re.findall(r"AddSerializedFile\((b'.*')\)", stub)
    return bytes(eval(literal))  # noqa: S307 - it is our own


# In a checkout


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return what a checkout has of all that is changed, in which the command is called."""
    root = tmp_path / "checkout"
    shutil.copytree(ROOT / "proto", root / "proto")
    for place in {*_SORTED, *(place for place, _, _ in _LISTS)}:
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / place, root / place)
    shutil.copy(ROOT / "pyproject.toml", root)
    monkeypatch.chdir(root)
    return root


def test_in_a_checkout_the_game_stands_beside_the_others(checkout: Path) -> None:
    assert_told(ordago("game", "new", "briscola", "--title", "Briscola Chiamata"), 0, "make proto texts")
    assert not (checkout / ".ruff_cache").exists()
    written = [checkout / place.replace("highcard", "briscola") for place in _FILES.values()]
    lists = [checkout / place for place in {*_SORTED, *(place for place, _, _ in _LISTS)}]
    for path in (*written, *lists):
        text = path.read_text(encoding="utf-8")
        assert re.search("briscola", text, re.IGNORECASE), path
        assert not re.search(r"high.?card|messages=|rule_page|[{]\w+[.]json", text, re.IGNORECASE), path
    run(BIN / "ruff", "check", "server", "tests", cwd=checkout)
    run(BIN / "ruff", "format", "--check", "server", "tests", cwd=checkout)


@pytest.mark.slow
def test_in_a_checkout_the_contract_has_its_messages_under_one_number(checkout: Path) -> None:
    assert_told(ordago("game", "new", "briscola"), 0)
    run(BIN / "buf", "lint", "proto", cwd=checkout)
    run(BIN / "buf", "format", "--diff", "--exit-code", "proto", cwd=checkout)
    run(BIN / "buf", "build", "proto", "-o", "contract.binpb", cwd=checkout)
    files = FileDescriptorSet.FromString((checkout / "contract.binpb").read_bytes()).file
    [unions] = [file.message_type for file in files if file.name == "ordago/v1/games.proto"]
    arms = [[(field.number, field.type_name) for field in union.field if field.name == "briscola"] for union in unions]
    parts = ("Options", "View", "Action", "Event")
    number = 1 + max(field.number for field in v1.View.DESCRIPTOR.fields if field.name != "other")
    assert arms == [[(number, f".ordago.v1.Briscola{part}")] for part in parts]
    assert [game["game"] for game in json.loads((checkout / "proto/cards.json").read_text())["games"]][-1] == "briscola"


def test_in_a_checkout_one_game_is_begun_after_the_other(checkout: Path) -> None:
    """The lists take a game in the form that the one before left them in."""
    for name in ("briscola", "tressette", "scopone"):
        assert_told(ordago("game", "new", name, "--title", f"The Game of {name.capitalize()}"), 0)
    for place in {*_SORTED, *(place for place, _, _ in _LISTS)}:
        text = (checkout / place).read_text(encoding="utf-8")
        times = [len(re.findall(name, text, re.IGNORECASE)) for name in ("briscola", "tressette", "scopone")]
        assert times[0] == times[1] == times[2] > 0, place
    run(BIN / "ruff", "format", "--check", "server", "tests", "tools", cwd=checkout)
    run(BIN / "buf", "lint", "proto", cwd=checkout)
    rules = re.findall(r"\]\(docs/rules/(\w+)\.md\)", (checkout / "README.md").read_text(encoding="utf-8"))
    assert rules[-3:] == ["briscola", "tressette", "scopone"]


def test_where_a_list_cannot_be_found_nothing_is_written(checkout: Path) -> None:
    (checkout / "clients/go/answers.go").write_text("package ordago\n")
    before = sorted(checkout.rglob("*"))
    assert_told(
        ordago("game", "new", "briscola"), EXIT_OUTSIDE, "cannot find where briscola goes in clients/go/answers.go"
    )
    assert sorted(checkout.rglob("*")) == before


def test_a_game_is_not_begun_twice(checkout: Path) -> None:
    assert_told(ordago("game", "new", "briscola"), 0)
    assert_told(ordago("game", "new", "briscola"), EXIT_OUTSIDE, "already exists")
    assert checkout.is_dir()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("mus",), "there is a game 'mus' already"),
        (("class",), "cannot name a game"),
        (("other",), "cannot name a game"),
        (("Whist",), "cannot name a game"),
        (("../whist",), "cannot name a game"),
        (("w" * 21,), "cannot name a game"),
        (("legal",), "the contract has a LegalAction already"),
        (("briscola", "--title", 'Bris"cola'), "a title takes letters"),
        (("briscola", "--title", "B" * 41), "40 at most"),
    ],
)
def test_what_cannot_be_a_game_is_told(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    assert_told(ordago("game", "new", *words, "--folder", tmp_path / "new"), EXIT_USAGE, told)
    assert not (tmp_path / "new").exists()


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert_told(ordago("game", "new", "briscola", "--folder", tmp_path), EXIT_OUTSIDE, "already exists")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
