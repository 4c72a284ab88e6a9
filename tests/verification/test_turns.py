"""Processes that take turns: the ledger shows in which order they got the same deals."""

import pytest
from support.organiser import EVENT, Organiser
from verification.conftest import Publish

from ordago_ladder.schedule.turns import in_turns
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict

APART = EVENT.replace("suspend_after = 6", "suspend_after = 0")
IN_TURNS = APART.replace("suspend_after", "duplicates = true\nsuspend_after").replace(
    'command = "./ana"', "remote = true"
)
BY_DEFAULT = IN_TURNS.replace("duplicates = true\n", "")


def organiser_of(text: str) -> Organiser:
    return Organiser(text=text, void=frozenset()).play()


def reorder(organiser: Organiser, ids: list[str]) -> Organiser:
    organiser.records = {match_id: organiser.records[match_id] for match_id in ids}
    organiser.enter_anew()
    return organiser


@pytest.mark.slow
def test_what_was_played_in_turns_is_clean(publish: Publish) -> None:
    organiser = organiser_of(IN_TURNS)
    order = in_turns(organiser.schedule.values(), organiser.settings)
    assert order != list(organiser.schedule.values())
    found = verify_folder(publish(reorder(organiser, [organiser.id_of(planned) for planned in order])))
    assert (found.verdict, found.findings, found.records) == (Verdict.CLEAN, (), 12)


@pytest.mark.slow
def test_a_later_seating_that_was_played_first_is_found(publish: Publish) -> None:
    """An organiser lets its friend begin with the seat that it likes, or plays both seatings at once."""
    organiser = organiser_of(IN_TURNS)
    ids = list(organiser.records)
    found = verify_folder(publish(reorder(organiser, [ids[1], ids[0], *ids[2:]])))
    assert found.verdict is Verdict.NOT_CLEAN
    assert [ids[0] in finding.sentence for finding in found.findings] == [True]


@pytest.mark.slow
def test_others_may_end_in_any_order(publish: Publish) -> None:
    organiser = organiser_of(APART)
    assert verify_folder(publish(reorder(organiser, list(organiser.records)[::-1]))).verdict is Verdict.CLEAN


@pytest.mark.slow
@pytest.mark.parametrize(("played", "published"), [(IN_TURNS, BY_DEFAULT), (BY_DEFAULT, IN_TURNS)])
def test_a_consent_that_was_written_or_removed_afterwards_is_found(
    publish: Publish, played: str, published: str
) -> None:
    folder = publish(organiser_of(played))
    (folder / "event.toml").write_text(published.replace("a secret of ben's", ""))
    found = verify_folder(folder)
    assert found.verdict is Verdict.NOT_CLEAN
    assert any("to another event file" in finding.sentence for finding in found.findings)
