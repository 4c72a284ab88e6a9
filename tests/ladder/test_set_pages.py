"""Duplicate sets side by side: who made more of the same cards."""

from collections.abc import Callable, Sequence
from types import SimpleNamespace

import pytest
from support.ledgers import beginning
from support.times import times_of

from ordago.chance import commitment
from ordago.record import Result, SeatForfeit
from ordago.record.ledgers.chain import chained
from ordago.record.ledgers.event import read_ledger
from ordago.store import IssuedMatch, MatchResult
from ordago_ladder.pages import figures
from ordago_ladder.pages.page_layout import PageLayout
from ordago_ladder.pages.set_pages import set_page_names, set_pages, sets_of
from ordago_ladder.rating.ladder import build_ladder
from ordago_ladder.schedule.schedule import plan
from ordago_ladder.settings.settings import Settings

LEDGER = read_ledger(chained([beginning(secret=b"", entrants="abcd")]))


def edition_of(
    settings: Settings, scores: Sequence[Sequence[int]], *, forfeit: SeatForfeit | None = None
) -> PageLayout:
    """Return an event whose first matches ended with these scores."""
    results = []
    for planned, made in zip(plan(settings).matches, scores, strict=False):
        placings = tuple(1 + sum(other > score for other in made) for score in made)
        none = ((),) * len(made)
        forfeits = (forfeit,) if forfeit and not results else ()
        result = Result(scores=tuple(made), placings=placings, faults=none, forfeits=forfeits, strikes=none)
        results.append(MatchResult(IssuedMatch(planned, f"{planned.row:032x}"), result))
    ladder = build_ladder(settings, results, secret_digest=commitment(b""))
    whole = {one.match.match_id for one in results if one.planned.set_key in ladder.complete_sets}
    return PageLayout(ladder, LEDGER, (), {match_id: times_of(3) for match_id in whole})


@pytest.fixture
def duel(make_event: Callable[..., Settings]) -> Settings:
    return make_event([("duel", 2)], entrants=2)


def test_the_same_cards_stand_in_one_column(duel: Settings) -> None:
    """With the cards of seat 0 a made 10 and b 4; with those of seat 1 b made −3 and a 5."""
    first, second = plan(duel).matches
    assert (first.entrants, second.entrants) == (("a", "b"), ("b", "a"))
    [shown] = sets_of(edition_of(duel, [(10, -3), (4, 5)]))
    assert (shown.number, shown.matches, shown.size, shown.places) == (1, (1, 2), 2, ((1,), (2,)))
    made = {line.entrant: [[one.score for one in scores] for scores in line.scores] for line in shown.lines}
    assert made == {"a": [[10], [5]], "b": [[4], [-3]]}
    assert [[one.best for scores in line.scores for one in scores] for line in shown.lines] == [[True] * 2, [False] * 2]
    assert [(line.entrant, line.difference) for line in shown.lines] == [("a", 3.5), ("b", -3.5)]
    assert shown.lines[0].scores[1][0].link == f"../told/{1:032x}.html"


@pytest.mark.parametrize(("signed", "written"), [(False, ">10<"), (True, ">+10<")])
def test_scores_have_the_signs_of_their_games(
    duel: Settings, monkeypatch: pytest.MonkeyPatch, *, signed: bool, written: str
) -> None:
    monkeypatch.setattr(figures, "find_game", {"duel": SimpleNamespace(signed_scores=signed)}.__getitem__)
    [page] = set_pages(edition_of(duel, [(10, 0), (4, 5)])).values()
    assert written in page


def test_where_all_made_the_same_nobody_was_best(duel: Settings) -> None:
    [shown] = sets_of(edition_of(duel, [(1, 1), (1, 1)]))
    assert not any(one.best for line in shown.lines for scores in line.scores for one in scores)
    assert {line.difference for line in shown.lines} == {0}


def test_a_set_that_is_not_whole_has_no_differences_and_leads_nowhere(duel: Settings) -> None:
    [shown] = sets_of(edition_of(duel, [(10, -3)]))
    assert [line.difference for line in shown.lines] == [None, None]
    assert [one.link for line in shown.lines for scores in line.scores for one in scores] == ["", ""]


def test_partners_hold_their_cards_together_and_who_forfeited_is_marked(make_event: Callable[..., Settings]) -> None:
    pairs = make_event([("pairs", 4)], entrants=2)
    layout = edition_of(pairs, [(3, 1, 3, 1), (0, 2, 0, 2)], forfeit=SeatForfeit(2, "crashed"))
    [shown] = sets_of(layout)
    assert shown.places == ((1, 3), (2, 4))
    assert [line.entrant for line in shown.lines] == ["a", "b"]
    assert [one.forfeited for line in shown.lines for scores in line.scores for one in scores] == [
        *(True, False),
        *(False, False),
    ]
    assert "seats 1, 3" in set_pages(layout)["sets/1.html"]


def test_events_without_duplicates_say_so(make_event: Callable[..., Settings]) -> None:
    lone = make_event([("lone", 3)], entrants=3)
    layout = edition_of(lone, [(1, 2, 3)] * 3)
    pages = set_pages(layout)
    assert list(pages) == set_page_names(lone, [one.planned for one in layout.ladder.results]) == ["sets/1.html"]
    assert "each match has its own deals" in pages["sets/1.html"]
    assert set_pages(edition_of(lone, [])) == {}


def test_a_page_has_the_sets_whose_first_matches_are_its_own(make_event: Callable[..., Settings]) -> None:
    trio = make_event(entrants=10)
    layout = edition_of(trio, [(1, 2, 3)] * 254)
    pages = set_pages(layout)
    assert list(pages) == set_page_names(trio, [one.planned for one in layout.ladder.results])
    assert list(pages) == ["sets/1.html", "sets/2.html"]
    assert 'id="s247"' in pages["sets/1.html"]
    assert 'id="s253"' in pages["sets/2.html"]
    assert '<b aria-current="page">251–500</b>' in pages["sets/2.html"]
