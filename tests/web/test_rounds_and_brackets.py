"""The rounds of a Swiss event and brackets in a browser: readable in large and small windows, without scripts."""

import re
from gettext import NullTranslations
from pathlib import Path

import pytest
from support.browser import picture, too_wide, violations
from support.courses import play_course
from support.duels import alphabetical, play_in_order
from support.ledgers import beginning

from ordago.chance import commitment
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago.store import MatchResult
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.matches.due import progress_of
from ordago_ladder.pages.assets import asset_files
from ordago_ladder.pages.page import ladder_pages, page_names
from ordago_ladder.pages.rendering import ENGLISH
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.settings.settings import Settings

NAMES = "abcdefghi"
LEDGER = read_ledger(chained([beginning(secret=b"", entrants=NAMES)]))


def event(terms: str, *, entrants: int = 9, game: str = 'name = "mitaines"') -> Settings:
    text = f'[event]\nname = "cup"\n{terms}\n[[game]]\n{game}\n'
    return parse_event(text + "".join(f'[[entrant]]\nname = "{name}"\nhouse = "random"\n' for name in NAMES[:entrants]))


def pages_of(
    settings: Settings, results: list[MatchResult], *, translations: NullTranslations = ENGLISH
) -> dict[str, str]:
    progress = progress_of(settings, LEDGER, results)
    ladder = build_ladder(settings, results, secret_digest=commitment(b""), progress=progress)
    pages = dict(ladder_pages(ladder, LEDGER, (), {}, translations=translations))
    assert list(pages) == page_names(settings, [result.planned for result in results])
    return pages


def published(folder: Path, settings: Settings, results: list[MatchResult]) -> Path:
    for name, content in pages_of(settings, results).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    for name, data in asset_files(["mitaines"]).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


@pytest.mark.parametrize(
    ("form", "terms", "names"),
    [
        ("swiss", "rounds = 4", ("index.html", "rounds.html")),
        ("knockout", "", ("index.html",)),
        ("double-elimination", "play_offs = 1", ("index.html",)),
        ("league", "groups = 2\nadvance = 2", ("index.html",)),
        ("league", 'groups = 2\nadvance = 2\nfinal = "round-robin"', ("index.html",)),
    ],
)
def test_everybody_can_read_it(visit, tmp_path: Path, form: str, terms: str, names: tuple[str, ...]) -> None:
    settings = event(f'format = "{form}"\n{terms}')
    folder = published(tmp_path, settings, list(play_course(settings, seed=2).results))
    for name in names:
        for width, scheme in ((1280, "light"), (390, "dark")):
            page = visit((folder / name).as_uri(), width=width, scheme=scheme, scripts=True)
            assert violations(page) == [], (name, width)
            assert too_wide(page) == 0, (name, width)
            picture(page, f"{form}-{name.removesuffix('.html')}-{width}")
            page.close()


def test_a_bracket_stands_in_columns_and_in_a_small_window_below_each_other(visit, tmp_path: Path) -> None:
    settings = event('format = "knockout"', entrants=8)
    folder = published(tmp_path, settings, play_in_order(settings, alphabetical))
    for width, beside in ((1280, True), (390, False)):
        page = visit((folder / "index.html").as_uri(), width=width, scripts=False)
        first, second = (page.locator(".stage").nth(at).bounding_box() for at in range(2))
        assert first
        assert second
        assert (second["x"] > first["x"] + first["width"] / 2) is beside
        assert (second["y"] > first["y"] + first["height"] / 2) is not beside
        page.close()


def test_tables_stand_beside_those_that_their_entrants_come_from() -> None:
    settings = event('format = "knockout"', entrants=5)
    shown = pages_of(settings, play_in_order(settings, alphabetical))["index.html"]
    bracket = shown[shown.index('class="sheet bracket"') : shown.index('id="places"')]
    titles = re.findall(r'class="stage-name">(.*?)</', bracket)
    assert titles == ["Quarterfinals", "Semifinals", "Final"]
    first = bracket.split('"stage-name"')[1]
    assert re.findall(r">([a-e])</a>", first) == ["a", "d", "e", "b", "c"]
    assert first.count("bye</small>") == 3


def test_a_bracket_that_has_begun_shows_what_is_not_known_yet() -> None:
    settings = event('format = "double-elimination"', entrants=4)
    shown = pages_of(settings, play_in_order(settings, alphabetical, rounds=1)[:1])["index.html"]
    assert shown.count("being played") == 2
    # Another table of the upper bracket, two of the lower one, and the final.
    assert shown.count("not known yet") == 4
    assert "Second final" not in shown


def test_a_league_shows_its_groups_and_then_its_final() -> None:
    settings = event('format = "league"\ngroups = 2\nadvance = 2')
    results = play_in_order(settings, alphabetical)
    shown = pages_of(settings, results)["index.html"]
    assert re.findall(r">Group (.)<", shown) == ["A", "B"]
    assert shown.count("advances</small>") == 4
    assert 'id="bracket"' in shown
    shown = pages_of(settings, results[:5])["index.html"]
    assert "goes on</small>" not in shown
    assert 'id="bracket"' not in shown


def test_a_swiss_event_shows_standings_rounds_and_reasons() -> None:
    settings = event('format = "swiss"\nrounds = 3', entrants=5)
    pages = pages_of(settings, play_in_order(settings, alphabetical, rounds=2))
    assert "Sonneborn–Berger" in pages["index.html"]
    rounds = pages["rounds.html"]
    assert re.findall(r'<h2 id="r(\d)">', rounds) == ["1", "2", "3"], "the third is due"
    assert rounds.count("<summary") == 2
    assert rounds.count("Bye: ") == 3
    assert "floats down" in rounds
    assert "All have the same points, 0." in rounds


def test_other_formats_have_neither() -> None:
    pages = pages_of(event("", entrants=3), [])
    assert "rounds.html" not in pages
    assert "rounds.html" not in pages["index.html"]
    assert 'id="bracket"' not in pages["index.html"]
