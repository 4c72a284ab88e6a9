"""A bot of somebody else's costs whoever examines it a bounded time and a bounded memory, and harms nothing."""

import re
import resource
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.processes import is_running

from ordago_doctor import Checkup, Finding, Mark, Practice, shipped_cases

BOT = Path(__file__).parent / "gallery" / "hostile.py"
CASES = [case for case in shipped_cases() if case.name in ("hello", "first-decision", "asked-twice", "stale")]
PATIENCE_SECONDS = 1.0
MOST_SECONDS = 30.0
MOST_MIB = 200
CAME = {
    "garbage": "a frame of 100 bytes that is no PlayRequest",
    "huge": "the bot's connection was lost",
    "name": r"'hostile\x1b]0;owned\x07\x1b[2J' is not a valid name",
    "empty": "it sent nothing within 1 s",
    "stale": "it did not wait for the Welcome: choice {match_handle: 4294967295",
    "many": "a frame of 4000 messages and",
    "prints": "it printed more than 16 MiB, and was killed",
    "leaves": "its process had ended with the exit code 1",
    "connects": "the bot's connection was lost",
}


def examined(way: str) -> dict[str, Finding]:
    practice = Practice((sys.executable, str(BOT), way), patience_seconds=PATIENCE_SECONDS, start_seconds=5.0)
    return Checkup(practice, CASES, lanes=2, slow=False, report=lambda _case, _finding: None).run()


@pytest.fixture(scope="module")
def all_findings() -> dict[str, dict[str, Finding]]:
    """What is found of all of them, and that it cost little."""
    before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(CAME, pool.map(examined, CAME), strict=True))
    assert time.monotonic() - began < MOST_SECONDS
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024 < MOST_MIB
    return found


@pytest.mark.slow
@pytest.mark.parametrize("way", CAME)
def test_a_hostile_bot_is_found_out_and_the_rest_is_not_tried(
    all_findings: dict[str, dict[str, Finding]], way: str
) -> None:
    findings = all_findings[way]
    failed = [finding for finding in findings.values() if finding.mark is Mark.FAILED]
    assert [CAME[way] in finding.came for finding in failed] == [True], failed
    marks = {finding.mark for finding in findings.values()}
    assert marks - {Mark.PASSED} == {Mark.FAILED, Mark.NOT_TRIED}


@pytest.mark.slow
@pytest.mark.parametrize("way", CAME)
def test_nothing_is_shown_that_a_terminal_obeys(all_findings: dict[str, dict[str, Finding]], way: str) -> None:
    for finding in all_findings[way].values():
        assert all(text.isprintable() for text in (finding.came, *finding.course, *finding.output))


@pytest.mark.slow
def test_what_a_bot_leaves_behind_ends_with_the_case(all_findings: dict[str, dict[str, Finding]]) -> None:
    [line] = [line for line in all_findings["leaves"]["hello"].output if line.startswith("left ")]
    left = re.fullmatch(r"left (\d+)", line)
    assert left is not None
    assert not is_running(int(left[1]))
