"""Ratings as they are said: numbers where they are known, and bounds or reasons where they are not."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ordago_ladder.pages.figures import rating_cells, rating_text
from ordago_ladder.rating.known import MOST_SAID, Known, Note, known
from ordago_ladder.rating.rating import rate
from ordago_ladder.rating.results import Kind, Pairing


def pairings(*outcomes: tuple[str, str, int], sets: int) -> list[Pairing]:
    return [
        Pairing(Kind("duel", (one,), (other,), 0, 1), f"{number}", half_points, rated=True)
        for number in range(sets)
        for one, other, half_points in outcomes
    ]


def notes(found: Sequence[Pairing], *, entrants: str, anchors: dict[str, float] | None = None) -> dict[str, Known]:
    ratings = rate(found, entrants=entrants, anchors=anchors).ratings
    return {rating.entrant: rating.known for rating in ratings}


EVEN = [("a", "b", 2), ("b", "a", 2)]


@pytest.mark.parametrize(
    ("said", "text", "cells"),
    [
        (known(1663.2, 1648, 1678.4), "1663 ± 15", ("1663", "15")),
        (Known(Note.AT_LEAST, low=1700.4), "≥\N{NO-BREAK SPACE}1700", ("≥\N{NO-BREAK SPACE}1700", "–")),
        (Known(Note.AT_MOST, high=1200.4), "≤\N{NO-BREAK SPACE}1200", ("≤\N{NO-BREAK SPACE}1200", "–")),
        (Known(Note.TOO_FEW), "too few matches", ("too few matches", "–")),
    ],
)
def test_each_kind_is_written_for_people(said: Known, text: str, cells: tuple[str, str]) -> None:
    assert (rating_text(said), rating_cells(said)) == (text, cells)


def test_every_note_has_words() -> None:
    for note in set(Note) - {Note.NUMBER, Note.AT_LEAST, Note.AT_MOST}:
        assert rating_text(Known(note))


def test_a_number_begins_with_a_short_interval() -> None:
    assert known(1500, 1500 - MOST_SAID, 1500 + MOST_SAID) == Known(Note.TOO_FEW)
    assert known(1500, 1501 - MOST_SAID, 1499 + MOST_SAID).elo == 1500


def test_one_match_makes_no_number_and_thirty_sets_do() -> None:
    assert {said.elo for said in notes(pairings(("a", "b", 2), sets=1), entrants="ab").values()} == {None}
    assert all(said.elo for said in notes(pairings(*EVEN, sets=30), entrants="ab").values())


def test_no_number_reaches_beyond_what_is_shown() -> None:
    for sets in range(1, 30):
        found = rate(pairings(*EVEN, ("a", "c", 2), ("b", "c", 2), sets=sets), entrants="abc").ratings
        assert all(rating.known.elo is None for rating in found if rating.half_length >= MOST_SAID)
        assert all(rating.known.elo is not None for rating in found if rating.half_length < MOST_SAID / 2)


def test_who_lost_everything_has_no_number_but_at_most_a_bound() -> None:
    said = notes(pairings(*EVEN, ("a", "c", 2), ("b", "c", 2), sets=40), entrants="abc")
    assert said["c"].note in {Note.AT_MOST, Note.LOST_ALL}
    assert said["a"].elo is not None
    one, two = (notes(pairings(("a", "b", 2), sets=sets), entrants="ab")["a"].note for sets in (1, 2))
    assert {one, two} <= {Note.AT_LEAST, Note.WON_ALL}


def test_two_groups_are_not_compared_without_anchors() -> None:
    # Each wins in either seat: where a seat decides all, forty sets say too little of strengths for a number.
    outcomes = [(*players, half_points) for players in (("a", "b"), ("c", "d")) for half_points in (2, 0)]
    found = pairings(*outcomes, sets=40)
    assert {said.note for said in notes(found, entrants="abcd").values()} == {Note.APART}
    anchored = notes(found, entrants="abcd", anchors={"a": 1600.0, "c": 1400.0})
    assert {said.note for said in anchored.values()} == {Note.NUMBER}
    of_one = notes(found, entrants="abcd", anchors={"a": 1600.0})
    assert [of_one[name].note for name in "abcd"] == [Note.NUMBER, Note.NUMBER, Note.APART, Note.APART]


def test_who_met_nobody_comes_last_and_has_no_number() -> None:
    ratings = rate(pairings(("a", "b", 2), ("a", "b", 2), ("b", "a", 2), sets=40), entrants="abz").ratings
    assert [rating.entrant for rating in ratings] == ["a", "b", "z"]
    assert ratings[-1].known == Known(Note.TOO_FEW)


def test_anchors_always_have_their_number() -> None:
    assert notes([], entrants="ab", anchors={"a": 1700.0})["a"] == Known(Note.NUMBER, 1700, 1700, 1700)


def test_a_likelihood_is_said_where_both_ratings_are() -> None:
    number, at_most = known(1500, 1450, 1550), Known(Note.AT_MOST, high=1300.0)
    assert number.against(at_most, 0.99) == 0.99
    for note in set(Note) - {Note.NUMBER, Note.AT_LEAST, Note.AT_MOST}:
        assert number.against(Known(note), 0.99) is None
        assert Known(note).against(number, 0.01) is None


def test_a_published_ladder_has_no_likelihood_without_a_rating() -> None:
    corpus = Path(__file__).parents[1] / "corpus" / "event"
    content = json.loads((corpus / "ladder.json").read_text("utf-8"))
    for ladder in (content["overall"], *content["by_game"].values()):
        said = [line["rating_note"] in {"", "at least", "at most"} for line in ladder["ladder"]]
        for row, (line, shares) in enumerate(zip(ladder["ladder"], ladder["superiority"], strict=True)):
            assert [share is not None for share in shares] == [
                said[row] and other and row != column for column, other in enumerate(said)
            ]
            assert line["above_next"] == (shares[row + 1] if row + 1 < len(said) else None)
