"""Seats with times of their own: what they are asked, charged and recorded, and how a forgery of that is found."""

from dataclasses import replace

import pytest
from support.matches import match_terms
from support.players import FakePlayer, by_number, first_question, play_match

from ordago import v1
from ordago.journal import match_entry, terms_of
from ordago.journal.v1 import JournaledSeat
from ordago.match import Match, MatchTerms, TimeTerms, audit, decisions_of, record_heading
from ordago.record import rewritten, tell, to_file_bytes, verify

OWN = TimeTerms(decision_ms=300, bank_ms=100, disconnect_bank_ms=5)
"""The time of seat 1; the others have ten seconds for a decision."""


@pytest.fixture(scope="module")
def terms() -> MatchTerms:
    return with_own_time(match_terms(forfeit_after=0))


def with_own_time(terms: MatchTerms) -> MatchTerms:
    first, second, *others = terms.seats
    return replace(terms, seats=(first, replace(second, time=OWN), *others))


@pytest.fixture(scope="module")
def players() -> list[FakePlayer]:
    return [FakePlayer(by_number, thinks=0.35) for _ in range(3)]


@pytest.fixture(scope="module")
def record(terms: MatchTerms, players: list[FakePlayer]) -> v1.MatchRecord:
    """A match in which each seat thinks 350 ms, so that seat 1 is late once its bank is empty."""
    return play_match(terms, players)


@pytest.fixture
def forged(record: v1.MatchRecord) -> v1.MatchRecord:
    copied = v1.MatchRecord()
    copied.CopyFrom(record)
    return copied


def test_each_seat_plays_by_its_own_clock(record: v1.MatchRecord, players: list[FakePlayer]) -> None:
    starts = [player.of(v1.MatchStart)[0].clock.decision_ms for player in players]
    clocks = [player.decisions[0].clock for player in players]
    assert starts == [clock.decision_ms for clock in clocks] == [10_000, 300, 10_000]
    assert [clock.bank_ms for clock in clocks] == [0, 100, 0]
    faults = [[accepted.fault for accepted in player.accepted] for player in players]
    assert not any(faults[0] + faults[2])
    assert faults[1] == [0] * 2 + [v1.FAULT_TOO_LATE] * (len(faults[1]) - 2)
    assert [seat.HasField("clock") for seat in record.seats] == [False, True, False]


def test_the_record_proves_it(record: v1.MatchRecord) -> None:
    again = rewritten(to_file_bytes(record))
    assert (verify(record), audit(record).problems) == ([], ())
    assert again is not None
    assert audit(again.record, again.turns) == audit(record)
    assert any("bot 1, version 1, decision 0.3 s, bank 0.1 s" in line for line in tell(record))


def test_the_decisions_of_a_record_have_its_clock(record: v1.MatchRecord, players: list[FakePlayer]) -> None:
    for seat, player in enumerate(players):
        again = list(decisions_of(record, seat))
        assert [past.decision.clock for past in again] == [decision.clock for decision in player.decisions]
        assert again[0].start.clock == player.of(v1.MatchStart)[0].clock


def test_a_match_that_goes_on_after_a_restart_keeps_the_times() -> None:
    terms = with_own_time(match_terms(revealed_secret=b"s" * 32))
    again = terms_of(match_entry(terms, [JournaledSeat() for _ in terms.seats]))
    assert record_heading(again) == record_heading(terms)
    assert again.seats == terms.seats
    assert first_question(Match(again)).time.decision_ms == first_question(Match(terms)).time.decision_ms


def test_a_longer_time_than_the_seat_had_is_found(forged: v1.MatchRecord) -> None:
    late = next(entry.choice for entry in forged.entries if entry.choice.seat == 1 and entry.choice.fault)
    late.charged_ms, late.fault = 350, v1.FAULT_UNSPECIFIED
    assert [problem.sentence for problem in audit(forged).problems] == ["350 ms are charged, and the seat had 300 ms."]
    again = rewritten(to_file_bytes(forged))
    assert again is None or audit(again.record, again.turns).problems == audit(forged).problems


def test_the_time_of_another_seat_is_found(forged: v1.MatchRecord) -> None:
    """A record that denies the odds says of an answer that it was late while there was time."""
    forged.seats[1].ClearField("clock")
    assert "The answer is called too late after 300 ms of 10000 ms." in {
        problem.sentence for problem in audit(forged).problems
    }


def test_no_seat_names_the_time_of_the_match_as_its_own(forged: v1.MatchRecord) -> None:
    """A match has one record, and one digest."""
    forged.seats[0].clock.CopyFrom(forged.clock)
    assert "A seat names the time of the match as its own." in {problem.sentence for problem in verify(forged)}
    assert rewritten(to_file_bytes(forged)) is None
