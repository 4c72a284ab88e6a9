"""The interpreter of scripts: performs the steps of a case one by one."""

import signal
import time
from collections.abc import Callable, Mapping
from typing import Final

from google.protobuf import json_format
from google.protobuf.message import Message

from ordago import v1
from ordago.games import game_names
from ordago.names import quoted
from ordago_doctor.bot_under_test import RESUME_TOKEN, SESSION, TOKEN, BotUnderTest, welcome
from ordago_doctor.case import Case, Step
from ordago_doctor.findings import LeftOutError, ProblemError
from ordago_doctor.messages import (
    NEWS,
    Json,
    WrittenError,
    WrittenMessage,
    brief,
    filled,
    frame_of,
    objects,
    renumbered,
    short,
    unlike,
    written_message,
)
from ordago_doctor.server import Ending, status_of
from ordago_doctor.table import ScriptTable

USUAL_GAME: Final = "mittlere"
"""The game for a bot that plays all: its matches begin quickly."""
_MS_A_SECOND: Final = 1000
_TEXT: Final = "text "
_BACK_SECONDS: Final = 12.0
"""The time for a bot to reconnect: longer than its longest pause."""
_WORDS: Final = {
    "session": SESSION,
    "resume_token": RESUME_TOKEN,
    "token": TOKEN,
    "authorization": f"Bearer {TOKEN}",
}


def game_of(hello: v1.Hello) -> str:
    """Return the game to ask a bot about.

    Raises:
        LeftOutError: it plays no known game.
    """
    played = [name for name in game_names() if not hello.games or name in hello.games]
    if not played:
        raise LeftOutError(f"all games that the bot plays are unknown: {', '.join(map(quoted, hello.games))}")
    return USUAL_GAME if USUAL_GAME in played else played[0]


class Script:
    """The script of one case, with one bot."""

    def __init__(self, case: Case, bot: BotUnderTest) -> None:
        """Prepare to run the script."""
        self._case = case
        self._bot = bot
        self._offset = bot.handles
        """The difference between match handles of the session and those of the case."""
        self._tables: dict[int, ScriptTable] = {}
        self._running: set[int] = set()
        """The handles of the running matches."""
        self._answers: dict[str, v1.Answer] = {}
        self._ended_seconds = time.monotonic()
        """The time at which the last connection ended."""

    def follow(self) -> None:
        """Run the script, and end the matches that it has begun.

        Raises:
            ProblemError: the bot does not behave as expected.
        """
        verbs: Mapping[str, Callable[[Step], None]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }
        for step in self._case.step:
            verbs[step.verb](step)
        if self._bot.open and self._running:
            over = {"sentence": "the case is over"}
            ends = [{"match_end": {"match_handle": handle, **over}} for handle in sorted(self._running)]
            self._bot.send(frame_of(renumbered(ends, self._offset)))

    # Actions of the doctor

    def _do_send(self, step: Step) -> None:
        assert step.send is not None
        messages = [filled(message, self._fill) for message in objects(step.send)]
        frame = frame_of(renumbered(messages, self._offset))
        for message in messages:
            self._note(message)
        self._bot.send(frame)

    def _note(self, message: WrittenMessage) -> None:
        if handle := message.get("match_start", {}).get("match_handle"):
            self._running.add(handle)
        self._running.discard(message.get("match_end", {}).get("match_handle"))

    def _do_wait_ms(self, step: Step) -> None:
        time.sleep(_seconds(step.wait_ms))

    def _do_end(self, step: Step) -> None:
        assert step.end is not None
        self._bot.end_stream(Ending(status_of(step.end), step.sentence, step.retry_after_ms))
        self._ended_seconds = time.monotonic()

    def _do_wire(self, step: Step) -> None:
        if step.wire == "cut":
            self._bot.cut()
            self._ended_seconds = time.monotonic()
        elif step.wire == "stall":
            self._bot.wire.stall()
        else:
            self._bot.wire.flow()

    def _do_signal(self, step: Step) -> None:
        assert step.signal is not None
        self._bot.started().send(signal.Signals[f"SIG{step.signal}"])

    def _do_close_input(self, _step: Step) -> None:
        self._bot.started().close_input()

    # Expectations of the bot

    def _do_connect(self, step: Step) -> None:
        usual = _BACK_SECONDS if self._bot.hello.max_version else self._bot.practice.start_seconds
        hello = self._bot.meet(usual if step.within_ms is None else _seconds(step.within_ms))
        if not hello.HasField("resume"):
            # A new session knows nothing of the matches of the previous one.
            self._running.clear()
        passed_ms = (time.monotonic() - self._ended_seconds) * _MS_A_SECOND
        if passed_ms < step.after_ms:
            raise ProblemError(f"it reconnected after {passed_ms:.0f} ms, and had to wait at least {step.after_ms} ms")
        self._compare(
            step.connect,
            {**renumbered(written_message(hello), -self._offset), "metadata": dict(self._bot.metadata)},
            "the Hello",
        )

    def _do_hear(self, step: Step) -> None:
        within = self._bot.practice.patience_seconds if step.within_ms is None else _seconds(step.within_ms)
        message = self._hear(within)
        heard = renumbered(written_message(message), -self._offset)
        self._compare(step.hear, heard, short(message))
        if message.HasField("choice"):
            self._look_at(step, message.choice)

    def _hear(self, seconds: float) -> v1.BotMessage:
        """Return the next message, skipping answers to matches of earlier cases, which may still be on the way."""
        until = time.monotonic() + seconds
        while True:
            message = self._bot.hear(until - time.monotonic()).message
            if not (message.HasField("choice") and message.choice.match_handle <= self._offset):
                return message

    def _look_at(self, step: Step, choice: v1.Choice) -> None:
        """Check the answer of a choice against the rules and earlier answers."""
        table = self._table(choice.match_handle - self._offset)
        refusal = table.refusal_of(choice.number, choice.answer) if step.legal else None
        if refusal is not None:
            raise ProblemError(f"its answer is illegal ({refusal.rule}): {refusal.sentence}")
        if step.legal:
            table.take(choice.number, choice.answer)
        if step.same_as and choice.answer != self._answers[step.same_as]:
            raise ProblemError(
                f"it gave another answer: {brief(choice.answer)}, not {brief(self._answers[step.same_as])}"
            )
        is_default = choice.answer == table.decision(choice.number).default_answer if step.other_than else False
        if step.other_than and choice.answer == self._answers[step.other_than] and not is_default:
            raise ProblemError(f"it repeated the refused answer: {brief(choice.answer)}")
        if step.keeps_unknown and choice.answer.HasField("action") and NEWS not in choice.answer.SerializeToString():
            raise ProblemError("it returned the default answer without its unknown field")
        if step.remember:
            self._answers[step.remember] = choice.answer

    def _do_silence_ms(self, step: Step) -> None:
        if (said := self._bot.keeps_silent(_seconds(step.silence_ms))) is not None:
            raise ProblemError(f"it sent a message that was not due: {short(said)}")

    def _do_stay_away_ms(self, step: Step) -> None:
        if self._bot.comes_within(_seconds(step.stay_away_ms)):
            raise ProblemError("it opened another connection")
        if self._bot.start.tls and self._bot.wire.heard_in_the_open:
            raise ProblemError("it connected without TLS, and so sent its token unencrypted")

    def _do_exit(self, step: Step) -> None:
        seconds = self._bot.practice.patience_seconds if step.within_ms is None else _seconds(step.within_ms)
        code = self._bot.exit_code(seconds)
        if code is None:
            raise ProblemError(f"its process had not ended after {round(seconds, 1):g} s")
        if isinstance(step.exit, tuple) and code not in step.exit:
            raise ProblemError(f"its process ended with the exit code {code}, not {_either(step.exit)}")

    def _do_prints(self, step: Step) -> None:
        assert step.prints is not None
        if self._word(step.prints) not in self._bot.started().output:
            raise ProblemError(f"it did not print {quoted(self._word(step.prints))}")

    def _do_never_prints(self, step: Step) -> None:
        printed = self._bot.started().output
        for text in step.never_prints or ():
            if self._word(text) in printed:
                raise ProblemError(f"it printed {quoted(self._word(text))}")

    # Placeholders

    def _compare(self, pattern: str | None, heard: WrittenMessage, words: str) -> None:
        for expected in objects(pattern or ""):
            if difference := unlike(filled(expected, self._fill_pattern), heard):
                raise ProblemError(f"{words}: {difference}")

    def _word(self, text: str) -> str:
        return str(self._fill(text.removeprefix("$"))) if text.startswith("$") else text

    def _fill_pattern(self, name: str) -> Json:
        return "$any" if name == "any" else self._fill(name)

    def _fill(self, name: str) -> Json:
        """Return the value of a placeholder: ``start``, ``decision 2``, ``default 2``, each perhaps with ``of 3``."""
        if name in _WORDS:
            return _WORDS[name]
        if name == "welcome":
            return _as_written(welcome())
        if name.startswith(_TEXT) and name.removeprefix(_TEXT).isdigit():
            return "x" * int(name.removeprefix(_TEXT))
        what, _, handle = name.partition(" of ")
        kind, _, number = what.partition(" ")
        if not (handle or "1").isdigit() or (kind != "start" and not number.isdigit()):
            raise WrittenError(f"the placeholder ${name} is unknown")
        table = self._table(int(handle or "1"))
        if kind == "start":
            return _as_written(table.start)
        if kind in ("decision", "default"):
            decision = table.decision(int(number))
            return _as_written(decision if kind == "decision" else decision.default_answer)
        raise WrittenError(f"the placeholder ${name} is unknown")

    def _table(self, handle: int) -> ScriptTable:
        if handle not in self._tables:
            self._tables[handle] = ScriptTable(game_of(self._bot.hello), handle=handle, serial=self._offset + handle)
        return self._tables[handle]


def _as_written(message: Message) -> WrittenMessage:
    """Convert a message to JSON without empty fields, as an author would write it."""
    written: WrittenMessage = json_format.MessageToDict(message, preserving_proto_field_name=True)
    return written


def _seconds(milliseconds: int | None) -> float:
    return (milliseconds or 0) / _MS_A_SECOND


def _either(codes: tuple[int, ...]) -> str:
    return " or ".join(map(str, codes))
