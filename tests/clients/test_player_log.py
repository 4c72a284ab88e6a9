"""What a player logs: what its author should know, and no secret."""

import logging

import pytest
from support.frames import from_server
from support.talk import DEFAULT, RecordingBot, Talk, accepted, decision, refused, start

from ordago import v1


def test_a_forfeit_is_told_to_the_bot_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Loser(RecordingBot):
        def forfeited(self, notice: v1.Forfeited) -> None:
            notices.append(notice)

    notices: list[v1.Forfeited] = []
    notice = v1.Forfeited(match_handle=1, fault=v1.FAULT_TOO_LATE, sentence="too late once too often")
    for factory in (None, type("Losing", (Loser,), {"made": []})):
        talk = Talk(factory).open()
        with caplog.at_level(logging.WARNING, "ordago_bot"):
            assert talk.says(start(), notice, v1.MatchEnd(match_handle=1)) == []
        assert "match m is forfeited: too late once too often (FAULT_TOO_LATE)" in caplog.text
        caplog.clear()
    assert notices == [notice]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (v1.MatchEnd(outcome=v1.Outcome(placings=[2, 1])), "match m ended: placing 1"),
        (
            v1.MatchEnd(outcome=v1.Outcome(placings=[2, 1]), forfeits=[v1.Forfeit(seat=0, fault=v1.FAULT_CRASHED)]),
            "match m ended: placing 1, seat 0 forfeited (FAULT_CRASHED)",
        ),
        (v1.MatchEnd(sentence="the server failed"), "match m ended: void: the server failed"),
    ],
)
def test_the_end_of_a_match_is_logged(caplog: pytest.LogCaptureFixture, end: v1.MatchEnd, words: str) -> None:
    end.match_handle = 1
    talk = Talk().open()
    with caplog.at_level(logging.INFO, "ordago_bot"):
        talk.says(start(seat=1), end)
    assert words in caplog.messages


def test_what_a_decision_cost_is_logged_for_those_who_want_all(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk().open()
    with caplog.at_level(logging.DEBUG, "ordago_bot"):
        talk.says(start(), decision(1), accepted(1, charged_ms=120, lag_ms=15, lost_ms=7, bank_ms=3000))
        talk.says(decision(2), accepted(2, charged_ms=4))
    cost = "charged 120 ms, travelled for 15 ms, the server lost 7 ms, 3000 ms left in the bank"
    assert f"match m, decision 1: {cost}" in caplog.messages
    assert "match m, decision 2: charged 4 ms, 0 ms left in the bank" in caplog.messages


def test_a_default_answer_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """It is told again after a broken connection."""
    taken = accepted(1, fault=v1.FAULT_TOO_LATE, sentence="no answer came in time", faults_left=2, answer=DEFAULT)
    talk = Talk().open()
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        talk.says(start(), decision(1), taken)
        talk.breaks()
        talk.says(start(last_decision=1), taken)
    why = "no answer came in time (FAULT_TOO_LATE); 2 more and the match is forfeited"
    assert caplog.messages == [f"match m, decision 1: the default answer was taken: {why}"]


def test_secrets_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "ordago_bot"):
        talk = Talk().open()
        talk.player.connect()
        talk.player.receive(from_server(v1.Welcome(session_id="s", resume_token="hush-hush")))  # noqa: S106
        talk.player.connect()
    assert "welcome" in caplog.text
    assert "hush-hush" not in caplog.text


def test_refusals_are_logged_once_for_each_match_and_rule(caplog: pytest.LogCaptureFixture) -> None:
    """A bot whose answers are all refused plays on with the default answer; its author has to hear of it."""
    talk = Talk().open()
    talk.says(start(1), start(2, "n"), decision(1), decision(1, handle=2))
    with caplog.at_level(logging.WARNING, "ordago_bot"):
        for rule in ("follow_suit", "follow_suit", "answer", "follow_suit"):
            talk.says(refused(rule=rule, sentence="Not so.", strikes_left=1))
        talk.says(refused(match_handle=2, rule="follow_suit", sentence="Not so.", strikes_left=1))
    assert caplog.messages == [
        "match m, decision 1: refused: Not so. (follow_suit)",
        "match m, decision 1: refused: Not so. (answer)",
        "match n, decision 1: refused: Not so. (follow_suit)",
    ]


def test_what_the_operator_announces_is_logged_and_asks_for_nothing(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk().open()
    with caplog.at_level(logging.INFO, "ordago_bot"):
        assert talk.says(v1.Announcement(number=1, sentence="maintenance at 20:00 UTC", pauses_seating=True)) == []
    assert caplog.messages == ["announcement: maintenance at 20:00 UTC"]


def test_how_an_event_stands_is_logged_and_its_matches_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk().open()
    notice = v1.EventNotice(stage=v1.EVENT_STAGE_PLAYING, sentence="all are here", matches_begun=3, matches_planned=9)
    with caplog.at_level(logging.INFO, "ordago_bot"):
        assert talk.says(notice, start()) == []
    assert "event: all are here" in caplog.messages
    assert any(message.endswith(", match 4 of 9") for message in caplog.messages)
