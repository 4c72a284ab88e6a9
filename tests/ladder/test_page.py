"""What the pages of an event show beside its ladder, and that they stay small."""

import re
from collections.abc import Callable, Sequence

import pytest
from support.ledgers import beginning
from support.times import times_of

from ordago.chance import commitment
from ordago.record import Result, SeatForfeit
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago.store import IssuedMatch, MatchResult, PlannedMatch
from ordago_ladder.event_file.file import parse_event
from ordago_ladder.pages.match_pages import highlights_of
from ordago_ladder.pages.page import ladder_pages, page_names
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.settings.settings import Settings

LEDGER = read_ledger(chained([beginning(secret=b"", entrants="abcd")]))
NAMES = [f"contestant {number}" for number in range(40)]


def played(
    row: int, names: Sequence[str], scores: Sequence[int], *, forfeits: tuple[SeatForfeit, ...] = ()
) -> MatchResult:
    placings = tuple(1 + sum(other > score for other in scores) for score in scores)
    none = ((),) * len(scores)
    result = Result(scores=tuple(scores), placings=placings, faults=none, forfeits=forfeits, strikes=none)
    planned = PlannedMatch(row, "trio", f"trio|{row}", 0, row, tuple(names))
    return MatchResult(IssuedMatch(planned, f"{row:032x}"), result)


def pages_of(settings: Settings, results: Sequence[MatchResult]) -> dict[str, str]:
    ladder = build_ladder(settings, results, secret_digest=commitment(b""))
    times = {one.match.match_id: times_of(len(one.planned.entrants), decisions=9 + one.planned.row) for one in results}
    return dict(ladder_pages(ladder, LEDGER, (), times))


@pytest.fixture(scope="module")
def large_results() -> list[MatchResult]:
    """2,500 matches of forty, everybody against everybody else, some never."""
    return [
        played(row, [NAMES[row % 40], NAMES[(row + 7) % 40], NAMES[(row * 3 + 1) % 40]], [3, 2, 1])
        for row in range(2500)
        if len({row % 40, (row + 7) % 40, (row * 3 + 1) % 40}) == 3
    ]


@pytest.mark.slow
def test_the_first_page_of_a_large_event_is_small(
    make_event: Callable[..., Settings], large_results: list[MatchResult]
) -> None:
    """Its size does not grow with the matches: they stand on pages of their own, 250 places on each."""
    event = make_event(entrants=NAMES)
    pages = pages_of(event, large_results)
    assert len(pages["index.html"].encode()) < 250_000
    assert max(len(text.encode()) for text in pages.values()) < 250_000
    assert list(pages) == page_names(event, [one.planned for one in large_results])
    assert list(pages)[-1] == "matches/10.html"
    listed = [
        int(row)
        for name, text in pages.items()
        if name.startswith("matches/")
        for row in re.findall(r'<tr id="m(\d+)"', text)
    ]
    assert listed == [one.planned.row + 1 for one in large_results]


@pytest.mark.slow
def test_the_crosstable_has_a_column_for_each_of_forty(
    make_event: Callable[..., Settings], large_results: list[MatchResult]
) -> None:
    page = pages_of(make_event(entrants=NAMES), large_results)["index.html"]
    table = page.partition('<table class="cross">')[2].partition("</table>")[0]
    assert table.count('<th scope="col">') == table.count('<th scope="row">') == 40
    assert table.count("<td") == 1 + 40 * 40
    assert table.count("<small>") % 2 == 0


def test_a_crosstable_that_would_be_too_large_is_left_to_programs(make_event: Callable[..., Settings]) -> None:
    page = pages_of(make_event([("duel", 2)], entrants=[f"e{number}" for number in range(61)]), [])
    assert '<table class="cross">' not in page["index.html"]
    assert "the table would be too large for a page" in page["index.html"]


def test_the_longest_and_the_closest_matches_are_found() -> None:
    """Of equal ones the earliest; none that is not open yet, and none that somebody forfeited."""
    results = [
        played(0, "abc", [9, 8, 1]),
        played(1, "bca", [9, 9, 1]),
        played(2, "abd", [9, 7, 1]),
        played(3, "abd", [9, 8, 7]),
        played(4, "abd", [9, 9, 9], forfeits=(SeatForfeit(0, "crashed"),)),
        played(5, "abd", [9, 9, 9]),
    ]
    times = {one.match.match_id: times_of(3, decisions=10 - one.planned.row) for one in results if one.planned.row != 5}
    found = highlights_of(results, times, up="../")
    assert [(one.number, one.figure.written()) for one in found.longest] == [
        (1, "10 decisions"),
        (2, "9 decisions"),
        (3, "8 decisions"),
    ]
    closest = [(one.number, one.figure.written()) for one in found.closest]
    assert closest == [(2, "shared"), (1, "by 1 point"), (4, "by 1 point")]
    assert (found.closest[0].entrants, found.closest[0].link) == ("b, c, a", f"../told/{1:032x}.html")


def test_partners_do_not_share_the_first_place_with_each_other() -> None:
    [one] = highlights_of(
        [played(0, "abab", [9, 3, 9, 3])._replace(result=Result((9, 3, 9, 3), (1, 2, 1, 2), ((),) * 4, (), ((),) * 4))],
        {f"{0:032x}": times_of(4)},
        up="",
    ).closest
    assert one.figure.written() == "by 6 points"


def test_entrants_are_shown_with_author_and_language() -> None:
    text = '[event]\nname = "x"\n[[game]]\nname = "trio"\n'
    text += '[[entrant]]\nname = "a"\ncommand = "x"\nauthor = "Ana <b>"\nlanguage = "Rust & C"\n'
    text += "".join(f'[[entrant]]\nname = "{name}"\ncommand = "x"\n' for name in "bc")
    pages = pages_of(parse_event(text), [])
    assert '<td class="left text">Ana &lt;b&gt;</td>\n<td class="left text">Rust &amp; C</td>' in pages["entrants.html"]
    assert (
        '<td class="left wide text">Ana &lt;b&gt;</td>\n<td class="left wide">Rust &amp; C</td>' in pages["index.html"]
    )


def test_options_are_told_in_sentences(make_event: Callable[..., Settings], ladder_of_two: Ladder) -> None:
    assert "<dt>The number of deals.</dt>\n<dd>12</dd>" in pages_of(make_event(), [])["games.html"]
    pages = ladder_pages(ladder_of_two, LEDGER, (), {})
    assert "<dt>The number of deals.</dt>\n<dd>12</dd>" in pages["games/trio.html"]
    assert "The number of deals" not in pages["index.html"]


@pytest.fixture
def ladder_of_two(make_event: Callable[..., Settings]) -> Ladder:
    return build_ladder(make_event([("trio", 3), ("duel", 2)]), [played(0, "abc", [3, 2, 1])], secret_digest=b"")


def test_it_is_said_how_much_each_game_weighs(ladder_of_two: Ladder) -> None:
    page = ladder_pages(ladder_of_two, LEDGER, (), {})["index.html"].replace("\N{NO-BREAK SPACE}", " ")
    assert "Every pairing counts once: Trio 100.0 %, Duel 0.0 % of them." in page


def test_games_with_duplicates_are_named_where_others_have_none(make_event: Callable[..., Settings]) -> None:
    pages = pages_of(make_event([("trio", 3), ("lone", 3)]), [])
    assert "duplicate deals in Trio</li>" in pages["index.html"]
    assert "The same deals are played in every seating of a table in Trio, so" in pages["proof.html"]
