"""The pages of docs/reference are made from the comments of the contract, whole."""

import subprocess
import sys
from pathlib import Path
from shutil import copy, copytree

import pytest

from ordago import v1

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference"
TOOL = ROOT / "tools" / "reference.py"
MESSAGES = [kind for kind in vars(v1).values() if hasattr(getattr(kind, "DESCRIPTOR", None), "fields")]


def test_the_pages_are_what_the_tool_writes() -> None:
    ended = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False)  # noqa: S603
    assert ended.returncode == 0, ended.stderr


def test_a_page_that_drifted_is_named(tmp_path: Path) -> None:
    """The tool is tried in a copy of what it reads, one of whose pages was edited by hand, with one more beside it."""
    copytree(PAGES, tmp_path / "docs" / "reference")
    (tmp_path / "proto").symlink_to(ROOT / "proto")
    (tmp_path / "tools").mkdir()
    copy(TOOL, tmp_path / "tools")
    edited = tmp_path / "docs/reference/faults.md"
    edited.write_text(edited.read_text(encoding="utf-8").replace("illegal", "wrong"), encoding="utf-8")
    copy(edited, edited.with_name("older.md"))
    command = [sys.executable, tmp_path / "tools" / "reference.py", "--check"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - it is ours
    assert ended.returncode == 1
    assert ended.stderr.rstrip().endswith("make reference writes it anew: faults.md, older.md")


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.DESCRIPTOR.name)
def test_every_message_stands_there_with_all_its_fields(kind: type) -> None:
    descriptor = kind.DESCRIPTOR  # type: ignore[attr-defined]
    page = (PAGES / f"{Path(descriptor.file.name).stem}.md").read_text(encoding="utf-8")
    section = page.partition(f"## {descriptor.name}\n")[2].partition("\n## ")[0]
    for field in descriptor.fields:
        row = next(line for line in section.splitlines() if line.startswith(f"| {field.number} | `{field.name}` |"))
        assert len(row.split("|")[4].strip()) >= 3, "with a meaning"
        if field.message_type is not None and field.message_type.name in vars(v1):
            assert f"#{field.message_type.name.lower()})" in row, "and a link to its type"
