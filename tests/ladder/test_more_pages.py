"""What the further pages of an event show, and what event file and ledger add to the first one."""

import re
from collections.abc import Callable

import pytest
from support.ledgers import beginning

from ordago.chance import commitment
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import (
    ChangedKey,
    ChangeEntry,
    CheckedIn,
    CheckInEntry,
    ClosingEntry,
    Entry,
    Ledger,
    ResultEntry,
    SuspensionEntry,
    VoidEntry,
    read_ledger,
)
from ordago.store import MatchResult
from ordago_ladder.pages.page import ladder_pages
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
STRENGTHS = {"a": 1700.0, "b": 1600.0, "c": 1500.0, "d": 1400.0}
DIGEST = "0" * 64


def ledger_of(*entries: Entry) -> Ledger:
    return read_ledger(chained([beginning(secret=b"", entrants="abcd"), *entries]))


def pages_of(ladder: Ladder, *entries: Entry) -> dict[str, str]:
    return {
        name: text.replace("\N{NO-BREAK SPACE}", " ")
        for name, text in ladder_pages(ladder, ledger_of(*entries), (), {}).items()
    }


def void(match_id: str, reason: str) -> VoidEntry:
    return VoidEntry(match_id=match_id, attempt=0, reason=reason)


@pytest.fixture
def event(make_event: MakeEvent) -> Settings:
    return make_event([("trio", 3), ("duel", 2)], entrants=4, terms="repetitions = 5")


@pytest.fixture
def results(event: Settings, make_results: Callable[..., list[MatchResult]]) -> list[MatchResult]:
    return make_results(event, STRENGTHS)


@pytest.fixture
def ladder(event: Settings, results: list[MatchResult]) -> Ladder:
    return build_ladder(event, results, secret_digest=commitment(b""))


def bare(settings: Settings) -> Ladder:
    return build_ladder(settings, [], secret_digest=commitment(b""))


@pytest.mark.slow
def test_who_is_better_stands_in_the_order_of_the_ladder(ladder: Ladder) -> None:
    table = pages_of(ladder)["likelihoods.html"].partition("<tbody>")[2]
    cells = [re.findall(r">([<>&lgt;\d·]+)</td>", row) for row in table.split("</tr>")[:4]]
    shown = [[cell.replace("&lt;", "<").replace("&gt;", ">") for cell in row] for row in cells]
    assert [row[place] for place, row in enumerate(shown)] == ["·"] * 4
    for row, shares in zip(shown, ladder.overall.superiority, strict=True):
        for cell, share in zip(row, shares, strict=True):
            if share is not None and 0.01 <= share <= 0.99:
                assert cell == f"{100 * share:.0f}"
    assert "Who is better" in pages_of(ladder)["games/duel.html"]


def test_head_to_head_has_a_row_for_each_two_who_met(ladder: Ladder) -> None:
    page = pages_of(ladder)["meetings.html"]
    assert page.count('<th scope="row">') == 6
    assert re.search(r'<th scope="row">a</th>\n<td class="left">d</td>\n<td>\+\d+ <small>±\d+</small></td>', page)


def test_ratings_are_drawn_from_ten_stages_at_most(ladder: Ladder) -> None:
    page = pages_of(ladder)["course.html"]
    lines = re.findall(r'<polyline points="([^"]+)"', page)
    assert [len(line.split()) for line in lines] == [10] * 4
    assert all(0 <= float(number) <= 220 for line in lines for number in re.split(r"[ ,]", line))
    assert "to all 50, in the order" in page


@pytest.mark.slow
def test_all_games_equal_stand_beside_every_pairing_once(ladder: Ladder, event: Settings) -> None:
    assert ladder.equal_games is not None
    best = ladder.equal_games.lines[0]
    page = pages_of(ladder)["games.html"]
    elo, half_length = f"{best.rating.elo:.0f}", f"{best.rating.half_length:.0f}"
    assert re.search(rf"<td>\s*<b>{elo}</b>\s*<small>±{half_length}</small>\s*<span class=.soft.>#1<", page)
    chosen = event.model_copy(update={"event": event.event.model_copy(update={"overall": "games"})})
    pages = pages_of(build_ladder(chosen, ladder.results, secret_digest=commitment(b"")))
    assert "All games count the same." in pages["index.html"]
    assert "Every pairing counts once" not in pages["index.html"]
    assert "Games equal" not in pages["games.html"]


def test_points_have_intervals(ladder: Ladder) -> None:
    page = pages_of(ladder)["games/duel.html"]
    line = ladder.by_game[1].lines[0]
    for points in (line.points_per_match, line.points_per_deal):
        assert points is not None
        assert f'{points.value:+.2f} <small class="line">±{points.half_length:.2f}</small>' in page


def test_what_duplicates_saved_is_told(ladder: Ladder) -> None:
    table = pages_of(ladder)["course.html"].partition('<h2 id="saved">')[2].partition("</table>")[0]
    assert re.search(r'<th scope="row">Trio</th>\n<td>120</td>\n<td>\d+\.\d % <small>±', table)
    assert re.search(r'<th scope="row">Duel</th>\n<td>60</td>', table)


def test_void_attempts_are_told_with_their_reasons(ladder: Ladder) -> None:
    """Also those of matches that there are not, and reasons that would like to be more than text."""
    first = ladder.results[0]
    pages = pages_of(
        ladder, void(first.match.match_id, "the server failed"), void("f" * 32, "<script>alert(1)</script>")
    )
    assert '<a href="course.html#voids">2 void attempts</a>' in pages["index.html"]
    table = pages["course.html"].partition('<h2 id="voids">')[2]
    assert '<td class="left note">the server failed</td>\n<td>1</td>' in table
    assert '<a href="matches/1.html#m1">1</a>' in table
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</td>\n<td>1</td>" in table
    assert "none that has a result yet" in table
    assert "<script" not in table


def test_who_came_late_and_what_was_closed_is_told(ladder: Ladder) -> None:
    result = ResultEntry(match_id="0" * 32, attempt=0, record_digest=DIGEST)
    pages = pages_of(
        ladder,
        CheckInEntry(entrants=(CheckedIn(name="b", nonce="", version="", build=""),)),
        result,
        ChangeEntry(
            time="2027-01-31T18:00:00Z",
            settings_digest=DIGEST,
            issued=7,
            joined=("d",),
            withdrawn=("a",),
            keys=(
                ChangedKey(section="event", key="until", was="2027-01-31T18:00:00+00:00", now=None),
                ChangedKey(section="trio", key="sets", was=2, now=3),
            ),
        ),
        SuspensionEntry(entrant="c", fault="crashed", sentence="suspended after 10 forfeited matches"),
        ClosingEntry(issued=9),
    )
    course = pages["course.html"]
    assert "<li>After 1 result: d joined late. Matches that were due before stayed due.</li>" in course
    assert "<li>After 1 result: a withdrew. Matches that it had not finished are left out.</li>" in course
    assert "<li>After 1 result: until was 2027-01-31T18:00:00+00:00 and is –.</li>" in course
    assert "<li>After 1 result: trio: sets was 2 and is 3.</li>" in course
    assert "<li>After 1 result: c is suspended after 10 forfeited matches, and plays no more.</li>" in course
    assert "<li>After 1 result: the time was up. 9 matches were due, and no more were added.</li>" in course
    assert "closed at the set time with 9 matches" in pages["index.html"]
    assert '<td class="left note">joined after 7 matches had been issued</td>' in pages["entrants.html"]
    assert '<td class="left note">did not connect</td>' in pages["entrants.html"]


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ("", "<li>round robin</li>"),
        ('format = "swiss"\nrounds = 3', "<li>Swiss in 3 rounds</li>"),
        (
            'format = "open"\nsets_wanted = 50\nhalf_width = 20\nuntil = 2027-01-31T18:00:00Z',
            "<li>open, until 50 sets are played or the order is known to ±20 or 2027-01-31 18:00 UTC</li>",
        ),
    ],
)
def test_the_format_is_told(make_event: MakeEvent, terms: str, told: str) -> None:
    assert told in pages_of(bare(make_event(entrants=4, terms=terms)))["index.html"]


def test_a_gauntlet_names_its_newcomers(make_event: MakeEvent) -> None:
    settings = make_event(entrants=4, terms='format = "gauntlet"', of_entrants={"b": "newcomer = true"})
    pages = pages_of(bare(settings))
    assert "<li>gauntlet of b</li>" in pages["index.html"]
    assert '<td class="left note">newcomer</td>' in pages["entrants.html"]


def test_few_processes_are_told_with_what_they_cost(
    make_event: MakeEvent, make_results: Callable[..., list[MatchResult]]
) -> None:
    settings = make_event(entrants=4, of_entrants={"a": "processes = 1"})
    results = make_results(settings, STRENGTHS)
    ladder = build_ladder(settings, results, secret_digest=commitment(b""))
    pages = pages_of(ladder)
    assert "duplicate deals, but not at all tables" in pages["index.html"]
    assert "but not where one of these with fewer than 6 processes plays: a." in pages["proof.html"]
    assert "at most one seating" in pages["proof.html"]
    assert '<td class="left note">1 process</td>' in pages["entrants.html"]


def test_turns_are_told_with_those_who_could_gain(make_event: MakeEvent) -> None:
    made = make_event(entrants=4, terms="duplicates = true")
    far = made.entrants[0].model_copy(update={"command": None, "remote": True, "processes": 1})
    pages = pages_of(bare(made.model_copy(update={"entrants": (far, *made.entrants[1:])})))
    assert "partly in turns" in pages["index.html"]
    assert "but not at all tables" not in pages["index.html"]
    assert "follow one another where one of these plays: a." in pages["proof.html"]
    assert "at most one seating" not in pages["proof.html"]


def test_remote_entrants_are_marked(make_event: MakeEvent) -> None:
    made = make_event(entrants=4)
    far = made.entrants[0].model_copy(update={"command": None, "remote": True, "processes": 1})
    settings = made.model_copy(update={"entrants": (far, *made.entrants[1:])})
    pages = pages_of(bare(settings))
    assert pages["index.html"].count('<small class="mark">remote</small>') == 1
    assert '<td class="left note">remote, 1 process</td>' in pages["entrants.html"]
