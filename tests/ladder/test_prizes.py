"""Prizes: places that one entrant has alone, and those that are shared."""

import json
from collections.abc import Callable, Mapping

import pytest

from ordago.chance import commitment
from ordago.store import MatchResult
from ordago_ladder.pages.facts import prize_sentences
from ordago_ladder.publication.exports import ladder_json
from ordago_ladder.publication.terminal import format_lines
from ordago_ladder.rating.ladder import Ladder, build_ladder
from ordago_ladder.rating.prizes import Prize, prizes_of
from ordago_ladder.settings.settings import Settings

MakeEvent = Callable[..., Settings]
MakeResults = Callable[..., list[MatchResult]]
LEAGUE = {"a": 2300.0, "b": 1500.0, "c": 1500.0, "d": 700.0}


def ladder_of(event: Settings, results: list[MatchResult]) -> Ladder:
    return build_ladder(event, results, secret_digest=commitment(bytes(32)))


@pytest.fixture
def play(make_event: MakeEvent, make_results: MakeResults) -> Callable[..., Ladder]:
    def played(
        strengths: Mapping[str, float] = LEAGUE, *, terms: str = "repetitions = 5", most: int | None = None
    ) -> Ladder:
        event = make_event([("duel", 2)], entrants=sorted(strengths), terms=terms)
        return ladder_of(event, make_results(event, strengths)[:most])

    return played


def test_those_that_cannot_be_told_apart_share(play: Callable[..., Ladder]) -> None:
    ladder = play()
    first, second, third = prizes_of(ladder)
    assert (first, third) == (Prize(1, 1, ("a",)), Prize(4, 4, ("d",)))
    assert (second.first, second.last, set(second.entrants)) == (2, 3, {"b", "c"})
    order = [line.entrant for line in ladder.overall.lines]
    assert [name for prize in (first, second, third) for name in prize.entrants] == order


def test_files_and_terminal_say_the_same(play: Callable[..., Ladder]) -> None:
    ladder = play()
    assert json.loads(ladder_json(ladder))["prizes"] == [
        prize._asdict() | {"entrants": list(prize.entrants)} for prize in prizes_of(ladder)
    ]
    assert len(list(format_lines(ladder))) == 2


def test_equals_share_all_places(play: Callable[..., Ladder]) -> None:
    (only,) = prizes_of(play(dict.fromkeys("abcd", 1500.0)))
    assert (only.first, only.last) == (1, 4)


def test_nobody_has_a_place_before_the_end(play: Callable[..., Ladder]) -> None:
    unfinished = play(most=59)
    assert prizes_of(unfinished) == ()
    assert "prizes" not in json.loads(ladder_json(unfinished))


@pytest.mark.parametrize("terms", ['format = "swiss"\nrounds = 2', 'format = "knockout"'])
def test_formats_with_places_of_their_own_keep_them(play: Callable[..., Ladder], terms: str) -> None:
    assert prizes_of(play(terms=terms)._replace(complete=True)) == ()


def test_an_entrant_without_a_match_has_no_place(make_event: MakeEvent, make_results: MakeResults) -> None:
    event = make_event([("duel", 2)], entrants=4, terms="repetitions = 5")
    results = [played for played in make_results(event, LEAGUE) if "d" not in played.planned.entrants]
    ladder = ladder_of(event, results)
    found = prizes_of(ladder._replace(planned=len(results)))
    assert found[0].entrants == ("a",)
    assert found[-1].last == 3


def test_an_uncertain_one_further_down_holds_back_a_place(play: Callable[..., Ladder]) -> None:
    """Second is surely weaker than first. Third might be better than both, and nobody knows."""
    ladder = play()
    likely = ((None, 0.99, 0.6, 0.99), (0.01, None, 0.5, 0.99), (0.4, 0.5, None, 0.99), (0.01,) * 3 + (None,))
    (shared, last) = prizes_of(ladder._replace(overall=ladder.overall._replace(likelihoods=likely)))
    assert (shared.first, shared.last, last.first) == (1, 3, 4)


def test_sentences_end_with_third_place_and_name_a_few() -> None:
    names = tuple("abcdefghijk")
    said = [one.written() for one in prize_sentences([Prize(1, 1, ("z",)), Prize(2, 12, names), Prize(13, 13, ("y",))])]
    assert len(said) == 2
    assert "z" in said[0]
    assert "h" in said[1]
    assert "3 more" in said[1]
    assert "k" not in said[1].split(":")[1].replace("more", "")


def test_points_decide_where_they_end_the_event(make_event: MakeEvent, make_results: MakeResults) -> None:
    """The ladder of an early end would say 95 % after each look, and be wrong too often."""
    event = make_event([("duel", 2)], entrants=4, terms="repetitions = 5\nuntil_decided = 1\nat_most = 5")
    terms = {"until_decided": None, "at_most": None}
    plain = event.model_copy(update={"event": event.event.model_copy(update=terms)})
    ladder = ladder_of(event, make_results(plain, LEAGUE))
    looking = make_event([("duel", 2)], entrants=4, terms="repetitions = 5\nuntil_decided = 1\nat_most = 100")
    strict = ladder_of(looking, list(ladder.results))
    assert prizes_of(ladder)[0] == Prize(1, 1, ("a",))
    assert len(prizes_of(strict._replace(planned=60, complete=True))) <= len(prizes_of(ladder))
