"""An event that went on from a backup is proved, and who hides or moves that is found."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from support.organiser import Organiser
from verification.conftest import Publish

from ordago.record.ledgers.event import Entry, RestorationEntry, ResultEntry
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict


@pytest.fixture(scope="module")
def restored() -> Organiser:
    """The organiser of an event that was restored twice. Copy it before it changes anything."""
    return Organiser(restored=frozenset({5, 8})).play()


def test_an_honest_restoration_is_proved_and_told_of(restored: Organiser, publish: Publish) -> None:
    folder = publish(restored)
    found = verify_folder(folder)
    assert (found.verdict, found.findings) == (Verdict.CLEAN, ())
    times = "not chosen for their deals: 2027-01-31T18:00:00Z, 2027-01-31T18:00:00Z."
    assert any(times in claim.sentence for claim in found.claims)
    assert (folder / "course.html").read_text(encoding="utf-8").count("it was restored from a backup") == 2


def test_deals_differ_from_those_without_a_restoration(restored: Organiser, honest: Organiser) -> None:
    before, after = list(honest.records)[:5], list(honest.records)[5:]
    assert all(restored.records[match_id].deal_seed == honest.records[match_id].deal_seed for match_id in before)
    assert all(restored.records[match_id].deal_seed != honest.records[match_id].deal_seed for match_id in after)


def _forgotten(entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if not isinstance(entry, RestorationEntry)]


def _later(entries: Sequence[Entry]) -> list[Entry]:
    """Let a result come before the restoration that its deals depend on."""
    at = _place(entries)
    result = next(index for index in range(at, len(entries)) if isinstance(entries[index], ResultEntry))
    return [*entries[:at], entries[result], entries[at], *entries[at + 1 : result], *entries[result + 1 :]]


def _chosen(entries: Sequence[Entry]) -> list[Entry]:
    at = _place(entries)
    return [*entries[:at], RestorationEntry(time="2027-01-31T18:00:00Z", value="ab" * 16), *entries[at + 1 :]]


def _twice(entries: Sequence[Entry]) -> list[Entry]:
    at = _place(entries)
    return [*entries[: at + 1], *entries[at:]]


def _place(entries: Sequence[Entry]) -> int:
    return next(at for at, entry in enumerate(entries) if isinstance(entry, RestorationEntry))


@pytest.mark.parametrize(
    ("forge", "words"),
    [
        (_forgotten, "The seed of the deals is not that of the set"),
        (_later, "The seed of the deals is not that of the set"),
        (_chosen, "The seed of the deals is not that of the set"),
        (_twice, "has the value of an earlier one"),
    ],
)
def test_another_restoration_than_that_of_the_deals_is_found(
    restored: Organiser, publish: Publish, forge: Callable[[Sequence[Entry]], list[Entry]], words: str
) -> None:
    organiser = restored.copy()
    organiser.entries = forge(organiser.entries)
    found = verify_folder(publish(organiser))
    assert found.verdict is Verdict.NOT_CLEAN
    assert any(words in finding.sentence for finding in found.findings), found.findings


def test_receipts_of_the_lost_time_contradict_the_restored_ledger(
    restored: Organiser, honest: Organiser, publish: Publish, tmp_path: Path
) -> None:
    """They are right: what they are of was played, and the organiser lost it."""
    folder = publish(restored)
    lost = tmp_path / "lost"
    lines = honest.receipts_of("ana").splitlines()
    lost.write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    assert verify_folder(folder, receipts=[lost]).verdict is Verdict.CLEAN, "of the time before the backup"
    lost.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = verify_folder(folder, receipts=[lost])
    assert found.verdict is Verdict.NOT_CLEAN
    assert any("is not what it was by a receipt" in finding.sentence for finding in found.findings)
