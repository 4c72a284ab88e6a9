"""The pages of a ladder for spectators: the matches that ended last, deleted records, scores, and phones."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from support.browser import too_wide, violations
from support.ladders import BEGAN, Writer, ladder_row
from support.served_site import ServedSite
from web.ladder.test_pages import ask

from ordago import v1
from ordago.games import find_game
from ordago.match import FaultTerms, TimeTerms
from ordago.store.errors import StoreRefusedError
from ordago.store.ladder.queries import LadderQueries
from ordago.store.ladder.store import LadderStore
from ordago_ladder.standing.publication.tallies import SeasonTallies
from ordago_ladder.standing.ratings import Careers
from ordago_ladder.standing.reading.messages import ladder_description
from ordago_ladder.standing.reading.reader import StandingReader
from ordago_ladder.standing.seasons.standing import SeasonArchive
from ordago_web.languages import LANGUAGES

OURS = ("mus", "mitaines", "mitigati", "mittlere", "taihe")
CORPUS = Path(__file__).parents[2] / "corpus"
SHORT = 40


def write(writer: Writer) -> tuple[str, str]:
    """Write an epoch whose records are deleted, and a long match during which many others begin and end."""
    store = writer.store
    store.create(ladder_row())
    store.begin_epoch(1, began=BEGAN)
    players = [writer.player(name) for name in ("Anna", "Bert", "Carl")]
    old = writer.play(*players)
    writer.now += 86_400
    store.begin_epoch(2, began=writer.now)
    store.reveal(1)
    store.mark_verified(1)
    store.prune_records(keep_days=0, keep_bytes=None)
    record = (CORPUS / "mittlere-3.record").read_bytes()
    long = writer.begin(*players)
    for _ in range(SHORT):
        writer.now += 10
        writer.finish(writer.begin(*players), record=record)
    writer.now += 10
    writer.finish(long, record=record)
    return old.match_id, long.match_id


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StandingReader]:
    folder = tmp_path_factory.mktemp("spectators")
    with LadderStore.open(folder / "ladder.sqlite", create=True) as store:
        old, long = write(Writer(store))
    described = ladder_description(
        title="",
        games=[("mittlere", 3, {})],
        time=TimeTerms(decision_ms=2000),
        faults=FaultTerms(strikes=2),
        delay_seconds=5,
        epoch_seconds=3600,
    )
    with LadderQueries.open(folder / "ladder.sqlite") as queries:
        ratings, counted = Careers().ratings(), SeasonTallies(lambda _epoch, _game: None).tallies()
        made = StandingReader(
            queries, lambda: ratings, SeasonArchive(folder), described, tallies=lambda: counted, now=lambda: BEGAN * 2
        )
        made.old, made.long = old, long
        yield made


@pytest.fixture(scope="module")
def ladder(reader: StandingReader) -> Iterator[ServedSite]:
    with ServedSite(reader, now=lambda: BEGAN * 2) as served:
        yield served


def test_the_match_that_ended_last_is_listed_first_however_long_it_was(reader: StandingReader) -> None:
    found = reader.list_matches(v1.ListMatchesRequest(by_end=True, page_size=12)).matches
    assert found[0].match_id == reader.long
    assert [match.ended for match in found] == sorted((match.ended for match in found), reverse=True)
    assert len(found) == 12
    everything = reader.list_matches(v1.ListMatchesRequest(by_end=True)).matches
    assert len({match.match_id for match in everything}) == len(everything) == SHORT + 2


@pytest.mark.parametrize("more", [{"bot": "Anna"}, {"running": False}, {"epoch": 1}, {"page_token": "00" * 12}])
def test_such_a_list_takes_no_filters_which_it_would_not_heed(reader: StandingReader, more: dict[str, object]) -> None:
    with pytest.raises(StoreRefusedError, match="filters"):
        reader.list_matches(v1.ListMatchesRequest(by_end=True, **more))  # type: ignore[arg-type]


def test_of_a_match_whose_record_was_deleted_that_is_said(ladder: ServedSite, reader: StandingReader) -> None:
    body = ask(ladder, f"/matches/{reader.old}")[2]
    assert "was deleted" in body
    assert "opens" not in body
    assert ask(ladder, f"/matches/{reader.old}/embed")[0] == 404
    assert "was deleted" not in ask(ladder, f"/matches/{reader.long}")[2]


def test_rules_say_whether_scores_have_a_sign() -> None:
    assert {name for name in OURS if not find_game(name).signed_scores} == {"mus", "mitaines"}


def test_points_of_mus_have_no_sign_and_those_of_jass_have_one(site) -> None:
    for game, score in (("mus", "1st, 3"), ("mittlere", r"1st, \+2")):
        body = ask(site, f"/matches?game={game}&running=false")[2]
        assert set(re.findall(r"1st, [+\d]+", body)) == {score.replace("\\", "")}
    section = ask(site, "/bots/Anna")[2].partition("Mus</a></h2>")[2].partition("<h2")[0]
    assert "+" not in re.sub(r"<[^>]*>", "", section)


@pytest.mark.parametrize("path", ["/matches", "/bots/Anna"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_fit_a_phone_without_scrolling_sideways(site, visit, path: str, language: str) -> None:
    page = visit(f"{site.url}{path}", width=390)
    page.context.set_extra_http_headers({"Accept-Language": language})
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", language)
    assert (too_wide(page), violations(page)) == (0, [])
    sheets = page.locator(".sheet:not(figure)")
    assert max(sheets.evaluate_all("all => all.map(each => each.scrollWidth - each.clientWidth)")) == 0


def test_rows_are_no_higher_than_what_they_say(site, visit) -> None:
    page = visit(f"{site.url}/matches?bot=Anna", width=390)
    plain = page.locator("table.matches tbody tr", has_not_text="漢")
    heights = plain.evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert heights
    assert max(heights) <= 100
    first = page.locator("table.matches tbody tr").first.locator("td").first
    assert "seats" in (first.get_attribute("class") or ""), "who played comes first"
