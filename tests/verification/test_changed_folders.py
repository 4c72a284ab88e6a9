"""Whatever is changed in a published folder is found, in the file where it is."""

from pathlib import Path

import pytest
from verification.changed_folders import BROKEN_CHAINS, CHANGED, records, told

from ordago_ladder.verification.event import verify_folder
from ordago_ladder.verification.findings import NoEventError, Verdict


def test_the_honest_folder_is_clean(published: Path) -> None:
    found = verify_folder(published)
    assert (found.verdict, found.records, found.revealed, found.findings) == (Verdict.CLEAN, 12, True, ())


@pytest.mark.slow
@pytest.mark.parametrize("name", CHANGED)
def test_a_changed_folder_is_not_clean(folder: Path, name: str) -> None:
    forgery = CHANGED[name]
    tales = [f"told/{path.name}" for path in told(folder)]
    file = f"records/{records(folder)[int(forgery.file)].name}" if forgery.file.isdigit() else forgery.file
    forgery.change(folder)
    found = verify_folder(folder)
    assert found.verdict is Verdict.NOT_CLEAN
    files = tales if file == "told" else [file]
    assert any(finding.file in files and forgery.words in finding.sentence for finding in found.findings), (
        found.findings
    )


@pytest.mark.parametrize("name", BROKEN_CHAINS)
def test_a_ledger_that_is_no_chain_is_none(folder: Path, name: str) -> None:
    BROKEN_CHAINS[name](folder)
    found = verify_folder(folder)
    assert [finding.file for finding in found.findings] == ["ledger.jsonl"]
    assert "\n" not in found.findings[0].sentence


@pytest.mark.parametrize("name", ["event.toml", "ledger.jsonl"])
def test_a_folder_without_an_event_file_or_a_ledger_holds_no_event(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(NoEventError, match=name):
        verify_folder(folder)
