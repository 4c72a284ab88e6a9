"""The scripts of the pages: their types fit, and each is as short as other files."""

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASSETS = Path(str(files("ordago_ladder") / "assets"))
COMPILER = ROOT / "clients/typescript/node_modules/.bin/tsc"
OPTIONS = (
    *("--noEmit", "--allowJs", "--checkJs", "--strict", "--noUnusedLocals", "--noImplicitReturns"),
    *("--target", "ES2023", "--lib", "ES2023,DOM,DOM.Iterable", "--types", "", "--moduleDetection", "legacy"),
)
MOST_LINES = 400


def checked(*paths: Path) -> "subprocess.CompletedProcess[str]":
    if shutil.which("node") is None or not COMPILER.exists():
        pytest.skip("the TypeScript client is not built: make clients")
    command = [str(COMPILER), *OPTIONS, *map(str, paths), str(ASSETS / "ordago.d.ts")]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own


@pytest.mark.slow
def test_the_types_of_all_scripts_fit() -> None:
    found = checked(*sorted(ASSETS.glob("*.js")))
    assert found.returncode == 0, found.stdout


@pytest.mark.slow
def test_a_script_whose_types_do_not_fit_is_found(tmp_path: Path) -> None:
    script = tmp_path / "wrong.js"
    script.write_text("/** @type {Group} */ const group = { cards: ['ten of hearts'] };\n", encoding="utf-8")
    assert "Type 'string' is not assignable to type 'number'" in checked(script).stdout


@pytest.mark.parametrize("suffix", [".js", ".css", ".ts"])
def test_no_script_and_no_style_has_too_many_lines(suffix: str) -> None:
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in ASSETS.glob(f"*{suffix}")}
    assert lines
    assert {name: count for name, count in lines.items() if count > MOST_LINES and name != "cards.js"} == {}


def test_scripts_put_no_markup_into_pages() -> None:
    for path in ASSETS.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert "innerHTML" not in text, path.name
        assert "insertAdjacentHTML" not in text, path.name
        assert "eval(" not in text, path.name
