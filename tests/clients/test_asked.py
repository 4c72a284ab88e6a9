"""Decisions in a file, as bots write it and authors read it."""

import json
import logging
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict
from support.talk import DEFAULT, Talk, accepted, decision, refused, start

from ordago import v1
from ordago_bot import Bot, main
from ordago_bot.asked import Asked, DecisionLog, load_decisions

VECTORS = Path(__file__).parents[2] / "clients/vectors/decisions.jsonl"


class Slow(Bot):
    """Thinks for a quarter of a second, and fails at its second decision."""

    talk: Talk

    def choose(self, decision: v1.Decision) -> Any:
        self.talk.now += 0.25
        if decision.number > 1:
            raise ValueError("no idea")
        return decision.actions[0]


class Threaded(Slow):
    threads = 1


def talk_with(bot: type[Slow], **settings: Any) -> tuple[Talk, list[Asked]]:
    asked: list[Asked] = []
    bot = type("Logged", (bot,), {})
    talk = bot.talk = Talk(bot, on_asked=asked.append, **settings)
    return talk.open(), asked


def test_each_time_that_a_bot_was_asked_is_written_down() -> None:
    talk, asked = talk_with(Slow, stops_on_error=False)
    talk.says(start(), decision(1))
    refusal = refused(rule="follow_suit", strikes_left=1)
    talk.says(refusal)
    talk.says(accepted(1), decision(2))
    taken = v1.Answer(legal_action=1)
    assert asked == [
        Asked(start(), decision(1), answer=taken, milliseconds=250),
        Asked(start(), decision(1), refused=refusal, answer=DEFAULT),
        Asked(start(), decision(2), answer=DEFAULT, milliseconds=250, error="no idea"),
    ]


def test_a_failure_that_ends_the_process_is_written_down_without_an_answer() -> None:
    talk, asked = talk_with(Slow)
    with pytest.raises(ValueError, match="no idea"):
        talk.says(start(last_decision=1), decision(2))
    assert asked == [Asked(start(last_decision=1), decision(2), milliseconds=250, error="no idea")]


def test_an_answer_that_was_dropped_is_not_written_down() -> None:
    talk, asked = talk_with(Threaded)
    talk.says(start(), decision(1))
    [question] = talk.player.questions()
    question.think()
    talk.says(accepted(1, fault=v1.FAULT_TOO_LATE), decision(2))
    talk.player.answer([(question, v1.Answer(legal_action=1))])
    [waiting] = talk.player.questions()
    talk.says(accepted(2, fault=v1.FAULT_TOO_LATE))
    talk.player.answer([(waiting, None)])
    assert asked == [Asked(start(), decision(1), milliseconds=250)], "the second one was never asked"


def test_a_file_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    asked = Asked(start(), decision(), refused(sentence="não"), v1.Answer(legal_action=1), 7, "no idea")
    logs = [DecisionLog(path), DecisionLog(path)]
    for log in logs:
        log.write(asked)
        log.close()
    assert load_decisions(path) == [asked, asked]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert list(line) == ["start", "decision", "refused", "answer", "milliseconds", "error"]
    assert line["refused"] == MessageToDict(asked.refused or v1.Refused())


def test_what_is_absent_is_left_out(tmp_path: Path) -> None:
    assert list(json.loads(Asked(start(), decision()).json_line())) == ["start", "decision", "milliseconds"]
    newer = json.loads(Asked(start(), decision()).json_line()) | {"later": 1}
    newer["decision"]["unheardOf"] = 3
    (tmp_path / "newer").write_text(json.dumps(newer), encoding="utf-8")
    assert load_decisions(tmp_path / "newer") == [Asked(start(), decision())]


def test_the_vectors_are_given_back() -> None:
    asked = load_decisions(VECTORS)
    assert {one.match.game for one in asked} == {"mitaines", "mitigati", "mittlere", "mus", "taihe"}
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    assert [json.loads(one.json_line()) for one in asked] == [json.loads(line) for line in lines]


@pytest.mark.parametrize("line", ["nonsense", "[]", "{}", '{"start": {}, "decision": {"number": "many"}}'])
def test_a_line_that_is_no_decision_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text(Asked(start(), decision()).json_line() + line, encoding="utf-8")
    with pytest.raises(ValueError, match="jsonl, line 2: it is no logged decision: "):
        load_decisions(path)


def test_a_line_that_cannot_be_written_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    log = DecisionLog("/dev/full")
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        for _ in range(2):
            log.write(Asked(start(), decision()))
    log.close()
    assert caplog.messages == [f"decisions cannot be written to /dev/full: {os.strerror(28)}"]


def test_a_file_that_cannot_be_opened_is_told_at_once(tmp_path: Path, capsys: Any) -> None:
    with pytest.raises(SystemExit) as ended:
        main.parse(main.argument_parser(), ["--log-decisions", str(tmp_path)])
    assert ended.value.code == 2
    assert "argument --log-decisions: cannot write to" in capsys.readouterr().err


def test_a_file_is_named_by_the_environment_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ORDAGO_LOG_DECISIONS", str(tmp_path / "decisions.jsonl"))
    parsed = main.parse(main.argument_parser(), [])
    parsed.log_decisions.write(Asked(start(), decision()))
    parsed.log_decisions.close()
    assert len(load_decisions(tmp_path / "decisions.jsonl")) == 1
