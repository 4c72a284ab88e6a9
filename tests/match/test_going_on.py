"""Seats that are forfeited, and matches that go on from what was decided before."""

from collections.abc import Sequence

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Strategy, Thought, by_default, by_number, first_question, play_match, played_out

from ordago import v1
from ordago.arena.play import tell
from ordago.match import Match, Progress, Reply, progress_of
from ordago.record import verify

TIME = {"bank_ms": 3_000, "increment_ms": 20, "lag_credit_ms": 30, "lag_bank_ms": 300, "disconnect_bank_ms": 900}


class Notebook:
    """A choice_log that keeps what it is told."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []

    def enter(self, entries: Sequence[bytes]) -> None:
        self.entries += entries

    def past(self, number: int) -> Sequence[v1.RecordEntry]:
        """Return the first entries."""
        return v1.MatchRecord.FromString(b"".join(self.entries[:number])).entries


def faulty(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
    """Be silent, or break a rule, now and then."""
    if decision.number % 5 == 0:
        return None
    if decision.number % 7 == 0 and len(refusals) < 2:
        return v1.Answer(legal_action=99)
    return by_number(decision)


def seated(*strategies: Strategy) -> list[FakePlayer]:
    return [FakePlayer(strategy, thinks=0.4 + seat / 10) for seat, strategy in enumerate(strategies)]


@pytest.mark.parametrize("kept", [0, 1, 2, 50, 76, 107, 108])
def test_a_match_goes_on_where_it_was(kept: int) -> None:
    terms = match_terms(decision_ms=500, forfeit_after=6, **TIME)
    notebook = Notebook()
    whole = play_match(terms, seated(by_number, faulty, by_default), choice_log=notebook)
    assert not verify(whole)
    assert len(notebook.entries) == 109, "a choice for each card, and one forfeit"
    players = seated(by_number, faulty, by_default)
    again = Notebook()
    carried_on = play_match(terms, players, past=notebook.past(kept), choice_log=again)
    assert carried_on == whole
    assert notebook.entries[:kept] + again.entries == notebook.entries
    asked = sum(len(player.decisions) for player in players)
    closed = sum(player.of(v1.MatchStart)[0].last_decision for player in players)
    forfeited = sum(entry.choice.fault > 0 for entry in whole.entries[_forfeit_at(whole) :])
    assert asked + closed == 108 - forfeited


def _forfeit_at(record: v1.MatchRecord) -> int:
    return next(at for at, entry in enumerate(record.entries) if entry.HasField("forfeit"))


def test_a_seat_that_was_forfeited_before_is_told_so_and_not_asked() -> None:
    terms, notebook = match_terms(forfeit_after=1, decision_ms=1_000), Notebook()
    play_match(terms, seated(by_default, lambda *_: None, by_default), choice_log=notebook)
    players = seated(by_default, by_default, by_default)
    play_match(terms, players, past=notebook.past(20))
    assert [type(message) for message in players[1].told] == [v1.MatchStart, v1.Accepted, v1.Forfeited, v1.MatchEnd]
    assert players[1].told[2].sentence


@pytest.mark.slow
def test_what_was_said_of_the_last_decision_is_said_again() -> None:
    """All of it, though it is found from the choices alone: the bank, the faults that are left, the answer."""
    terms, notebook = match_terms(decision_ms=500, forfeit_after=6, **TIME), Notebook()
    players = seated(by_number, faulty, by_default)
    play_match(terms, players, choice_log=notebook)
    told = [{accepted.number: accepted for accepted in player.of(v1.Accepted)} for player in players]
    for kept in range(109):
        again = seated(by_number, faulty, by_default)
        play_match(terms, again, past=notebook.past(kept))
        for player, before in zip(again, told, strict=True):
            closed = player.of(v1.MatchStart)[0].last_decision
            if closed:
                assert player.of(v1.Accepted)[0] == before[closed]


def test_a_forfeit_that_was_due_is_made_up_for() -> None:
    """A server may be killed between the last fault of a seat and the forfeit that comes of it."""
    terms, notebook = match_terms(forfeit_after=3, decision_ms=1_000), Notebook()
    whole = play_match(terms, seated(by_default, lambda *_: None, by_default), choice_log=notebook)
    forfeit_at = next(at for at, entry in enumerate(notebook.past(999)) if entry.HasField("forfeit"))
    again = Notebook()
    players = seated(by_default, lambda *_: None, by_default)
    assert play_match(terms, players, past=notebook.past(forfeit_at), choice_log=again) == whole
    assert again.entries[0] == notebook.entries[forfeit_at]
    assert players[1].of(v1.Forfeited)[0].sentence


def test_a_bot_that_never_came_forfeits_from_the_start() -> None:
    players = seated(by_number, by_number, by_number)
    match = Match(match_terms())
    match.forfeit(2, v1.FAULT_FAILED_TO_START, "it never came")
    finished = played_out(match, players)
    record, ends = finished.record.message, finished.ends
    assert not players[2].decisions
    assert not verify(record)
    assert record.entries[0].forfeit == v1.Forfeit(seat=2, fault=v1.FAULT_FAILED_TO_START)
    assert all(end.forfeits == [record.entries[0].forfeit] for end in ends)
    assert [type(message) for message in players[2].told] == [v1.MatchStart, v1.Forfeited]
    assert players[2].of(v1.Forfeited)[0].sentence == "it never came"
    faults = {entry.choice.fault for entry in record.entries if entry.choice.seat == 2}
    assert faults == {v1.FAULT_FAILED_TO_START}


def test_a_seat_that_is_forfeited_while_it_is_asked_has_its_decision_closed_first() -> None:
    players = seated(by_number, by_number, by_number)
    match = Match(match_terms())
    question = first_question(match, players)
    assert not match.forfeit(question.seat, v1.FAULT_CRASHED, "it is gone").messages
    step = match.step(Reply(None, 0.0, v1.FAULT_CRASHED))
    tell(step, players)
    assert step.question is not None
    assert step.question.seat != question.seat
    told = [type(message) for message in players[question.seat].told]
    assert told == [v1.MatchStart, v1.Accepted, v1.Forfeited]
    assert players[question.seat].of(v1.Forfeited)[0].sentence == "it is gone"


def test_how_far_a_match_has_come_is_found_from_what_was_decided() -> None:
    terms, notebook = match_terms(decision_ms=500, forfeit_after=6, **TIME), Notebook()
    play_match(terms, seated(by_number, faulty, by_default), choice_log=notebook)
    assert progress_of(terms, []) == Progress(asked=(1, 0, 0), forfeited=(False, False, False), over=False)
    assert progress_of(terms, notebook.past(1)) == Progress((1, 1, 0), (False, False, False), over=False)
    over = progress_of(terms, notebook.past(109))
    assert (over.forfeited, over.over) == ((False, True, False), True)
    forfeit = next(at for at, entry in enumerate(notebook.past(109)) if entry.HasField("forfeit"))
    own = [entry.choice.seat for entry in notebook.past(forfeit)]
    assert over.asked == (36, own.count(1), 36)


@pytest.mark.parametrize("fault", [v1.FAULT_CRASHED, v1.FAULT_FLOODING, v1.FAULT_MALFORMED])
def test_some_faults_forfeit_at_once(fault: v1.Fault) -> None:
    players = seated(by_number, lambda *_: fault, by_number)
    record = play_match(match_terms(), players)
    assert [entry.forfeit.fault for entry in record.entries if entry.HasField("forfeit")] == [fault]
    assert len(players[1].decisions) == 1
    assert players[1].told[1:4][1].fault == fault, "the open decision is closed first"
    assert not verify(record)


def test_a_match_without_anybody_left_comes_to_its_end() -> None:
    players = seated(*[lambda *_: v1.FAULT_CRASHED] * 3)
    record = play_match(match_terms(), players)
    assert not verify(record)
    assert sum(len(player.decisions) for player in players) == 3


def test_a_choice_of_a_forfeited_seat_that_is_no_default_is_noticed() -> None:
    record = play_match(match_terms(), seated(by_number, lambda *_: v1.FAULT_CRASHED, by_number))
    for entry in record.entries[_forfeit_at(record) :]:
        if entry.HasField("choice") and entry.choice.seat == 1:
            entry.choice.fault = v1.FAULT_UNSPECIFIED
    assert any("was forfeited, but made" in problem.sentence for problem in verify(record))


def test_a_forfeit_that_cannot_be_is_noticed() -> None:
    record = play_match(match_terms(), seated(by_number, lambda *_: v1.FAULT_CRASHED, by_number))
    record.entries[_forfeit_at(record)].forfeit.seat = 3
    assert any("A forfeit has to name a seat" in problem.sentence for problem in verify(record))
