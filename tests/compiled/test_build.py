"""Which modules run, where compiled ones and sources stand side by side in all the ways in which they can."""

import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from compiled.listing import MODULES, SERVER, compiled_modules

from ordago.build import ORIGIN, PLAIN, SENTINEL, complaint_about, library_name, line_of_origin

SUFFIX = EXTENSION_SUFFIXES[0]
SOURCES = {"ordago/cards.py": b"VALUE = 1\n", "ordago/deep/pack.py": b"VALUE = 2\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a package that looks as if it had been compiled. No compiled module of it can be imported."""
    origin = "".join(line_of_origin(path, source) for path, source in SOURCES.items()).encode()
    for path, source in SOURCES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(source)
        (tmp_path / path).with_name(Path(path).stem + SUFFIX).write_bytes(b"")
    (tmp_path / "ordago/deep/__init__.py").write_bytes(b"")
    for name in ("__init__.py", "build.py"):
        shutil.copy(SERVER / "ordago" / name, tmp_path / "ordago")
    (tmp_path / "ordago" / ORIGIN).write_bytes(origin)
    (tmp_path / (library_name(origin) + SUFFIX)).write_bytes(b"")
    (tmp_path / "librt").mkdir()
    (tmp_path / "librt" / "strings.py").touch()
    return tmp_path / "ordago"


def run(folder: Path, *, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Import the package, and a module of it that is compiled."""
    program = f"{before}\nimport ordago; print(ordago.IS_COMPILED)\nfrom ordago.deep import pack; print(pack.VALUE)"
    environment["PYTHONPATH"] = str(folder.parent)
    command = (sys.executable, "-S", "-c", program)
    return subprocess.run(command, check=False, capture_output=True, text=True, env=environment)  # noqa: S603 - Python


def test_compiled_modules_run_where_they_are_those_of_the_sources(folder: Path):
    assert complaint_about(str(folder)) == ""
    came = run(folder)
    assert came.stdout == "True\n"
    assert "file too short" in came.stderr  # it is what the test put there


def test_a_source_that_was_changed_runs_itself_and_one_sentence_says_so(folder: Path):
    (folder / "deep/pack.py").write_text("VALUE = 3\n")
    came = run(folder)
    assert came.stdout == "False\n3\n"
    assert (
        f"StaleBuildWarning: the compiled modules in {folder} were made from another version of ordago/deep/pack.py, "
        "so Ordago runs from its sources, only slower; reinstall it, or delete the compiled modules\n"
    ) in came.stderr


def test_a_source_that_is_gone_is_noticed(folder: Path):
    (folder / "cards.py").unlink()
    assert "made from another version of ordago/cards.py" in complaint_about(str(folder))


def test_modules_in_a_checkout_that_say_nothing_of_their_sources_do_not_run(folder: Path):
    (folder / ORIGIN).unlink()
    came = run(folder)
    assert came.stdout == "False\n2\n"
    assert "do not say which sources they were made from, so Ordago runs" in came.stderr


def test_the_modules_of_another_build_do_not_run(folder: Path):
    (folder / "cards.py").write_text("VALUE = 4\n")
    lines = (folder / ORIGIN).read_text().splitlines(keepends=True)
    (folder / ORIGIN).write_text(line_of_origin("ordago/cards.py", b"VALUE = 4\n") + lines[1])
    came = run(folder)
    assert came.stdout == "False\n2\n"
    assert f"are from another build than {ORIGIN} next to them, so Ordago runs" in came.stderr


def test_without_what_they_write_bytes_by_compiled_modules_do_not_run(folder: Path):
    (folder.parent / "librt" / "strings.py").unlink()
    came = run(folder)
    assert came.stdout == "False\n2\n"
    assert f"modules in {folder} need librt.strings, which cannot be imported, so Ordago runs" in came.stderr


def test_modules_for_another_python_are_nothing_to_complain_of(folder: Path):
    for module in folder.parent.rglob(f"*{SUFFIX}"):
        module.rename(module.with_name(module.name.replace(SUFFIX, ".cpython-30-other.so")))
    came = run(folder)
    assert (came.stdout, came.stderr) == ("False\n2\n", "")


def test_a_build_without_a_compiler_says_nothing(folder: Path):
    (folder / ORIGIN).unlink()
    for module in folder.parent.rglob(f"*{SUFFIX}"):
        module.unlink()
    came = run(folder)
    assert (came.stdout, came.stderr) == ("False\n2\n", "")


@pytest.mark.parametrize(
    ("before", "environment"),
    [("", {PLAIN: "1"}), ("import sys; sys.settrace(lambda *_: None)", {})],
    ids=["by a word", "under a debugger"],
)
def test_whoever_wants_the_sources_gets_them(folder: Path, before: str, environment: dict[str, str]):
    came = run(folder, before=before, **environment)
    assert (came.stdout, came.stderr) == ("False\n2\n", "")


def test_what_is_asked_for_makes_no_complaint_about_what_is_stale(folder: Path):
    (folder / ORIGIN).unlink()
    assert run(folder, **{PLAIN: "1"}).stderr == ""


def test_every_pattern_of_the_list_fits_a_module():
    assert [*compiled_modules.idle_patterns(SERVER)] == []


def test_every_build_compiles_the_module_that_gives_it_away():
    assert f"ordago/{SENTINEL}.py" in MODULES


def test_what_is_missing_for_compiling_is_said_with_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CC", "no-such-compiler -O3")
    missing = "there is no C compiler (no-such-compiler): install one, as by apt install gcc"
    assert compiled_modules.what_is_missing() == missing
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr("sysconfig.get_path", lambda _name: "/nowhere")
    assert "Python.h" in compiled_modules.what_is_missing()
