"""Events that go by rounds, and that grow: what came due follows from the results, or is found."""

import json
from pathlib import Path
from typing import Any

import pytest
from verification.conftest import Publish
from verification.rounds import DOUBLE, KNOCKOUT, LARGER, LEAGUE, OPEN, PARTIAL, SWISS, UNTIL, RoundsOrganiser

from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict


def forgiving(text: str) -> str:
    """Return an event file by which nobody is suspended."""
    return text.replace("suspend_after = 2", "suspend_after = 0")


@pytest.mark.slow
@pytest.mark.parametrize("text", [SWISS, OPEN, KNOCKOUT, DOUBLE, LEAGUE])
def test_what_is_honest_is_clean(publish: Publish, text: str) -> None:
    organiser = RoundsOrganiser(text=text).play()
    found = verify_folder(publish(organiser))
    assert (found.verdict, found.findings, found.records) == (Verdict.CLEAN, (), len(organiser.records))


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_an_event_that_was_closed_after_some_rounds_is_clean(publish: Publish, rounds: int) -> None:
    organiser = RoundsOrganiser(text=UNTIL, most=2 * rounds).play()
    found = verify_folder(publish(organiser))
    assert (found.verdict, found.findings, found.records) == (Verdict.CLEAN, (), 2 * rounds)


@pytest.mark.slow
def test_who_closes_an_event_within_a_round_is_found(publish: Publish) -> None:
    """He drops the second table of the round, where he lost."""
    found = verify_folder(publish(RoundsOrganiser(text=forgiving(UNTIL + LARGER), most=6).play()))
    assert found.verdict is Verdict.NOT_CLEAN
    assert "closed within a round" in found.findings[0].sentence


@pytest.mark.slow
def test_who_ends_an_event_before_its_last_round_is_found(publish: Publish) -> None:
    organiser = RoundsOrganiser().play()
    for match_id in list(organiser.records)[-4:]:
        del organiser.records[match_id], organiser.issued[match_id]
    organiser.enter_anew()
    found = verify_folder(publish(organiser))
    assert found.verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
@pytest.mark.parametrize("text", [SWISS, KNOCKOUT, DOUBLE, LEAGUE])
def test_who_lets_others_meet_than_the_results_say_is_found(publish: Publish, text: str) -> None:
    organiser = RoundsOrganiser(text=forgiving(text), inverted=True).play()
    honest = RoundsOrganiser(text=forgiving(text)).play()
    assert organiser.issued != honest.issued
    assert verify_folder(publish(organiser)).verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
def test_who_lets_the_second_of_a_group_play_the_final_is_found(publish: Publish) -> None:
    """A hostile organiser has the losers of both groups play for the title: each match for itself is honest."""
    text = forgiving(LEAGUE)
    honest, forged = (RoundsOrganiser(text=text, inverted=inverted).play() for inverted in (False, True))
    finals = [set(list(organiser.issued.values())[-1].entrants) for organiser in (honest, forged)]
    assert finals[0].isdisjoint(finals[1])
    found = verify_folder(publish(forged))
    assert found.verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ladder.json", "index.html"])
def test_who_publishes_another_winner_of_a_group_is_found(publish: Publish, name: str) -> None:
    folder = publish(RoundsOrganiser(text=forgiving(LEAGUE)).play())
    winner, second = (line["entrant"] for line in _groups(folder)[0]["standings"])
    text = (folder / name).read_text(encoding="utf-8")
    start = text.index('"groups"' if name == "ladder.json" else 'id="groups"')
    forged = text[start:].replace(winner, "\0").replace(second, winner).replace("\0", second)
    (folder / name).write_text(text[:start] + forged, encoding="utf-8")
    found = verify_folder(folder)
    assert [finding.file for finding in found.findings] == [name]


def _groups(folder: Path) -> list[Any]:
    groups: list[Any] = json.loads((folder / "ladder.json").read_text(encoding="utf-8"))["groups"]
    return groups


@pytest.mark.slow
@pytest.mark.parametrize(("text", "played"), [(SWISS, 4), (SWISS, 3), (OPEN, 2), (OPEN, 1), (SWISS, 0)])
def test_who_comes_late_plays_from_the_next_round_on(publish: Publish, text: str, played: int) -> None:
    organiser = RoundsOrganiser(text=text).grow(issued=4 if text == SWISS else 2, played=played)
    found = verify_folder(publish(organiser))
    assert (found.verdict, found.findings) == (Verdict.CLEAN, ())
    assert any("zoe" in planned.entrants for planned in organiser.issued.values())


@pytest.mark.slow
@pytest.mark.parametrize(("issued", "played"), [(2, 2), (3, 1), (0, 4)])
def test_who_drops_a_part_of_a_round_since_somebody_comes_is_found(publish: Publish, issued: int, played: int) -> None:
    """A hostile organiser leads after the first matches of a round, and by somebody new the rest is not played."""
    found = verify_folder(publish(RoundsOrganiser(text=SWISS).grow(issued=issued, played=played)))
    assert found.verdict is Verdict.NOT_CLEAN


@pytest.mark.slow
@pytest.mark.parametrize(("issued", "played"), [(12, 12), (12, 3), (0, 0), (12, 0)])
def test_who_comes_late_keeps_what_was_due(publish: Publish, issued: int, played: int) -> None:
    found = verify_folder(publish(RoundsOrganiser(text=PARTIAL).grow(issued=issued, played=played)))
    assert (found.verdict, found.findings) == (Verdict.CLEAN, ())


@pytest.mark.slow
@pytest.mark.parametrize(("issued", "played"), [(11, 3), (8, 8), (4, 0), (13, 12)])
def test_who_drops_what_was_due_since_somebody_comes_is_found(publish: Publish, issued: int, played: int) -> None:
    """With ``sets``, what was due before may not come due again."""
    found = verify_folder(publish(RoundsOrganiser(text=PARTIAL).grow(issued=issued, played=played)))
    assert found.verdict is Verdict.NOT_CLEAN
    assert any("stayed so" in finding.sentence for finding in found.findings)
