"""An organiser who makes everything anew after he has cheated is found where he contradicts himself or his receipts."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.commands import assert_told, ordago
from support.organiser import Organiser
from verification.cheating import CONTRADICTED_BY_RECEIPTS, SELF_CONTRADICTING
from verification.conftest import Publish

from ordago import v1
from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import Verdict


@pytest.mark.slow
@pytest.mark.parametrize("name", SELF_CONTRADICTING)
def test_who_contradicts_himself_is_found(honest: Organiser, publish: Publish, name: str) -> None:
    found, organiser = SELF_CONTRADICTING[name], honest.copy()
    found.cheat(organiser)
    verification = verify_folder(publish(organiser))
    assert verification.verdict is Verdict.NOT_CLEAN
    assert any(found.words in finding.sentence for finding in verification.findings), verification.findings


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTRADICTED_BY_RECEIPTS)
def test_who_makes_another_event_is_contradicted_by_any_entrant(
    honest: Organiser, publish: Publish, receipts: Mapping[str, Path], name: str
) -> None:
    organiser = honest.copy()
    CONTRADICTED_BY_RECEIPTS[name](organiser)
    folder = publish(organiser)
    assert verify_folder(folder).verdict is Verdict.CLEAN, "nothing in the folder speaks against him"
    found = verify_folder(folder, receipts=list(receipts.values()))
    assert found.verdict is Verdict.NOT_CLEAN
    assert {finding.file for finding in found.findings} == {str(file) for file in receipts.values()}


@pytest.mark.slow
def test_receipts_agree_with_what_is_honest(published: Path, receipts: Mapping[str, Path], tmp_path: Path) -> None:
    of_others = tmp_path / "others.jsonl"
    lines = receipts["ana"].read_text(encoding="utf-8").replace('"small"', '"other"')
    of_others.write_text(lines + receipts["ana"].read_text(encoding="utf-8"), encoding="utf-8")
    own = [file for name, file in receipts.items() if name != "ana"]
    found = verify_folder(published, receipts=[*own, of_others])
    assert (found.verdict, found.findings) == (Verdict.CLEAN, ())
    assert found.receipts == 4 * (1 + 2 * 6)


@pytest.mark.slow
def test_an_invented_receipt_makes_nobody_a_cheat(
    published: Path, receipts: Mapping[str, Path], tmp_path: Path
) -> None:
    """Receipts bear no signature: what is said of the contradiction says so, and accuses neither side."""
    invented = tmp_path / "invented.jsonl"
    lines = receipts["ana"].read_text(encoding="utf-8").splitlines()
    forged = [json.dumps(json.loads(line) | ({"head": "ab" * 32} if '"head"' in line else {})) for line in lines]
    invented.write_text("\n".join(forged), encoding="utf-8")
    found = verify_folder(published, receipts=[invented])
    assert found.contradictions == len(found.findings) > 0
    assert all("receipt" in finding.sentence for finding in found.findings)
    assert_told(ordago("verify", published, "--receipts", invented), 1, "not signed", "one of the two is forged")


def test_the_ledger_made_anew_for_the_same_records_is_the_same(honest: Organiser) -> None:
    """So that a cheat whose ledger is made anew differs by nothing but the cheat."""
    organiser = honest.copy()
    organiser.enter_anew()
    assert sorted(map(repr, organiser.entries)) == sorted(map(repr, honest.entries))


def test_the_honest_event_holds_what_can_be_forged(honest: Organiser, published: Path) -> None:
    choices = [entry.choice for record in honest.records.values() for entry in record.entries]
    assert any(choice.strikes for choice in choices)
    assert {choice.fault for choice in choices} >= {v1.FAULT_ILLEGAL, v1.FAULT_TOO_LATE, v1.FAULT_CRASHED}
    assert verify_folder(published).verdict is Verdict.CLEAN
