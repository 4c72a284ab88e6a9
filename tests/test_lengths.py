"""No file is so long that it holds more than one idea."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("server", "clients/python", "tournaments", "tools", "tests")
MOST_LINES = 400


def is_written_by_hand(path: Path) -> bool:
    return "_pb2" not in path.name


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_file_has_too_many_lines(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.py") if is_written_by_hand(path)]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert files
    assert {str(path.relative_to(ROOT)): count for path, count in lines.items() if count > MOST_LINES} == {}
