"""The rule pages for people are short, name every option, lead to the page for bots, and are translated whole."""

import re
from pathlib import Path

import pytest

from ordago.games import find_game

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
PICTURES = Path(__file__).parents[2] / "tournaments/ordago_ladder/assets/rules"
MOST_WORDS = 900
"""A quarter of an hour of reading. Tables count, deals do not: nobody reads their names and cards as text."""
WORDS = {
    "mus": "mus envido órdago paso quiero queremos grande chica pares juego punto mano piedras amarracos señas dentro",
    "mittlere": "Stich Trumpf Puur Nell Match",
    "mitigati": "bagatto matto mondo scarto tarocchi reale mitigati onori",
    "mitaines": "mitaine gant chausson deux",
    "taihe": "泰和A包 declares exchange bombs",
}
"""The words of the players."""
DEAL = re.compile(r"^```\n.*?^```\n", re.DOTALL | re.MULTILINE)


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def deviations(english: str, translated: str) -> list[str]:
    """Return what a translation has otherwise than the page in English, by kind."""
    kinds = {
        "deals": lambda text: DEAL.findall(text),
        "headings": lambda text: [len(marks) for marks in re.findall(r"^(#+) ", DEAL.sub("", text), re.MULTILINE)],
        "rows": lambda text: [row.count("|") for row in re.findall(r"^\|.*$", text, re.MULTILINE)],
        "links": lambda text: [Path(link).name for link in re.findall(r"\]\(([^)]+)\)", text)],
        "code": lambda text: sorted(re.findall(r"`(\w+)`", DEAL.sub("", text))),
    }
    return [kind for kind, read in kinds.items() if read(english) != read(translated)]


def pictures(text: str) -> list[tuple[str, str]]:
    """Return alt text and file of each picture."""
    return [(alt, Path(file).name) for alt, file in re.findall(r"!\[([^]]*)\]\(([^)]+)\)", text)]


@pytest.mark.parametrize("name", WORDS)
def test_a_page_for_people_is_short_and_leads_to_the_exact_one(name: str) -> None:
    text = page(name)
    assert len(re.sub(r"!\[.*?\]\(.*?\)", "", DEAL.sub("", text)).replace("|", " ").split()) <= MOST_WORDS
    assert f"]({name}-for-bots.md)" in text
    assert f"]({name}.md)" in page(f"{name}-for-bots")


@pytest.mark.parametrize("name", WORDS)
def test_a_page_for_people_names_every_option_and_no_other(name: str) -> None:
    options = page(name).split("## Options\n")[1]
    assert set(re.findall(r"`(\w+)`", options)) == {spec.name for spec in find_game(name).rules.option_specs}


@pytest.mark.parametrize("name", WORDS)
def test_a_page_for_people_explains_the_words_of_the_players(name: str) -> None:
    text = DEAL.sub("", page(name)).lower()
    assert [word for word in WORDS[name].split() if word.lower() not in text] == []


def test_translations_have_the_deals_tables_and_links_of_the_page() -> None:
    found = {path: deviations(page(path.stem), path.read_text(encoding="utf-8")) for path in FOLDER.glob("??/*.md")}
    assert {path: kinds for path, kinds in found.items() if kinds} == {}


def test_the_pictures_of_a_page_exist_and_all_pictures_are_shown() -> None:
    shown = {
        (path.parent / file).resolve()
        for path in (*FOLDER.glob("*.md"), *FOLDER.glob("??/*.md"))
        for file in re.findall(r"!\[[^]]*\]\(([^)]+)\)", path.read_text(encoding="utf-8"))
    }
    assert shown == set(PICTURES.glob("*.svg"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("??/*.md")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_each_picture_of_a_translation_has_an_alt_text_of_its_own(path: Path) -> None:
    english, translated = pictures(page(path.stem)), pictures(path.read_text(encoding="utf-8"))
    assert [file for _, file in translated] == [file for _, file in english]
    assert [alt for (alt, _), (other, _) in zip(translated, english, strict=True) if not alt or alt == other] == []


def test_a_translation_with_another_deal_or_row_is_found() -> None:
    english = page("taihe")
    assert deviations(english, english.replace("(taihe-for", "(../taihe-for").replace("# A deal", "# Un reparto")) == []
    assert deviations(english, english.replace("Alice leads 9♦", "Alice leads 8♦")) == ["deals"]
    assert deviations(english, english.replace("| pair | J J | a lower pair |\n", "")) == ["rows"]
    assert deviations(english, english.replace("`deals`", "deals")) == ["code"]
