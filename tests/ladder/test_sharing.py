"""Records that several processes prove: what is said of them is what one says."""

import shutil
from math import sqrt
from pathlib import Path

import pytest

from ordago_ladder.verification import sharing
from ordago_ladder.verification.records import verify_records
from ordago_ladder.verification.sharing import processors, shared

CORPUS = Path(__file__).parents[1] / "corpus"
LEAST_EACH = 10


@pytest.fixture(autouse=True)
def _little_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "LEAST_EACH", LEAST_EACH)


def test_what_comes_of_items_comes_in_their_order():
    numbers = range(2 * LEAST_EACH + 1)
    assert list(shared(sqrt, numbers, processes=2)) == [sqrt(number) for number in numbers]


def test_a_few_items_begin_no_process(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(sharing, "ProcessPoolExecutor")
    numbers = range(2 * LEAST_EACH - 1)
    assert list(shared(sqrt, numbers, processes=8)) == [sqrt(number) for number in numbers]
    assert list(shared(sqrt, range(5 * LEAST_EACH), processes=1))[-1] == sqrt(5 * LEAST_EACH - 1)


def test_who_wants_no_more_ends_the_processes():
    found = shared(sqrt, range(500 * LEAST_EACH), processes=2)
    assert next(found) == 0
    found.close()
    assert list(found) == []


def test_there_is_a_processor():
    assert processors() >= 1


@pytest.mark.slow
def test_records_are_found_the_same_by_one_process_and_by_several(tmp_path: Path):
    """Whole records, one that was cut off, an empty one, one that is a link, and one of another game."""
    whole = (CORPUS / "mittlere-3.record").read_bytes()
    for number in range(2 * LEAST_EACH):
        (tmp_path / f"{number:02}.record").write_bytes(whole)
    (tmp_path / "03.record").write_bytes(whole[:-5])
    (tmp_path / "14.record").write_bytes(b"")
    (tmp_path / "17.record").unlink()
    (tmp_path / "17.record").symlink_to(CORPUS / "mittlere-3.record")
    shutil.copy(CORPUS / "mus-4.record", tmp_path / "18.record")
    alone, together = (verify_records(tmp_path, processes=processes) for processes in (1, 2))
    assert together == alone
    assert [finding.file for finding in alone.findings] == ["03.record", "14.record", "17.record"]
    assert alone.records == 2 * LEAST_EACH - 3
    assert alone.revealed
