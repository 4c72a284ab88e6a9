"""The page of a match: its replay and its words, as a function of its record, whatever names stand in it."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from support.markup import Page

from ordago import v1
from ordago.games import game_names
from ordago.record import read_record
from ordago_ladder.pages.assets import asset_files, asset_names
from ordago_ladder.showing import match_page as told
from ordago_ladder.showing.match_page import WORDS, match_page, replay_values, script_words

ASSETS = files("ordago_ladder") / "assets"
SAYS = re.compile(r"ordago\.say\(")
SAYS_OTHERWISE = re.compile(r"""(?<![\w.])say\(\s*["']""")
SAID = re.compile(r'ordago\.say\(\s*"([^"]+)"')
CORPUS = Path(__file__).parents[1] / "corpus"
HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\u202egnp.\u2066exe",
    "\u0000\u001b[31m'\"&amp;\u2028",
)


def record_of(name: str) -> v1.MatchRecord:
    return read_record((CORPUS / f"{name}.record").read_bytes())


def data_of(page: str) -> dict[str, object]:
    """Return the replay that stands in a page, as a browser finds it: up to the first end of a script."""
    begin = page.index('id="match">') + len('id="match">')
    return json.loads(page[begin : page.index("</script>", begin)])


@pytest.mark.parametrize("name", ["mittlere-3", "mitaines-2", "taihe-5", "mitigati-3"])
def test_a_page_has_the_replay_and_the_words_of_its_match(name):
    page = match_page(record_of(name))
    data = data_of(page)
    assert data["matchId"] == record_of(name).match_id
    assert len(data["deals"]) > 1
    assert f"Match {data['matchId']}" in page


def test_think_times_strikes_and_faults_stand_beside_their_choices():
    wrong = []
    for path in sorted((CORPUS / "event" / "records").iterdir()):
        record = read_record(path.read_bytes())
        deals = data_of(match_page(record))["deals"]
        shown = {
            step["choice"]["entry"]: step["choice"] for deal in deals for step in deal["steps"] if "choice" in step
        }
        choices = {place: entry.choice for place, entry in enumerate(record.entries) if entry.HasField("choice")}
        assert {place: choice["chargedMs"] for place, choice in shown.items()} == {
            place: choice.charged_ms for place, choice in choices.items()
        }
        for place, choice in choices.items():
            assert shown[place].get("strikes", 0) == choice.strikes
            assert shown[place].get("fault", "FAULT_UNSPECIFIED") == v1.Fault.Name(choice.fault)
            wrong.append(choice.fault)
    assert any(wrong)


def test_the_same_record_gives_the_same_page():
    assert match_page(record_of("mittlere-3")) == match_page(record_of("mittlere-3"))


@pytest.mark.slow
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_name_is_text_and_nothing_else(hostile):
    record = record_of("mittlere-3")
    record.seats[0].name = record.seats[1].version = hostile
    page = match_page(record)
    harmless = Page(match_page(record_of("mittlere-3")))
    assert [tag for tag, _ in Page(page).tags] == [tag for tag, _ in harmless.tags]
    assert "<!--" not in page
    assert not set(page) & {"\u202e", "\u2066", "\u0000", "\u001b", "\u2028"}
    assert len(data_of(page)["seats"]) == 3


def test_a_page_has_nothing_inline_but_data_and_loads_only_what_is_published():
    page = Page(match_page(record_of("mittlere-3")))
    published = {f"../{name}" for name in asset_names(["mittlere"])}
    assert page.inline == ["script"], "the data of the replay"
    assert ("script", {"type": "application/json", "id": "match"}) in page.tags
    assert set(page.loaded) <= published


def test_all_cards_of_a_replay_have_faces_beside_it():
    for name in ("mittlere-3", "taihe-5", "mitigati-3", "mitaines-4"):
        record = record_of(name)
        values = replay_values(record, root="../", record_link="", back="", face_folders=told.FACE_FOLDERS)
        found = {f"../{name}" for name in asset_files([record.game])}
        cards = {
            int(card) for group in re.findall(r'"cards":\[([\d,]+)\]', values["match"]) for card in group.split(",")
        }
        assert {f"{values['pictures']}{card}.svg" for card in cards - {0}} <= found
        assert f"{values['pictures']}back.svg" in found


def test_each_game_has_its_own_faces_and_no_others():
    folders = {name: {path.split("/")[0] for path in asset_names([name])} for name in game_names()}
    assert folders["mittlere"] == {"assets", "faces-jass"}
    assert folders["taihe"] == {"assets", "faces-french"}


def test_a_match_that_cannot_be_shown_is_told_in_words_alone(monkeypatch):
    monkeypatch.setattr(told, "pack_of", lambda _: None)
    page = match_page(record_of("mittlere-3"))
    assert "<script" not in page
    assert "Match " in page


def test_a_record_of_which_nothing_can_be_played_is_told_in_words_alone():
    record = record_of("mittlere-3")
    del record.entries[:]
    assert 'data-part="replay"' not in match_page(record)


def test_where_an_analysis_is_asked_for_stands_in_the_page_of_a_server():
    values = replay_values(record_of("mittlere-3"), root="/", record_link="", back="/", analysis="/matches/1/analysis")
    assert values["analysis"] == "/matches/1/analysis"
    assert values["pictures"] == "/assets/faces/jass/"


def test_all_words_of_the_scripts_can_be_translated():
    # The words of cards.js are those of the names of cards.
    paths = [path for path in ASSETS.iterdir() if path.name.endswith(".js") and path.name != "cards.js"]
    scripts = [path.read_text(encoding="utf-8") for path in paths]
    shared = [script for script in scripts if SAYS.search(script)]
    said = {words for script in shared for words in SAID.findall(script)}
    assert said == {words.words for words in WORDS}
    assert not any(SAYS_OTHERWISE.search(script) for script in scripts), "by no other name"
    assert sum(len(SAYS.findall(script)) for script in shared) == sum(len(SAID.findall(script)) for script in shared)


def test_only_what_is_translated_is_given_to_the_scripts():
    german = {"face-down card": "verdeckte Karte"}
    assert script_words(str) == {}
    assert script_words(lambda words: german.get(words, words)) == german
