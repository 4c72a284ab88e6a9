"""The bots in every language pass the doctor, as bots of strangers have to.

What waits for the clock, half a minute for each bot, is left to the long form.
"""

from collections.abc import Sequence

from support.figures import Size

from ordago_doctor import Case, Checkup, Finding, Mark, Practice, shipped_cases

AT_ONCE = 6
PATIENCE_SECONDS = 20.0
"""As long as an answer may take on a machine that does other things, too."""


def examined(command: Sequence[str], cases: Sequence[Case], *, slow: bool) -> dict[str, Finding]:
    practice = Practice(tuple(command), patience_seconds=PATIENCE_SECONDS, start_seconds=60.0)
    return Checkup(practice, cases, lanes=AT_ONCE, slow=slow, report=lambda _case, _finding: None).run()


def test_a_bot_passes_the_doctor(command: Sequence[str], size: Size) -> None:
    cases = shipped_cases()
    findings = examined(command, cases, slow=bool(size(0, 1)))
    required = {case.name for case in cases if case.required}
    wrong = [finding for finding in findings.values() if finding.mark in (Mark.FAILED, Mark.NOT_TRIED)]
    assert not [(finding.name, finding.came, finding.course) for finding in wrong if finding.name in required]
