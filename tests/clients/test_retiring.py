"""How a player takes no more seats, without I/O."""

import logging
import threading
from typing import Any, ClassVar

import pytest
from support.frames import body_of
from support.processes import PATIENCE_SECONDS
from support.talk import RecordingBot, Talk, decision, pause_of, start

from ordago import v1
from ordago_bot import transport
from ordago_bot.back_off import End, Over
from ordago_bot.events import goodbye
from ordago_bot.transport import Stop

RETIRE = v1.Retire()
GONE = End("UNAUTHENTICATED", "no such session")


def retire(talk: Talk) -> list[Any]:
    return [body_of(message) for message in talk.link.receive(talk.player.retire())]


def test_a_player_retires_once_on_each_connection() -> None:
    talk = Talk().open()
    assert retire(talk) == [RETIRE]
    assert retire(talk) == []
    talk.greet()
    assert retire(talk) == [], "a Hello is not answered yet"
    assert talk.says(v1.Welcome(resumed=True), start()) == [RETIRE]
    assert talk.says(v1.Draining(), decision())[0].number == 1


def test_who_wants_to_see_all_messages_sees_that_a_player_retires(caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk().open()
    with caplog.at_level(logging.DEBUG, "ordago_bot"):
        retire(talk)
    assert caplog.messages == ["went: Retire"]


def test_what_is_played_when_a_player_retires_is_played_on() -> None:
    talk = Talk().open()
    talk.says(start(1))
    retire(talk)
    choices = talk.says(start(2, "crossed"), decision(handle=1), decision(handle=2))
    assert [choice.match_handle for choice in choices] == [1, 2]


def test_a_bot_may_retire_in_the_middle_of_a_match_and_at_its_end() -> None:
    class Tired(RecordingBot):
        made: ClassVar = []

        def choose(self, decision: v1.Decision) -> Any:
            if decision.number == 2:
                self.retire()
            return super().choose(decision)

    class Content(RecordingBot):
        made: ClassVar = []

        def ended(self, _end: v1.MatchEnd) -> None:
            self.retire()

    talk = Talk(Tired).open()
    assert len(talk.says(start(), decision(1))) == 1
    assert talk.says(v1.Accepted(match_handle=1, number=1), decision(2))[1:] == [RETIRE]
    talk = Talk(Content).open()
    assert talk.says(start()) == []
    assert talk.says(v1.MatchEnd(match_handle=1)) == [RETIRE]


def test_who_retires_begins_no_new_session() -> None:
    talk = Talk().open()
    retire(talk)
    talk.greet()
    assert talk.player.lost(GONE) == Over(0, goodbye("no such session"))


def test_who_retires_does_not_come_back_after_a_goodbye_for_now() -> None:
    talk = Talk().open()
    retire(talk)
    talk.says(v1.Goodbye(sentence="until later", retry_after_ms=1500))
    assert talk.player.lost(End("OK")) == Over(0, goodbye("until later"))


def test_the_number_of_matches_in_all_holds_over_sessions() -> None:
    talk = Talk(matches_in_all=3)
    talk.open()
    assert talk.hello.matches_in_all == 3
    talk.says(start(1), start(2, "n"), v1.MatchEnd(match_handle=1))
    talk.breaks().says(start(2, "n"))
    assert talk.hello.matches_in_all == 3, "of a resume it means nothing"
    talk.greet()
    assert pause_of(talk.player.lost(GONE)) == 0.25
    talk.open()
    assert talk.hello.matches_in_all == 1
    talk.says(start(1, "o"))
    talk.greet()
    assert talk.player.lost(GONE) == Over(0, goodbye("no such session"))


def test_a_bot_that_retired_by_itself_and_is_not_connected_leaves_when_it_is_told_to_stop() -> None:
    talk = Talk().open()
    retire(talk)
    orders = Stop(threading.Event(), threading.Event())
    threading.Timer(0.01, orders.retire.set).start()
    transport._wait(PATIENCE_SECONDS, talk.player, orders)
    assert orders.leave.is_set()


def test_a_bot_that_was_told_to_retire_before_waits_on_when_its_connection_breaks() -> None:
    talk = Talk().open()
    retire(talk)
    orders = Stop(threading.Event(), threading.Event())
    orders.retire.set()
    transport._wait(0.01, talk.player, orders)
    assert not orders.leave.is_set()
