"""Times, strikes, faults and forfeits of a record, held against its terms."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Thought, by_number, first_question, play_match, played_out

from ordago import v1
from ordago.match import Match, audit

Change = Callable[[v1.MatchRecord], object]

WRONG = v1.Answer()


def by_turns(decision: v1.Decision, refusals: Sequence[v1.Refused]) -> Thought:
    """Err in one way after the other: be refused once, be silent, be refused to the end, be away."""
    way = decision.number % 5
    if way == 0 or (way == 1 and not refusals):
        return WRONG
    return {2: None, 3: v1.FAULT_DISCONNECTED}.get(way, by_number(decision))


def played(strategy: Any = by_turns, **terms: Any) -> v1.MatchRecord:
    players = [FakePlayer(strategy, thinks=0.25), FakePlayer(thinks=0.5), FakePlayer()]
    return play_match(match_terms(**terms), players)


def choices(record: v1.MatchRecord, *, fault: int | None = None, seat: int = 0) -> list[v1.RecordedChoice]:
    found = [entry.choice for entry in record.entries if entry.HasField("choice") and entry.choice.seat == seat]
    return [choice for choice in found if fault is None or choice.fault == fault]


def sentences(record: v1.MatchRecord) -> list[str]:
    return [problem.sentence for problem in audit(record).problems]


HONEST: dict[str, dict[str, Any]] = {
    "plain": {},
    "no forfeit": {"forfeit_after": 0},
    "one strike": {"strikes": 1, "forfeit_after": 3},
    "a bank that is used up": {"decision_ms": 200, "bank_ms": 1000, "increment_ms": 20},
    "time for nothing": {"decision_ms": 100, "bank_ms": 0},
    "lag": {"decision_ms": 400, "lag_credit_ms": 200, "lag_bank_ms": 1000},
}


@pytest.mark.parametrize("terms", HONEST.values(), ids=HONEST)
def test_a_match_as_it_was_refereed_has_no_problems(terms: dict[str, Any]) -> None:
    record = played(**terms)
    assert choices(record, fault=v1.FAULT_TOO_LATE)
    assert audit(record) == ((), ())


@pytest.mark.parametrize("fault", [v1.FAULT_CRASHED, v1.FAULT_MALFORMED, v1.FAULT_FLOODING, v1.FAULT_FAILED_TO_START])
def test_a_fault_that_forfeits_at_once_accounts_for_its_forfeit(fault: v1.Fault) -> None:
    record = played(lambda decision, _: fault if decision.number == 3 else by_number(decision))
    assert len(choices(record, fault=fault)) > 3
    assert audit(record) == ((), ())


def test_a_bot_that_leaves_while_it_is_asked_accounts_for_its_forfeit() -> None:
    """It says Goodbye, so that it is not waited for, whatever is in its bank for that."""
    terms = match_terms(disconnect_bank_ms=5_000)
    players = [FakePlayer() for _ in terms.seats]
    match = Match(terms)
    question = first_question(match)
    match.forfeit(question.seat, v1.FAULT_DISCONNECTED, "it left")
    reply = players[question.seat].reply(question).without_answer(v1.FAULT_DISCONNECTED)
    record = played_out(match, players, reply=reply).record.message
    assert any(entry.HasField("forfeit") for entry in record.entries)
    assert audit(record) == ((), ())


def set_choice(of: int, /, **fields: Any) -> Change:
    def change(record: v1.MatchRecord) -> None:
        for name, value in fields.items():
            setattr(choices(record, fault=of)[0], name, value)

    return change


def strike_out(record: v1.MatchRecord) -> None:
    choice = choices(record, fault=0)[0]
    choice.strikes = 999
    choice.broken_rules.extend(["answer"] * (999 - len(choice.broken_rules)))


def drop_forfeit(record: v1.MatchRecord) -> None:
    index = next(at for at, entry in enumerate(record.entries) if entry.HasField("forfeit"))
    del record.entries[index]


FORGED: dict[str, tuple[Change, str]] = {
    "1,000 seconds": (set_choice(0, charged_ms=1_000_000), "1000000 ms are charged, and the seat had 10000 ms."),
    "one millisecond more": (set_choice(0, charged_ms=10_001), "10001 ms are charged"),
    "too late in time": (set_choice(v1.FAULT_TOO_LATE, charged_ms=9_999), "called too late after 9999 ms of 10000 ms"),
    "lag from nowhere": (set_choice(0, lag_ms=1), "had a credit of 0 ms"),
    "away for ever": (set_choice(0, away_ms=1_000_000), "away for 1000000 ms, and had 0 ms"),
    "999 strikes": (strike_out, "999 answers were refused, and with 3 strikes the default answer is due."),
    "strikes without rules": (set_choice(v1.FAULT_TOO_LATE, strikes=1), "with 1 strikes names 0 broken rules"),
    "illegal without strikes": (set_choice(v1.FAULT_TOO_LATE, fault=v1.FAULT_ILLEGAL), "comes of 3 strikes"),
    "all strikes and no fault": (set_choice(v1.FAULT_ILLEGAL, fault=v1.FAULT_UNSPECIFIED), "comes of 3 strikes"),
    "the server's fault": (set_choice(v1.FAULT_TOO_LATE, fault=v1.FAULT_SERVER), "taken for the fault 'server'"),
    "no known fault": (set_choice(v1.FAULT_TOO_LATE, fault=77), "taken for the fault 'fault_77'"),
    "a crash that is forgiven": (set_choice(v1.FAULT_TOO_LATE, fault=v1.FAULT_CRASHED), "forfeited before (crashed)"),
    "a forfeit that is forgiven": (drop_forfeit, "Seat 0 was to be forfeited before"),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_the_referee_would_not_have_written_is_found(name: str) -> None:
    change, words = FORGED[name]
    record = played()
    change(record)
    assert any(words in sentence for sentence in sentences(record)), sentences(record)


def test_a_forfeited_seat_is_charged_nothing() -> None:
    record = played()
    choices(record)[-1].charged_ms = 1
    [sentence] = sentences(record)
    assert "nothing is charged" in sentence


@pytest.mark.parametrize(("fault", "outside"), [(v1.FAULT_CRASHED, True), (v1.FAULT_ILLEGAL, False)])
def test_a_forfeit_that_no_decision_accounts_for_is_told(fault: v1.Fault, outside: bool) -> None:  # noqa: FBT001 - a case
    terms = match_terms()
    players = [FakePlayer() for _ in terms.seats]
    match = Match(terms)
    match.forfeit(2, fault, "a stand-in sits here")
    problems, [forfeit] = audit(played_out(match, players).record.message)
    assert problems == ()
    assert (forfeit.entry, forfeit.seat, forfeit.fault, forfeit.comes_from_outside) == (0, 2, fault, outside)


def test_nobody_forfeits_for_what_is_no_fault_of_a_bot() -> None:
    record = played()
    record.entries.insert(0, v1.RecordEntry(forfeit=v1.Forfeit(seat=1, fault=v1.FAULT_SERVER)))
    assert "Nobody forfeits for the fault 'server'." in sentences(record)


def test_seats_that_are_not_there_are_nobodys_problem_here() -> None:
    """The replay finds them."""
    record = played(forfeit_after=0)
    record.entries.add(choice=v1.RecordedChoice(seat=7, charged_ms=10**6))
    record.entries.add(forfeit=v1.Forfeit(seat=7, fault=v1.FAULT_CRASHED))
    assert audit(record) == ((), ())
