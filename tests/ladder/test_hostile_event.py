"""An event file full of markup: whatever is published of it holds none of it."""

import json
import re
from collections.abc import Mapping

import pytest
from support.hostile_event import HOSTILE, NAMES, UNSEEN, hostile_files
from support.markup import Page, faults

from ordago.games import find_game
from ordago_ladder.pages.rendering import environment, visible
from ordago_ladder.settings import common as common_settings


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch, fake_games: None) -> Mapping[str, bytes]:
    assert fake_games is None
    monkeypatch.setattr(common_settings, "find_game", find_game)
    return hostile_files()


@pytest.fixture
def pages(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: content.decode() for name, content in files.items() if name.endswith(".html")}


@pytest.mark.slow
def test_no_text_of_an_event_becomes_markup(pages: dict[str, str]) -> None:
    """Not in texts, not in attributes, not in the title of a page."""
    tellers = {name for name, text in pages.items() if "&lt;img src=x onerror=" in text}
    assert tellers == pages.keys(), "every page says the title of the event"
    for name, text in pages.items():
        assert "<img src=x" not in text, name
        page = Page(text)
        assert (page.open, page.inline) == ([], []), name
        assert faults(text) == [], name
        assert not [attributes for tag, attributes in page.tags if "window.owned" in str(attributes.keys())], name
        assert [attributes.get("src") for tag, attributes in page.tags if tag == "script"] == [
            f"{'../' * name.count('/')}assets/sort.js"
        ], name


def test_nothing_that_cannot_be_seen_is_published_on_a_page(pages: dict[str, str]) -> None:
    for name, text in pages.items():
        assert not set(text) & set(UNSEEN), name
    assert "\\u202e\\x00\\u2066" in pages["index.html"]


def test_no_name_of_a_file_comes_from_the_event_file(files: Mapping[str, bytes]) -> None:
    kinds = r"\.(html|toml|jsonl?|csv|pgn|css|js|svg)"
    known = rf"((assets|faces-[a-z]+|games|sets|matches|entrants)/)?[a-z0-9-]+{kinds}"
    assert [name for name in files if not re.fullmatch(known, name)] == []
    assert "entrants/6.html" in files
    assert NAMES[5] == "x.html"


def test_json_is_json(files: Mapping[str, bytes]) -> None:
    content = json.loads(files["ladder.json"])
    assert content["event"]["title"] == HOSTILE + UNSEEN
    assert {entrant["author"] for entrant in content["entrants"]} == {HOSTILE}


def test_what_a_template_is_given_is_shown_and_does_nothing() -> None:
    template = environment().from_string("<p title=\"{{ text }}\">{{ text }}</p>{{ _('<b>') }}{{ number }}")
    assert template.render(text='"\u202e\u00a0\n<', number=3) == (
        '<p title="&#34;\\u202e\u00a0\n&lt;">&#34;\\u202e\u00a0\n&lt;</p><b>3'
    )
    assert visible("日本 ±1\u2009%") == "日本 ±1\u2009%"
