"""The reference of event and ladder files has every key, with its text and its default."""

import json
import re
import sys
from importlib import import_module
from pathlib import Path

import pytest
from pydantic import BaseModel

from ordago_doctor.case import Case, Start, Step
from ordago_ladder.settings.common import PlayedGame
from ordago_ladder.settings.sections import (
    AnnounceSettings,
    EntrantSettings,
    EventSettings,
    GameSettings,
    LimitSettings,
)
from ordago_ladder.standing.settings import HouseSettings, LadderSettings

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
pytest.importorskip("sphinx", reason="the documentation's extra, which ordago itself does not need")
table_of = import_module("docs_keys").table_of

PAGE = (ROOT / "docs" / "api" / "files.md").read_text(encoding="utf-8")
EVENT = (EventSettings, LimitSettings, GameSettings, EntrantSettings, AnnounceSettings)
SECTIONS = (*EVENT, LadderSettings, PlayedGame, HouseSettings, Case, Start, Step)


def rows(section: type[BaseModel]) -> dict[str, list[str]]:
    """Return the rows of the table of a section, by key: what it takes, its default and its text."""
    cells = [re.split(r"(?<!\\) *\| *", line)[1:-1] for line in table_of(section).splitlines()[2:]]
    return {key.strip("`"): rest for key, *rest in cells}


def test_the_page_has_every_section() -> None:
    named = re.findall(r"^```\{keys\} (.+)$", PAGE, flags=re.MULTILINE)
    assert named == [f"{section.__module__}.{section.__name__}" for section in SECTIONS]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_is_explained(section: type[BaseModel]) -> None:
    explained = {key: text for key, (_, _, text) in rows(section).items()}
    assert set(explained) == {field.alias or name for name, field in section.model_fields.items()}
    assert all(explained.values())
    assert not [text for text in explained.values() if "None" in text], "a file has no None"


@pytest.mark.parametrize("section", EVENT)
def test_every_default_is_shown(section: type[BaseModel]) -> None:
    shown = {key: default.strip("`") for key, (_, default, _) in rows(section).items()}
    for key, field in section.model_fields.items():
        if field.is_required():
            assert shown[key] == "required"
        elif field.default not in (None, (), {}, ""):
            assert json.loads(shown[key]) == json.loads(json.dumps(field.default)), key
