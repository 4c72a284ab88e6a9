"""The rule page of a game in a language, and what a language cannot name."""

from pathlib import Path

import pytest

from ordago.games import find_game
from ordago_ladder.showing import rule_page as pages
from ordago_ladder.showing.rule_page import bot_rule_page, rule_page

MUS = find_game("mus")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the pages of Mus in English and in Spanish, and none for bots."""
    folder = tmp_path / "rules"
    (folder / "es").mkdir(parents=True)
    (folder / "mus.md").write_text("# Mus\n", encoding="utf-8")
    (folder / "es" / "mus.md").write_text("# El mus\n", encoding="utf-8")
    (tmp_path / "mus.md").write_text("a secret", encoding="utf-8")
    monkeypatch.setattr(pages, "_FOLDERS", (folder,))
    return folder


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("language", "text"), [("es", "# El mus\n"), ("fr", "# Mus\n"), ("en", "# Mus\n")])
def test_a_page_that_is_not_translated_is_in_english(language: str, text: str) -> None:
    assert rule_page(MUS, language=language) == text


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("language", ["..", "../rules/es", "/etc", "", "es/../..", "es\0"])
def test_a_language_names_no_file_elsewhere(language: str) -> None:
    assert rule_page(MUS, language=language) == "# Mus\n"


@pytest.mark.usefixtures("folder")
def test_a_game_without_a_page_for_bots_has_its_page_for_people_there() -> None:
    assert bot_rule_page(MUS) == "# Mus\n"
    assert rule_page(find_game("taihe")) == ""


def test_the_page_for_bots_is_the_exact_one() -> None:
    assert bot_rule_page(MUS).startswith("# Mus for bots\n")
    assert rule_page(MUS).startswith("# Mus\n")
