"""What a server makes of a choice before any rule is asked."""

import pytest
from support.connection_pair import ConnectionPair
from support.frames import choice, from_bot, hello

from ordago import v1
from ordago.session import ServerLink, Verdict


@pytest.fixture
def pair() -> ConnectionPair:
    """Return a pair that plays match 1 and has closed its first decision by the answer 1."""
    pair = ConnectionPair.opened()
    pair.server_says(v1.MatchStart(match_handle=1), v1.Decision(match_handle=1, number=1))
    pair.bot_says(choice(1, 1))
    pair.server_says(v1.Accepted(match_handle=1, number=1))
    return pair


def ask(pair: ConnectionPair, number: int) -> None:
    pair.server_says(v1.Decision(match_handle=1, number=number))


def test_the_open_decision(pair: ConnectionPair) -> None:
    ask(pair, 2)
    assert pair.bot_says(choice(1, 2)) is Verdict.OPEN


def test_a_second_choice_while_the_first_is_judged_says_nothing_new(pair: ConnectionPair) -> None:
    ask(pair, 2)
    pair.bot_says(choice(1, 2))
    assert pair.bot_says(choice(1, 2)) is Verdict.PENDING
    assert pair.bot_says(choice(1, 2, legal_action=3)) is Verdict.PENDING
    pair.server_says(v1.Accepted(match_handle=1, number=2))
    assert pair.bot_says(choice(1, 2)) is Verdict.REPEATED, "the first choice is the one that counts"
    assert pair.bot_says(choice(1, 2, legal_action=3)) is Verdict.LATE


def test_a_closed_decision_with_the_same_answer_and_with_another(pair: ConnectionPair) -> None:
    assert pair.bot_says(choice(1, 1)) is Verdict.REPEATED
    assert pair.bot_says(choice(1, 1)) is Verdict.REPEATED, "however often"
    assert pair.bot_says(choice(1, 1, legal_action=2)) is Verdict.LATE


def test_only_the_last_decision_is_remembered(pair: ConnectionPair) -> None:
    ask(pair, 2)
    assert pair.bot_says(choice(1, 1)) is Verdict.LATE


@pytest.mark.parametrize("answered", [False, True])
def test_a_decision_that_a_fault_closed_was_not_closed_by_any_answer(pair: ConnectionPair, *, answered: bool) -> None:
    ask(pair, 2)
    if answered:
        pair.bot_says(choice(1, 2))
    pair.server_says(v1.Accepted(match_handle=1, number=2, fault=v1.FAULT_TOO_LATE))
    assert pair.bot_says(choice(1, 2)) is Verdict.LATE


def test_a_refused_answer_leaves_the_decision_open(pair: ConnectionPair) -> None:
    ask(pair, 2)
    pair.bot_says(choice(1, 2))
    pair.server_says(v1.Refused(match_handle=1, number=2, fault=v1.FAULT_ILLEGAL))
    assert pair.bot_says(choice(1, 2, legal_action=2)) is Verdict.OPEN
    pair.server_says(v1.Accepted(match_handle=1, number=2))
    assert pair.bot_says(choice(1, 2, legal_action=2)) is Verdict.REPEATED
    assert pair.bot_says(choice(1, 2)) is Verdict.LATE, "the refused answer did not close it"


@pytest.mark.parametrize("handle_and_number", [(1, 0), (1, 2), (2, 1), (0, 0)])
def test_what_was_never_asked(pair: ConnectionPair, handle_and_number: tuple[int, int]) -> None:
    assert pair.bot_says(choice(*handle_and_number)) is Verdict.UNKNOWN


def test_a_match_that_is_over(pair: ConnectionPair) -> None:
    ask(pair, 2)
    pair.server_says(v1.MatchEnd(match_handle=1))
    assert pair.bot_says(choice(1, 2)) is Verdict.UNKNOWN


def test_after_a_resume_what_was_answered_before_is_closed() -> None:
    pair = ConnectionPair.opened()
    pair.server_says(v1.MatchStart(match_handle=1, last_decision=5))
    assert pair.bot_says(choice(1, 5)) is Verdict.LATE
    assert pair.bot_says(choice(1, 6)) is Verdict.UNKNOWN
    ask(pair, 6)
    assert pair.bot_says(choice(1, 6)) is Verdict.OPEN


def test_matches_do_not_mix(pair: ConnectionPair) -> None:
    pair.server_says(v1.MatchStart(match_handle=2), v1.Decision(match_handle=2, number=1))
    ask(pair, 2)
    assert pair.bot_says(choice(2, 1)) is Verdict.OPEN
    assert pair.bot_says(choice(1, 2)) is Verdict.OPEN


def test_a_choice_that_was_sent_again_before_it_was_refused_does_not_trouble_the_bot() -> None:
    """The second choice is judged anew when the first was refused, so that two refusals can be on the way."""
    pair = ConnectionPair.opened()
    pair.server_says(v1.MatchStart(match_handle=1), v1.Decision(match_handle=1, number=1))
    refused = v1.Refused(match_handle=1, number=1, fault=v1.FAULT_ILLEGAL)
    on_the_way = []
    for frame in [pair.bot.send(choice(1, 1)), pair.bot.send(choice(1, 1))]:
        [message] = pair.server.receive(frame)
        assert pair.server.judge(message.choice) is Verdict.OPEN
        on_the_way.append(pair.server.send(refused))
    assert [len(pair.bot.receive(frame)) for frame in on_the_way] == [1, 1]


def test_choices_are_not_entered_before_they_are_judged() -> None:
    link = ServerLink()
    link.receive(from_bot(hello()))
    link.send(v1.Welcome())
    link.send(v1.MatchStart(match_handle=1))
    link.send(v1.Decision(match_handle=1, number=1))
    link.receive(from_bot(choice(1, 1), choice(1, 1)))
    assert link.judge(choice(1, 1)) is Verdict.OPEN
