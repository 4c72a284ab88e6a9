"""Which decision a choice is about, before any rule is asked."""

import pytest
from support.connections import Lobby
from support.frames import choice

from ordago import v1
from ordago.arena.bot import Bot
from ordago.arena.seat import BotSeat
from ordago.arena.verdict import Verdict
from ordago.match import Acceptance, Question, Reply, SerializedDecision, TimeLeft
from ordago.protocol import ReceivedChoice

pytestmark = pytest.mark.virtual_time


class Referee:
    """Drives the match of one seat by hand."""

    def __init__(self, *, max_open_decisions: int = 0) -> None:
        self.lobby = Lobby()
        self.connection, self.bot = self.lobby.enter(max_open_decisions=max_open_decisions)
        self.seat = self.begin(self.bot)
        self.replies: list[Reply] = []

    def begin(self, bot: Bot) -> BotSeat:
        seat = bot.take_seat()
        seat.sit(self, 0)
        seat.begin(v1.MatchStart(match_id="m", game="mittlere"))
        return seat

    def answered(self, reply: Reply) -> None:
        self.replies.append(reply)

    def forfeit(self, seat: int, fault: v1.Fault, sentence: str) -> None:  # noqa: ARG002 - Driver's
        raise AssertionError("nobody forfeits")

    def fail(self, failure: Exception) -> None:
        raise failure

    def ask(self, number: int, seat: BotSeat | None = None) -> None:
        decision = SerializedDecision(number, v1.Decision(number=number).SerializeToString(), b"")
        assert (seat or self.seat).ask(Question(0, decision, TimeLeft(1000, 0, 0, 0))) is None

    def accept(self, number: int, fault: v1.Fault = v1.FAULT_UNSPECIFIED) -> None:
        self.seat.accept(Acceptance(number, 0, fault=fault, more=v1.Accepted(fault=fault).SerializeToString()))

    def refuse(self, number: int) -> None:
        self.seat.refuse(v1.Refused(number=number, fault=v1.FAULT_ILLEGAL))

    def judged(self, number: int, *, legal_action: int = 1) -> Verdict:
        said = ReceivedChoice.of(choice(self.seat.handle, number, legal_action=legal_action))
        return self.seat.choose(said, at=self.bot.channel.clock.now())


@pytest.fixture
async def referee() -> Referee:
    """Return the referee of a match whose first decision was closed by the answer 1."""
    referee = Referee()
    referee.ask(1)
    assert referee.judged(1) is Verdict.OPEN
    referee.accept(1)
    return referee


async def test_the_open_decision(referee: Referee) -> None:
    referee.ask(2)
    assert referee.judged(2) is Verdict.OPEN
    assert [reply.answer for reply in referee.replies] == [v1.Answer(legal_action=1).SerializeToString()] * 2


async def test_a_second_choice_while_the_first_is_judged_says_nothing_new(referee: Referee) -> None:
    referee.ask(2)
    referee.judged(2)
    assert referee.judged(2) is Verdict.PENDING
    assert referee.judged(2, legal_action=3) is Verdict.PENDING
    assert len(referee.replies) == 2
    referee.accept(2)
    assert referee.judged(2) is Verdict.REPEATED, "the first choice is the one that counts"
    assert referee.judged(2, legal_action=3) is Verdict.LATE


async def test_a_closed_decision_with_the_same_answer_and_with_another(referee: Referee) -> None:
    assert referee.judged(1) is Verdict.REPEATED
    assert referee.judged(1) is Verdict.REPEATED, "however often"
    assert referee.judged(1, legal_action=2) is Verdict.LATE


async def test_only_the_last_decision_is_remembered(referee: Referee) -> None:
    referee.ask(2)
    assert referee.judged(1) is Verdict.LATE


@pytest.mark.parametrize("answered", [False, True])
async def test_a_decision_that_a_fault_closed_was_not_closed_by_any_answer(referee: Referee, *, answered: bool) -> None:
    referee.ask(2)
    if answered:
        referee.judged(2)
    referee.accept(2, v1.FAULT_TOO_LATE)
    assert referee.judged(2) is Verdict.LATE


async def test_a_refused_answer_leaves_the_decision_open(referee: Referee) -> None:
    referee.ask(2)
    referee.judged(2)
    referee.refuse(2)
    assert referee.judged(2, legal_action=2) is Verdict.OPEN
    referee.accept(2)
    assert referee.judged(2, legal_action=2) is Verdict.REPEATED
    assert referee.judged(2) is Verdict.LATE, "the refused answer did not close it"


@pytest.mark.parametrize("number", [0, 2])
async def test_what_was_never_asked(referee: Referee, number: int) -> None:
    assert referee.judged(number) is Verdict.UNKNOWN


async def test_a_match_that_has_only_begun() -> None:
    referee = Referee()
    assert [referee.judged(number) for number in (0, 1)] == [Verdict.UNKNOWN] * 2


@pytest.mark.parametrize("handle", [0, 2])
async def test_a_match_that_the_bot_does_not_play(referee: Referee, handle: int) -> None:
    referee.connection.say(choice(handle, 1))
    refused = referee.connection.last(v1.Refused)
    assert (refused.fault, refused.sentence) == (v1.FAULT_STALE, f"this bot plays no match with the handle {handle}")


async def test_a_decision_that_the_bot_does_not_have_is_told_from_a_match_that_it_does_not_play(
    referee: Referee,
) -> None:
    referee.connection.say(choice(1, 7))
    refused = referee.connection.last(v1.Refused)
    assert refused.fault == v1.FAULT_STALE
    assert "no decision 7 in the match with the handle 1; the last one" in refused.sentence
    assert refused.sentence.endswith("the number 1")


async def test_a_match_that_is_over(referee: Referee) -> None:
    referee.ask(2)
    referee.seat.end(v1.MatchEnd())
    referee.connection.say(choice(1, 2))
    assert referee.connection.last(v1.Refused).fault == v1.FAULT_STALE


async def test_what_waits_for_room_at_the_bot_is_not_known_to_it() -> None:
    referee = Referee(max_open_decisions=1)
    referee.ask(1, seat=referee.begin(referee.bot))
    referee.ask(1)
    assert referee.judged(1) is Verdict.UNKNOWN


async def test_after_a_resume_what_was_answered_before_is_closed(referee: Referee) -> None:
    referee.lobby.come_back(referee.connection)
    assert referee.judged(1) is Verdict.LATE
    assert referee.judged(2) is Verdict.UNKNOWN
    referee.ask(2)
    assert referee.judged(2) is Verdict.OPEN


async def test_an_answer_that_was_lost_with_the_connection_may_be_given_again(referee: Referee) -> None:
    referee.ask(2)
    referee.judged(2)
    referee.lobby.come_back(referee.connection)
    assert referee.judged(2) is Verdict.OPEN


async def test_matches_do_not_mix(referee: Referee) -> None:
    other = referee.begin(referee.bot)
    referee.ask(1, seat=other)
    referee.ask(2)
    assert other.choose(ReceivedChoice.of(choice(2, 1)), at=referee.bot.channel.clock.now()) is Verdict.OPEN
    assert referee.judged(2) is Verdict.OPEN
