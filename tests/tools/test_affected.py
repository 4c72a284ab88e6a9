"""Tests are found by what was changed, and those of the SDKs run where these have changed."""

import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import affected
from affected import concerned, foreign_changed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("server/ordago/match/terms.py", {"tests/match"}),
        ("server/ordago/games/mus/rules.py", {"tests/games/mus"}),
        ("server/ordago/chance.py", {"tests/test_chance.py"}),
        ("clients/python/ordago_bot/house/solid.py", {"tests/clients/house"}),
        ("tournaments/ordago_web/live/shares.py", {"tests/web/live"}),
        ("tests/games/mus/cases.txt", {"tests/games/mus"}),
        ("tests/games/mus/test_cases.py", {"tests/games/mus/test_cases.py"}),
        ("tests/support/postgresql.py", {"tests/store/test_postgresql.py"}),
        ("docs/protocol.md", {"tests/test_docs.py", "tests/web/test_documentation.py"}),
        ("docs/start/first-bot.md", {"tests/test_docs.py", "tests/test_tutorials.py"}),
        ("tools/counts.py", {"tests/tools"}),
    ],
)
def test_a_change_concerns_what_mirrors_it_and_what_names_it(changed: str, tests: set[str]) -> None:
    assert (affected.ROOT / changed).parent.is_dir()
    assert tests | {"tests/test_lengths.py"} <= set(concerned([Path(changed)]))


@pytest.mark.slow
def test_a_folder_stands_for_what_lies_in_it() -> None:
    assert (
        concerned([Path("tests/games/mus/cases.txt"), Path("tests/games/mus/test_cases.py")]).count("tests/games/mus")
        == 1
    )
    assert not [test for test in concerned([Path("tests/games/mus/cases.txt")]) if test.startswith("tests/games/mus/")]


def test_where_nothing_was_changed_no_test_is_concerned() -> None:
    assert concerned([]) == []


def test_sdks_are_tested_where_they_have_changed_since_tests_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clients/go").mkdir(parents=True)
    (tmp_path / "clients/python").mkdir()
    source = tmp_path / "clients/go/bot.go"
    source.write_text("one")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(tmp_path))
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "all"]):
        subprocess.run([*git, *words], check=True)  # noqa: S603 - ours
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(affected, "ROOT", tmp_path)
    monkeypatch.setattr(affected, "STAMP", tmp_path / "out/tested")
    found = [foreign_changed()]
    for name, text in (("go/bot.go", "two"), ("python/bot.py", "of no other language"), ("go/new.go", "three")):
        (tmp_path / "clients" / name).write_text(text)
        found.append(foreign_changed())
        monkeypatch.setattr(sys, "argv", ["affected.py", "passed"])
        affected.main()
        found.append(foreign_changed())
    assert found == [False, True, False, False, False, True, False]
    monkeypatch.setenv("CI", "true")
    assert foreign_changed(), "CI knows of no earlier run"
