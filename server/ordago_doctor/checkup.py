"""The examination of a bot: all cases, several at a time."""

import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ordago import v1
from ordago_doctor.bot_under_test import BotUnderTest, Practice
from ordago_doctor.case import Case, Start
from ordago_doctor.exercises import EXERCISES
from ordago_doctor.findings import Finding, LeftOutError, Mark, NotTriedError, ProblemError
from ordago_doctor.script import Script
from ordago_doctor.server import Ending, status_of
from ordago_doctor.wire import kept_address

Report = Callable[[Case, Finding], None]
"""A callback for the finding of each case, called as soon as the case ends."""

_PART_SECONDS: Final = 0.2
"""The time for the last message to reach the bot before its connection ends."""
_CLEARING_SECONDS: Final = 3.0
"""The time for each lane to end its bot after an interrupt."""
_NEXT: Final = v1.Goodbye(sentence="the next case follows", retry_after_ms=1)


class _Lane:
    """A thread that tries one case after the other, and reuses the bot while it is sound."""

    def __init__(self, practice: Practice) -> None:
        self._practice = practice
        self._bot: BotUnderTest | None = None
        self._last = ""
        """The last case that the same bot was in."""
        self.finished = threading.Event()
        """Set when there are no more cases and the bot has ended."""

    def examine(self, case: Case) -> Finding:
        """Try a case, and return the finding."""
        began = time.monotonic()
        mark, came, figures = Mark.PASSED, "", {}
        try:
            figures = dict(self._try(case))
        except ProblemError as error:
            mark, came = Mark.FAILED, str(error)
        except NotTriedError as error:
            mark, came = Mark.NOT_TRIED, str(error)
        except LeftOutError as error:
            mark, came = Mark.LEFT_OUT, str(error)
        except ValueError as error:  # The author of the case made this mistake.
            mark, came = Mark.NOT_TRIED, f"the case itself is wrong: {error}"
        self._last = case.name
        course, output = self._let_go_after(mark)
        return Finding(case.name, mark, time.monotonic() - began, came, course, output, figures)

    def close(self) -> None:
        """End the bot."""
        bot, self._bot = self._bot, None
        if bot is not None:
            if bot.process is None and bot.open:
                bot.send(v1.PlayResponse(messages=[v1.ServerMessage(goodbye=_NEXT)]).SerializeToString())
                bot.end_stream(Ending(status_of("OK")))
                # The bot, which its author started, reconnects after this message, so the message has to arrive.
                time.sleep(_PART_SECONDS)
            bot.__exit__(None, None, None)

    def interrupt(self) -> None:
        """End the bot's process, so that a waiting case ends soon."""
        bot = self._bot
        if bot is not None and bot.process is not None:
            bot.process.end()

    def _try(self, case: Case) -> Mapping[str, float]:
        if case.needs_process and not self._practice.command:
            raise NotTriedError("it tests a process that the doctor starts, and the author of the bot started this one")
        bot = self._patient_for(case)
        bot.begin_case()
        if case.exercise:
            return EXERCISES[case.exercise](bot, **case.parameters)
        if case.session:
            bot.ensure_open()
        Script(case, bot).follow()
        return {}

    def _patient_for(self, case: Case) -> BotUnderTest:
        if not case.session:
            self.close()
        if self._bot is not None and (words := self._bot.end_words()):
            raise ProblemError(f"it did not survive the case {self._last}{words}")
        if self._bot is None:
            self._bot = BotUnderTest(self._practice, case.start).__enter__()
        return self._bot

    def _let_go_after(self, mark: Mark) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the messages and output to report, and end the bot unless it is reusable."""
        bot = self._bot
        if bot is None:
            return (), ()
        if mark in (Mark.PASSED, Mark.LEFT_OUT) and bot.open and bot.start == Start():
            return (), ()
        seen = (bot.course(), bot.last_lines()) if mark is Mark.FAILED else ((), ())
        self.close()
        return seen


class Checkup:
    """The examination of a bot."""

    def __init__(self, practice: Practice, cases: Sequence[Case], *, lanes: int, slow: bool, report: Report) -> None:
        """Prepare the examination.

        Args:
            practice: the settings of the examination.
            cases: the cases to try.
            lanes: the number of cases at a time; 1 if its author starts the bot.
            slow: try the slow cases too.
            report: called with the finding of each case.
        """
        self._practice = practice
        self._cases = [case for case in cases if slow or not case.slow]
        self._slow = [case for case in cases if case.slow and not slow]
        self._lanes = lanes if practice.command else 1
        self._report = report
        self._lock = threading.Lock()
        self._findings: dict[str, Finding] = {}
        self._over = threading.Event()
        self._errors: list[Exception] = []

    def run(self) -> dict[str, Finding]:
        """Try all cases, and return the findings by name.

        Raises:
            OSError: listening, or starting a process, fails.
        """
        with kept_address(self._practice.host, self._practice.port):
            return self._run()

    def _run(self) -> dict[str, Finding]:
        for case in self._slow:
            self._note(case, Finding(case.name, Mark.LEFT_OUT, 0.0, "it is slow; --slow includes it"))
        first = [case for case in self._cases if case.first]
        rest = [case for case in self._cases if not case.first]
        self._examine(first, lanes=1)
        if failed := [
            finding.name for finding in self._findings.values() if finding.mark in (Mark.FAILED, Mark.NOT_TRIED)
        ]:
            for case in self._cases:
                if case.name not in self._findings:
                    sentence = f"it needs {failed[0]}, which fails"
                    self._note(case, Finding(case.name, Mark.NOT_TRIED, 0.0, sentence))
            return self._findings
        self._examine([case for case in rest if not case.alone], lanes=self._lanes)
        self._examine([case for case in rest if case.alone], lanes=1)
        return self._findings

    def _examine(self, cases: Sequence[Case], *, lanes: int) -> None:
        """Try some cases.

        Cases within a session share a bot and come first. Of the very first cases, the one that opens the session does.
        """
        waiting: queue.SimpleQueue[Case] = queue.SimpleQueue()
        for case in sorted(cases, key=lambda case: case.session is case.first):
            waiting.put(case)
        # A process ends with the thread that started it, so each lane has one thread from its first case to its last.
        working = [_Lane(self._practice) for _ in range(min(lanes, len(cases)))]
        threads = [threading.Thread(target=self._work, args=(lane, waiting), daemon=True) for lane in working]
        for thread in threads:
            thread.start()
        try:
            # An interrupted join marks a running thread as ended, so wait for events instead.
            for lane in working:
                lane.finished.wait()
        except KeyboardInterrupt:
            self._over.set()
            for lane in working:
                lane.interrupt()
            for lane in working:
                lane.finished.wait(_CLEARING_SECONDS)
            raise
        if self._errors:
            raise self._errors[0]

    def _work(self, lane: _Lane, waiting: "queue.SimpleQueue[Case]") -> None:
        try:
            while not self._over.is_set():
                case = waiting.get_nowait()
                finding = lane.examine(case)
                self._note(case, finding)
                if case.first and finding.mark is not Mark.PASSED:
                    return
        except queue.Empty:
            pass
        except Exception as error:  # noqa: BLE001 - it is raised again in the thread that waits for this one
            self._errors.append(error)
            self._over.set()
        finally:
            try:
                lane.close()
            finally:
                lane.finished.set()

    def _note(self, case: Case, finding: Finding) -> None:
        with self._lock:
            self._findings[case.name] = finding
            if not self._over.is_set():
                self._report(case, finding)
