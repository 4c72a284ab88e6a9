"""Ladders on a terminal, and the marks of scores with forfeits in them, there and elsewhere."""

import io
import json
from collections.abc import Callable

import pytest
from rich.console import Console
from support.ledgers import beginning

from ordago.chance import commitment
from ordago.record import FaultCount, SeatForfeit
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago.store import MatchResult
from ordago_ladder.pages.page import ladder_pages
from ordago_ladder.publication.exports import ladder_json
from ordago_ladder.publication.terminal import forfeit_lines, ladder_lines, ladder_table
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.settings.settings import Settings

SECRET = bytes(range(32))
LEDGER = read_ledger(chained([beginning(secret=SECRET, entrants="abcd")]))
STRENGTHS = {"a": 1800.0, "b": 1600.0, "c": 1500.0, "d": 1200.0}


@pytest.fixture
def ladder(make_event: Callable[..., Settings], make_results: Callable[..., list[MatchResult]]) -> Ladder:
    """A ladder of four, one of whom forfeited the first match at a table of three."""
    event = make_event([("trio", 3), ("pairs", 4)], entrants=4, terms="repetitions = 2")
    played = make_results(event, STRENGTHS)
    row, first = next((row, match) for row, match in enumerate(played) if match.planned.game == "trio")
    faults = ((FaultCount("illegal", 1), FaultCount("too_late", 2)), (), ())
    played[row] = first._replace(result=first.result._replace(faults=faults, forfeits=(SeatForfeit(0, "too_late"),)))
    return build_ladder(event, played, secret_digest=commitment(SECRET), secret=SECRET)


def test_plain_lines_are_aligned(ladder: Ladder) -> None:
    lines = list(ladder_lines(ladder.overall))
    assert lines[0].split() == ["#", "entrant", "Elo", "±", "matches", "rated", "score", "above", "next"]
    assert len(lines) == 5
    assert len({line.index(entry) for line, entry in zip(lines, ["entrant", *"abcd"], strict=True)}) == 1


def test_scores_with_forfeits_are_marked(ladder: Ladder) -> None:
    """Beside the matches stand those that nobody at the table forfeited; without forfeits there is no column."""
    fewer = {line.entrant: (line.matches, line.rated) for line in ladder.overall.lines if line.rated < line.matches}
    assert fewer["a"] == (48, 47)
    marked = {line.split()[1] for line in ladder_lines(ladder.overall) if "*" in line}
    assert marked == set(fewer)
    clean = ladder.overall._replace(lines=[line._replace(rated=line.matches) for line in ladder.overall.lines])
    assert not any("*" in line or "rated" in line for line in ladder_lines(clean))
    assert "*</abbr>" in ladder_pages(ladder, LEDGER, (), {})["index.html"]
    assert {
        line["entrant"] for line in json.loads(ladder_json(ladder))["overall"]["ladder"] if "rated" in line
    } == marked


def test_forfeits_are_named_with_their_cause(ladder: Ladder) -> None:
    assert list(forfeit_lines(ladder.overall)) == ["a forfeited 1 of 48 matches: too late 1"]


def test_the_table_says_the_same(ladder: Ladder) -> None:
    console = Console(file=io.StringIO(), width=100, record=True)
    console.print(ladder_table(ladder.overall, title="Overall"))
    text = console.export_text()
    assert "Overall" in text
    for line in list(ladder_lines(ladder.overall))[1:]:
        for cell in line.split("  "):
            assert cell.strip() in text
