"""What was counted is held against what is kept, and the counting itself is the same each time."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from counts import FILE, Count, grown, read_counts, with_counts

from ordago_bench.instructions import CountingError, Workload, all_workloads, build, instructions, missing

(RULES,) = (each for each in all_workloads() if each.name == "rules taihe")
KEPT = '# Why they are kept.\n["3.11"]\n"rules mus" = { instructions = 1000, bound = 1.05 }\n'


def test_what_has_grown_is_told_with_how_much_and_what_to_do() -> None:
    (told,) = grown(read_counts(KEPT, "3.11"), {"rules mus": 1_100.0})
    assert told.startswith("rules mus: 1,100 instructions a decision, 10.0% more than the 1,000 in counts.toml")
    assert "find what costs them" in told


def test_what_stays_within_its_bound_is_let_pass() -> None:
    assert grown(read_counts(KEPT, "3.11"), {"rules mus": 1_049.0, "rules taihe": 9_999.0}) == []


def test_another_build_is_not_compared() -> None:
    assert read_counts(KEPT, "3.12") == {}


def test_new_counts_leave_comments_and_bounds_as_they_are() -> None:
    written = with_counts(KEPT, "3.11", {"rules mus": 900.4, "server mix": 5.0})
    assert written.startswith("# Why they are kept.\n")
    assert read_counts(written, "3.11") == {"rules mus": Count(900, 1.05), "server mix": Count(5, 1.3)}


def test_every_workload_has_a_name_of_its_own() -> None:
    names = [workload.name for workload in all_workloads()]
    assert len(names) == len(set(names))


@pytest.fixture(scope="module")
def counted() -> float:
    """How many instructions a decision of Taihe takes."""
    return instructions(RULES)


@pytest.mark.slow
@pytest.mark.skipif(missing() is not None, reason=f"instructions are not counted: {missing()}")
def test_two_counts_of_the_same_rules_are_the_same(
    counted: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a fresh machine too, where no module is compiled yet."""
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    assert instructions(RULES) == pytest.approx(counted, rel=0.02)


@pytest.mark.skipif(missing() is not None, reason=f"instructions are not counted: {missing()}")
def test_a_workload_that_fails_is_told() -> None:
    with pytest.raises(CountingError, match=r"rules chess failed: .*chess"):
        instructions(Workload("rules", "chess", (1, 2)))


@pytest.mark.slow
@pytest.mark.skipif(missing() is not None, reason=f"instructions are not counted: {missing()}")
def test_the_rules_have_not_grown(counted: float) -> None:
    """In a short form: one game. ``make counts`` counts all of them, and the server."""
    kept = read_counts(FILE.read_text(encoding="utf-8"), build())
    if not kept:
        pytest.skip(f"instructions were not counted with Python {build()}")
    assert not grown(kept, {RULES.name: counted})


def test_a_build_is_named_by_its_python() -> None:
    assert build().startswith("3.")
