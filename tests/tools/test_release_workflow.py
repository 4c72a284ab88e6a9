"""The workflow of releases is one, runs targets that exist, and publishes nothing without a person."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.programs import leave_out, need_program

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".github/workflows/release.yml"
ACTIONLINT = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7"


@pytest.fixture
def workflow() -> dict[Any, Any]:
    content: dict[Any, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return content


def lines(workflow: dict[Any, Any]) -> list[str]:
    return [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]


def test_targets_of_make_exist(workflow: dict[Any, Any]) -> None:
    named = {target for line in lines(workflow) for target in re.findall(r"^make ([a-z-]+)", line, flags=re.MULTILINE)}
    made = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert {"check", "test-all", "release", "audit", "docs"} <= named <= set(made)


def test_it_begins_by_hand_and_publishes_after_all_else_and_an_approval(workflow: dict[Any, Any]) -> None:
    # YAML takes the key for a truth value.
    assert list(workflow[True]) == ["workflow_dispatch"]
    jobs = workflow["jobs"]
    [publishing] = [name for name, job in jobs.items() if "permissions" in job]
    assert workflow["permissions"] == {"contents": "read"}
    assert set(jobs[publishing]["needs"]) == set(jobs) - {publishing}
    assert jobs[publishing]["environment"] == "release"


def test_what_a_person_types_is_no_part_of_a_script(workflow: dict[Any, Any]) -> None:
    """It would be run: a version of ``$(…)`` too."""
    assert not [line for line in lines(workflow) if "${{" in line]


@pytest.mark.slow
def test_actionlint_finds_nothing() -> None:
    need_program("go", to="run actionlint with")
    got = subprocess.run(["go", "run", ACTIONLINT, "--version"], capture_output=True, text=True, check=False)  # noqa: S603, S607 - go
    if got.returncode:
        leave_out(f"actionlint cannot be had: {got.stderr.strip().splitlines()[-1]}")
    found = subprocess.run(["go", "run", ACTIONLINT, FILE], capture_output=True, text=True, check=False)  # noqa: S603, S607 - go
    assert (found.returncode, found.stdout) == (0, "")
