"""The page of an entrant: his games, opponents, seats, times and matches."""

import re
from collections.abc import Callable

import pytest
from support.ledgers import beginning
from support.times import times_of

from ordago import v1
from ordago.chance import commitment
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago.store import MatchResult
from ordago_ladder.pages.entrant_pages import entrant_page_names, entrant_pages
from ordago_ladder.pages.page_layout import PageLayout
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.rating.think_times import SeatTimes, decision_count, think_times
from ordago_ladder.settings.settings import Settings

LEDGER = read_ledger(chained([beginning(secret=b"", entrants="abcd")]))
STRENGTHS = {"a": 1700.0, "b": 1600.0, "c": 1500.0, "d": 1400.0}


def choice(seat: int, charged_ms: int) -> v1.RecordEntry:
    return v1.RecordEntry(choice=v1.RecordedChoice(seat=seat, charged_ms=charged_ms))


def test_times_are_those_of_decisions_that_the_player_was_asked_for() -> None:
    """What is decided for a seat after it was forfeited took him no time."""
    forfeit = v1.RecordEntry(forfeit=v1.Forfeit(seat=0))
    record = v1.MatchRecord(
        seats=[v1.RecordSeat(), v1.RecordSeat()],
        entries=[choice(0, 5), choice(1, 30), choice(0, 8), forfeit, choice(0, 0), choice(1, 10)],
    )
    times = think_times(record)
    assert times == (SeatTimes(3, 2, 13, 8), SeatTimes(2, 2, 40, 30))
    assert decision_count(times) == 5


@pytest.fixture
def settings(make_event: Callable[..., Settings]) -> Settings:
    return make_event([("trio", 3), ("duel", 2)], entrants=5, terms="repetitions = 2")


@pytest.fixture
def results(settings: Settings, make_results: Callable[..., list[MatchResult]]) -> list[MatchResult]:
    return [one for one in make_results(settings, {**STRENGTHS, "e": 1300.0}) if "e" not in one.planned.entrants]


@pytest.fixture
def pages(settings: Settings, results: list[MatchResult]) -> dict[str, str]:
    ladder = build_ladder(settings, results, secret_digest=commitment(b""))
    duels = {one.match.match_id: times_of(2, charged_ms=250) for one in results if one.planned.game == "duel"}
    return dict(entrant_pages(PageLayout(ladder, LEDGER, (), duels)))


def table_of(page: str, anchor: str) -> list[list[str]]:
    """Return the cells of a table of a page, without markup."""
    rows = page.partition(f'<h2 id="{anchor}">')[2].partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")
    return [
        [re.sub(r"<[^>]+>|\s", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)]
        for row in rows[:-1]
    ]


def test_names_of_pages_are_numbers(settings: Settings, pages: dict[str, str]) -> None:
    assert list(pages) == entrant_page_names(settings) == [f"entrants/{number}.html" for number in range(1, 6)]
    assert "<h1>c</h1>" in pages["entrants/3.html"]


def test_opponents_are_those_whom_he_met(pages: dict[str, str], results: list[MatchResult]) -> None:
    met = table_of(pages["entrants/2.html"], "opponents")
    assert {row[0] for row in met} == {"a", "c", "d"}
    duels_of_two = sum({"a", "b"} <= set(one.planned.entrants) for one in results)
    assert next(row[1] for row in met if row[0] == "a") == str(duels_of_two)


def test_times_are_told_by_game_where_records_are_open(pages: dict[str, str], results: list[MatchResult]) -> None:
    trio, duel = table_of(pages["entrants/1.html"], "games")
    duels = sum("a" in one.planned.entrants and one.planned.game == "duel" for one in results)
    assert (trio[0], *trio[-3:]) == ("Trio", "0", "–", "–")
    assert (duel[0], *duel[-3:]) == ("Duel", str(duels), "250ms", "250ms")


def test_every_seat_is_told(pages: dict[str, str], results: list[MatchResult]) -> None:
    seats = table_of(pages["entrants/4.html"], "seats")
    assert [row[:2] for row in seats] == [["Trio", "1"], ["Trio", "2"], ["Trio", "3"], ["Duel", "1"], ["Duel", "2"]]
    assert sum(int(row[2]) for row in seats) == sum("d" in one.planned.entrants for one in results)


def test_the_last_matches_come_first(pages: dict[str, str], results: list[MatchResult]) -> None:
    listed = [int(row[0]) for row in table_of(pages["entrants/1.html"], "matches")]
    played = [one.planned.row + 1 for one in results if "a" in one.planned.entrants]
    assert listed == sorted(played, reverse=True)[:25]


def test_who_has_not_played_has_a_page_that_says_so(pages: dict[str, str]) -> None:
    assert "Nothing has been played yet." in pages["entrants/5.html"]
    assert "<table" not in pages["entrants/5.html"]
