"""Examines a bot by many cases, several at a time."""

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

Told = Callable[[Case, Finding], None]
"""Is told what became of each case, as soon as that is known."""

_PART_SECONDS: Final = 0.2
_CLEARING_SECONDS: Final = 3.0
"""How long whoever is stopped waits for each lane to clear away its bot."""
_NEXT: Final = v1.Goodbye(sentence="the next case follows", retry_after_ms=1)


class _Lane:
    """Examines by one case after the other, in one thread, and keeps the bot as long as it can be used again."""

    def __init__(self, practice: Practice) -> None:
        self._practice = practice
        self._bot: BotUnderTest | None = None
        self._last = ""
        """The case that was passed last, by the same bot."""
        self.finished = threading.Event()
        """Whether it has no more cases, and has cleared away its bot."""

    def examine(self, case: Case) -> Finding:
        """Return what became of a case."""
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
        except ValueError as error:  # That of whoever wrote the case.
            mark, came = Mark.NOT_TRIED, f"what stands in the case is wrong: {error}"
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
                # Whoever started it wants it to come back, so it has to get the message.
                time.sleep(_PART_SECONDS)
            bot.__exit__(None, None, None)

    def interrupt(self) -> None:
        """Have whatever is waited for end soon."""
        bot = self._bot
        if bot is not None and bot.process is not None:
            bot.process.end()

    def _try(self, case: Case) -> Mapping[str, float]:
        if case.needs_process and not self._practice.command:
            raise NotTriedError(
                "it is about a process that the doctor starts, and the author of the bot started this one"
            )
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
        """Return what there is to say of a bot, and let it go unless all is well with it."""
        bot = self._bot
        if bot is None:
            return (), ()
        if mark in (Mark.PASSED, Mark.LEFT_OUT) and bot.open and bot.start == Start():
            return (), ()
        told = (bot.course(), bot.last_lines()) if mark is Mark.FAILED else ((), ())
        self.close()
        return told


class Checkup:
    """The examination of a bot."""

    def __init__(self, practice: Practice, cases: Sequence[Case], *, lanes: int, slow: bool, told: Told) -> None:
        """Prepare to examine.

        Args:
            practice: how bots are examined.
            cases: by which cases.
            lanes: how many are tried at the same time.
            slow: whether those are tried, too, that take long.
            told: is told what became of each case.
        """
        self._practice = practice
        self._cases = [case for case in cases if slow or not case.slow]
        self._slow = [case for case in cases if case.slow and not slow]
        self._lanes = lanes if practice.command else 1
        self._told = told
        self._lock = threading.Lock()
        self._findings: dict[str, Finding] = {}
        self._over = threading.Event()
        self._errors: list[Exception] = []

    def run(self) -> dict[str, Finding]:
        """Return what became of each case, by its name.

        Raises:
            OSError: nothing can be listened on, or nothing can be started.
        """
        for case in self._slow:
            self._note(case, Finding(case.name, Mark.LEFT_OUT, 0.0, "it takes long; --slow tries it, too"))
        first = [case for case in self._cases if case.first]
        rest = [case for case in self._cases if not case.first]
        self._examine(first, lanes=1)
        if failed := [
            finding.name for finding in self._findings.values() if finding.mark in (Mark.FAILED, Mark.NOT_TRIED)
        ]:
            for case in self._cases:
                if case.name not in self._findings:
                    sentence = f"it is of no use as long as {failed[0]} fails"
                    self._note(case, Finding(case.name, Mark.NOT_TRIED, 0.0, sentence))
            return self._findings
        self._examine([case for case in rest if not case.alone], lanes=self._lanes)
        self._examine([case for case in rest if case.alone], lanes=1)
        return self._findings

    def _examine(self, cases: Sequence[Case], *, lanes: int) -> None:
        """Examine by some cases.

        Those within a session share a bot and come first; of the first of all it is the one that opens the session.
        """
        waiting: queue.SimpleQueue[Case] = queue.SimpleQueue()
        for case in sorted(cases, key=lambda case: case.session is case.first):
            waiting.put(case)
        # A process ends with the thread that started it, so each thread is there from its first case to its last.
        working = [_Lane(self._practice) for _ in range(min(lanes, len(cases)))]
        threads = [threading.Thread(target=self._work, args=(lane, waiting), daemon=True) for lane in working]
        for thread in threads:
            thread.start()
        try:
            # A thread whose join was interrupted is taken for one that has ended, though it has not.
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
                self._told(case, finding)
