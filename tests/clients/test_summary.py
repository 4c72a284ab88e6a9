"""The summary of a bot process, and the exit code of a strict one."""

import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from support.talk import Talk, accepted, decision, refused, start

from ordago import v1
from ordago_bot import main, run
from ordago_bot.house.baselines import DefaultBot
from ordago_bot.player import Player
from ordago_bot.summary import Slowest
from ordago_bot.transport import Stop


def end(placing: int, handle: int = 1) -> v1.MatchEnd:
    return v1.MatchEnd(match_handle=handle, outcome=v1.Outcome(placings=[placing, 9]))


def eventful() -> Talk:
    """A player that everything has happened to."""
    talk = Talk(DefaultBot).open()
    talk.now = 1.0
    talk.says_at(0.5, start(1, "a"), start(2, "b"), start(3, "c"), decision(1), decision(1, handle=2))
    for rule in ("follow_suit", "follow_suit", "answer"):
        talk.says(refused(rule=rule))
    talk.says(accepted(1, fault=v1.FAULT_TOO_LATE), v1.Forfeited(match_handle=1, fault=v1.FAULT_TOO_LATE))
    talk.says(end(2, 1), end(2, 2), end(1, 3), start(4, "d"), v1.MatchEnd(match_handle=4, sentence="no"))
    return talk


def test_a_summary_counts_results_and_faults() -> None:
    summary = eventful().player.summary()
    assert (summary.matches, summary.placings, summary.void) == (4, {1: 1, 2: 2}, 1)
    assert summary.slowest == Slowest(500, "a", 1), "the first of those that took equally long"
    assert (summary.refused, summary.default_answers) == ({"answer": 1, "follow_suit": 2}, {"FAULT_TOO_LATE": 1})
    assert (summary.forfeited, summary.failures, summary.is_clean) == (1, 0, False)


def test_the_line_of_a_summary_names_what_there_was() -> None:
    event = eventful().player.summary().event()
    assert event.message == (
        "4 matches: placing 1: 1, placing 2: 2, void: 1; slowest decision: 500 ms (match a, decision 1); "
        "refused: 3 (answer 1, follow_suit 2); default answers: 1 (FAULT_TOO_LATE 1); forfeited: 1"
    )
    assert event.fields == {
        "matches": 4,
        "placings": {"1": 1, "2": 2},
        "void": 1,
        "slowest_ms": 500,
        "slowest_match": "a",
        "slowest_decision": 1,
        "refused": {"answer": 1, "follow_suit": 2},
        "default_answers": {"FAULT_TOO_LATE": 1},
        "forfeited": 1,
        "failures": 0,
    }


def test_what_did_not_happen_is_left_out() -> None:
    talk = Talk(DefaultBot).open()
    talk.says(start(), end(1))
    summary = talk.player.summary()
    assert summary.is_clean
    assert summary.event().message == "1 match: placing 1: 1, void: 0"
    assert "slowest_ms" not in summary.event().fields
    assert summary.event().fields["refused"] == {}


def clean(talk: Talk) -> None:
    talk.says(start(), decision(), accepted(1), end(1))


def at_fault(talk: Talk) -> None:
    talk.says(start(), decision(), refused(rule="answer"), accepted(1), end(1))


def without_a_match(_talk: Talk) -> None:
    pass


def broken(talk: Talk) -> None:
    clean(talk)
    raise ValueError("mine")


@pytest.mark.parametrize(
    ("course", "arguments", "exit_code", "lines"),
    [
        (clean, ["--strict"], 0, ["match_begins", "match_ended", "goodbye", "summary"]),
        (at_fault, [], 0, ["match_begins", "refused", "match_ended", "goodbye", "summary"]),
        (at_fault, ["--strict"], 1, ["match_begins", "refused", "match_ended", "goodbye", "summary"]),
        (without_a_match, ["--strict"], 0, ["goodbye"]),
        (broken, [], 1, ["match_begins", "match_ended", "summary"]),
    ],
)
def test_the_summary_is_the_last_line_and_a_strict_bot_has_no_faults(
    course: Callable[[Talk], None],
    arguments: list[str],
    exit_code: int,
    lines: list[str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: Any,
) -> None:
    def play(player: Player, **_: object) -> str:
        talk = Talk()
        talk.player = player
        talk.open()
        caplog.clear()
        course(talk)
        return "that is all"

    monkeypatch.setattr(main, "play", play)
    monkeypatch.setattr(main, "_stop_on_signals", lambda **_: Stop(threading.Event(), threading.Event()))
    with caplog.at_level(logging.INFO, "ordago_bot"), pytest.raises(SystemExit) as ended:
        run(DefaultBot, arguments=arguments)
    assert ended.value.code == exit_code
    assert [vars(line)["event"] for line in caplog.records] == lines
    assert ("ValueError: mine" in capsys.readouterr().err) == (course is broken)


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("ORDAGO_LOG", "xml", "ORDAGO_LOG: 'xml' is neither text nor json"),
        ("ORDAGO_ON_ERROR", "ignore", "ORDAGO_ON_ERROR: 'ignore' is neither stop nor default"),
    ],
)
def test_a_variable_with_another_value_is_told(
    variable: str, value: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SystemExit) as ended:
        run(DefaultBot, arguments=[])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("usage: ")
    assert told.endswith(f"error: {sentence}\n")
