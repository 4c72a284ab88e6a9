"""``.ci/run`` passes where all that it runs does, and leaves the checkout as it was."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / ".ci/run"
PROGRAMS = ("bash", "dirname", "git")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with the script, a file that git keeps, and one that it ignores."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(RUN, tmp_path / ".ci/run")
    (tmp_path / "kept").write_text("as it was\n")
    (tmp_path / ".gitignore").write_text("bin\nignored\n")
    git = ("git", "-C", tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "all"]):
        subprocess.run([*git, *words], check=True)  # noqa: S603 - ours
    return tmp_path


def run(checkout: Path, make: str) -> "subprocess.CompletedProcess[str]":
    """Run the script with nothing on the machine but what it cannot do without, and a make that does this."""
    programs = checkout / "bin"
    programs.mkdir()
    for name in PROGRAMS:
        (programs / name).symlink_to(shutil.which(name) or name)
    (programs / "make").write_text(f'#!/bin/sh\n[ "$1" != test ] || {{ {make}; }}\n')
    (programs / "make").chmod(0o755)
    # What git is told of another checkout, where a hook of that one runs the tests, is not for this one.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(  # noqa: S603 - ours
        [checkout / ".ci/run"],
        env={**environment, "PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("make", ["true", "echo made >ignored"])
def test_what_changes_nothing_passes(checkout: Path, make: str) -> None:
    ended = run(checkout, make)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(("make", "told"), [("echo more >>kept", " M kept"), ("echo made >new", "?? new")])
def test_what_changes_the_checkout_fails_and_is_named(checkout: Path, make: str, told: str) -> None:
    ended = run(checkout, make)
    assert (ended.returncode, told in ended.stderr) == (1, True)


def test_what_was_changed_before_is_nothing_that_make_did(checkout: Path) -> None:
    (checkout / "kept").write_text("as its author wants it\n")
    assert run(checkout, "true").returncode == 0
    shutil.rmtree(checkout / "bin")
    assert run(checkout, "echo more >>kept").returncode == 1


def test_a_test_that_fails_is_what_it_fails_by(checkout: Path) -> None:
    assert run(checkout, "exit 7").returncode == 7
