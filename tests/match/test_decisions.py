"""The decisions of a recorded match: the same that the seat was asked while it was played."""

from collections.abc import Callable, Sequence

import pytest
from support.matches import match_terms
from support.players import FakePlayer, Thought, by_number, play_match

from ordago import v1
from ordago.games import find_game, game_names
from ordago.match import decisions_of
from ordago.record.opening import UnplayableError


def first(decision: v1.Decision, _refusals: Sequence[v1.Refused] = ()) -> v1.Answer:
    """Take the default answer, but now and then the last action without open parts."""
    closed = [action for action in decision.actions if not action.picks and not action.HasField("amount")]
    return by_number(decision) if decision.number % 3 == 0 and closed[-1:] == [decision.actions[-1]] else (
        decision.default_answer
    )  # fmt: skip


def at_fault(decision: v1.Decision, _refusals: Sequence[v1.Refused]) -> Thought:
    """Be late at every fourth decision, and crash at the 30th."""
    if decision.number == 30:
        return v1.FAULT_CRASHED
    return None if decision.number % 4 == 0 else by_number(decision)


@pytest.mark.parametrize("name", game_names())
def test_a_seat_was_asked_these_decisions(name: str) -> None:
    terms = match_terms(find_game(name), decision_ms=1000, bank_ms=2000, increment_ms=10)
    players = [FakePlayer(first, thinks=1.5) for _ in terms.seats]
    record = play_match(terms, players)
    for seat, player in enumerate(players):
        again = list(decisions_of(record, seat))
        for decision in again:
            decision.decision.ClearField("match_handle")
        assert [past.decision for past in again] == player.decisions


def test_faults_are_told_and_a_forfeit_ends_the_list() -> None:
    players = [FakePlayer(at_fault), FakePlayer(), FakePlayer()]
    record = play_match(match_terms(forfeit_after=0), players)
    again = list(decisions_of(record, 0))
    assert len(again) == 30
    assert [past.choice.fault for past in again[:4]] == [0] * 3 + [v1.FAULT_TOO_LATE]


def _swap_seats(record: v1.MatchRecord) -> None:
    next(entry for entry in record.entries if entry.HasField("choice")).choice.seat = 2


def _stack_cards(record: v1.MatchRecord) -> None:
    record.entries[0].shuffle.cards[0] = record.entries[0].shuffle.cards[1]


def _shuffle_twice(record: v1.MatchRecord) -> None:
    record.entries.insert(1, record.entries[0])


def _end_early(record: v1.MatchRecord) -> None:
    del record.entries[-8:]


def _play_nothing(record: v1.MatchRecord) -> None:
    next(entry for entry in record.entries if entry.HasField("choice")).choice.ClearField("action")


def _revoke(record: v1.MatchRecord) -> None:
    choices = [entry.choice for entry in record.entries if entry.HasField("choice")]
    choices[1].action.CopyFrom(choices[0].action)


@pytest.mark.parametrize(
    "change", [_swap_seats, _stack_cards, _shuffle_twice, _end_early, _play_nothing, _revoke],
)  # fmt: skip
def test_a_record_that_was_made_up_is_told_so(change: Callable[[v1.MatchRecord], None]) -> None:
    record = play_match(match_terms(), [FakePlayer(), FakePlayer(), FakePlayer()])
    change(record)
    with pytest.raises(UnplayableError):
        list(decisions_of(record, 0))
