"""Banks, increments and credits, to the millisecond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordago import v1
from ordago.match import SeatClock, TimeLeft, TimeTerms
from ordago.match.seat_clock import Charge


def clock(**terms: int) -> SeatClock:
    return SeatClock(TimeTerms(**{"decision_ms": 1_000, **terms}))


def numbers(left: TimeLeft) -> tuple[int, int, int, int]:
    return left.decision_ms, left.bank_ms, left.lag_credit_ms, left.disconnect_bank_ms


def charged(charge: Charge) -> tuple[int, int, bool]:
    return charge.charged_ms, charge.lag_ms, charge.in_time


def test_what_a_decision_may_take_without_a_bank() -> None:
    seat = clock()
    assert charged(seat.charge(1_000)) == (1_000, 0, True)
    assert charged(seat.charge(1_001)) == (1_000, 0, False)
    assert numbers(seat.left) == (1_000, 0, 0, 0)


def test_a_bank_pays_for_what_goes_beyond_the_time_of_a_decision() -> None:
    seat = clock(bank_ms=500)
    assert seat.charge(1_000).in_time
    assert seat.left.bank_ms == 500
    assert charged(seat.charge(1_300)) == (1_300, 0, True)
    assert seat.left.bank_ms == 200
    assert charged(seat.charge(1_201)) == (1_200, 0, False)
    assert seat.left.bank_ms == 0


def test_a_bank_bounds_a_match_where_the_time_of_a_decision_alone_does_not() -> None:
    """The attacker answers just below the clock, at each of 148 decisions, as long as that is in time."""
    slow, banked = clock(decision_ms=3_000), clock(decision_ms=200, bank_ms=30_000)
    assert sum(slow.charge(2_850).charged_ms for _ in range(148)) == 148 * 2_850
    charges = [banked.charge(2_850) for _ in range(148)]
    assert sum(charge.charged_ms for charge in charges) <= 148 * 200 + 30_000
    assert sum(charge.in_time for charge in charges) == 11, "then it is too late each time"


def test_the_increment_comes_after_each_decision_even_one_that_was_too_late() -> None:
    seat = clock(increment_ms=50)
    seat.charge(3)
    assert seat.left.bank_ms == 50
    seat.charge(9_999)
    assert seat.left.bank_ms == 50


def test_a_bank_that_grows_and_grows_can_still_be_told() -> None:
    seat = clock(decision_ms=3_600_000, increment_ms=3_600_000)
    for _ in range(2_000):
        seat.charge(0)
    told = v1.Decision.FromString(seat.left.serialized()).clock
    assert told.bank_ms == seat.left.bank_ms == 2**31 - 1
    assert v1.Refused(time_left_ms=seat.left.thinking_ms).time_left_ms == seat.left.thinking_ms


def test_a_charge_that_another_server_found_takes_no_more_than_there_is() -> None:
    """A journal may hold any charge."""
    seat = clock(bank_ms=100, disconnect_bank_ms=50)
    seat.settle(Charge(9_999), away_ms=9_999)
    assert (seat.left.bank_ms, seat.left.disconnect_bank_ms) == (0, 0)


@pytest.mark.parametrize(
    ("elapsed_ms", "thought_ms", "cost"),
    [
        (300, None, (300, 0, True)),
        (300, 300, (300, 0, True)),
        (300, 250, (250, 50, True)),
        (300, 0, (200, 100, True)),
        (300, 4_000_000, (300, 0, True)),
        (1_100, 1_000, (1_000, 100, True)),
        (1_101, 1_000, (1_000, 100, False)),
    ],
)
def test_travelling_time_is_not_charged_within_the_credit(
    elapsed_ms: int, thought_ms: int | None, cost: tuple[int, int, bool]
) -> None:
    seat = clock(lag_credit_ms=100, lag_bank_ms=1_000)
    assert charged(seat.charge(elapsed_ms, thought_ms=thought_ms)) == cost


def test_the_credit_for_lag_is_bounded_in_the_whole_match() -> None:
    seat = clock(lag_credit_ms=100, lag_bank_ms=250)
    assert [seat.charge(500, thought_ms=0).lag_ms for _ in range(4)] == [100, 100, 50, 0]
    assert seat.left.lag_credit_ms == 0


def test_being_away_uses_up_a_bank_of_its_own() -> None:
    seat = clock(bank_ms=10, disconnect_bank_ms=700)
    seat.charge(100, away_ms=300)
    assert (seat.left.disconnect_bank_ms, seat.left.bank_ms) == (400, 10)
    seat.charge(100, away_ms=401)
    assert seat.left.disconnect_bank_ms == 0


def test_what_is_left_while_a_decision_is_open() -> None:
    left = TimeLeft(1_000, 500, 20, 3_000)
    assert numbers(left.after(spent_seconds=0.4, away_seconds=1)) == (600, 500, 20, 2_000)
    assert numbers(left.after(spent_seconds=1.2, away_seconds=9)) == (0, 300, 20, 0)
    assert numbers(left.after(spent_seconds=9, away_seconds=0)) == (0, 0, 20, 3_000)
    message = v1.Decision.FromString(left.serialized()).clock
    assert message == v1.ClockState(decision_ms=1_000, bank_ms=500, lag_credit_ms=20, disconnect_bank_ms=3_000)


def test_time_is_up_when_the_decision_its_bank_and_its_credit_for_lag_are_used_up() -> None:
    left = TimeLeft(1_000, 500, 20, 3_000)
    assert left.seconds == 1.52
    assert not left.is_up(1.52)
    assert left.is_up(1.521)


TERMS = st.builds(
    TimeTerms,
    decision_ms=st.integers(1, 2_000),
    bank_ms=st.integers(0, 2_000),
    increment_ms=st.integers(0, 100),
    lag_credit_ms=st.integers(0, 100),
    lag_bank_ms=st.integers(0, 300),
    disconnect_bank_ms=st.integers(0, 1_000),
)
DECISIONS = st.lists(
    st.tuples(st.integers(0, 5_000), st.none() | st.integers(0, 5_000), st.integers(0, 2_000)), max_size=20
)


@pytest.mark.slow
@given(TERMS, DECISIONS)
def test_charges_alone_bring_a_clock_to_where_it_was(
    terms: TimeTerms, decisions: list[tuple[int, int | None, int]]
) -> None:
    """That is how a match goes on after a restart: the record has the charges and nothing else."""
    played, restored = SeatClock(terms), SeatClock(terms)
    given_back = 0
    for elapsed_ms, thought_ms, away_ms in decisions:
        before = played.left
        charge = played.charge(elapsed_ms, thought_ms=thought_ms, away_ms=away_ms)
        assert 0 <= charge.charged_ms <= before.thinking_ms
        assert charge.charged_ms + charge.lag_ms <= elapsed_ms
        given_back += charge.lag_ms
        restored.settle(Charge(charge.charged_ms, charge.lag_ms), away_ms=away_ms)
        assert numbers(restored.left) == numbers(played.left)
        assert min(numbers(played.left)) >= 0
    assert given_back <= terms.lag_bank_ms
