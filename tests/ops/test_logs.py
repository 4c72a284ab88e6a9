"""The log: what a line looks like, that nothing secret is in it, and that nothing waits for it."""

import io
import json
import logging
import re
import sys
import threading

import pytest
import trio
from support.clocks import run_in_virtual_time
from support.connections import FakeConnection, default
from support.halls import MITTLERE, Hall, failing_game

from ordago import v1
from ordago.ops import logs
from ordago.ops.logs import LOG_FORMATS, current_format, logging_to_stderr

_logger = logging.getLogger("ordago.test")
NASTY = 'a\nb\r\x1b[31m"c" \u202ed'


def fail() -> None:
    """Log an exception whose words come from outside."""
    try:
        {}[NASTY]
    except KeyError:
        _logger.exception("failed")


def test_a_line_says_when_how_bad_and_what(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr(log_format="text", level="info"):
        _logger.warning("match void", extra={"match": "a1", "bots": ["ana", "ben"], "seat": 0})
    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning  match void match=a1 bots=ana,ben seat=0\n",
        capsys.readouterr().err,
    )


@pytest.mark.parametrize("log_format", LOG_FORMATS)
def test_a_process_beside_can_be_told_the_format(log_format: str) -> None:
    with logging_to_stderr(log_format=log_format, level="info"):
        assert current_format() == log_format
    assert current_format() == "text"


def test_a_line_is_an_object_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr(log_format="json", level="info"):
        _logger.info("session opened", extra={"session": "5e55", "bot": NASTY})
    told = json.loads(capsys.readouterr().err)
    assert told.pop("timestamp").endswith("Z")
    assert told.pop("bot") == r'a\nb\r\x1b[31m"c" \u202ed'
    assert told == {"event": "session opened", "level": "info", "session": "5e55"}


@pytest.mark.parametrize("log_format", LOG_FORMATS)
def test_what_comes_from_outside_forges_no_line_and_moves_no_cursor(
    capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    with logging_to_stderr(log_format=log_format, level="info"):
        _logger.info("session opened", extra={"bot": NASTY, "bots": [NASTY]})
        _logger.info("said %s", NASTY)
    lines = capsys.readouterr().err.removesuffix("\n").split("\n")
    assert len(lines) == 2
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("log_format", LOG_FORMATS)
def test_a_mistake_has_its_traceback(capsys: pytest.CaptureFixture[str], log_format: str) -> None:
    with logging_to_stderr(log_format=log_format, level="info"):
        fail()
    text = capsys.readouterr().err
    head, *below = text.splitlines()
    if log_format == "json":
        assert "Traceback" in json.loads(head)["exception"]
        assert not below
    else:
        assert head.endswith("error    failed")
        assert all(line.startswith("    ") and line.isprintable() for line in below), "they cannot be taken for lines"
        assert "KeyError: 'a" in text


@pytest.mark.parametrize(("level", "lines"), [("debug", 3), ("info", 2), ("warning", 1), ("error", 0)])
def test_the_level_decides_what_is_logged(capsys: pytest.CaptureFixture[str], level: str, lines: int) -> None:
    with logging_to_stderr(log_format="text", level=level):
        _logger.debug("a")
        _logger.info("b")
        _logger.warning("c")
        logging.getLogger("another.library").info("d")
    assert len(capsys.readouterr().err.splitlines()) == lines


def test_a_log_that_nobody_reads_holds_up_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pipe is full: what is logged waits, and what is too much is left out and counted."""
    monkeypatch.setattr(logs, "_MOST_WAITING", 10)

    class FullPipe(io.StringIO):
        emptied = threading.Event()

        def write(self, text: str) -> int:
            assert self.emptied.wait(10)
            return super().write(text)

    stream = FullPipe()
    monkeypatch.setattr(sys, "stderr", stream)
    with logging_to_stderr(log_format="text", level="info"):
        for number in range(100):
            _logger.info("line %d", number)
        stream.emptied.set()
    *lines, last = stream.getvalue().splitlines()
    assert 10 <= len(lines) <= 12
    assert last.endswith(f"log lines dropped: {100 - len(lines)}")


class Noisy(Hall):
    """Everything goes wrong that can, and everything secret is remembered."""

    def __init__(self) -> None:
        super().__init__(failing_game(failures=1), decision_ms=50)
        self.connections: list[FakeConnection] = []

    async def play(self) -> None:
        async with self.open():
            self.connections += self.enter_all("ana", "ben", answering=default)
            self.connections += self.enter_all("cleo\n2026 forged")
            await trio.sleep(0.5)
            silent = self.enter("dora")
            await trio.sleep(3)
            for noise in (v1.Choice(match_handle=1, number=1), v1.Choice(match_handle=7)):
                silent.say(noise)
            self.misbehave(silent)
            self.tables.close()
            await trio.sleep(5)
            self.server.sessions.drain("maintenance", grace_seconds=1)
            self.server.sessions.close("that is all")

    def misbehave(self, silent: FakeConnection) -> None:
        again = self.enter("dora", resume=silent.resume)
        again.vanish()
        again = self.enter("dora", resume=silent.resume)
        again.cut_off = True
        again.vanish()
        self.enter("emil", resume=v1.Resume(session_id=self.bots[0].session.id, resume_token="guessed-token"))  # noqa: S106 - a wrong one
        self.enter("fritz", nonce=b"").say_bytes(b"\xff")
        self.enter("gerd").say_bytes(b"\xff")
        self.connections += [silent, again]

    def secrets(self) -> set[str]:
        """Return everything that must not be logged, as text."""
        told = [body for connection in self.connections for body in connection.heard]
        welcomes = [body for body in told if isinstance(body, v1.Welcome)]
        tokens = {welcome.resume_token for welcome in welcomes} | {bot.session.id for bot in self.bots}
        tokens.add("guessed-token")
        hidden = [record.secret for record in self.records] + [body.seed for body in told if hasattr(body, "seed")]
        return tokens | {secret.hex() for secret in hidden} | {repr(secret)[2:-1] for secret in hidden}


CARD_NAMES = {name.lower() for name in v1.Card.keys()}  # noqa: SIM118 - not a mapping
IN_GAMES = CARD_NAMES | {name.removeprefix("card_") for name in CARD_NAMES}
IN_DECISIONS = {"legal_action", "default_answer", "view", "hand", "spades", "hearts", "clubs", "diamonds"}


@pytest.mark.parametrize("log_format", LOG_FORMATS)
def test_the_log_of_a_noisy_run_tells_what_happened_and_nothing_secret(
    capsys: pytest.CaptureFixture[str], log_format: str
) -> None:
    with logging_to_stderr(log_format=log_format, level="debug"):
        noisy = after_a_noisy_run()
    text = capsys.readouterr().err
    for event in (
        "session opened", "session resumed", "session superseded", "session lost", "slow reader cut off",
        "session refused", "session ended", "bot turned away", "match begun", "match ended",
        "match void: the server failed", "fault", "draining",
    ):  # fmt: skip
        assert event in text, event
    secrets = noisy.secrets()
    assert len(noisy.records) >= 1
    assert len(secrets) > 10
    assert not [secret for secret in secrets if secret in text]
    assert not [name for name in IN_GAMES | IN_DECISIONS if re.search(rf"\b{name}\b", text.lower())]
    assert "\n2026 forged" not in text


def after_a_noisy_run() -> Noisy:
    halls = []

    async def run() -> None:
        halls.append(Noisy())
        await halls[0].play()

    run_in_virtual_time(run)
    return halls[0]


def test_the_words_that_are_searched_for_are_those_of_the_cards() -> None:
    assert "card_six_of_clubs" in CARD_NAMES
    assert MITTLERE.name == "mittlere"
