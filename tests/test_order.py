"""Tests that measure times lie where ``make test`` runs them."""

from pathlib import Path

TESTS = Path(__file__).parent


def test_all_tests_that_measure_times_lie_in_the_folder_that_is_run_for_them() -> None:
    """Others are collected for nothing, and one elsewhere would never run."""
    marked = {path for path in TESTS.rglob("*.py") if "mark." + "alone" in path.read_text(encoding="utf-8")}
    assert marked
    assert [path for path in marked if TESTS / "torture" not in path.parents] == []
