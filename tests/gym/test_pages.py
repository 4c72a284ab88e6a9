"""The pages about training: their programs run, and the fields of each game are on the page of encodings."""

import re
import shutil
import sys
from importlib import import_module
from pathlib import Path

import pytest
from gym.tables import TABLES

from ordago_gym import ENCODED, encoding_of
from ordago_gym.fields import table_of

ROOT = Path(__file__).parents[2]


def run_programs(page: str, expected: int) -> None:
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    assert len(programs) == expected
    names: dict[str, object] = {"__name__": "my_policy"}
    for program in programs:
        exec(program, names)  # noqa: S102 - as a reader runs it


def test_the_programs_about_policies_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(ROOT / "clients/python/template-policy/model.onnx", tmp_path)
    run_programs("policies", 4)
    assert set(capsys.readouterr().out.splitlines()) <= {"(1, 2, 1, 2)", "(2, 1, 2, 1)"}


def test_the_programs_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    run_programs("training", 5)
    shapes, encoding, fields = capsys.readouterr().out.splitlines()
    assert shapes == "(64, 447) (64, 36) [0 1 0]"
    assert (encoding, fields) == ("mus_v0 891 67", "['hand', 'chosen', 'phase']")


def test_the_programs_about_openspiel_run() -> None:
    pytest.importorskip("pyspiel", reason="needs the extra 'openspiel'")
    run_programs("openspiel", 2)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_table_has_every_field_in_its_place(name: str, seats: int) -> None:
    layout, place = encoding_of(name, seats=seats).layout, 0
    rows = table_of(layout).splitlines()[2:]
    for field, row in zip(layout.fields, rows, strict=True):
        assert row.startswith(f"| {place}–{place + field.size - 1} | `{field.name}` |")
        assert field.text.endswith(".")
        place += field.size
    assert place == layout.size


def test_the_page_of_encodings_has_every_game() -> None:
    pytest.importorskip("sphinx", reason="the documentation's extra, which ordago itself does not need")
    sys.path.insert(0, str(ROOT / "tools"))
    import_module("docs_fields")
    page = (ROOT / "docs/api/encodings.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^```\{fields\} (.+)$", page, flags=re.MULTILINE)) == list(ENCODED)
