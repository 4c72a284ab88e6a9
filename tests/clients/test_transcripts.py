"""The transcripts of clients/transcripts, which all SDKs play, over the player of the Python SDK."""

import base64
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.talk import pause_of

from ordago import v1
from ordago_bot import Bot, Choosable, Match
from ordago_bot.back_off import End, Over, Pause
from ordago_bot.log import LOGGER
from ordago_bot.player import Player

ADDRESS = "127.0.0.1:7447"
IT_FAILS = "it fails"
TRANSCRIPTS = sorted((Path(__file__).parents[2] / "clients/transcripts").glob("*.json"))


class Stage:
    """What the bots of a transcript share: a clock, how long each thinks, and what they were told."""

    def __init__(self) -> None:
        self.now_ms = 0
        self.thinks_ms = 0
        self.told: list[str] = []
        self.handles: dict[str, int] = {}

    def seconds(self) -> float:
        return self.now_ms / 1000


def least(action: v1.LegalAction) -> v1.Answer:
    """Return an action by its number, its open parts filled with the least."""
    answer = v1.Answer(legal_action=action.id)
    if action.HasField("amount"):
        answer.amount = action.amount.min
    for pick in action.picks:
        answer.cards.extend(pick.cards[: pick.min])
    return answer


class First(Bot):
    """Takes the first action."""

    stage: Stage

    def __init__(self, match: Match) -> None:
        super().__init__(match)
        self.handle = match.start.match_handle
        self.stage.told.append(f"begin {self.handle}")

    def choose(self, decision: v1.Decision) -> Choosable:
        self.stage.now_ms += self.stage.thinks_ms
        self.stage.told.append(f"choose {self.handle} {decision.number}")
        return least(decision.actions[0])

    def forfeited(self, _notice: v1.Forfeited) -> None:
        self.stage.told.append(f"forfeited {self.handle}")

    def ended(self, _end: v1.MatchEnd) -> None:
        self.stage.told.append(f"ended {self.handle}")


class Default(First):
    """Takes the default answer."""

    def choose(self, decision: v1.Decision) -> Choosable:
        super().choose(decision)
        return decision.default_answer


class Insisting(First):
    """Answers refusals by the last action."""

    def refused(self, decision: v1.Decision, _refusal: v1.Refused) -> Choosable:
        self.stage.told.append(f"refused {self.handle} {decision.number}")
        return least(decision.actions[-1])


class Retiring(First):
    """Retires at its first decision."""

    def choose(self, decision: v1.Decision) -> Choosable:
        self.retire()
        return super().choose(decision)


class Failing(First):
    """Raises at each decision, and at the end of the match."""

    def choose(self, decision: v1.Decision) -> Choosable:
        super().choose(decision)
        raise RuntimeError(IT_FAILS)

    def ended(self, end: v1.MatchEnd) -> None:
        super().ended(end)
        raise RuntimeError(IT_FAILS)


class FailingAtStart(First):
    """Raises when it is made."""

    def __init__(self, _match: Match) -> None:
        raise RuntimeError(IT_FAILS)


class Empty(First):
    """Names no action."""

    def choose(self, decision: v1.Decision) -> Choosable:
        super().choose(decision)
        return v1.Answer()


BOTS = {
    "first": First,
    "default": Default,
    "insisting": Insisting,
    "retiring": Retiring,
    "failing": Failing,
    "failing-at-start": FailingAtStart,
    "empty": Empty,
}


class Play:
    """A player that a transcript is played over."""

    def __init__(self, transcript: dict[str, Any]) -> None:
        self.stage = Stage()
        settings = {**transcript["player"], "nonce": bytes.fromhex(transcript["player"]["nonce"])}
        settings["stops_on_error"] = settings.pop("on_error", "stop") == "stop"
        bot = type("Bot", (BOTS[transcript["bot"]],), {"stage": self.stage})
        self.player = Player(bot, clock=self.stage.seconds, **settings)

    def step(self, step: dict[str, Any]) -> None:
        self.stage.now_ms = step.get("at_ms", self.stage.now_ms)
        self.stage.thinks_ms = step.get("thinks_ms", 0)
        self.stage.told.clear()
        with logged() as log:
            came = getattr(self, f"_{step['do']}")(step)
        assert log == step["log"]
        if "then" in step:
            assert came == step["then"]
        elif "sends" in step:
            assert messages_of(came) == messages_of(bytes_of(step["sends"]))
        if "told" in step:
            assert self.stage.told == step["told"]

    def _connect(self, _step: dict[str, Any]) -> bytes:
        return self.player.connect()

    def _receive(self, step: dict[str, Any]) -> bytes:
        return self.player.receive(bytes_of(step["frame"]))

    def _lost(self, step: dict[str, Any]) -> dict[str, Any]:
        then = self.player.lost(End(step["status"], step["sentence"], step["retry_after_ms"]), address=ADDRESS)
        then.event.log()
        if isinstance(then, Pause):
            return {"pause_ms": round(1000 * then.seconds)}
        return {"over": then.exit_code}

    def _retire(self, _step: dict[str, Any]) -> bytes:
        return self.player.retire()

    def _leave(self, _step: dict[str, Any]) -> bytes:
        return self.player.leave()


class Log(logging.Handler):
    """Keeps the lines of a log, as they stand in a transcript."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        fields = dict(vars(record)["fields"])
        if "trace" in fields:
            assert IT_FAILS in fields["trace"] or "names no action" in fields["trace"]
            fields["trace"] = "…"
        line = {"level": record.levelname, "event": vars(record)["event"], "message": record.getMessage()}
        self.lines.append({**line, "fields": fields})


@contextmanager
def logged() -> Iterator[list[dict[str, Any]]]:
    log, before = Log(), LOGGER.level
    LOGGER.addHandler(log)
    LOGGER.setLevel(logging.INFO)
    try:
        yield log.lines
    finally:
        LOGGER.removeHandler(log)
        LOGGER.setLevel(before)


def bytes_of(frame: dict[str, Any] | None) -> bytes:
    return base64.b64decode(frame["bytes"]) if frame else b""


def messages_of(frame: bytes) -> list[v1.BotMessage]:
    messages = list(v1.PlayRequest.FromString(frame).messages)
    for message in messages:
        if message.HasField("hello"):
            message.hello.ClearField("sdk")
    return messages


def transcripts() -> Iterator[Any]:
    for path in TRANSCRIPTS:
        yield pytest.param(json.loads(path.read_text(encoding="utf-8")), id=path.stem)


@pytest.mark.parametrize("transcript", list(transcripts()))
def test_the_player_says_what_the_transcript_says(transcript: dict[str, Any]) -> None:
    play = Play(transcript)
    for number, step in enumerate(transcript["steps"]):
        try:
            play.step(step)
        except AssertionError as error:
            error.add_note(f"{transcript['shows']} In step {number}, {step['do']} at {step.get('at_ms')} ms.")
            raise


def test_there_are_transcripts() -> None:
    assert len(TRANSCRIPTS) > 30


@pytest.mark.parametrize("jitter", [0.0, 0.5, 0.999])
def test_chance_shortens_a_pause_by_half_at_most_and_keeps_away_for_as_long_as_the_server_says(jitter: float) -> None:
    player = Player(First, name="ana", clock=lambda: 0.0)
    player.connect()
    pause = player.lost(End("UNAVAILABLE"), jitter=jitter)
    assert pause_of(pause) == 0.25 * (1 - jitter / 2)
    told = player.lost(End("RESOURCE_EXHAUSTED", retry_after_ms=4000), jitter=jitter)
    assert pause_of(told) == 4 * (1 + jitter / 4)
    assert isinstance(player.lost(End("ABORTED"), jitter=jitter), Over)
