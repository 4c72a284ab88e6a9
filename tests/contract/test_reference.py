"""The pages of docs/reference are made from the comments of the contract, whole."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copy, copytree
from typing import Any

import pytest

from ordago import v1

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference"
TOOL = ROOT / "tools" / "reference.py"
MESSAGES = [kind for kind in vars(v1).values() if hasattr(getattr(kind, "DESCRIPTOR", None), "fields")]


def test_the_pages_are_what_the_tool_writes() -> None:
    ended = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, text=True, check=False)  # noqa: S603
    assert ended.returncode == 0, ended.stderr


@pytest.mark.slow
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


def test_every_message_stands_there_with_all_its_fields() -> None:
    assert len(MESSAGES) > 100
    missing = [f"{kind.DESCRIPTOR.name}.{field}" for kind in MESSAGES for field in fields_that_are_not_told(kind)]
    assert missing == []


def fields_that_are_not_told(kind: Any) -> Iterator[str]:
    """Yield the fields of a message whose row lacks a meaning, or a link to its type."""
    page = (PAGES / f"{Path(kind.DESCRIPTOR.file.name).stem}.md").read_text(encoding="utf-8")
    rows = page.partition(f"## {kind.DESCRIPTOR.name}\n")[2].partition("\n## ")[0].splitlines()
    for field in kind.DESCRIPTOR.fields:
        row = next((row for row in rows if row.startswith(f"| {field.number} | `{field.name}` |")), "")
        has_meaning = len(row.split("|")[4].strip()) >= 3 if row else False
        linked = field.message_type.name if field.message_type and field.message_type.name in vars(v1) else ""
        if not has_meaning or (linked and f"#{linked.lower()})" not in row):
            yield field.name
